//! What the name of a column says about it: whose row it is, whom it names, and which bands are usual.
//!
//! Names only; it must never see a value, because bands that were read off the data would say who is in it. It is
//! separate because it is a list of words. Read `draft.rs` for what is made of them.

/// Words for people, in names such as `customer_id`.
const PEOPLE: [&str; 26] = [
    "person",
    "employee",
    "patient",
    "customer",
    "user",
    "member",
    "reader",
    "client",
    "subject",
    "respondent",
    "participant",
    "student",
    "pupil",
    "resident",
    "citizen",
    "worker",
    "staff",
    "visitor",
    "driver",
    "teacher",
    "personal",
    "mitarbeiter",
    "kunde",
    "kunden",
    "patienten",
    "versicherten",
];

/// Last parts of names that tell one from another.
const TELLING: [&str; 11] = ["id", "ids", "no", "nr", "num", "number", "nummer", "key", "uuid", "guid", "hash"];

/// Names of what only one person has.
const ONLY_HERS: [&str; 17] = [
    "ssn",
    "email",
    "mail",
    "mrn",
    "nino",
    "nhs",
    "nhsnumber",
    "passport",
    "personnr",
    "svnr",
    "matricule",
    "login",
    "username",
    "sozialversicherungsnummer",
    "curp",
    "nif",
    "bsn",
];

/// Names of rows of people.
const RECORDS: [&str; 8] = ["id", "pid", "uid", "uuid", "recid", "caseid", "record", "rowid"];

/// Names of what few share: no table is counted by them.
const NEARLY_HERS: [&str; 14] = [
    "name",
    "surname",
    "firstname",
    "lastname",
    "vorname",
    "nachname",
    "fullname",
    "phone",
    "telephone",
    "mobile",
    "address",
    "street",
    "iban",
    "url",
];

/// Names of codes, whose digits are no amount.
const CODES: [&str; 24] = [
    "code",
    "codes",
    "fips",
    "zip",
    "zipcode",
    "plz",
    "postleitzahl",
    "postal",
    "postcode",
    "postalcode",
    "icd",
    "cpt",
    "atc",
    "naics",
    "nace",
    "noga",
    "sic",
    "isco",
    "soc",
    "nuts",
    "insee",
    "puma",
    "cbsa",
    "bfs",
];

/// How sure a name is to be that of a column which says whose row it is; the lowest is the surest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Person {
    /// `customer_id`, `Patient`.
    Named,
    /// `email`, `SSN`.
    OnlyHers,
    /// `id`, `RECID`.
    Record,
}

/// Returns whether a name is that of a column which says whose row it is, and how sure that is.
pub(super) fn person(name: &str) -> Option<Person> {
    let parts = parts(name);
    let whole = parts.concat();
    let stem = TELLING.iter().find_map(|telling| whole.strip_suffix(telling)).unwrap_or(&whole);
    if PEOPLE.contains(&stem) || (PEOPLE.contains(&whole.as_str())) {
        return Some(Person::Named);
    }
    let last_tells = parts.last().is_some_and(|last| TELLING.contains(&last.as_str()));
    if last_tells && parts.iter().any(|part| PEOPLE.contains(&part.as_str())) {
        return Some(Person::Named);
    }
    if ONLY_HERS.contains(&whole.as_str()) || parts.iter().any(|part| part == "email" || part == "ssn") {
        return Some(Person::OnlyHers);
    }
    RECORDS.contains(&whole.as_str()).then_some(Person::Record)
}

/// Returns whether a name is that of something which tells one from another: a table by it would have a bin for each.
pub(super) fn is_identifier(name: &str) -> bool {
    let parts = parts(name);
    let tells = parts.last().is_some_and(|last| TELLING.contains(&last.as_str()));
    tells || person(name).is_some() || NEARLY_HERS.contains(&parts.concat().as_str())
}

/// Returns whether a name is that of codes or of numbers that name something: bands of such numbers mean nothing.
pub(super) fn is_code(name: &str) -> bool {
    let parts = parts(name);
    let tells = parts.last().is_some_and(|last| TELLING.contains(&last.as_str()));
    tells || parts.iter().chain([&parts.concat()]).any(|part| CODES.contains(&part.as_str()))
}

