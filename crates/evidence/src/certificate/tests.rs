use super::*;
use crate::example::{SALARIES, charge, plan_of};
use crate::request::Request;

fn tables() -> FolderFacts {
    let text = KeyType::named("text").expect("a type");
    FolderFacts {
        tables: vec![WrittenTable { name: "counts.csv".into(), sha256: "ab".repeat(32) }],
        key_types: vec![text.clone(), text],
        derived_from: Vec::new(),
    }
}

#[test]
fn the_certificate_of_the_salaries_example_reads_as_it_should() {
    let plan = plan_of(SALARIES);
    let text = certificate_text(&certificate(&plan, &charge(), &tables(), Randomness::OperatingSystem));
    let expected = include_str!("salaries.json");
    assert!(text == expected, "src/certificate/salaries.json should be:\n{text}");
    let read: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read, certificate(&plan, &charge(), &tables(), Randomness::OperatingSystem));
}

#[test]
fn a_certificate_names_no_path_and_nothing_else_that_is_not_known() {
    let request = format!("{SALARIES}\npath = \"/home/steward/book.sqlite\"\n[output]\nfolder = \"/secret/place\"\n");
    let plan = plan_of(&request);
    let certificate = certificate(&plan, &charge(), &tables(), Randomness::OperatingSystem);
    let text = certificate_text(&certificate);
    for private in ["employees.csv", "/home/steward", "/secret"] {
        assert!(!text.contains(private), "{private}");
    }
    let fields = certificate.as_object().expect("an object");
    assert!(fields.keys().all(|name| Version::Three.fields().any(|known| known == name)));
    assert_eq!(fields.len(), Version::Three.fields().count() - 1);
}

#[test]
fn a_known_seed_is_said_first_and_aloud() {
    let plan = plan_of(&SALARIES.replace("[data]", "[data]\nsynthetic = true"));
    let text = certificate_text(&certificate(&plan, &charge(), &tables(), Randomness::KnownSeed));
    assert!(text.starts_with("{\n  \"version\": 3,\n  \"not_private\": true,\n"), "{text}");
}

#[test]
fn a_person_with_several_bins_has_a_curve_of_her_own() {
    let request = SALARIES.replace("person = \"employee_id\"", "person = \"employee_id\"\nbins-per-person = 4");
    let certificate = certificate(&plan_of(&request), &charge(), &tables(), Randomness::OperatingSystem);
    assert_eq!(certificate["curve"][0]["epsilon"], "1/100");
    assert_eq!(certificate["exact"]["runs"][0]["epsilon"], "1/400");
    assert_eq!(certificate["worst_case_dp"], json!({ "epsilon": "1", "delta": "0" }));
}

#[test]
fn deltas_are_rounded_up_but_never_above_what_was_asked() {
    let request = "[[bins]]\nname = \"w\"\ncolumn = \"w\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1/3000000\"\n";
    let certificate = certificate(&plan_of(request), &charge(), &tables(), Randomness::OperatingSystem);
    assert_eq!(certificate["worst_case_dp"]["delta"], "1/3000000");
    assert_eq!(certificate["delta"], "1/3000000");
}

