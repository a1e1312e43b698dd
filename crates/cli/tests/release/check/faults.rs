//! One file for each fault: `check` names the fault and the fix, and after the fix a release counts what is there.

use super::check;
use crate::place::{EXACT, FOUND_TOWNS, Place, TOWNS, WITH_DELTA, request};

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
            title: "a quote that only a later quote closes",
            data: lines(&["x,town", "\"1,Bern", "2,Bern", "5\" pipe,Bern", "4,Chur", "5,Chur"]),
            request: ("", TOWNS),
            says: &[
                "a release would be charged and not delivered",
                "line 2",
                "only another quote closes, on line 4",
                "3 lines are read as one field",
                "close the quote in the file, or [data] quote = \"none\"",
            ],
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
fn rows_between_quotes_are_told_and_a_release_fails_where_a_quote_is_torn() {
    let place = Place::new();
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, WITH_DELTA));
    let rows = |town: &dyn Fn(usize) -> String| (1..=1200).map(|row| format!("{row},{},{row}\n", town(row))).collect();
    let written = |rows: String| format!("id,town,age\n{rows}");
    // The next quote is that of a field: what stands behind it tells that it closes nothing that was meant.
    let torn: String = rows(&|row| match row {
        500 => "\"Bern".into(),
        503 => "\"Bern\"".into(),
        _ => "Bern".into(),
    });
    place.write("d.csv", written(torn.clone()));
    let said = place.run(&["check", "request.toml"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("line 501 a quote is opened here that only another quote closes, on line 504"), "{words}");
    assert!(words.contains("4 lines are read as one field"), "{words}");
    assert_eq!(place.run(&["release", "request.toml", "--again"]).code, 3);
    // Uneven rows may be left out, but not rows that nobody sees.
    place.write("request.toml", request("d.csv", "on-bad-row = \"skip\"\n", FOUND_TOWNS, WITH_DELTA));
    let uneven = torn.replace("\"Bern\",503\n", "\"Bern\",503,5\n");
    for rows in [torn, uneven] {
        place.write("d.csv", written(rows));
        let said = place.run(&["check", "request.toml"]);
        assert!(said.code == 1 && said.stdout.contains("on line 504"), "{}", said.stdout);
        assert_eq!(place.run(&["release", "request.toml", "--again"]).code, 3);
    }
    // The next quote ends a field: this may be text, and is asked.
    for (last, most_lost, code) in [(503, "5%", 0), (503, "0.1%", 1), (900, "5%", 1), (900, "40%", 0)] {
        let stray: String = rows(&|row| match row {
            500 => "\"Bern".into(),
            row if row == last => "Bern\"".into(),
            _ => "Bern".into(),
        });
        place.write("d.csv", written(stray));
        let said = place.run(&["check", "request.toml", "--most-lost", most_lost]);
        assert_eq!(said.code, code, "{last}, {most_lost}: {}{}", said.stdout, said.stderr);
        let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("1 field between quotes goes over several lines"), "{words}");
        assert!(words.contains(&format!("line 501: the field ends on line {}", last + 1)), "{words}");
        assert!(words.contains(&format!("{} rows are not counted", last - 500)), "{words}");
        assert!(words.contains("close the quote in the file, or [data] quote = \"none\""), "{words}");
        assert_eq!(words.contains("which stand between quotes"), code == 1, "{words}");
    }
    // Text over lines is lawful.
    let text: String = rows(&|row| if row % 3 == 0 { "\"Bern\n(BE)\"".into() } else { "Bern".into() });
    place.write("d.csv", written(text));
    let said = place.run(&["check", "request.toml"]);
    assert!(said.code == 0 && !said.stdout.contains("between quotes"), "{}", said.stdout);
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
fn days_that_tell_two_orders_are_not_misread_in_silence() {
    let place = Place::new();
    let days: Vec<String> =
        (1..=28).flat_map(|day| [format!("{day:02}/03/2020"), format!("03/{day:02}/2020")]).collect();
    place.write("d.csv", format!("day\n{}\n", days.join("\n")));
    place.write("request.toml", request("d.csv", DAYS, MONTHS, EXACT));
    let said = place.run(&["check", "request.toml", "--fix", "fixed.toml"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("the data does not tell which"), "{}", said.stdout);
    assert!(said.stderr.contains("was not written") && !place.path("fixed.toml").exists(), "{}", said.stderr);
    // Of 56 days 16 fit each order alone, two are 03/03 and 22 are two days.
    let year = "[[bins]]\nname = \"year\"\ncolumn = \"day\"\nedges = [2020-01-01, 2021-01-01]\n";
    place.write("request.toml", request("d.csv", &format!("dates = [\"%d/%m/%Y\"]\n{DAYS}"), year, EXACT));
    let said = place.run(&["check", "request.toml", "--most-lost", "40%"]);
    let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.code, 1, "{words}");
    assert!(words.contains("22 values are one day as %d/%m/%Y and another day as %m/%d/%Y"), "{words}");
    assert!(words.contains("16 values fit the first alone and 16 the second alone"), "{words}");
    assert!(words.contains("a release may read 22 days as other days"), "{words}");
    let both = format!("dates = [\"%d/%m/%Y\", \"%m/%d/%Y\"]\n{DAYS}");
    place.write("request.toml", request("d.csv", &both, MONTHS, EXACT));
    for command in ["check", "plan", "release"] {
        let said = place.run(&[command, "request.toml"]);
        assert!(said.code == 2 && said.stderr.contains("as two different days"), "{command}: {}", said.stderr);
    }
}

