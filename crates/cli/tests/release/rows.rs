//! `release = "rows"`: rows made coarser by public rules, published where enough people share them.

use crate::place::Place;
use std::collections::BTreeMap;

const REQUEST: &str = r#"release = "rows"
[data]
source = "d.csv"
person = "id"
[data.types]
age = "integer"
born = "date"
[[columns]]
name = "age band"
column = "age"
edges = [0, 18, 65]
other = true
[[columns]]
name = "work"
column = "job"
hierarchy = "jobs.csv"
level = 2
[[columns]]
name = "area"
column = "zip"
prefix = 2
[[columns]]
name = "year"
column = "born"
truncate = "year"
[[columns]]
name = "sex"
column = "sex"
values = ["f", "m"]
[promise]
kind = "crowd-blending"
crowd = 5
epsilon = 0
[ledger]
dataset = "people"
snapshot = "2026"
[output]
folder = "out"
formats = ["csv", "parquet", "arrow"]
"#;

const JOBS: &str = "nurse,care,health\ndoctor,cure,health\n\"cook, chef\",kitchen,hotel\n";

type Kind = Vec<String>;

/// 400 people of made-up kinds; the kinds are computed here by other means than in the product.
fn people() -> (String, BTreeMap<Kind, u32>) {
    let mut rows = String::from("id,age,job,zip,born,sex\n");
    let mut kinds: BTreeMap<Kind, u32> = BTreeMap::new();
    for id in 0..400u32 {
        let age = id * 7 % 90;
        let (job, work) = [("nurse", "health"), ("doctor", "health"), ("\"cook, chef\"", "hotel"), ("spy", "")]
            [(id % 9 % 4) as usize];
        let zip = ["8001", "8055", "", "12"][(id % 5 % 4) as usize];
        let year = 1990 + id % 3;
        let sex = ["f", "m", "x"][(id % 17 % 3) as usize];
        // Every row twice: a person counts once.
        for _ in 0..2 {
            rows.push_str(&format!("{id},{age},{job},{zip},{year}-0{}-11,{sex}\n", 1 + id % 9));
        }
        if work.is_empty() || sex == "x" {
            continue;
        }
        let band = match age {
            0..18 => "[0, 18)",
            18..65 => "[18, 65)",
            _ => "other",
        };
        let area: String = zip.chars().take(2).collect();
        let kind = [band, work, &area, &format!("{year}-01-01"), sex].map(String::from).to_vec();
        *kinds.entry(kind).or_default() += 1;
    }
    (rows, kinds)
}

fn place() -> Place {
    let place = Place::new();
    place.write("d.csv", people().0);
    place.write("jobs.csv", JOBS);
    place.write("request.toml", REQUEST);
    place
}

fn delivered(place: &Place) -> Vec<Kind> {
    let file = std::fs::read(place.path("out").join("rows.csv")).expect("a table");
    csv::Reader::from_reader(file.as_slice())
        .records()
        .map(|record| record.expect("a row").iter().map(|cell| cell.replace("(missing)", "")).collect())
        .collect()
}

#[test]
fn rows_that_enough_people_share_are_published_and_no_others() {
    let place = place();
    place.released();
    let rows = delivered(&place);
    let mut counted: BTreeMap<Kind, u32> = BTreeMap::new();
    rows.iter().for_each(|row| *counted.entry(row.clone()).or_default() += 1);
    let mut expected = people().1;
    let all = expected.len();
    expected.retain(|_, people| *people >= 5);
    assert!(expected.len() > 10 && expected.len() < all, "{} of {all} kinds", expected.len());
    assert_eq!(counted, expected);
    // Equal rows stand together, and the file says nothing about the order of the data.
    let mut seen: Vec<&Kind> = rows.iter().collect();
    seen.dedup();
    assert_eq!(seen.len(), expected.len());
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}", said.stdout);
    assert!(said.stdout.contains("each kind is shared by at least"), "{}", said.stdout);
    let page = std::fs::read_to_string(place.path("out").join("report.html")).expect("a page");
    assert!(page.contains("Rows of people: age band, work, area, year and sex"), "a title");
    assert!(!page.contains("jobs.csv") && !page.contains("d.csv"), "a path");
    let certificate = std::fs::read_to_string(place.path("out").join("certificate.json")).expect("a certificate");
    assert!(!certificate.contains("jobs.csv") && certificate.contains("\"cook, chef\""), "the names, not the file");
}

