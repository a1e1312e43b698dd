//! The versions of the certificate's form: which there are, what each has, and what each got wrong.
//!
//! New certificates are of the last version; earlier ones stay readable for ever, so a field that is added says since
//! when it is there. A version must never be read as if it were another. It is separate because only the way back knows
//! more than one. Read `../verify/certificate.rs` for how it is used.

use serde_json::{Value, json};

/// A version of the certificate's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    /// Written by incrowd 0.1.
    Two,
    /// Written since incrowd 0.2.
    Three,
}

/// The step that says how tables are written to files; not in version 2.
pub(crate) const FILES: &str = "files";
/// The step that says what the publisher adds to the report; not in version 2.
pub(crate) const REPORT: &str = "report";
/// The step that tells medians, quantiles and means.
pub(crate) const STATISTICS: &str = "statistics";

/// The version that is written.
pub const CERTIFICATE_VERSION: u32 = 3;

/// What wrote this certificate.
pub(crate) const SOFTWARE: &str = concat!("incrowd ", env!("CARGO_PKG_VERSION"));

/// Software that wrote certificates before this one.
pub(crate) struct Earlier {
    software: &'static str,
    version: Version,
    /// The SHA-256 of the style sheet in its reports.
    pub style_sha256: &'static str,
}

/// All of it. Of what somebody else wrote nothing is known, whatever its name: a name is no proof of less to compare.
const EARLIER: [Earlier; 1] = [Earlier {
    software: "incrowd 0.1.0",
    version: Version::Two,
    style_sha256: "cb1b3e0478eac95519af169f5df0e9c6ef85909aa1b4e5a57b58072da2101774",
}];

impl Earlier {
    /// Returns what is known of software of this name.
    pub(crate) fn named(software: &str) -> Option<&'static Earlier> {
        EARLIER.iter().find(|earlier| earlier.software == software)
    }
}

/// Returns the software that a certificate names, if it is a version of incrowd that this one does not know.
pub(crate) fn unknown_software(certificate: &Value) -> Option<&str> {
    let software = certificate.get("software")?.as_str()?;
    software.strip_prefix("incrowd ").and_then(numbers)?;
    (software != SOFTWARE && Earlier::named(software).is_none()).then_some(software)
}

/// The fields of a certificate, from the top of the pyramid to its base, and since when they are there. `not_private`
/// is there only if nothing is private.
pub(crate) const FIELDS: [(&str, Version); 30] = [
    ("version", Version::Two),
    ("not_private", Version::Two),
    ("software", Version::Two),
    ("how_to_read", Version::Two),
    ("request_hash", Version::Two),
    ("binning_hash", Version::Two),
    ("dataset", Version::Two),
    ("snapshot", Version::Two),
    ("reading", Version::Three),
    ("notion", Version::Two),
    ("curve", Version::Two),
    ("delta", Version::Two),
    ("unit", Version::Two),
    ("worst_case_dp", Version::Two),
    ("odds", Version::Three),
    ("sampling", Version::Two),
    ("universe", Version::Two),
    ("mechanism", Version::Two),
    ("theorem", Version::Two),
    ("exact", Version::Two),
    ("postprocessing", Version::Two),
    ("randomness", Version::Two),
    ("floating_point", Version::Two),
    ("timing", Version::Two),
    ("assumptions", Version::Two),
    ("not_protected", Version::Two),
    ("ledger", Version::Two),
    ("derived_from", Version::Three),
    ("tables", Version::Two),
    ("request", Version::Two),
];

impl Version {
    /// Returns the version of a certificate; nothing if it is not known.
    pub(crate) fn of(certificate: &Value) -> Option<Version> {
        match certificate.get("version")?.as_u64()? {
            2 => Some(Version::Two),
            3 => Some(Version::Three),
            _ => None,
        }
    }

    /// Returns the number that stands in the certificate.
    pub(crate) fn number(self) -> u32 {
        match self {
            Version::Two => 2,
            Version::Three => 3,
        }
    }

    /// Returns the names of its fields.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'static str> + Clone {
        FIELDS.into_iter().filter(move |(_, since)| *since <= self).map(|(name, _)| name)
    }

    /// Returns a recomputed certificate as this version would have had it: without what came later.
    ///
    /// Whatever a later version says otherwise, and not in words, has to be turned back here.
    pub(crate) fn of_its_time(self, mut certificate: Value) -> Value {
        certificate["version"] = json!(self.number());
        if let Some(fields) = certificate.as_object_mut() {
            fields.retain(|name, _| self.fields().any(|known| known == name));
        }
        match (self, certificate["postprocessing"].as_array_mut()) {
            (Version::Two, Some(steps)) => steps.retain(|step| step["step"] != FILES && step["step"] != REPORT),
            (Version::Two, None) | (Version::Three, _) => {}
        }
        certificate
    }

    /// Whether software of this name is known to write this version.
    pub(crate) fn is_written_by(self, software: &str) -> bool {
        match software {
            SOFTWARE => self.number() == CERTIFICATE_VERSION,
            other => Earlier::named(other).is_some_and(|earlier| earlier.version == self),
        }
    }

    /// Returns what this version says in words and is known to be wrong.
    pub(crate) fn known_to_be_wrong(self) -> Option<&'static str> {
        match self {
            Version::Two => Some(
                "certificates of version 2 and their reports say in words that nobody becomes surer than stated \"but for a chance of delta\". That is wrong: delta bounds by how much the promise is exceeded on average, not how often; it is exceeded more often than that. The numbers epsilon and delta hold. Version 3 exists because of this, and states the chance itself",
            ),
            Version::Three => None,
        }
    }
}

/// Returns the three numbers of a release, each written in one way.
fn numbers(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split('.').map(|part| part.parse::<u32>().ok().filter(|number| number.to_string() == part));
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_its_software_and_no_other() {
        assert!(Version::Three.is_written_by(SOFTWARE));
        assert!(!Version::Two.is_written_by(SOFTWARE));
        assert!(Version::Two.is_written_by("incrowd 0.1.0"));
        assert!(!Version::Three.is_written_by("incrowd 0.1.0"));
        let unknown = ["incrowd 0.1.17", "incrowd 0.2.9", "incrowd 99.0.0"];
        let strange =
            ["", "incrowd", "incrowd 0.2", "incrowd 0.2.0.0", "incrowd 00.2.0", "other 0.2.0", "incrowd 0.2.+0"];
        for software in unknown.iter().chain(&strange) {
            assert!(!Version::Two.is_written_by(software) && !Version::Three.is_written_by(software), "{software}");
            let said = json!({ "software": software });
            assert_eq!(unknown_software(&said).is_some(), unknown.contains(software), "{software}");
        }
        for known in [SOFTWARE, "incrowd 0.1.0"] {
            assert_eq!(unknown_software(&json!({ "software": known })), None);
        }
    }

    #[test]
    fn an_earlier_version_has_no_later_field() {
        let mut all: Value = FIELDS.iter().map(|(name, _)| (name.to_string(), json!(1))).collect();
        all["postprocessing"] = json!([{ "step": "interval" }, { "step": FILES }]);
        for version in [Version::Two, Version::Three] {
            let again = version.of_its_time(all.clone());
            assert_eq!(again["version"], version.number());
            assert_eq!(again["postprocessing"].as_array().map(Vec::len), Some(version.number() as usize - 1));
            assert!(
                again
                    .as_object()
                    .is_some_and(|fields| fields.keys().all(|name| version.fields().any(|known| known == name)))
            );
        }
        assert_eq!(Version::Two.fields().count(), 27, "version 2 never changes");
    }
}
