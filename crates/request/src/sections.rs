//! The table of a request: every section, every key, and what each means.
//!
//! Holds words and limits only; it must never decide anything. It is separate from `keys.rs` because it is prose that a
//! privacy officer may edit. Read `promise.rs` beside it next, `../kinds.rs` for the sections of each kind, then
//! `../fields.rs` for how it is read.

mod dialect;
mod promise;
mod report;

pub(super) use dialect::DIALECT;
pub(super) use promise::{MECHANISM, PROMISE};

use super::keys::{Key, Section, Shape, joined};
use super::kinds;
use super::number::{Bounds, Whole};
use super::output::{Estimate, Format};
use super::policy_name;
use incrowd_definition::{ColumnType, Items, Nulls, PeriodUnit};
use report::REPORT;

/// The whole request.
pub(crate) static REQUEST: Section = Section {
    title: "the request",
    about: "What is counted, what is promised to each person, and where the result goes. Nothing is read or spent until \
        `incrowd release`.",
    keys: &joined::<{ OWN.len() + kinds::KEYS.len() }>(&OWN, &kinds::KEYS),
};

/// The keys that go with several kinds of release; the others stand with their kinds.
const OWN: [Key; 9] = [
    kinds::RELEASE,
    Key::optional(
        "policy",
        Shape::Choice(|| policy_name::names().collect()),
        "A rule that publishers follow, by name: it says what is promised, and how small values are shown. `incrowd \
            policies` describes each. [promise] may then hold `delta` and `sampled-epsilon`, and is not needed.",
    ),
    Key::optional("data", Shape::Section(&DATA), "Where the data is and who is one person in it. Not needed to plan."),
    Key::optional(
        "bins",
        Shape::Repeated(&BINS),
        "The dimensions of the table, in order; the cells are their product. Without any, plan and law treat \
            the universe as closed.",
    ),
    Key::optional(
        "promise",
        Shape::Section(&PROMISE),
        "What is promised to each person, by the size of her group. Needed unless there is a `policy`.",
    ),
    Key::optional(
        "mechanism",
        Shape::Section(&MECHANISM),
        "How the promise is kept. By default tailored-geometric, and relay when bins are found in the data.",
    ),
    Key::optional("ledger", Shape::Section(&LEDGER), "Which account pays for this release."),
    Key::optional("output", Shape::Section(&OUTPUT), "Where the result goes and how it is presented. Costs nothing."),
    Key::optional("report", Shape::Section(&REPORT), "What the publisher adds to the report. Costs nothing."),
];

static DATA: Section = Section {
    title: "[data]",
    about: "Where the data is, how its files write it down, and who is one person in it.",
    keys: &joined::<{ DATA_OWN.len() + DIALECT.len() }>(&DATA_OWN, &DIALECT),
};

const DATA_OWN: [Key; 12] = [
    Key::optional(
        "source",
        Shape::Text,
        "A file, a folder (with folders inside, such as year=2020) or a glob: .csv .tsv .txt .parquet .json .ndjson \
            .arrow .xlsx .ods .sqlite, also .gz, .zst and .zip; - for standard input; or a server with a `table`: \
            postgres://user@host/database, sc://host:15002 (Spark Connect). Not part of the request's identity.",
    ),
    Key::optional(
        "password-env",
        Shape::Text,
        "The environment variable that holds the password or token of the server in `source`, by its name. Not part \
            of the request's identity.",
    ),
    Key::optional("person", Shape::Text, "The column that says whose row it is. Without it, one row is one person."),
    Key::optional(
        "people",
        Shape::Text,
        "A column with how many persons a row stands for; null or negative is 0. Only without `person`.",
    ),
    Key::with_default(
        "bins-per-person",
        Shape::Whole(Whole::BINS_PER_PERSON),
        "1",
        "In at most how many bins a person is counted. Epsilon and delta stay per person, so each bin gets \
            that much less.",
    ),
    Key::optional(
        "where",
        Shape::Text,
        "An SQL condition on one row. Joins, aggregates, subqueries and anything random are refused.",
    ),
    Key::optional(
        "types",
        Shape::Free(&COLUMN_TYPE),
        "Types of CSV and JSON columns; text unless said otherwise. Never guessed from the data.",
    ),
    Key::with_default(
        "synthetic",
        Shape::Flag,
        "false",
        "The data is made up, with no person in it. Only then a test seed or an in-memory ledger is accepted; whatever comes of it says so.",
    ),
    Key::optional(
        "sample",
        Shape::Number(Bounds::Chance),
        "Keep each person with this probability, by secret coins, before anything is counted.",
    ),
    Key::optional("sampled", Shape::Section(&SAMPLED), "The data is itself a random sample of a population."),
    Key::optional(
        "split",
        Shape::Section(&SPLIT),
        "Count one part of the people only; releases of different parts of one split cost the largest, not the sum.",
    ),
    Key::with_default(
        "timezone",
        Shape::Text,
        "\"UTC\"",
        "The time zone in which `truncate` cuts days, weeks, months and years.",
    ),
];

