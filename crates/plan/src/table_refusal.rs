//! Why a plan has no table, found out before anything is charged.
//!
//! Speaks of the request only; it must never name a value of the data. It is separate because a plan may be sound and
//! its table still impossible. Read `../refusal.rs` for the other refusals.

use std::fmt;

/// Why a plan has no table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableRefusal {
    /// There is nothing to count by.
    NoBins,
    /// A listed text is the label of everything else.
    OtherIsListed {
        /// The bin.
        bin: String,
    },
    /// A listed text is the name of missing values.
    MissingIsListed {
        /// The bin.
        bin: String,
        /// The name.
        missing: String,
    },
    /// Two columns would have the same name where bounds stand beside labels.
    BoundTaken {
        /// The name.
        column: String,
    },
    /// A workbook cannot hold a table of this size.
    WorkbookTooSmall {
        /// What is too many.
        what: WorkbookLimit,
    },
    /// A bin has the name of a column that a published table has beside its bins.
    HeadingTaken {
        /// The bin.
        bin: String,
    },
    /// Rows have no counts to estimate, round or add up.
    RowsAsTheyAre,
    /// No counts are published of which some could be small.
    NoCountsToShow,
    /// Ranges have no count that could be added up.
    NoMargins {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// A median is not known for mechanisms whose likelihood has no simple form.
    NoMedian {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// No value has the count as its mean, as some counts are not shown.
    NoUnbiasedValue {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// No median or mean can be made of this table whose interval holds.
    NoStatistics {
        /// The bin that was named.
        bin: String,
        /// Why.
        why: NoStatistics,
    },
    /// The request cannot be written into a certificate and read back.
    NotCertifiable,
}

/// Why a table gives no median or mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoStatistics {
    /// The bin has no bands of a number.
    NoBands,
    /// Rows, points or items are published, not the cells of a table.
    NoCells,
    /// Some cells may show nothing.
    HiddenCells,
    /// More cells than are added up.
    TooManyCells,
    /// A person may be in several bins, or periods.
    SeveralBins,
    /// Counts are of a sample.
    OfASample,
    /// More cells, sets of bins and statistics together than are made.
    TooMuchWork,
    /// The numbers of the edges are too long.
    EdgesTooFine,
}

/// What spreadsheet programs have a limit for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkbookLimit {
    /// Rows of a sheet.
    Rows,
    /// Columns of a sheet.
    Columns,
    /// Characters of a cell.
    Characters,
}

impl WorkbookLimit {
    /// Returns the limit.
    pub fn most(self) -> u64 {
        match self {
            // One row has the names of the columns.
            WorkbookLimit::Rows => 1_048_575,
            WorkbookLimit::Columns => 16_384,
            WorkbookLimit::Characters => 32_767,
        }
    }
}

