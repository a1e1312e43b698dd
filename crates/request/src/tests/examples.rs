//! Requests that must be accepted: a typical one, and one for every section, kind and mechanism.
//!
//! Texts only; they must never be changed to suit the reader. They are separate because several tests run over all of
//! them. Read `accepted.rs` next.

/// Every example.
pub fn all() -> Vec<String> {
    let mut found: Vec<String> =
        [DESIGN, EVERYTHING, WRITTEN, ROWS, POINTS, SERIES, TOP, NAMED].map(String::from).to_vec();
    found.extend(BY_ODDS.iter().map(|promise| super::promising(promise)));
    found.extend(PROMISES.iter().map(|promise| super::promising(promise)));
    found.extend(MECHANISMS.iter().map(|mechanism| super::with_mechanism(mechanism)));
    found
}

/// A promise by the name of a policy.
pub const NAMED: &str = "policy = \"rounded-to-5\"\n[promise]\ndelta = \"1e-6\"\n";

pub const DESIGN: &str = r#"
release = "histogram"                 # histogram | rows | points | top | series

[data]
source = "employees.csv"
person = "employee_id"
bins-per-person = 1
where  = "status = 'active'"

[[bins]]
name   = "department"
column = "department"
values = ["Sales", "Research"]
other  = true
nulls  = "drop"

[[bins]]
name   = "salary"
column = "salary"
edges  = [0, 20000, 40000, 60000]

[promise]
kind = "simple-outlier-dp"
group = 100
epsilon = 1
# delta = "1e-6"

[mechanism]
name = "tailored-geometric"

[ledger]
dataset = "employees-2026"

[output]
folder = "out"
formats = ["csv", "parquet"]
"#;

/// A file that is written as nobody else writes it.
pub const WRITTEN: &str = r#"
release = "histogram"
[data]
source = "-"
format = "csv"
sheet = "Tabelle1"
table = "main.people"
delimiter = "tab"
quote = "'"
encoding = "windows-1252"
skip-lines = 3
header = false
on-bad-row = "skip"
decimal = ","
thousands = "."
missing = ["NA", "", "-"]
dates = ["%d.%m.%Y", "%m/%d/%y %H:%M"]
[promise]
kind = "differential-privacy"
epsilon = 1
"#;

const EVERYTHING: &str = r#"
release = "histogram"
[data]
source = "s3://bucket/*.parquet"
people = "weight"
synthetic = true
sample = "1/10"
timezone = "Europe/Berlin"
types = { hired = "date", "größe" = "number" }
[data.sampled]
probability = [0.05, "1/10"]
known = 3
[[bins]]
name = "hired"
expression = "coalesce(hired, started)"
truncate = "month"
from = 2020-01-01
to = 2021-01-01
nulls = "bin"
[[bins]]
name = "age"
column = "age"
from = 0
to = 100
width = 2.5
other = true
[[bins]]
name = "day"
column = "day"
values = [2020-01-01, 2020-01-02]
[[bins]]
name = "level"
column = "level"
values = [1, 2, -3]
[[bins]]
name = "active"
column = "active"
values = [true, false]
[[bins]]
name = "born"
column = "born"
edges = [1950-01-01, 1970-01-01, 2000-01-01]
[promise]
kind = "differential-privacy"
epsilon = 0.1
delta = 1e-6
[mechanism]
name = "geometric"
accounting = "theorem"
threshold = 5
[ledger]
dataset = "d"
snapshot = 7
path = "ledger.sqlite"
[output]
folder = "out"
formats = ["arrow"]
estimate = "median"
prior = [0, 1000]
margins = ["age", "day"]
rounding = 5
"#;