/// Requests with everything that a certificate has to carry.
pub(crate) const REQUESTS: [&str; 18] = [
    SALARIES,
    include_str!("../../../../examples/diagnoses/request.toml"),
    include_str!("../../../../examples/keywords/request.toml"),
    include_str!("../../../../examples/series/request.toml"),
    include_str!("../../../../examples/top/request.toml"),
    include_str!("../../../../examples/points/request.toml"),
    include_str!("../../../../examples/baskets/request.toml"),
    "[[bins]]\nname = \"a 'b' \\\"c\\\" \\\\ 🎈\"\nexpression = \"upper(x) || '\\\\n' || \\\"y\\\"\"\nvalues = [\"\", \" \", \"1/2\", \"\\u0001\\t\\n\", \"other\"]\nnulls = \"bin\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = \"1/3\"\n",
    "[data]\npeople = \"n\"\nwhere = \"a > '1'\"\ntimezone = \"Europe/Zurich\"\n[data.types]\n\"a b\" = \"date\"\nx = \"number\"\n[[bins]]\nname = \"x\"\ncolumn = \"x\"\nedges = [\"-1e40\", 0, \"1e40\"]\nother = true\n[[bins]]\nname = \"y\"\ncolumn = \"y\"\nedges = [0, \"1/3\", 5]\n[promise]\nkind = \"staircase\"\nthresholds = [20, 5]\nepsilons = [1, \"1/2\", \"1/4\"]\ndelta = \"1e-2\"\n[mechanism]\nname = \"staircase\"\n",
    "[data.split]\ncolumn = \"region\"\npart = \"north\"\n[[bins]]\nname = \"d\"\ncolumn = \"d\"\n[promise]\nkind = \"group\"\ngroup = 3\nepsilon = 1\ndelta = \"1e-6\"\n",
    "[data]\nsample = \"1/2\"\n[data.sampled]\nprobability = [\"1/10\", \"1/5\"]\nknown = 3\n[[bins]]\nname = \"d\"\ncolumn = \"d\"\nvalues = [2026-01-31, 2025-12-31]\n[[bins]]\nname = \"f\"\ncolumn = \"f\"\nvalues = [true, false]\n[promise]\nkind = \"linear\"\nslope = \"1/1000\"\nfloor = \"1/10\"\ncap = 3\n",
    "[[bins]]\nname = \"m\"\ncolumn = \"m\"\ntruncate = \"month\"\nfrom = 2026-01-15\nto = 2026-07-02\nnulls = \"bin\"\n[promise]\nkind = \"crowd-blending\"\ncrowd = 20\nepsilon = \"1/2\"\n[mechanism]\nname = \"noise-below\"\n",
    "[[bins]]\nname = \"w\"\ncolumn = \"w\"\ntruncate = \"week\"\n[promise]\nkind = \"simple-outlier\"\ngroup = 5\nepsilon = 1\n[mechanism]\nname = \"suppress-up-to\"\n",
    "[[bins]]\nname = \"w\"\ncolumn = \"w\"\nfrom = 0\nto = 100000000000\nwidth = \"1/2\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 2\ndelta = \"1e-60\"\n[mechanism]\nname = \"threshold\"\n",
    "[[bins]]\nname = \"i\"\ncolumn = \"i\"\nvalues = [-9223372036854775808, 7]\n[promise]\nkind = \"fading\"\ngroup = 50\nwidth = 5\nepsilon = 1\nfactor = 3\n[mechanism]\nname = \"fading\"\n",
    "[[bins]]\nname = \"i\"\ncolumn = \"i\"\nvalues = [1]\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1\ndelta = \"1e-3\"\n[mechanism]\nname = \"general\"\nepsilon-a = \"1/20\"\npublish-epsilon = true\n",
    "[[bins]]\nname = \"i\"\ncolumn = \"i\"\nvalues = [1]\n[promise]\nkind = \"group\"\ngroup = 4\nepsilon = 1\ndelta = \"1e-3\"\n[mechanism]\nname = \"range\"\nepsilon = \"1/4\"\n",
    "release = \"rows\"\n[[columns]]\nname = \"z\"\ncolumn = \"a \\\"b\\\"\"\nprefix = 3\n[[columns]]\nname = \"e\"\ncolumn = \"e\"\nedges = [0, \"1/3\", 5]\nother = true\n[[columns]]\nname = \"d\"\ncolumn = \"d\"\nedges = [2026-01-01, 2026-02-01]\n[[columns]]\nname = \"t\"\ncolumn = \"t\"\ntruncate = \"month\"\n[[columns]]\nname = \"v\"\ncolumn = \"v\"\nvalues = [1, 2]\nother = true\n[[columns]]\nname = \"n\"\ncolumn = \"n\"\nnames = [[\"a, 'b'\", \"x\"], [\"c\", \"x\"]]\n[[columns]]\nname = \"k\"\ncolumn = \"k\"\nkeep = true\n[promise]\nkind = \"crowd-blending\"\ncrowd = 7\nepsilon = 0\n",
];

#[test]
fn every_request_can_be_read_back_from_its_certificate() {
    for text in REQUESTS {
        let request = Request::parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let again = request_of(&request.canonical()).unwrap_or_else(|| panic!("not read back:\n{text}"));
        assert_eq!(again.request_hash(), request.request_hash());
        assert_eq!(again.binning_hash(None), request.binning_hash(None));
        assert_eq!(again.kind, request.kind);
        assert_eq!(again.promise, request.promise);
    }
}

#[test]
fn plans_with_found_parameters_are_certifiable() {
    for text in REQUESTS {
        let request = Request::parse(text).expect("a request");
        let Ok(plan) = Plan::of(&request, Some(&[])) else { continue };
        check_certifiable(&plan).unwrap_or_else(|refusal| panic!("{refusal}:\n{text}"));
    }
}

#[test]
fn sums_over_periods_say_that_a_person_may_be_in_several() {
    let series = |people: &str| {
        format!(
            "release = \"series\"\n[data]\nsource = \"d.csv\"\nperson = \"id\"\n[data.types]\nyear = \"integer\"\n[[bins]]\nname = \"n\"\ncolumn = \"n\"\nvalues = [\"a\"]\n[series]\nperiod = \"year\"\nfrom = 2001\nup-to = 2004\npeople = \"{people}\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\n[ledger]\ndataset = \"d\"\n[output]\nmargins = true\n"
        )
    };
    for (people, is_said) in [("many", true), ("once", false)] {
        let certificate = certificate(&plan_of(&series(people)), &charge(), &tables(), Randomness::OperatingSystem);
        let steps = certificate["postprocessing"].as_array().expect("steps");
        let words = steps.iter().find(|step| step["step"] == "margins").expect("sums")["in_words"].to_string();
        assert_eq!(words.contains("a person in several bins is in several of them"), is_said, "{people}: {words}");
    }
}
