//! The releases that sequences are made of.

use incrowd_release::plan::RequestedPlan;
use incrowd_release::request::Request;
use std::fmt;

/// Where a release reads from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Format {
    /// Everything is text.
    Csv,
    /// Identifiers are integers, values are floats.
    Parquet,
}

/// Who is one person.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Person {
    /// Each row.
    Row,
    /// Each text in the column of identifiers.
    Text,
    /// Each integer there.
    Integer,
}

/// What a release promises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Promise {
    /// Exact counts from so many people on, nothing below.
    Crowd(u64),
    /// One epsilon for everybody.
    Plain(f64),
    /// `epsilon / group` up to `group`, `epsilon` above.
    Outlier(u64, f64),
    /// Exact counts from so many on, of a sample of one half, charged with this epsilon.
    Sampled(u64, f64),
}

/// One release.
#[derive(Clone)]
pub struct Spec {
    /// What it is called in messages.
    pub name: &'static str,
    /// What it reads.
    pub format: Format,
    /// Which state of the data it reads: the second has one person more.
    pub state: usize,
    /// Who is one person.
    pub person: Person,
    /// What is promised.
    pub promise: Promise,
    /// The request without its source.
    text: String,
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

impl Spec {
    /// Returns the plan of the release from a file.
    pub fn plan(&self, file: &str) -> RequestedPlan {
        let text = self.text.replace("FILE", file);
        let request = Request::parse(&text).unwrap_or_else(|error| panic!("{}: {error:?}\n{text}", self.name));
        RequestedPlan::of(&request).unwrap_or_else(|refusal| panic!("{}: {refusal}", self.name))
    }

    /// Whether nothing of it is exact.
    pub fn is_finite(&self) -> bool {
        matches!(self.promise, Promise::Plain(_) | Promise::Outlier(_, _))
    }
}

const ILLNESSES: &str = "[[bins]]\nname = \"illness\"\ncolumn = \"illness\"\nvalues = [\"flu\", \"gout\"]\n";
const FOUND_VALUES: &str = "[[bins]]\nname = \"value\"\ncolumn = \"value\"\n";
const PAIRS: &str = "[[bins]]\nname = \"illness\"\ncolumn = \"illness\"\nitems = \"pairs\"\n";
const REGIONS: &str = "[[bins]]\nname = \"region\"\ncolumn = \"region\"\nvalues = [\"north\", \"south\"]\n";

fn spec(name: &'static str, format: Format, state: usize, person: Person, promise: Promise) -> Spec {
    let unit = match person {
        Person::Row => "",
        Person::Text | Person::Integer => "person = \"id\"\n",
    };
    let sample = if matches!(promise, Promise::Sampled(_, _)) { "sample = \"1/2\"\n" } else { "" };
    let promised = match promise {
        Promise::Crowd(crowd) => format!("kind = \"crowd-blending\"\ncrowd = {crowd}\nepsilon = 0\n"),
        Promise::Plain(epsilon) => format!("kind = \"differential-privacy\"\nepsilon = {epsilon}\n"),
        Promise::Outlier(group, epsilon) => {
            format!("kind = \"simple-outlier-dp\"\ngroup = {group}\nepsilon = {epsilon}\n")
        }
        Promise::Sampled(crowd, epsilon) => {
            format!("kind = \"crowd-blending\"\ncrowd = {crowd}\nepsilon = 0\nsampled-epsilon = {epsilon}\n")
        }
    };
    // Suppression is a function of the counts, which makes the truth a matter of looking.
    let mechanism = match promise {
        Promise::Crowd(_) | Promise::Sampled(_, _) => "[mechanism]\nname = \"suppress-below\"\n",
        Promise::Plain(_) | Promise::Outlier(_, _) => "",
    };
    let text = format!(
        "RELEASE[data]\nsource = \"FILE\"\n{unit}{sample}SPLITTYPESBINSSERIES[promise]\n{promised}{mechanism}\
         [ledger]\ndataset = \"people\"\nSNAPSHOT"
    );
    Spec { name, format, state, person, promise, text }
}

/// Fills the places of a request; what is not named is left out.
fn filled(mut spec: Spec, parts: &[(&str, &str)]) -> Spec {
    for place in ["RELEASE", "SPLIT", "TYPES", "BINS", "SERIES", "SNAPSHOT"] {
        let part = parts.iter().find(|(name, _)| *name == place).map_or("", |(_, part)| part);
        spec.text = spec.text.replacen(place, part, 1);
    }
    spec
}

/// Returns all releases: formats, types, states with and without a name, splits, periods, samples and pairs.
pub fn specs() -> Vec<Spec> {
    use Format::{Csv, Parquet};
    use Person::{Integer, Row, Text};
    use Promise::{Crowd, Outlier, Plain, Sampled};
    let (named, later) = (("SNAPSHOT", "snapshot = \"2026\"\n"), ("SNAPSHOT", "snapshot = \"2027\"\n"));
    let north = ("SPLIT", "split = { column = \"region\", part = \"north\" }\n");
    let south = ("SPLIT", "split = { column = \"region\", part = \"south\" }\n");
    let year = |year: u32| {
        format!("[series]\nperiod = \"year\"\nfrom = 2020\nafter = {}\nup-to = {year}\npeople = \"once\"\n", year - 1)
    };
    let (first, second) = (year(2020).replace("after = 2019\n", ""), year(2021));
    let types = ("TYPES", "[data.types]\nyear = \"integer\"\n");
    let series = ("RELEASE", "release = \"series\"\n");
    let bins = |text: &'static str| ("BINS", text);
    vec![
        filled(spec("values", Csv, 0, Row, Crowd(3)), &[bins(FOUND_VALUES), named]),
        filled(spec("values stored as floats", Parquet, 0, Row, Crowd(3)), &[bins(FOUND_VALUES), named]),
        filled(spec("illnesses", Csv, 0, Row, Crowd(3)), &[bins(ILLNESSES), named]),
        filled(spec("illnesses, unnamed", Csv, 0, Row, Crowd(3)), &[bins(ILLNESSES)]),
        filled(spec("illnesses, unnamed, grown", Csv, 1, Row, Crowd(3)), &[bins(ILLNESSES)]),
        filled(spec("illnesses later", Csv, 1, Row, Crowd(3)), &[bins(ILLNESSES), later]),
        filled(spec("illnesses, finite", Csv, 1, Row, Outlier(3, 1.0)), &[bins(ILLNESSES), named]),
        filled(spec("regions, finite, unnamed", Csv, 1, Row, Plain(0.5)), &[bins(REGIONS)]),
        filled(spec("a sample", Csv, 0, Row, Sampled(3, 1.0)), &[bins(ILLNESSES), named]),
        filled(spec("persons", Csv, 0, Text, Plain(1.0)), &[bins(REGIONS), named]),
        filled(spec("persons stored as integers", Parquet, 0, Integer, Plain(1.0)), &[bins(REGIONS), named]),
        filled(spec("pairs of persons", Csv, 0, Text, Crowd(3)), &[bins(PAIRS), named]),
        filled(
            spec("2020", Csv, 0, Text, Crowd(3)),
            &[series, types, north, bins(ILLNESSES), ("SERIES", &first), named],
        ),
        filled(
            spec("2021", Csv, 0, Text, Crowd(3)),
            &[series, types, north, bins(ILLNESSES), ("SERIES", &second), named],
        ),
        filled(spec("north", Csv, 0, Text, Crowd(3)), &[north, bins(ILLNESSES), named]),
        filled(spec("south", Csv, 0, Text, Crowd(3)), &[south, bins(ILLNESSES), named]),
    ]
}
