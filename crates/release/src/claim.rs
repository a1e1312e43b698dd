//! What a certificate claims about its charge, as the account book judges it.
//!
//! Only what is stated is claimed, and as it is stated; it must never be made from a request that the certificate does
//! not name. It is separate because whoever holds a folder against a book, old or new, reads the same fields. Read
//! `incrowd_ledger::Claim` for the judgement.

use crate::charge::DIGITS;
use crate::request::UNNAMED_SNAPSHOT;
use incrowd_exact::number_of;
use incrowd_exact::{Rational, parse_number, significant_rounding_up};
use incrowd_ledger::Claim;
use incrowd_privacy::Epsilon;
use serde_json::Value;

/// Returns what a certificate claims, if it names an entry of a ledger and what was paid.
pub fn claim(certificate: &Value) -> Option<Claim> {
    let text = |value: &Value| value.as_str().map(str::to_string);
    let ledger = certificate.get("ledger")?;
    let (epsilon, delta) = match certificate.get("worst_case_dp")? {
        Value::Null => (Epsilon::Infinite, None),
        stated => {
            let epsilon = number_of(stated.get("epsilon")?.as_str()?)?;
            let delta = number_of(stated.get("delta")?.as_str()?)?;
            (Epsilon::Finite(epsilon), Some(charged(delta)))
        }
    };
    Some(Claim {
        seq: ledger.get("seq")?.as_u64()?,
        hash: text(ledger.get("head")?)?,
        account: text(certificate.get("dataset")?)?,
        snapshot: match certificate.get("snapshot")? {
            Value::Null => UNNAMED_SNAPSHOT.to_string(),
            named => text(named)?,
        },
        plan_hash: text(certificate.get("request_hash")?)?,
        binning_hash: text(certificate.get("binning_hash")?)?,
        epsilon,
        delta,
    })
}

/// Between which numbers the charged delta lies: at least what is stated, and at most that rounded up to fewer digits,
/// which is what is charged unless less was asked for.
fn charged(stated: Rational) -> (Rational, Rational) {
    let most = parse_number(&significant_rounding_up(&stated, DIGITS)).unwrap_or_else(|_| stated.clone());
    let most = if most < stated { stated.clone() } else { most };
    (stated, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn certificate() -> Value {
        json!({
            "request_hash": "a", "binning_hash": "b", "dataset": "people", "snapshot": "1",
            "worst_case_dp": { "epsilon": "1/2", "delta": "1.23456789012345e-6" },
            "ledger": { "seq": 2, "head": "c" },
        })
    }

    #[test]
    fn a_charged_delta_lies_between_the_stated_one_and_its_twelve_digits() {
        let claimed = claim(&certificate()).expect("a claim");
        assert_eq!(claimed.epsilon, Epsilon::Finite(parse_number("1/2").expect("a number")));
        let number = |text| parse_number(text).expect("a number");
        assert_eq!(claimed.delta, Some((number("1.23456789012345e-6"), number("1.23456789013e-6"))));
        let mut exact = certificate();
        exact["worst_case_dp"]["delta"] = json!("0");
        assert_eq!(claim(&exact).expect("a claim").delta, Some((Rational::ZERO, Rational::ZERO)));
        exact["worst_case_dp"] = Value::Null;
        let unbounded = claim(&exact).expect("a claim");
        assert_eq!((unbounded.epsilon, unbounded.delta), (Epsilon::Infinite, None));
    }

    #[test]
    fn a_certificate_that_leaves_something_out_claims_nothing() {
        for field in ["request_hash", "binning_hash", "dataset", "snapshot", "worst_case_dp", "ledger"] {
            let mut less = certificate();
            less.as_object_mut().expect("an object").remove(field);
            assert_eq!(claim(&less), None, "{field}");
        }
    }
}
