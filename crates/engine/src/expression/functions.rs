//! The functions that an expression may call.
//!
//! Each one is a function of its row alone; what it fails on is missing, and so is what it makes of, or into, a text of
//! more than 65,536 bytes. It must never list a function that looks at a clock, at chance or at other rows. It is
//! separate because the list is what a reader asks for first. Read `parse/call.rs` for how they are called.

use super::Fault;
use super::nearest::nearest;

/// A function of values of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is what its name says")]
#[rustfmt::skip]
pub enum Function {
    Abs, Ascii, Ceil, Coalesce, Concat, ConcatSeparated, Contains, DatePart, DateTrunc, EndsWith, Exp, Floor, Greatest,
    InitCap, Least, Left, Length, Ln, Log10, Lower, NullIf, OctetLength, PadEnd, PadStart, Position, Power, RegexpLike,
    RegexpReplace, Replace, Reverse, Right, Round, Sign, SplitPart, Sqrt, StartsWith, Substring, Trim, TrimEnd, TrimStart,
    Trunc, Upper,
}

/// Every name that is listed.
#[rustfmt::skip]
const LISTED: [(&str, Function); 51] = [
    ("abs", Function::Abs), ("ascii", Function::Ascii), ("btrim", Function::Trim), ("ceil", Function::Ceil),
    ("ceiling", Function::Ceil), ("char_length", Function::Length), ("character_length", Function::Length),
    ("coalesce", Function::Coalesce), ("concat", Function::Concat), ("concat_ws", Function::ConcatSeparated),
    ("contains", Function::Contains), ("date_part", Function::DatePart), ("date_trunc", Function::DateTrunc),
    ("ends_with", Function::EndsWith), ("exp", Function::Exp), ("extract", Function::DatePart),
    ("floor", Function::Floor), ("greatest", Function::Greatest), ("initcap", Function::InitCap),
    ("least", Function::Least), ("left", Function::Left), ("length", Function::Length), ("ln", Function::Ln),
    ("log10", Function::Log10), ("lower", Function::Lower), ("lpad", Function::PadStart), ("ltrim", Function::TrimStart),
    ("nullif", Function::NullIf), ("octet_length", Function::OctetLength), ("position", Function::Position),
    ("pow", Function::Power), ("power", Function::Power), ("regexp_like", Function::RegexpLike),
    ("regexp_replace", Function::RegexpReplace), ("replace", Function::Replace), ("reverse", Function::Reverse),
    ("right", Function::Right), ("round", Function::Round), ("rpad", Function::PadEnd), ("rtrim", Function::TrimEnd),
    ("sign", Function::Sign), ("signum", Function::Sign), ("split_part", Function::SplitPart), ("sqrt", Function::Sqrt),
    ("starts_with", Function::StartsWith), ("strpos", Function::Position), ("substr", Function::Substring),
    ("substring", Function::Substring), ("trim", Function::Trim), ("trunc", Function::Trunc), ("upper", Function::Upper),
];

/// Functions that others know and that are refused: for what they look at, for how they grow, or because nobody asked
/// yet.
#[rustfmt::skip]
const REFUSED: [&str; 100] = [
    "acos", "acosh", "approx_distinct", "approx_median", "approx_percentile_cont", "array_agg", "arrow_cast", "arrow_typeof",
    "asin", "asinh", "atan", "atan2", "atanh", "avg", "bit_and", "bit_length", "bit_or", "bit_xor", "bool_and", "bool_or",
    "cbrt", "chr", "corr", "cos", "cosh", "cot", "count", "covar", "cume_dist", "current_date", "current_time",
    "current_timestamp", "date_bin", "degrees", "dense_rank", "factorial", "find_in_set", "first_value", "from_unixtime",
    "gcd", "generate_series", "grouping", "instr", "isnan", "iszero", "lag", "last_value", "lcm", "lead", "levenshtein",
    "localtime", "localtimestamp", "log", "log2", "make_date", "max", "mean", "median", "min", "nanvl", "now", "nth_value",
    "ntile", "nvl", "nvl2", "overlay", "percent_rank", "pi", "radians", "random", "range", "rank", "regexp_count",
    "regexp_instr", "regexp_match", "repeat", "row_number", "sin", "sinh", "stddev", "stddev_pop", "string_agg", "struct",
    "substr_index", "sum", "tan", "tanh", "to_char", "to_date", "to_hex", "to_local_time", "to_timestamp", "to_unixtime",
    "today", "translate", "unnest", "uuid", "var", "var_pop", "version",
];

impl Function {
    /// Returns every name of a function.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LISTED.iter().map(|(name, _)| *name)
    }
}

/// Returns the function that a name in lower case calls, if it is listed.
pub(super) fn listed(name: &str) -> Option<(&'static str, Function)> {
    LISTED.iter().find(|(listed, _)| *listed == name).copied()
}

/// Returns why a function that is not listed cannot be called.
pub(super) fn unlisted(name: &str) -> Fault {
    if REFUSED.contains(&name) {
        return Fault::Refused(format!("the function {name}"));
    }
    let hint = nearest(name, Function::names()).map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
    Fault::Unreadable(format!("there is no function {name}{hint}"))
}