impl fmt::Display for TableRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableRefusal::NoBins => f.write_str("the request has no [[bins]]: there is nothing to count by"),
            TableRefusal::OtherIsListed { bin } => {
                write!(f, "bin {bin:?} lists the value \"other\", which is also the label of all values not listed")
            }
            TableRefusal::MissingIsListed { bin, missing } => {
                write!(f, "bin {bin:?} lists the value {missing:?}, which is also the name of missing values")
            }
            TableRefusal::BoundTaken { column } => {
                write!(f, "files with types have the bounds of labels beside them, and so two columns {column:?}")
            }
            TableRefusal::WorkbookTooSmall { what } => {
                let most = what.most();
                match what {
                    WorkbookLimit::Rows => {
                        write!(f, "a sheet of a workbook has at most {most} rows, and more are listed")
                    }
                    WorkbookLimit::Columns => write!(f, "a sheet of a workbook has at most {most} columns"),
                    WorkbookLimit::Characters => {
                        write!(f, "a cell of a workbook has at most {most} characters, and a name or label has more")
                    }
                }
            }
            TableRefusal::HeadingTaken { bin } => {
                write!(f, "a published table already has a column {bin:?}")
            }
            TableRefusal::RowsAsTheyAre => {
                f.write_str("rows are published as they are: `margins`, `estimate` and `rounding` are for counts")
            }
            TableRefusal::NoCountsToShow => f.write_str("`small` is for counts, and this release publishes none"),
            TableRefusal::NoMargins { mechanism } => {
                write!(f, "{mechanism} publishes no counts that `margins` could add up")
            }
            TableRefusal::NoMedian { mechanism } => write!(f, "a median is not known for {mechanism}"),
            TableRefusal::NoUnbiasedValue { mechanism } => {
                write!(f, "{mechanism} has no unbiased value here: some bins show no count at all")
            }
            TableRefusal::NoStatistics { bin, why } => {
                write!(f, "there are no statistics of {bin:?}: ")?;
                f.write_str(match why {
                    NoStatistics::NoBands => "it has no bands of a number",
                    NoStatistics::NoCells => "no cells are counted in this release",
                    NoStatistics::HiddenCells => "cells may show nothing, and who is missing could have any value",
                    NoStatistics::TooManyCells => "too many cells would be added up",
                    NoStatistics::SeveralBins => {
                        "a person may be counted in several bins or periods, and would weigh as much as several people"
                    }
                    NoStatistics::OfASample => {
                        "the counts are of a sample, and no interval here tells how far a sample is off"
                    }
                    NoStatistics::TooMuchWork => {
                        "cells, times sets of bins, times statistics, are more than a million, and would take minutes"
                    }
                    NoStatistics::EdgesTooFine => "its edges have too many digits",
                })
            }
            TableRefusal::NotCertifiable => f.write_str(
                "a number of this request takes more than 50 digits to write exactly, too many for a certificate",
            ),
        }
    }
}

impl TableRefusal {
    /// Returns what to change.
    pub fn hint(&self) -> String {
        match self {
            TableRefusal::NoBins => "add [[bins]] with `name` and `column`".into(),
            TableRefusal::OtherIsListed { .. } => {
                "remove \"other\" from `values` (it is then counted with the rest), or set `other = false`".into()
            }
            TableRefusal::MissingIsListed { .. } => {
                "name missing values otherwise: missing = \"(none)\" in [output]".into()
            }
            TableRefusal::BoundTaken { .. } => {
                "give one of the bins another `name`, or leave formats = [\"csv\"]".into()
            }
            TableRefusal::WorkbookTooSmall { .. } => "leave \"xlsx\" out of `formats`, or list fewer bins".into(),
            TableRefusal::HeadingTaken { bin } if bin == "quality" => {
                "give the bin another `name`, or leave that column out: quality = false in [output]".into()
            }
            TableRefusal::HeadingTaken { .. } => "give the bin another `name`".into(),
            TableRefusal::RowsAsTheyAre => "leave them out of [output], or count bins: release = \"histogram\"".into(),
            TableRefusal::NoCountsToShow => "leave `small` out of [output], or publish counts".into(),
            TableRefusal::NoMargins { .. } => "leave `margins` out of [output], or choose another mechanism".into(),
            TableRefusal::NoMedian { .. } => "use tailored-geometric, or estimate = \"clamped\"".into(),
            TableRefusal::NoUnbiasedValue { .. } => "use estimate = \"clamped\", or leave `estimate` out".into(),
            TableRefusal::NoStatistics { why, .. } => match why {
                NoStatistics::NoBands => {
                    "name a bin with `edges`, or with `from`, `to` and `width`, of numbers; or leave `statistics` out"
                }
                NoStatistics::NoCells => "leave `statistics` out of [output], or count bins: release = \"histogram\"",
                NoStatistics::HiddenCells => {
                    "list the values of all bins, without `threshold`; or leave `statistics` out of [output]"
                }
                NoStatistics::TooManyCells => {
                    "a group may have 4,096 cells, and a table 100,000: use fewer or wider bands, or sets of bins in `margins`"
                }
                NoStatistics::SeveralBins => "bins-per-person = 1; or leave `statistics` out of [output]",
                NoStatistics::OfASample => "leave `statistics` out of [output], or count everybody",
                NoStatistics::TooMuchWork => "ask for fewer quantiles, or for fewer sets of bins in `margins`",
                NoStatistics::EdgesTooFine => "use edges with fewer digits; or leave `statistics` out of [output]",
            }
            .into(),
            TableRefusal::NotCertifiable => "write numbers with fewer digits".into(),
        }
    }
}