static COLUMN_TYPE: Shape = Shape::Choice(|| ColumnType::ALL.iter().map(|each| each.as_str()).collect());

static SAMPLED: Section = Section {
    title: "[data.sampled]",
    about: "The data is itself a random sample of a population. This is believed, not checked, and the certificate says \
        so.",
    keys: &[
        Key::required(
            "probability",
            Shape::AnyOf(&[Shape::Number(Bounds::Chance), Shape::Pair(&Shape::Number(Bounds::Chance))]),
            "The chance of each person to be in the data, or [least, most] where it differs.",
        ),
        Key::with_default(
            "known",
            Shape::Whole(Whole::COUNT),
            "0",
            "How many people are known to be in the data or not, whatever the chance.",
        ),
    ],
};

static SPLIT: Section = Section {
    title: "[data.split]",
    about: "Only people of one part are counted. The column must be a public function of the person, so that nobody is in two \
        parts of a snapshot: this is believed, not checked, and the certificate says so.",
    keys: &[
        Key::required("column", Shape::Text, "The column that says in which part a person is: of texts or integers."),
        Key::required(
            "part",
            Shape::AnyOf(&[Shape::Text, Shape::Integer]),
            "The value of those who are counted, compared exactly.",
        ),
    ],
};

static BINS: Section = Section {
    title: "[[bins]]",
    about: "One dimension of the table. With `values`, `edges` or a range its bins are public (closed); without, they \
        are found in the data (open), and that has to be paid for.",
    keys: &[
        Key::required("name", Shape::Text, "The heading of this dimension in what is published."),
        Key::optional("column", Shape::Text, "The column that is binned; or `expression`."),
        Key::optional(
            "expression",
            Shape::Text,
            "An SQL expression on one row, such as upper(department); or `column`.",
        ),
        Key::optional(
            "values",
            Shape::List(&Shape::Value),
            "The public list of bins: texts, integers, booleans or dates, compared exactly.",
        ),
        Key::optional(
            "edges",
            Shape::List(&Shape::Edge),
            "Strictly ascending; a bin holds its lower edge and not its upper one.",
        ),
        Key::optional("from", Shape::Edge, "The first edge, with `to` and `width`; or the first day, with `truncate`."),
        Key::optional(
            "to",
            Shape::Edge,
            "The last edge, with `from` and `width`; or the first day that is not covered any more, with `truncate`.",
        ),
        Key::optional(
            "width",
            Shape::Number(Bounds::Positive),
            "The width of each bin, with `from` and `to`; it must divide the range evenly.",
        ),
        Key::optional(
            "truncate",
            Shape::Choice(|| PeriodUnit::ALL.iter().map(|each| each.as_str()).collect()),
            "Cut dates to days, weeks (from Monday), months or years. Open, or closed with `from` and `to`.",
        ),
        Key::with_default(
            "other",
            Shape::Flag,
            "false",
            "Count what is not listed in one bin of its own. Needs `values` or `edges`.",
        ),
        Key::with_default(
            "nulls",
            Shape::Choice(|| Nulls::ALL.iter().map(|each| each.as_str()).collect()),
            "\"drop\"",
            "Drop missing values, or count them in one bin of their own. NaN is missing.",
        ),
        Key::with_default(
            "items",
            Shape::Choice(|| Items::ALL.iter().map(|each| each.as_str()).collect()),
            "\"each\"",
            "Count each value of a person, or every two different ones that she has (`pairs`: with `person`, one bin, \
                values found in the data).",
        ),
    ],
};

