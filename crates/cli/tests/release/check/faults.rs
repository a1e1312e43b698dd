//! One file for each fault: `check` names the fault and the fix, and after the fix a release counts what is there.

use super::check;
use crate::place::{EXACT, Place, TOWNS, request};

const SALARIES: &str = "[[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 1000, 100000]\n";
const NUMBERS: &str = "[data.types]\nsalary = \"number\"\n";
const MONTHS: &str = "[[bins]]\nname = \"month\"\ncolumn = \"day\"\nedges = [2020-01-01, 2020-02-01, 2020-03-01]\n";
const DAYS: &str = "[data.types]\nday = \"date\"\n";

/// A file with one fault.
struct Fault {
    title: &'static str,
    data: Vec<u8>,
    /// `[data]` and the bins of the request.
    request: (&'static str, &'static str),
    /// What `check` says: the fault and the fix.
    says: &'static [&'static str],
    /// The same request with the fix.
    fixed: (&'static str, &'static str),
    /// What a release counts then.
    counts: &'static [&'static str],
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).expect("Latin-1")).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn faults() -> Vec<Fault> {
    let lines = |lines: &[&str]| lines.join("\n").into_bytes();
    let bern: &[&str] = &["Bern,3,3,3", "Chur,2,2,2"];
    vec![
        Fault {
            title: "semicolons",
            data: lines(&["id;town", "1;Bern", "2;Bern", "3;Bern", "4;Chur", "5;Chur"]),
            request: ("", TOWNS),
            says: &["there is one column, and its name has the sign \";\" once", "[data] delimiter = \";\""],
            fixed: ("delimiter = \";\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "tabs",
            data: lines(&["id\ttown\tx", "1\tBern\t", "2\tBern\t", "3\tBern\t", "4\tChur\t", "5\tChur\t"]),
            request: ("", TOWNS),
            says: &["its name has the sign \"tab\" 2 times", "[data] delimiter = \"tab\""],
            fixed: ("delimiter = \"tab\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "letters of Windows",
            data: latin1("x,town\n1,Bern\n2,Bern\n3,Bern\n4,Chur\n5,Chur\n6,Zürich\n"),
            request: ("", TOWNS),
            says: &[
                "line 7",
                "byte 0xfc at place 4",
                "6,Zürich",
                "[data] encoding = \"windows-1252\"",
                "to its end then",
            ],
            fixed: ("encoding = \"windows-1252\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "letters of Windows in a name",
            data: latin1("Stadt-Größe,town\n1,Bern\n2,Bern\n3,Bern\n4,Chur\n5,Chur\n"),
            request: ("", TOWNS),
            says: &["line 1", "Stadt-Größe", "[data] encoding = \"windows-1252\"", "the request fits the file then"],
            fixed: ("encoding = \"windows-1252\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "UTF-16",
            data: utf16("\u{feff}town\nBern\nBern\nBern\nChur\nChur\n"),
            request: ("", TOWNS),
            says: &["this is UTF-16", "[data] encoding = \"utf-16\""],
            fixed: ("encoding = \"utf-16\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "uneven rows",
            data: lines(&["x,town", "1,Bern", "2,Bern", "3,Bern,", "4,Bern", "5,Chur", "6", "7,Chur"]),
            request: ("", TOWNS),
            says: &[
                "line 4",
                "3 fields, where 2 are expected; 1 more row",
                "2 rows are left out then",
                "on-bad-row = \"skip\"",
            ],
            fixed: ("on-bad-row = \"skip\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "an open quote",
            data: lines(&["x,town", "\"1,Bern", "2,Bern", "3,Bern", "4,Chur", "5,Chur"]),
            request: ("", TOWNS),
            says: &["line 2", "a quote is opened here and never closed", "[data] quote = \"none\""],
            fixed: ("quote = \"none\"\n", TOWNS),
            counts: bern,
        },
        Fault {
            title: "no names",
            data: lines(&["1,Bern", "2,Bern", "3,Bern", "4,Chur", "5,Chur"]),
            request: ("", TOWNS),
            says: &["the first line looks like a row", "[data] header = false", "column1 to column2"],
            fixed: (
                "header = false\n",
                "[[bins]]\nname = \"town\"\ncolumn = \"column2\"\nvalues = [\"Bern\", \"Chur\"]\n",
            ),
            counts: bern,
        },
        Fault {
            title: "decimal commas",
            data: lines(&["salary", "\"94606,00\"", "\"1200,50\"", "\"7,25\"", "\"8,5\""]),
            request: (NUMBERS, SALARIES),
            says: &["line 2", "\"94606,00\"", "a decimal comma?", "[data] decimal = \",\"", "4 of 4 values"],
            fixed: ("decimal = \",\"\n[data.types]\nsalary = \"number\"\n", SALARIES),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2"],
        },
        Fault {
            title: "decimal commas in a column without a type",
            data: lines(&["salary", "\"94606,00\"", "\"1200,50\"", "\"7,25\"", "\"8,5\""]),
            request: ("", SALARIES),
            says: &["[data] decimal = \",\" and [data.types] salary = \"number\"", "4 of 4 values"],
            fixed: ("decimal = \",\"\n[data.types]\nsalary = \"number\"\n", SALARIES),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2"],
        },
        Fault {
            title: "points between thousands, some of which can be read as fractions",
            data: lines(&["salary", "1.234", "\"1.200,50\"", "7", "\"8,5\""]),
            request: (NUMBERS, SALARIES),
            says: &["[data] decimal = \",\" and [data] thousands = \".\""],
            fixed: ("decimal = \",\"\nthousands = \".\"\n[data.types]\nsalary = \"number\"\n", SALARIES),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2"],
        },
        Fault {
            title: "commas between thousands",
            data: lines(&["salary", "\"1,234,000.5\"", "\"1,234.5\"", "\"2,000.25\"", "7", "8"]),
            request: (NUMBERS, SALARIES),
            says: &["a sign between thousands?", "[data] thousands = \",\""],
            fixed: ("thousands = \",\"\n[data.types]\nsalary = \"number\"\n", SALARIES),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2"],
        },
        Fault {
            title: "words for nothing",
            data: lines(&["salary", "N/A", "1200", "1300", "7", "8", "N/A"]),
            request: (NUMBERS, SALARIES),
            says: &["line 7", "\"N/A\"", "stands for nothing?", "[data] missing = [\"N/A\"]"],
            fixed: (
                "missing = [\"N/A\"]\n[data.types]\nsalary = \"number\"\n",
                "[[bins]]\nname = \"salary\"\ncolumn = \"salary\"\nedges = [0, 1000, 100000]\nnulls = \"bin\"\n",
            ),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2", "(missing),2,2,2"],
        },
        Fault {
            title: "signs of money",
            data: lines(&["salary", "€ 1200", "\"€ 94,606\"", "\"$ 1,300,000\"", "€ 7", "8 €"]),
            request: (NUMBERS, SALARIES),
            says: &[
                "a sign of money",
                "expression = \"cast(trim(replace(replace(replace(salary, '€', ''), '$', ''), ',', '')) as double)\"",
                "[data.types] without salary",
            ],
            fixed: (
                "",
                "[[bins]]\nname = \"salary\"\nedges = [0, 1000, 100000]\n\
                 expression = \"cast(trim(replace(replace(replace(salary, '€', ''), '$', ''), ',', '')) as double)\"\n",
            ),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2"],
        },
        Fault {
            title: "percent signs",
            data: lines(&["salary", "12 %", "7%"]),
            request: (NUMBERS, SALARIES),
            says: &["a percent sign", "expression = \"cast(trim(replace(salary, '%', '')) as double)\""],
            fixed: (
                "",
                "[[bins]]\nname = \"salary\"\nedges = [0, 1000, 100000]\n\
                 expression = \"cast(trim(replace(salary, '%', '')) as double)\"\n",
            ),
            counts: &["\"[0, 1000)\",2,2,2"],
        },
        Fault {
            title: "days as in Germany",
            data: lines(&["day", "31.01.2020", "1.01.2020", "2020-02-01", "28.02.2020"]),
            request: (DAYS, MONTHS),
            says: &["\"31.01.2020\"", "another way to write days?", "[data] dates = [\"%d.%m.%Y\"]", "3 of 3 values"],
            fixed: ("dates = [\"%d.%m.%Y\"]\n[data.types]\nday = \"date\"\n", MONTHS),
            counts: &["\"[2020-01-01, 2020-02-01)\",2,2,2", "\"[2020-02-01, 2020-03-01)\",2,2,2"],
        },
        Fault {
            title: "days without a type",
            data: lines(&["day", "01/31/2020", "01/01/2020", "02/01/2020", "02/28/2020"]),
            request: ("", MONTHS),
            says: &["[data] dates = [\"%m/%d/%Y\"] and [data.types] day = \"date\""],
            fixed: ("dates = [\"%m/%d/%Y\"]\n[data.types]\nday = \"date\"\n", MONTHS),
            counts: &["\"[2020-01-01, 2020-02-01)\",2,2,2", "\"[2020-02-01, 2020-03-01)\",2,2,2"],
        },
        Fault {
            title: "blanks around names of bins",
            data: lines(&["town", "Bern", "Bern ", " Bern", "Chur", "Chur  "]),
            request: ("", TOWNS),
            says: &[
                "\"Bern \"",
                "is \"Bern\" but for blanks around it",
                "expression = \"trim(town)\" in place of column",
            ],
            fixed: ("", "[[bins]]\nname = \"town\"\nexpression = \"trim(town)\"\nvalues = [\"Bern\", \"Chur\"]\n"),
            counts: bern,
        },
        Fault {
            title: "capital letters",
            data: lines(&["town", "Bern", "BERN", "bern", "Chur", "chur"]),
            request: ("", TOWNS),
            says: &["is \"Bern\" but for capital letters", "expression = \"initcap(trim(town))\" in place of column"],
            fixed: (
                "",
                "[[bins]]\nname = \"town\"\nexpression = \"initcap(trim(town))\"\nvalues = [\"Bern\", \"Chur\"]\n",
            ),
            counts: bern,
        },
        Fault {
            title: "fractions among whole numbers",
            data: lines(&["salary", "1200.5", "1300", "7", "8.5"]),
            request: ("[data.types]\nsalary = \"integer\"\n", SALARIES),
            says: &["it has a fraction", "[data.types] salary = \"number\"", "2 of 2 values"],
            fixed: (NUMBERS, SALARIES),
            counts: &["\"[0, 1000)\",2,2,2", "\"[1000, 100000)\",2,2,2"],
        },
    ]
}

#[test]
fn every_fault_is_named_with_a_fix_after_which_a_release_counts_what_is_there() {
    for fault in faults() {
        let place = Place::new();
        place.write("d.csv", &fault.data);
        place.write("request.toml", request("d.csv", fault.request.0, fault.request.1, EXACT));
        let said = check(&place);
        assert_eq!(said.code, 1, "{}: {}{}", fault.title, said.stdout, said.stderr);
        // Lines are folded where they are long.
        let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for expected in fault.says {
            let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&expected), "{}: not {expected:?}\n{}", fault.title, said.stdout);
        }
        place.write("request.toml", request("d.csv", fault.fixed.0, fault.fixed.1, EXACT));
        let fixed = place.run(&["check", "request.toml", "--most-lost", "50%"]);
        assert_eq!(fixed.code, 0, "{}: {}{}", fault.title, fixed.stdout, fixed.stderr);
        place.released();
        let counts = place.counts();
        let counts: Vec<&str> = counts.iter().filter_map(|line| line.strip_suffix(",published,A")).collect();
        assert_eq!(counts, fault.counts, "{}", fault.title);
    }
}

#[test]
fn where_the_data_does_not_tell_both_ways_are_given() {
    for (data, more, bins, ways) in [
        ("salary\n\"1,234\"\n\"12,500\"\n", NUMBERS, SALARIES, "[data] decimal = \",\", or [data] thousands = \",\""),
        (
            "day\n01/02/2020\n02/01/2020\n",
            DAYS,
            MONTHS,
            "[data] dates = [\"%d/%m/%Y\"], or [data] dates = [\"%m/%d/%Y\"]",
        ),
    ] {
        let place = Place::new();
        place.write("d.csv", data);
        place.write("request.toml", request("d.csv", more, bins, EXACT));
        let said = check(&place);
        let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(ways) && words.contains("the data does not tell which"), "{}", said.stdout);
    }
}

#[test]
fn damage_is_found_where_it_is() {
    let long = format!("town\nBern\n\"{}\"\nBern\n", "a".repeat((16 << 20) + 1));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, "town\nBern\n".repeat(1000).as_bytes()).expect("packed");
    let mut packed = gzip.finish().expect("packed");
    packed.truncate(packed.len() / 2);
    for (title, name, data, says) in [
        ("a long record", "d.csv", long.into_bytes(), "a record begins here that is longer than 16 MiB"),
        ("nothing", "d.csv", Vec::new(), "the file is empty"),
        ("zeros", "d.csv", b"town\nBe\0rn\nBern\n".to_vec(), "it has a byte of zero"),
        ("an object", "d.ndjson", b"{\"town\":\"Bern\"}\n{\"town\":\n{}\n".to_vec(), "object 2"),
        ("a packed file", "d.csv.gz", packed, "cannot be read"),
    ] {
        let place = Place::new();
        place.write(name, &data);
        place.write("request.toml", request(name, "", TOWNS, EXACT));
        let said = check(&place);
        assert!(said.stdout.contains(says), "{title}: {}{}", said.stdout, said.stderr);
    }
    let place = Place::new();
    place.write("d.csv", "day\n2020-13-45\n2020-01-01\n");
    place.write("request.toml", request("d.csv", DAYS, MONTHS, EXACT));
    assert!(check(&place).stdout.contains("there is no such day"));
}

#[test]
fn lines_are_those_of_the_file_that_they_are_in() {
    let place = Place::new();
    place.write("data/a.csv", "x,salary\n\"a\nb\",1\n\n\"\",oops\n");
    place.write("data/b.csv", "x,salary\n1,2\n2,ouch\n");
    place.write("request.toml", request("data", NUMBERS, SALARIES, EXACT));
    let said = check(&place);
    assert!(said.stdout.contains("line 5 of a.csv"), "{}", said.stdout);
    assert!(said.stdout.contains("line 3 of b.csv"), "{}", said.stdout);
}
