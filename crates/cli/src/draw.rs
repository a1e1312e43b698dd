//! `incrowd draw`: draws from the sampler that releases use, for a count that somebody made up.
//!
//! Each draw is one bin with its own key, exactly as in a release; no data can be given. It is separate because it is
//! the only command here that draws. Read `incrowd_noise`'s `sampler.rs` for the draw itself.

use crate::args::{DrawCommand, PrintFormat};
use crate::failure::Failure;
use crate::{session, talk};
use incrowd_noise::{BinAddress, ReleaseSecret, Sampler, testing};
use incrowd_privacy::SideValue;
use incrowd_release::law_page::outcome_text;
use incrowd_release::plan_json::{JSON_VERSION, mechanism_json, outcome_json};
use incrowd_release::settled;
use serde_json::json;
use std::io::{BufWriter, Write};

/// Runs the command.
pub fn run(command: &DrawCommand, format: PrintFormat) -> Result<(), Failure> {
    let request = session::request(&command.request)?;
    let settled = settled(&request, None)?;
    let sampler = Sampler::new(settled.deployed())
        .map_err(|error| Failure::usage(format!("this mechanism cannot be drawn from: {error}"), "raise epsilon"))?;
    let secret = match command.test_seed {
        None => ReleaseSecret::fresh()
            .map_err(|error| Failure::usage(format!("no randomness: {error}"), "nothing is drawn without it"))?,
        Some(seed) if request.data.as_ref().is_some_and(|data| data.synthetic) => testing::known_secret(seed),
        Some(_) => {
            return Err(Failure::usage(
                "--test-seed makes draws that anybody can repeat, and this request is not marked as synthetic",
                "set `synthetic = true` in [data] if no real person is in it, or leave --test-seed out",
            ));
        }
    };
    let address = BinAddress { release: "draw", table: "counts", purpose: "noise" };
    let streams = secret.streams(&address);
    let draws = (0..command.times).map(|index| sampler.draw(command.count, &mut streams.bin(&index.to_le_bytes())));
    let private = command.test_seed.is_none();
    let meets = settled.meets_promise();
    let mut out = BufWriter::new(std::io::stdout().lock());
    match format {
        PrintFormat::Text | PrintFormat::Html => {
            if meets == Some(false) {
                talk::note("note:", "this mechanism does not meet the request's promise; `incrowd plan` says why");
            }
            if !private {
                talk::note("note:", "drawn with --test-seed: not private");
            }
            for drawn in draws {
                match &drawn.side_value {
                    SideValue::Nothing => writeln!(out, "{}", outcome_text(&drawn.outcome))?,
                    SideValue::Levels(levels) => {
                        let fired: String = levels.iter().map(|fired| if *fired { '1' } else { '0' }).collect();
                        writeln!(out, "{}\tlevels {fired}", outcome_text(&drawn.outcome))?;
                    }
                    SideValue::EpsilonTotal(epsilon) => {
                        writeln!(out, "{}\tepsilon {epsilon}", outcome_text(&drawn.outcome))?
                    }
                }
            }
        }
        PrintFormat::Json => {
            // Written piece by piece: a hundred million draws need not fit in memory.
            let head = json!({
                "version": JSON_VERSION,
                "command": "draw",
                "count": command.count,
                "times": command.times,
                "private": private,
                "meets_promise": meets,
                "mechanism": mechanism_json(&settled),
            });
            let head = head.to_string();
            write!(out, "{},\"draws\":[", &head[..head.len() - 1])?;
            for (index, drawn) in draws.enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(out, "{comma}{}", outcome_json(&drawn.outcome, &drawn.side_value))?;
            }
            writeln!(out, "]}}")?;
        }
    }
    Ok(out.flush()?)
}
