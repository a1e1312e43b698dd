//! A promise, read back from the text that a charge carries.
//!
//! It must never make a promise look stricter than it was: of a text that is not understood, only the charged epsilon
//! counts. It is separate from the request's reader because people write freely and the book does not. Read `tally.rs`
//! next.

use crate::number::{read_epsilon, read_rational};
use incrowd_exact::Rational;
use incrowd_privacy::{Curve, Epsilon, Promise};
use serde_json::{Map, Value};

/// Returns the curve of a promise, or nothing where its text says nothing that is understood.
pub(crate) fn curve(promise: &str) -> Option<Curve> {
    let value: Value = serde_json::from_str(promise).ok()?;
    let curve = read(value.as_object()?)?.curve().ok()?;
    // A series promises the same for each period; a person may be in all of them.
    match value.get("periods") {
        None => Some(curve),
        Some(periods) => periods.as_u64().filter(|periods| *periods >= 1).map(|periods| curve.times(periods)),
    }
}

/// Returns the promise that the book writes so, whatever its delta.
fn read(fields: &Map<String, Value>) -> Option<Promise> {
    let text = |name: &str| fields.get(name)?.as_str();
    let whole = |name: &str| fields.get(name)?.as_u64();
    let number = |name: &str| -> Option<Rational> { read_rational(text(name)?) };
    let epsilon = |name: &str| -> Option<Epsilon> { read_epsilon(text(name)?) };
    let list = |name: &str| fields.get(name)?.as_array();
    let epsilons = |name: &str| -> Option<Vec<Epsilon>> {
        list(name)?.iter().map(|value| read_epsilon(value.as_str()?)).collect()
    };
    Some(match text("kind")? {
        "differential-privacy" => Promise::DifferentialPrivacy { epsilon: epsilon("epsilon")? },
        "group" => Promise::Group { group: whole("group")?, epsilon: epsilon("epsilon")? },
        "crowd-blending" => Promise::CrowdBlending { crowd: whole("crowd")?, epsilon: epsilon("epsilon")? },
        "simple-outlier" => Promise::SimpleOutlier { group: whole("group")?, epsilon: epsilon("epsilon")? },
        "simple-outlier-dp" => Promise::SimpleOutlierDp { group: whole("group")?, epsilon: epsilon("epsilon")? },
        "staircase" => Promise::Staircase {
            thresholds: list("thresholds")?.iter().map(Value::as_u64).collect::<Option<_>>()?,
            epsilons: epsilons("epsilons")?,
        },
        "linear" => Promise::Linear { slope: number("slope")?, floor: number("floor")?, cap: epsilon("cap")? },
        "fading" => Promise::Fading {
            group: whole("group")?,
            width: whole("width")?,
            epsilon: number("epsilon")?,
            factor: number("factor")?,
        },
        "table" => Promise::Table { values: epsilons("values")? },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back() {
        for (text, at_one, last) in [
            (r#"{"delta":null,"epsilon":"1/2","kind":"differential-privacy"}"#, "1/2", None),
            (r#"{"delta":null,"epsilon":"1","group":10,"kind":"group"}"#, "1/10", None),
            (r#"{"crowd":20,"delta":"1/1000000","epsilon":"1","kind":"crowd-blending"}"#, "1", Some(19)),
            (r#"{"delta":null,"epsilon":"1","group":100,"kind":"simple-outlier"}"#, "1/100", Some(100)),
            (r#"{"delta":null,"epsilon":"1","group":100,"kind":"simple-outlier-dp"}"#, "1/100", None),
            (r#"{"delta":null,"epsilons":["1","1/2"],"kind":"staircase","thresholds":[20]}"#, "1/2", None),
            (r#"{"cap":"3","delta":null,"floor":"1/10","kind":"linear","slope":"1/100"}"#, "1/10", None),
            (r#"{"delta":null,"epsilon":"1","factor":"1","group":3,"kind":"fading","width":1}"#, "1/2", None),
            (r#"{"delta":null,"kind":"table","values":["1/3","infinite"]}"#, "1/3", Some(1)),
        ] {
            let curve = curve(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((curve.epsilon(1).to_string().as_str(), curve.last_finite()), (at_one, last), "{text}");
        }
    }

    #[test]
    fn what_is_promised_for_each_period_adds_up() {
        let text = r#"{"delta":null,"epsilon":"1","group":10,"kind":"simple-outlier-dp","periods":12}"#;
        let curve = curve(text).expect("a curve");
        assert_eq!((curve.epsilon(1).to_string(), curve.supremum().to_string()), ("6/5".into(), "12".into()));
    }

    #[test]
    fn what_is_not_understood_promises_no_curve() {
        for text in ["differential-privacy, epsilon 1", "{}", r#"{"kind":"group","group":-1,"epsilon":"1"}"#, "[1]"] {
            assert_eq!(curve(text), None, "{text}");
        }
    }
}