#[test]
fn the_identity_of_a_request_has_the_names_and_not_the_file() {
    let place = place();
    let hash = |place: &Place| {
        let said = place.run(&["plan", "request.toml", "--format", "json"]);
        let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        object["request_hash"].as_str().expect("a hash").to_string()
    };
    let first = hash(&place);
    place.write("other.csv", JOBS);
    place.write("request.toml", REQUEST.replace("jobs.csv", "other.csv"));
    assert_eq!(hash(&place), first, "the same names in another file");
    place.write("other.csv", JOBS.replace("hotel", "inn"));
    assert_ne!(hash(&place), first, "other names");
}

/// Two tables of exact rows subtract: CB Proposition 7.
#[test]
fn rows_by_other_rules_about_the_same_people_are_refused() {
    let place = place();
    place.released();
    assert_eq!(place.run(&["release", "request.toml", "--folder", "again", "--again"]).code, 0, "the same rows again");
    place.write("request.toml", REQUEST.replace("prefix = 2", "prefix = 1"));
    let said = place.run(&["release", "request.toml", "--folder", "other"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("would promise nothing"), "{}", said.stderr);
    assert!(!place.path("other").exists());
    // Nor may exact counts of other bins follow.
    let counts = "[data]\nsource = \"d.csv\"\nperson = \"id\"\n[[bins]]\nname = \"sex\"\ncolumn = \"sex\"\nvalues = [\"f\", \"m\"]\n[promise]\nkind = \"crowd-blending\"\ncrowd = 5\nepsilon = 0\n[ledger]\ndataset = \"people\"\n";
    place.write("counts.toml", counts);
    assert_eq!(place.run(&["release", "counts.toml", "--folder", "counts"]).code, 1);
}

#[test]
fn a_row_too_few_in_the_file_is_noticed() {
    let place = place();
    place.released();
    for name in ["rows.parquet", "rows.arrow"] {
        std::fs::remove_file(place.path("out").join(name)).expect("removed");
    }
    let path = place.path("out").join("rows.csv");
    let text = std::fs::read_to_string(&path).expect("a table");
    let lines: Vec<&str> = text.lines().collect();
    // Of a kind that just so many people share, one row is dropped; and a kind is moved.
    let (rare, _) = people().1.into_iter().find(|(_, people)| *people == 5).expect("a rare kind");
    let rare = csv_line(&rare);
    let at = lines.iter().position(|line| *line == rare).expect("its row");
    let dropped: Vec<&str> =
        lines.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, line)| *line).collect();
    let mut moved = lines.clone();
    moved.swap(1, lines.len() - 1);
    for forged in [dropped, moved] {
        let forged = forged.join("\n") + "\n";
        std::fs::write(&path, &forged).expect("written");
        let said = place.run(&["verify", "out"]);
        assert_eq!(said.code, 1, "{}", said.stdout);
    }
}

fn csv_line(row: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains(',') {
        true => format!("\"{cell}\""),
        false => cell.clone(),
    };
    row.iter().map(quoted).collect::<Vec<_>>().join(",")
}