static LEDGER: Section = Section {
    title: "[ledger]",
    about: "Which account pays for this release.",
    keys: &[
        Key::optional("dataset", Shape::Text, "The population whose budget is spent."),
        Key::optional(
            "snapshot",
            Shape::AnyOf(&[Shape::Text, Shape::Whole(Whole::COUNT)]),
            "Names one immutable state of the data. Believed, not checked. Without a name no two releases are of the same \
                state: exact counts of large groups are released once, and parts and periods add up.",
        ),
        Key::optional(
            "path",
            Shape::Text,
            "Where the account book is, unless --ledger or INCROWD_LEDGER say otherwise. Not part of the \
                request's identity.",
        ),
    ],
};

pub(super) static OUTPUT: Section = Section {
    title: "[output]",
    about: "Where the result goes and how it is presented. All of it is made from published values, so it costs nothing \
        and is not part of the request's identity.",
    keys: &[
        Key::optional("folder", Shape::Text, "The folder that is made. It must not exist yet."),
        Key::with_default(
            "formats",
            Shape::List(&Shape::Choice(|| Format::ALL.iter().map(|each| each.as_str()).collect())),
            "[\"csv\"]",
            "The files that the table is written to. A workbook (xlsx) holds all tables, and needs another file beside it.",
        ),
        Key::with_default(
            "csv-bom",
            Shape::Flag,
            "false",
            "Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8.",
        ),
        Key::with_default(
            "missing",
            Shape::Text,
            "\"(missing)\"",
            "What stands for a missing value in CSV files and workbooks; in Parquet and Arrow files it is null.",
        ),
        Key::with_default(
            "estimate",
            Shape::AnyOf(&[Shape::Flag, Shape::Choice(|| Estimate::ALL.iter().map(|each| each.as_str()).collect())]),
            "false",
            "Add a column with a best guess: clamped at zero, the median of the counts that may have shown the value, or \
                an unbiased value.",
        ),
        Key::optional(
            "prior",
            Shape::Pair(&Shape::Whole(Whole::COUNT)),
            "[low, high]: the counts that are thought possible, all equally likely, for the median; without it all are.",
        ),
        Key::with_default(
            "margins",
            Shape::AnyOf(&[Shape::Flag, Shape::List(&Shape::AnyOf(&[Shape::Text, Shape::AnyList(&Shape::Text)]))]),
            "false",
            "Write margins.csv: totals by each bin (true), by the named ones, or by sets of bins, as in [[\"region\"], \
                [\"region\", \"age\"]]: sums of unbiased values, made of what is published, with standard errors and \
                intervals. They may differ from sums of the counts, and be below zero; consistent.csv has whole \
                numbers beside them that are not, and that add up.",
        ),
        Key::optional(
            "statistics",
            Shape::Text,
            "The name of a bin with bands of a number, such as \"salary\": write statistics.csv with its median, \
                quartiles and mean, by the sets of bins of `margins` (without it, by every other bin by itself) and \
                over all. Made of what is published, with intervals that hold for the noise and for what bands cannot \
                tell, 19 times in 20. Every cell must be shown, and a person counted in one of them.",
        ),
        Key::with_default(
            "quantiles",
            Shape::List(&Shape::Number(Bounds::Chance)),
            "[0.25, 0.5, 0.75]",
            "Which quantiles `statistics` has beside the mean: 0.5 is the median.",
        ),
        Key::optional(
            "rounding",
            Shape::Whole(Whole::PEOPLE),
            "Add a column with the estimate, or else the count, rounded to multiples of this.",
        ),
        Key::with_default(
            "quality",
            Shape::Flag,
            "true",
            "A column that says how far each value can be relied on, by the width of its interval beside its size: A as it \
                is, E with caution, F not at all as a number: \"at most 24\" is what can be said of it then.",
        ),
        Key::optional(
            "small",
            Shape::AnyOf(&[Shape::Whole(Whole::SMALL), Shape::FewerThan]),
            "Add a column `shown`: \"fewer than 6\" (or 6) shows published values below 6 as that text, and all others as \
                they are, or rounded where `rounding` is given. It tells what was published, with its noise: a bin that \
                shows \"fewer than 6\" may have more people, and one that shows 7 fewer.",
        ),
    ],
};
