//! Why two folders are not compared, and what to do about it.
//!
//! It must never quote anything but names of files and of bins, which are public. It is separate because a front end
//! needs the class of a refusal. Read `../diff.rs` for the comparison.

use crate::verify::VerifyError;
use std::fmt;

/// One of the two folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichFolder {
    /// The first.
    Old,
    /// The second.
    New,
}

impl fmt::Display for WhichFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WhichFolder::Old => "OLD",
            WhichFolder::New => "NEW",
        })
    }
}

/// Why two folders are not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffError {
    /// One could not be read.
    Unreadable {
        /// Which.
        which: WhichFolder,
        /// Why.
        error: VerifyError,
    },
    /// One is not what its certificate says, or not everything could be checked.
    NotVerified {
        /// Which.
        which: WhichFolder,
    },
    /// One does not count bins.
    OtherKind {
        /// Which.
        which: WhichFolder,
        /// What it publishes, as a request says it.
        kind: &'static str,
    },
    /// One is about a sample of the people.
    Sampled {
        /// Which.
        which: WhichFolder,
    },
    /// Both were drawn with a known seed.
    KnownSeeds,
    /// The tables are neither the same nor is one coarser than the other.
    Different {
        /// What differs, in words.
        what: Vec<String>,
    },
    /// Cells would have to be added up, and not all of them show a count.
    HiddenCells {
        /// Which table is the finer one.
        which: WhichFolder,
    },
    /// Cells would have to be added up in which a person may be more than once.
    SeveralBins {
        /// In how many bins she may be.
        bins: u64,
    },
    /// More cells would have to be added up for one than can be.
    TooManyParts,
    /// A table is too long.
    TooLong,
    /// The laws of one are too large to sum.
    NoLaw {
        /// Which.
        which: WhichFolder,
    },
    /// The laws take more work than was allowed.
    TooMuchWork {
        /// How much was allowed.
        most_work: u64,
    },
    /// Periods were named, and the tables have none.
    NoPeriods,
    /// A table has no such period.
    NoSuchPeriod {
        /// Which.
        which: WhichFolder,
        /// The period, as it was named.
        period: String,
    },
    /// The two series have no period in common.
    NoCommonPeriod {
        /// The last one of the old series.
        old: String,
        /// The last one of the new series.
        new: String,
    },
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiffError::Unreadable { which, error } => write!(f, "{which}: {error}"),
            DiffError::NotVerified { which } => write!(f, "{which} does not verify, so it is not compared"),
            DiffError::OtherKind { which, kind } => {
                write!(f, "{which} is a release of kind `{kind}`: only tables of counts are compared")
            }
            DiffError::Sampled { which } => write!(
                f,
                "{which} counts a sample: what noise tells of a sample's counts is not what it tells of everybody's"
            ),
            DiffError::KnownSeeds => {
                f.write_str("both folders were drawn with a known seed, so their noise may be the same: no test holds")
            }
            DiffError::Different { what } => {
                write!(f, "the two tables are neither the same nor is one coarser than the other: {}", what.join("; "))
            }
            DiffError::HiddenCells { which } => write!(
                f,
                "{which} has the finer table, and does not show a count of every cell: its cells cannot be added up"
            ),
            DiffError::SeveralBins { bins } => write!(
                f,
                "a person may be counted in {bins} bins, so cells of the finer table cannot be added up to people"
            ),
            DiffError::TooManyParts => {
                write!(f, "more than {} cells would have to be compared as one", incrowd_privacy::MOST_TERMS)
            }
            DiffError::TooLong => write!(f, "a table has more than {} rows", super::one_folder::MOST_ROWS),
            DiffError::NoLaw { which } => write!(f, "the laws of {which} are too large to sum: nothing can be said"),
            DiffError::TooMuchWork { most_work } => {
                write!(f, "comparing takes more work than was allowed: {most_work} cells of laws")
            }
            DiffError::NoPeriods => f.write_str("the tables have no periods"),
            DiffError::NoSuchPeriod { which, period } => write!(f, "{which} has no period {period:?}"),
            DiffError::NoCommonPeriod { .. } => f.write_str("the two series have no period in common"),
        }
    }
}

impl DiffError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            DiffError::Unreadable { error, .. } => error.hint().into(),
            DiffError::NotVerified { .. } => "`incrowd verify FOLDER` says what is wrong with it".into(),
            DiffError::OtherKind { .. } => "compare folders of `histogram` or `series`".into(),
            DiffError::Sampled { .. } => "compare releases in which everybody is counted".into(),
            DiffError::KnownSeeds => "release at least one of the two without a seed".into(),
            DiffError::Different { .. } => {
                "compare two releases of one request, or of a request with fewer or wider bins".into()
            }
            DiffError::HiddenCells { .. } => "compare two releases of one request".into(),
            DiffError::SeveralBins { .. } => "compare two releases of one request".into(),
            DiffError::TooManyParts => "compare with a table that is not so much finer".into(),
            DiffError::TooLong => "compare smaller tables".into(),
            DiffError::NoLaw { .. } => "a mechanism with a closed form can be compared: see `incrowd compare`".into(),
            DiffError::TooMuchWork { most_work } => {
                format!("--most-work {} allows ten times as much", most_work.saturating_mul(10))
            }
            DiffError::NoPeriods => "leave --periods out".into(),
            DiffError::NoSuchPeriod { .. } => {
                "name periods as the first column of the table does, the old one first".into()
            }
            DiffError::NoCommonPeriod { old, new } => {
                format!("`--periods {old},{new}` compares these two periods")
            }
        }
    }
}

impl std::error::Error for DiffError {}
