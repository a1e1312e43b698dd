//! Kinds of release, each with the sections that only it has.
//!
//! A kind holds its own sections; it must never accept those of another kind, where they would be ignored. It is
//! separate because every kind tells the same story otherwise. Read `identity.rs` next.

use super::error::RequestError;
use super::fields::Fields;
use super::points::Axis;
use super::promise::PromiseRequest;
use super::rows::Column;
use super::series::Series;
use super::top::Top;
use incrowd_privacy::Promise;

/// What is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseKind {
    /// Counts per bin.
    Histogram,
    /// Generalised rows; at least one column.
    Rows(Vec<Column>),
    /// Noisy points; at least one axis.
    Points(Vec<Axis>),
    /// The most frequent items.
    Top(Top),
    /// Counts per period.
    Series(Series),
}

/// A section and the kinds of release that have it.
const OWNERS: [(&str, &str, &[&str]); 6] = [
    ("bins", "[[bins]]", &["histogram", "series", "top"]),
    ("mechanism", "[mechanism]", &["histogram", "series"]),
    ("columns", "[[columns]]", &["rows"]),
    ("axes", "[[axes]]", &["points"]),
    ("series", "[series]", &["series"]),
    ("top", "[top]", &["top"]),
];

impl ReleaseKind {
    /// The names in a request.
    pub const NAMES: [&'static str; 5] = ["histogram", "rows", "points", "top", "series"];

    /// Returns the name in a request.
    pub fn as_str(&self) -> &'static str {
        match self {
            ReleaseKind::Histogram => "histogram",
            ReleaseKind::Rows(_) => "rows",
            ReleaseKind::Points(_) => "points",
            ReleaseKind::Top(_) => "top",
            ReleaseKind::Series(_) => "series",
        }
    }

    /// Returns whether counts of bins are published, by a mechanism that the request may choose.
    pub fn counts_bins(&self) -> bool {
        match self {
            ReleaseKind::Histogram | ReleaseKind::Series(_) => true,
            ReleaseKind::Rows(_) | ReleaseKind::Points(_) | ReleaseKind::Top(_) => false,
        }
    }

    /// Returns whether the request writes bins of its own.
    pub(super) fn writes_bins(&self) -> bool {
        match self {
            ReleaseKind::Histogram | ReleaseKind::Series(_) | ReleaseKind::Top(_) => true,
            ReleaseKind::Rows(_) | ReleaseKind::Points(_) => false,
        }
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let item = fields.item("release");
        let name = item.as_ref().map_or(Ok("histogram"), |item| item.choice(&ReleaseKind::NAMES, |name| name))?;
        for (key, title, kinds) in OWNERS {
            if fields.has(key) && !kinds.contains(&name) {
                let owners = kinds.join(", ");
                let message = format!("{title} does not belong to release = \"{name}\"");
                return Err(fields.refuse_key(key, message).hint(format!("it belongs to: {owners}")));
            }
        }
        let missing = |section: &str| {
            let message = format!("release = \"{name}\" needs {section}");
            item.as_ref().map_or_else(|| fields.refuse(message.clone()), |item| item.refuse(message.clone()))
        };
        match name {
            "rows" => match Column::read_all(&fields.repeated("columns")?)? {
                columns if columns.is_empty() => Err(missing("[[columns]]")),
                columns => Ok(ReleaseKind::Rows(columns)),
            },
            "points" => match Axis::read_all(&fields.repeated("axes")?)? {
                axes if axes.is_empty() => Err(missing("[[axes]]")),
                axes => Ok(ReleaseKind::Points(axes)),
            },
            "top" => {
                let section = fields.section("top")?.ok_or_else(|| missing("[top]"))?;
                Ok(ReleaseKind::Top(Top::read(&section)?))
            }
            "series" => {
                let section = fields.section("series")?.ok_or_else(|| missing("[series]"))?;
                Ok(ReleaseKind::Series(Series::read(&section)?))
            }
            _ => Ok(ReleaseKind::Histogram),
        }
    }

    /// Refuses a promise that this kind of release cannot be about.
    pub(super) fn check_promise(&self, request: &PromiseRequest, promise: &Fields<'_>) -> Result<(), RequestError> {
        match (self, &request.promise) {
            (ReleaseKind::Histogram | ReleaseKind::Top(_) | ReleaseKind::Series(_), _)
            | (ReleaseKind::Points(_), Promise::CrowdBlending { .. }) => Ok(()),
            (ReleaseKind::Rows(_), Promise::CrowdBlending { epsilon, .. }) if epsilon.is_zero() => Ok(()),
            (ReleaseKind::Rows(_), Promise::CrowdBlending { .. }) => Err(promise
                .refuse_value("epsilon", "rows are published as they are or not at all: `epsilon` must be 0")
                .hint("epsilon = 0")),
            (ReleaseKind::Rows(_) | ReleaseKind::Points(_), _) => Err(promise
                .refuse_value(
                    "kind",
                    format!("release = \"{}\" promises crowd-blending and nothing else", self.as_str()),
                )
                .hint("kind = \"crowd-blending\"")),
        }
    }
}
