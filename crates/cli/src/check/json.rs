//! What was found, for machines.
//!
//! Marked as internal in the object itself. It must never say less than the page. It is separate because its fields
//! are stable and the page's words are not (`docs/json.md`). Read `page.rs` for the same in words.

use super::INTERNAL;
use super::verdict::{CheckVerdict, Looked, Report};
use super::words::{CHOSEN_BY_LOOKING, cause_name, ranges};
use incrowd_engine_datafusion::{Advice, Damage, Findings, Helped, Spot, SpotInFile};
use serde_json::{Value, json};

/// Returns the object.
pub fn object(report: &Report<'_>, verdict: &CheckVerdict) -> Value {
    let mut object = json!({
        "internal": true,
        "warning": INTERNAL,
        "request": report.name,
        "request_hash": report.request.request_hash(),
        "verdict": verdict.as_str(),
        "in_words": verdict.words(),
        "most_lost": report.most_lost.to_f64(),
        "most_cut": report.most_cut.to_f64(),
    });
    let more = match report.looked {
        Looked::Unprepared(unprepared) => damaged(&unprepared.damage),
        Looked::Damaged(damage) => damaged(damage),
        Looked::Read(findings) => found(report, findings),
    };
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), more) {
        object.extend(fields);
    }
    object
}

fn damaged(damage: &[Damage]) -> Value {
    let advice: Vec<Value> = damage.iter().filter_map(|one| one.advice.as_ref()).map(advice_json).collect();
    let damage = damage.iter().map(|one| json!({ "spot": one.spot.as_ref().map(spot), "what": one.kind.to_string() }));
    json!({ "damage": damage.collect::<Vec<_>>(), "advice": advice })
}

fn found(report: &Report<'_>, findings: &Findings) -> Value {
    let losses = findings.losses.iter().map(|loss| {
        let (cause, bin) = cause_name(&loss.cause);
        json!({ "cause": cause, "bin": bin, "people": loss.people })
    });
    let unread = findings.unread.iter().map(|column| {
        let first = column.first.iter();
        let first =
            first.map(|value| json!({ "spot": spot(&value.spot), "value": value.value, "reason": value.reason }));
        let first: Vec<Value> = first.collect();
        json!({ "column": column.column, "wanted": column.wanted, "rows": column.rows, "first": first })
    });
    let outside = findings.outside.iter().map(|outside| {
        let values = outside.values.iter();
        let values = values.map(|value| json!({ "value": value.value, "rows": value.rows, "near": value.near }));
        json!({ "bin": outside.bin, "rows": outside.rows, "values": values.collect::<Vec<_>>() })
    });
    let first_in_quotes = findings.rows_in_quotes.first.iter();
    let first_in_quotes =
        first_in_quotes.map(|(first, closed)| json!({ "spot": spot(first), "closed_on_line": closed }));
    let nothing = findings.words_for_nothing.iter();
    let nothing = nothing.map(|word| json!({ "bin": word.bin, "word": word.word, "people": word.people }));
    let bounded = findings.bounded.as_ref().map(|bounded| {
        json!({
            "people": bounded.people,
            "person_bins": bounded.person_bins,
            "counted": bounded.counted,
            "people_cut_by_bins_per_person": bounded.cut_people,
            "people_cut_by_most_items": bounded.cut_baskets,
            "wider": report.wider_limit().map(|wider| json!({
                "bins_per_person": wider.bins_per_person,
                "counted": wider.counted,
                "warning": CHOSEN_BY_LOOKING,
            })),
        })
    });
    let sizes = ranges(&findings.bins_by_size).into_iter();
    let sizes = sizes
        .map(|(people_in_bin, bins, people)| json!({ "people_in_bin": people_in_bin, "bins": bins, "people": people }));
    let forecast = report.plan.ok().zip(report.forecast.as_ref()).map(|(plan, forecast)| forecast.to_json(plan));
    json!({
        "rows": findings.rows,
        "bad_rows": findings.bad_rows,
        "filtered": findings.filtered,
        "people": findings.people,
        "lost": findings.lost(),
        "losses": losses.collect::<Vec<_>>(),
        "unreadable": unread.collect::<Vec<_>>(),
        "outside": outside.collect::<Vec<_>>(),
        "day_orders": findings.day_orders.as_ref().map(|orders| json!({
            "said": orders.said,
            "other": orders.other,
            "only_said": orders.only_said,
            "only_other": orders.only_other,
            "both": orders.both,
        })),
        "rows_in_quotes": {
            "fields": findings.rows_in_quotes.fields,
            "rows": findings.rows_in_quotes.rows,
            "first": first_in_quotes.collect::<Vec<_>>(),
        },
        "formulas_without_result": findings.uncomputed,
        "words_for_nothing": nothing.collect::<Vec<_>>(),
        "limits": bounded,
        "bins_by_size": sizes.collect::<Vec<_>>(),
        "forecast": forecast,
        "advice": findings.advice.iter().map(advice_json).collect::<Vec<_>>(),
    })
}

fn advice_json(advice: &Advice) -> Value {
    let ways: Vec<Vec<String>> = advice.ways.iter().map(|way| way.iter().map(ToString::to_string).collect()).collect();
    let helped = advice.helped.map(|helped| match helped {
        Helped::Readable { rows, of, untried } => json!({ "readable": rows, "of": of, "untried": untried }),
        Helped::Missing { rows, untried } => json!({ "missing": rows, "untried": untried }),
        Helped::Binned { rows, of, untried } => json!({ "binned": rows, "of": of, "untried": untried }),
    });
    json!({ "because": advice.because, "ways": ways, "helped": helped })
}

fn spot(spot: &Spot) -> Value {
    let (kind, place) = match spot.place {
        SpotInFile::Line(line) => ("line", json!(line)),
        SpotInFile::Row(row) => ("row", json!(row)),
        SpotInFile::Object(object) => ("object", json!(object)),
        SpotInFile::End => ("end", json!(true)),
    };
    json!({ "file": spot.file, kind: place })
}