const ROWS: &str = r#"
release = "rows"
[promise]
kind = "crowd-blending"
crowd = 10
epsilon = 0
[[columns]]
name = "zip"
column = "zip"
prefix = 3
[[columns]]
name = "age"
column = "age"
edges = [0, 18, 65]
other = true
[[columns]]
name = "hired"
column = "hired"
truncate = "year"
[[columns]]
name = "sex"
column = "sex"
values = ["f", "m"]
[[columns]]
name = "job"
column = "job"
hierarchy = "h.csv"
level = 2
[[columns]]
name = "city"
column = "city"
keep = true
"#;

const POINTS: &str = r#"
release = "points"
[promise]
kind = "crowd-blending"
crowd = 20
epsilon = 1
[[axes]]
name = "lng"
column = "lng"
edges = [-8, -6, 2]
step = "1/1000"
"#;

pub const SERIES: &str = r#"
release = "series"
[[bins]]
name = "region"
column = "region"
[promise]
kind = "differential-privacy"
epsilon = 1
delta = 1e-6
[series]
period = { column = "when", truncate = "week" }
mode = "cumulative"
people = "once"
from = 2020-01-01
up-to = 2020-12-31
"#;

const TOP: &str = r#"
release = "top"
[[bins]]
name = "word"
column = "word"
[promise]
kind = "differential-privacy"
epsilon = 1
delta = 1e-9
[top]
items = 20
counts = true
epsilon-stabilise = "1/10"
epsilon-select = "1/2"
epsilon-counts = "2/5"
always = ["A"]
"#;

/// Promises by odds.
pub const BY_ODDS: [&str; 2] =
    ["small = [6, 20]\nsmall-odds = [\"55 %\", \"65%\"]\nodds = \"75 %\"", "odds = \"99.95 %\"\ndelta = \"1e-6\""];

pub const PROMISES: [&str; 9] = [
    "kind = \"differential-privacy\"\nepsilon = 1",
    "kind = \"group\"\ngroup = 5\nepsilon = 1",
    "kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 0",
    "kind = \"simple-outlier\"\ngroup = 20\nepsilon = 1",
    "kind = \"simple-outlier-dp\"\ngroup = 1e2\nepsilon = 1\ndelta = 0",
    "kind = \"staircase\"\nthresholds = [100, 20]\nepsilons = [\"infinite\", 0.5, 0]",
    "kind = \"linear\"\nslope = \"1/10\"\nfloor = 0.25\ncap = 1",
    "kind = \"fading\"\ngroup = 100\nwidth = 70\nepsilon = \"1/5\"\nfactor = 2",
    "kind = \"table\"\nvalues = [0, \"1/3\", 0.5, \"infinite\"]",
];

pub const MECHANISMS: [&str; 15] = [
    "name = \"tailored-geometric\"\nthreshold = 10",
    "name = \"relay\"",
    "name = \"suppress-below\"\ncrowd = 10\nepsilon = 0",
    "name = \"noise-below\"\ncrowd = 10",
    "name = \"suppress-up-to\"\ngroup = 10",
    "name = \"noise-up-to\"\ngroup = 10\nepsilon = 2",
    "name = \"geometric\"\nepsilon = \"1/3\"",
    "name = \"group-geometric\"\ngroup = 3",
    "name = \"noisy-suppress\"\ngroup = 10\nepsilon = 1\noffset = -3",
    "name = \"noisy-noise\"\ngroup = 10\nepsilon = 1\noffset = 14\naccounting = \"theorem\"",
    "name = \"staircase\"\nthresholds = [100, 20]\nepsilons = [1, 0.5, 0]\nlevels = [120, -40]\npublish-levels = true",
    "name = \"general\"\nbound = \"smooth-inverse\"\nepsilon-a = 0.1\ndelta-a = 1e-9\ngrid = 0.01\nalpha = 10\npublish-epsilon = true",
    "name = \"fading\"\ngroup = 100\nwidth = 70\nepsilon = 0.2",
    "name = \"threshold\"\nepsilon = 0.05\nthreshold = 863",
    "name = \"range\"\nepsilon = 0.05\nhalf-width = 802",
];