#[test]
fn titles_before_the_names_are_skipped_if_the_request_says_so() {
    let place = Place::new();
    // A title may have the sign between fields in it.
    place.write("d.csv", "Staff, Bern and Chur\ntown,age,note\nBern,1,x\nBern,2,y\nChur,3,z\n");
    place.write("request.toml", request("d.csv", "", TOWNS, EXACT));
    assert!(check(&place).stdout.contains("[data] skip-lines = 1"), "{}", check(&place).stdout);
    let said = place.run(&["init", "d.csv", "--output", "made.toml"]);
    assert!(
        said.stderr.contains("looks like a title") || said.stdout.contains("looks like a title"),
        "{}",
        said.stdout
    );
    assert!(std::fs::read_to_string(place.path("made.toml")).expect("a request").contains("skip-lines = 1"));
    place.write("d.csv", "HR export\n\ntown,age\nBern,1\nBern,2\nChur,x\n");
    let said = place.run(&["check", "request.toml", "--fix", "fixed.toml"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("skip-lines = "), "{}", said.stdout);
    let said = place.run(&["release", "fixed.toml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(place.counts().iter().any(|line| line.starts_with("Bern,2,2,2")), "{:?}", place.counts());
}

/// A workbook with a number in each row, of which every second is given by a formula alone.
fn workbook_without_results(rows: usize) -> Vec<u8> {
    let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |kind: &str, target: &str| {
        format!("<Relationships><Relationship Id=\"r\" Type=\"{kinds}/{kind}\" Target=\"{target}\"/></Relationships>")
    };
    let cells: String = (2..rows + 2)
        .map(|row| match row % 2 {
            0 => format!("<row r=\"{row}\"><c r=\"A{row}\"><f>Z1*7</f></c><c r=\"B{row}\"><v>1</v></c></row>"),
            _ => format!("<row r=\"{row}\"><c r=\"A{row}\"><f>Z1</f><v>7</v></c><c r=\"B{row}\"><v>1</v></c></row>"),
        })
        .collect();
    let name = |place: &str, name: &str| format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{name}</t></is></c>");
    let names = format!("<row r=\"1\">{}{}</row>", name("A1", "salary"), name("B1", "x"));
    let documents = [
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "sheet.xml")),
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"s\" sheetId=\"1\" r:id=\"r\"/></sheets></workbook>".into(),
        ),
        ("xl/sheet.xml", format!("<worksheet><sheetData>{names}{cells}</sheetData></worksheet>")),
    ];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in documents {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("a file");
        std::io::Write::write_all(&mut zip, text.as_bytes()).expect("packed");
    }
    zip.finish().expect("packed").into_inner()
}

#[test]
fn formulas_without_results_are_told_as_what_they_are() {
    let place = Place::new();
    place.write("d.xlsx", workbook_without_results(20));
    place.write("request.toml", request("d.xlsx", NUMBERS, SALARIES, EXACT));
    let said = check(&place);
    assert_eq!(said.code, 1, "{}", said.stdout);
    let words = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("10 cells have formulas whose results are not in the file: they are missing"), "{words}");
    assert!(words.contains("\"salary\": the value is missing"), "{words}");
    // A plain file has none, and neither has a workbook with results.
    place.write("d.csv", "salary\n7\n\n7\n");
    place.write("request.toml", request("d.csv", NUMBERS, SALARIES, EXACT));
    assert!(!check(&place).stdout.contains("formula"));
}

