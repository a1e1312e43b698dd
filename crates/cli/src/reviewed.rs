//! Four eyes: a plan that was saved, reviewed, and is the only one that runs.
//!
//! What is compared is everything that the plan decides: the request's hash, the mechanism with the parameters that were
//! found, and the cost. It must never let a difference pass. It is separate because saving and comparing must agree. Read
//! `release.rs` next.

use crate::failure::Failure;
use incrowd_exact::rational_text;
use incrowd_release::plan::Plan;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Most bytes that a saved plan may have.
const MOST_BYTES: u64 = 64 << 20;

/// Writes a plan aside and gives it its name; an existing file stays.
pub fn save(plan: &Plan, path: &Path) -> Result<(), Failure> {
    let text = format!("{:#}\n", object(plan));
    let failed = |what: &dyn std::fmt::Display| {
        Failure::usage(format!("the plan could not be saved: {what}"), "choose a new name in a folder that exists")
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    file.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
    file.as_file().sync_all().map_err(|error| failed(&error))?;
    file.persist_noclobber(path).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => failed(&format!("{} exists already", path.display())),
        _ => failed(&error.error),
    })?;
    Ok(())
}

/// Refuses unless the plan is the one that was saved.
pub fn must_match(plan: &Plan, path: &Path) -> Result<(), Failure> {
    let wrong = |message: String| Failure::usage(message, "save a plan with `incrowd plan REQUEST --save FILE`");
    let size = std::fs::metadata(path).map_err(|error| wrong(format!("the saved plan cannot be read: {error}")))?.len();
    if size > MOST_BYTES {
        return Err(wrong("the saved plan is too large".into()));
    }
    let text =
        std::fs::read_to_string(path).map_err(|error| wrong(format!("the saved plan cannot be read: {error}")))?;
    let saved: Value = serde_json::from_str(&text).map_err(|_| wrong("this is not a saved plan".into()))?;
    let present = object(plan);
    if saved == present {
        return Ok(());
    }
    let fields = ["version", "software", "request_hash", "request", "mechanism", "cost", "exact"];
    let changed: Vec<&str> = fields.into_iter().filter(|field| saved[*field] != present[*field]).collect();
    let changed = if changed.is_empty() { "its fields".to_string() } else { changed.join(", ") };
    Err(Failure::Differs {
        message: format!("this is not the plan that was reviewed: {changed} changed"),
        hint: match plan.request.series().and_then(|series| series.span.ends().1) {
            Some(after) => format!(
                "this run of the series goes on after {after}: write after = {after} into [series], and review that"
            ),
            None => "review the request again, and save its plan under a new name".into(),
        },
    })
}

fn object(plan: &Plan) -> Value {
    let cost = plan.cost();
    let request: Value = serde_json::from_str(&plan.request.canonical_json()).unwrap_or(Value::Null);
    json!({
        "version": 1,
        "software": concat!("incrowd ", env!("CARGO_PKG_VERSION")),
        "request_hash": plan.request.request_hash(),
        "request": request,
        "mechanism": plan.mechanism_json(),
        "cost": { "epsilon": cost.epsilon.to_string(), "delta": rational_text(&cost.delta) },
        "exact": {
            "worst_count": plan.worst.count,
            "epsilon": plan.worst.epsilon.to_string(),
            "delta": rational_text(&plan.worst.delta.upper_bound()),
        },
    })
}