#[test]
fn rows_that_cannot_be_made_are_refused_before_anything_is_charged() {
    let place = place();
    let wrong_names = |text: &str| place.write("jobs.csv", text);
    let says = |code: i32, words: &str| {
        let said = place.run(&["release", "request.toml"]);
        assert_eq!(said.code, code, "{words}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    };
    for (names, words) in [
        ("nurse,care,health\nnurse,care,health\n", "there twice"),
        ("nurse,care\n", "no name 2 steps up"),
        ("", "no values"),
        ("nurse,care,\n", "is empty"),
    ] {
        wrong_names(names);
        says(2, words);
    }
    std::fs::remove_file(place.path("jobs.csv")).expect("removed");
    says(2, "cannot be read");
    wrong_names(JOBS);
    for (from, to, code, words) in [
        ("person = \"id\"", "person = \"id\"\nbins-per-person = 2", 1, "at most one published row"),
        ("folder = \"out\"", "folder = \"out\"\nmargins = true", 1, "published as they are"),
        ("folder = \"out\"", "folder = \"out\"\nrounding = 5", 1, "published as they are"),
        ("crowd = 5", "crowd = 1", 2, "at least 2"),
    ] {
        place.write("request.toml", REQUEST.replace(from, to));
        says(code, words);
    }
    assert!(!place.path("ledger.sqlite").exists() || place.events().is_empty(), "something was charged");
}

#[test]
fn a_hierarchy_is_a_public_file_of_its_own_beside_the_request() {
    let place = Place::new();
    place.write("work/d.csv", "id,job\n1,nurse\n2,SECRET-DIAGNOSIS\n");
    place.write("work/jobs.csv", "nurse,health\nbaker,food\nmiller,food\nclerk,office\n");
    place.write("elsewhere.csv", "nurse,health\n");
    let request = |source: &str, file: &str| {
        format!(
            "release = \"rows\"\n[data]\nsource = \"{source}\"\nperson = \"id\"\n[[columns]]\nname = \"work\"\ncolumn = \"job\"\nhierarchy = \"{file}\"\nlevel = 1\n[promise]\nkind = \"crowd-blending\"\ncrowd = 5\nepsilon = 0\n[ledger]\ndataset = \"people\"\n[output]\nfolder = \"out\"\n"
        )
    };
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.path("work/d.csv"), place.path("work/linked.csv")).expect("a link");
        std::os::unix::fs::symlink(place.path("elsewhere.csv"), place.path("work/away.csv")).expect("a link");
        std::fs::hard_link(place.path("work/d.csv"), place.path("work/second.txt")).expect("a second name");
    }
    let absolute = place.path("elsewhere.csv").to_string_lossy().into_owned();
    for (source, file, words) in [
        ("d.csv", "d.csv", "is a file of the data"),
        ("d.csv", "./d.csv", "is a file of the data"),
        ("d.csv", "linked.csv", "is a file of the data"),
        ("d.csv", "second.txt", "is a file of the data"),
        (".", "d.csv", "is a file of the data"),
        ("*.csv", "jobs.csv", "is a file of the data"),
        ("d.csv", "../elsewhere.csv", "is not in the folder of the request"),
        ("d.csv", "away.csv", "is not in the folder of the request"),
        ("d.csv", absolute.as_str(), "is not in the folder of the request"),
        ("d.csv", ".", "is not a file"),
        ("d.csv", "nowhere.csv", "there is no such file"),
    ] {
        place.write("work/request.toml", request(source, file));
        for command in ["plan", "release"] {
            let said = place.run(&[command, "work/request.toml"]);
            assert_eq!(said.code, 2, "{source} {file}: {}", said.stdout);
            assert!(said.stderr.contains(words), "{source} {file}: {}", said.stderr);
            assert!(!said.stderr.contains("SECRET"), "{}", said.stderr);
        }
    }
    assert!(place.events().is_empty(), "nothing was charged");
    place.write("work/request.toml", request("d.csv", "jobs.csv"));
    let said = place.run(&["plan", "work/request.toml"]);
    let text = said.stdout.replace("\n               ", " ");
    let words = "these 4 values of work and their names will be published, word for word, in certificate, report and ledger: \"nurse\" is \"health\", \"baker\" is \"food\", \"miller\" is \"food\", and 1 more";
    assert!(text.contains(words), "{text}");
    let said = place.run(&["plan", "work/request.toml", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(object["published_names"][0]["values"], 4);
}

#[test]
fn a_rehearsal_of_rows_and_points_is_small() {
    let points = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/points/request.toml"));
    let rows = "release = \"rows\"\n[data]\nsource = \"d.csv\"\n[[columns]]\nname = \"job\"\ncolumn = \"job\"\nkeep = true\n[promise]\nkind = \"crowd-blending\"\ncrowd = 1000000\nepsilon = 0\n[ledger]\ndataset = \"people\"\n";
    for (table, request) in [("points", points.expect("an example").as_str()), ("rows", rows)] {
        let place = Place::new();
        place.write("request.toml", request);
        let said = place.run(&["release", "request.toml", "--rehearse"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let text = std::fs::read_to_string(place.path(&format!("out-rehearsal/{table}.csv"))).expect("a table");
        let people = text.lines().count() - 1;
        assert!(people <= 20_000 && (people > 1000 || table == "rows"), "{table}: {people}");
        assert_eq!(place.run(&["verify", "out-rehearsal"]).code, 0);
    }
}