#[test]
fn damage_is_found_where_it_is() {
    let long = format!("town\nBern\n\"{}\"\nBern\n", "a".repeat((16 << 20) + 1));
    for (title, name, data, says) in [
        ("a long record", "d.csv", long.into_bytes(), "a record begins here that is longer than 16 MiB"),
        ("nothing", "d.csv", Vec::new(), "the file is empty"),
        ("zeros", "d.csv", b"town\nBe\0rn\nBern\n".to_vec(), "it has a byte of zero"),
        ("an object", "d.ndjson", b"{\"town\":\"Bern\"}\n{\"town\":\n{}\n".to_vec(), "object 2"),
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

/// A file of 50,000 rows that hardly pack, as each packer writes it.
fn packed() -> [(&'static str, Vec<u8>); 3] {
    let rows = (0..50_000u64).map(|row| format!("{},Bern\n", row.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let text = "id,town\n".to_owned() + &rows.collect::<String>();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, text.as_bytes()).expect("packed");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("d.csv", zip::write::SimpleFileOptions::default()).expect("a file");
    std::io::Write::write_all(&mut zip, text.as_bytes()).expect("packed");
    [
        ("d.csv.gz", gzip.finish().expect("packed")),
        ("d.csv.zst", zstd::encode_all(text.as_bytes(), 0).expect("packed")),
        ("d.csv.zip", zip.finish().expect("packed").into_inner()),
    ]
}

#[test]
fn a_packed_file_without_its_end_is_named_with_the_fix() {
    for (name, whole) in packed() {
        // In the middle of the rows, and in the middle of the names.
        for length in [whole.len() * 2 / 3, whole.len() - 2, 20] {
            let place = Place::new();
            place.write(name, &whole[..length]);
            place.write("request.toml", request(name, "", TOWNS, EXACT));
            let said = check(&place);
            assert_eq!(said.code, 1, "{name}, {length}");
            let shown = format!("{}{}", said.stdout, said.stderr);
            assert!(shown.contains("ends in the middle of the packed data"), "{name}, {length}: {shown}");
            assert!(shown.contains("copy or download"), "{name}, {length}: {shown}");
        }
        let place = Place::new();
        place.write(name, &whole);
        place.write("request.toml", request(name, "", TOWNS, EXACT));
        assert_eq!(check(&place).code, 0, "{name}");
        if name.ends_with(".zst") {
            // It has no sum of its bytes unless its writer adds one.
            continue;
        }
        // A byte of the middle is another.
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 0x55;
        place.write(name, &damaged);
        let said = check(&place);
        assert_eq!(said.code, 1, "{name}: {}", said.stdout);
    }
    // Of several files it is told which.
    let place = Place::new();
    let [(_, gzip), ..] = packed();
    place.write("data/a.csv.gz", &gzip);
    place.write("data/b.csv.gz", &gzip[..gzip.len() / 2]);
    place.write("request.toml", request("data", "", TOWNS, EXACT));
    let said = check(&place);
    assert!(said.stdout.contains("end of b.csv.gz"), "{}", said.stdout);
}

#[test]
fn the_whole_data_decides_about_days_and_months() {
    // 5,760 different texts in which either could be first, more than are kept, and one at the end that decides.
    let mut data = String::from("day\n");
    for year in 1981..=2020 {
        for (day, month) in (1..=12).flat_map(|day| (1..=12).map(move |month| (day, month))) {
            data.push_str(&format!("{day:02}/{month:02}/{year}\n"));
        }
    }
    let open = data.clone();
    data.push_str("31/12/2020\n");
    let bins = "[[bins]]\nname = \"year\"\ncolumn = \"day\"\ntruncate = \"year\"\nfrom = 1981-01-01\nto = 2021-01-01\n";
    for (data, ways, helped) in [
        (open, "[\"%d/%m/%Y\"], or [data] dates = [\"%m/%d/%Y\"]", "(5760 of 5760 values can then be read)"),
        (data, "[data] dates = [\"%d/%m/%Y\"] (", "(5761 of 5761 values can then be read)"),
    ] {
        let place = Place::new();
        place.write("d.csv", data);
        place.write("request.toml", request("d.csv", DAYS, bins, EXACT));
        let words = check(&place).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(ways) && words.contains(helped), "{words}");
    }
}

#[test]
fn what_was_not_tried_is_told() {
    let rows: String = (0..5_000).map(|row| format!("{row} CHF\n")).collect();
    let place = Place::new();
    place.write("d.csv", format!("salary\n{rows}"));
    place.write("request.toml", request("d.csv", "", SALARIES, EXACT));
    let words = check(&place).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("(4096 of 4096 values can then be read; it was not tried on 904 more)"), "{words}");
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
