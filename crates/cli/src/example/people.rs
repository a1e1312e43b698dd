//! Made-up people: a company's employees, a hospital's patients, and a region's inhabitants.
//!
//! Nobody is real, and sizes are chosen so that some groups are small enough to matter; it must never read anything. It
//! is separate from the other data because these are tables with one row for a person, or nearly. Read
//! `examples/salaries/request.toml` for what is published of them.

use super::made_up::MadeUpNumbers;
use std::fmt::Write;

const DEPARTMENTS: [(&str, u64); 5] =
    [("Sales", 30), ("Research", 25), ("Production", 25), ("Logistics", 12), ("Administration", 8)];
const EMPLOYEES: u64 = 20_000;
const MANAGERS: u64 = 100;

/// A company: everybody earns up to 160,000, but for the hundred managers, who share the highest band (OP Example 1).
pub fn employees() -> String {
    let mut text = String::from("employee_id,department,salary\n");
    let mut chance = MadeUpNumbers::of(20_000);
    for employee in 0..EMPLOYEES {
        let (department, salary) = if employee % (EMPLOYEES / MANAGERS) == 0 {
            ("Administration", 180_000 + chance.below(20_000))
        } else {
            let department = *chance.pick(&DEPARTMENTS);
            let salary: u64 = (0..4).map(|_| chance.below(40_000)).sum();
            (department, salary)
        };
        let _ = writeln!(text, "E{:05},{department},{salary}", employee + 1);
    }
    text
}

const CHAPTERS: [(&str, u64); 13] = [
    ("I", 90),
    ("II", 160),
    ("III", 8),
    ("IV", 75),
    ("V", 70),
    ("VI", 55),
    ("VII", 22),
    ("VIII", 6),
    ("IX", 210),
    ("X", 120),
    ("XI", 95),
    ("XIII", 85),
    ("XVII", 4),
];
const REGIONS: [(&str, u64); 4] = [("North", 20), ("East", 12), ("South", 45), ("West", 23)];

/// A hospital: every fifth patient came twice, and has a row for each visit.
pub fn patients() -> String {
    let mut text = String::from("patient,icd_chapter,region\n");
    let mut chance = MadeUpNumbers::of(12_000);
    for patient in 1..=12_000 {
        let region = chance.pick(&REGIONS);
        for _ in 0..1 + u64::from(chance.below(5) == 0) {
            let _ = writeln!(text, "P{patient:05},{},{region}", chance.pick(&CHAPTERS));
        }
    }
    text
}

const ILLNESSES: [(&str, u64); 6] =
    [("none", 620), ("asthma", 150), ("diabetes", 120), ("migraine", 80), ("gout", 25), ("lupus", 3)];

/// A region's inhabitants, each with at most one illness.
pub fn inhabitants() -> String {
    let mut text = String::from("id,region,illness\n");
    let mut chance = MadeUpNumbers::of(24_000);
    for id in 0..24_000 {
        let _ = writeln!(text, "{id},{},{}", chance.pick(&[("north", 2), ("south", 3)]), chance.pick(&ILLNESSES));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_company_has_a_hundred_managers_alone_in_their_band() {
        let text = employees();
        let salaries: Vec<u64> = text
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().expect("three").parse().expect("a number"))
            .collect();
        assert_eq!(salaries.len(), 20_000);
        assert_eq!(salaries.iter().filter(|salary| **salary >= 180_000).count(), 100);
        assert_eq!(salaries.iter().filter(|salary| (160_000..180_000).contains(*salary)).count(), 0);
    }
}
