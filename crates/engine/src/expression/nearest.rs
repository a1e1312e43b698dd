//! The name that a misspelt one may have meant.
//!
//! It must never see anything but names: of columns, functions and types. It is separate because columns and functions
//! are looked for in the same way. Read `functions.rs` next.

/// Returns the name nearest to another, if one is near.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let folded = name.to_lowercase();
    let likeness = |other: &str| strsim::jaro_winkler(&folded, &other.to_lowercase());
    let likely = names.into_iter().map(|other| (likeness(other), other)).filter(|(likeness, _)| *likeness >= 0.8);
    likely.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn another_case_or_a_slip_is_near_and_another_word_is_not() {
        let names = ["Salary", "department", "age"];
        assert_eq!(nearest("salary", names).as_deref(), Some("Salary"));
        assert_eq!(nearest("departement", names).as_deref(), Some("department"));
        assert_eq!(nearest("height", names), None);
        assert_eq!(nearest("", names), None);
    }
}