/// Bands that are usual for what a name says, as lines of a request.
pub(super) fn bands(name: &str) -> &'static str {
    const AGE: &str = "edges  = [0, 18, 25, 35, 45, 55, 65, 75, 85, 120]";
    const MONEY: &str = "from   = 0\nto     = 200000\nwidth  = 20000";
    const YEAR: &str = "from   = 1900\nto     = 2050\nwidth  = 10";
    const HUNDRED: &str = "from   = 0\nto     = 100\nwidth  = 10";
    const BODY: &str = "from   = 0\nto     = 250\nwidth  = 10";
    const FEW: &str = "edges  = [0, 1, 2, 3, 5, 10, 100]";
    const PRICE: &str = "edges  = [0, 10, 20, 50, 100, 200, 500, 1000, 10000]";
    const TENS: &str = "edges  = [0, 10, 100, 1000, 10000, 100000, 1000000]";
    const KNOWN: [(&[&str], &str); 7] = [
        (&["age", "alter", "edad", "alder"], AGE),
        (&["salary", "income", "wage", "wages", "pay", "earnings", "gehalt", "lohn", "einkommen", "rent"], MONEY),
        (&["year", "jahr"], YEAR),
        (&["percent", "percentage", "pct", "score", "rate", "hours", "stunden"], HUNDRED),
        (&["height", "weight", "size", "length", "gewicht"], BODY),
        (&["children", "kids", "visits", "quantity", "stays", "rooms", "dependants", "dependents", "count"], FEW),
        (&["price", "amount", "cost", "costs", "total", "preis", "betrag"], PRICE),
    ];
    let parts = parts(name);
    let known = KNOWN.iter().find(|(words, _)| parts.iter().any(|part| words.contains(&part.as_str())));
    known.map_or(TENS, |(_, lines)| lines)
}

/// Returns the parts of a name in small letters: `CustomerID` and `customer_id` are customer, id.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before = ' ';
    for sign in name.chars() {
        let begins = !before.is_alphanumeric() || (before.is_lowercase() && sign.is_uppercase());
        if sign.is_alphanumeric() {
            if begins {
                parts.push(String::new());
            }
            if let Some(part) = parts.last_mut() {
                part.extend(sign.to_lowercase());
            }
        }
        before = sign;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_found_by_the_names_that_they_have() {
        for name in ["user_id", "CustomerID", "customerid", "patient", "Patient No", "EMPLOYEE_NUMBER", "Kundennummer"]
        {
            assert_eq!(person(name), Some(Person::Named), "{name}");
        }
        for name in ["email", "E-Mail", "SSN", "work_email", "nhs-number"] {
            assert_eq!(person(name), Some(Person::OnlyHers), "{name}");
        }
        for name in ["id", "ID", "RECID", "uuid"] {
            assert_eq!(person(name), Some(Person::Record), "{name}");
        }
        for name in ["department", "paid", "order_id", "InvoiceNo", "age", "userland", "", "1"] {
            assert_eq!(person(name), None, "{name}");
        }
    }

    #[test]
    fn what_tells_one_from_another_is_no_bin() {
        for name in ["order_id", "InvoiceNo", "id", "email", "LastName", "phone", "session_key"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["department", "age", "region", "paid", "number_of_children", "Country", "notes", "keyword"] {
            assert!(!is_identifier(name), "{name}");
        }
    }

    #[test]
    fn codes_are_told_from_amounts() {
        for name in ["fips", "ZIP", "zip_code", "ZipCode", "county_fips", "PLZ", "ICD-10 code", "dept_id", "branch no"]
        {
            assert!(is_code(name), "{name}");
        }
        for name in ["age", "salary", "zipper", "decode", "year", "number_of_children", "social"] {
            assert!(!is_code(name), "{name}");
        }
    }

    #[test]
    fn bands_follow_from_names() {
        assert!(bands("age").contains("18"));
        assert!(bands("customerAge").contains("18"));
        assert!(bands("wage").contains("20000"));
        assert!(bands("e00200").contains("1000000"));
        assert!(bands("average").contains("1000000"));
    }
}
