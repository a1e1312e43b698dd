//! Everything that is refused, on two pages: promises that are not met (exit code 1), and requests, arguments and
//! surroundings that are wrong (exit code 2). Each says what is wrong and what to do.

use crate::requests::{MECHANISMS, PROMISES, promising};
use crate::run::{Page, binary, example, finish, incrowd};

const DP: &str = "kind = \"differential-privacy\"\nepsilon = 1";
const OUTLIER: &str = "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 1";
const OPEN_BIN: &str = "\n[[bins]]\nname = \"word\"\ncolumn = \"word\"\n";

#[test]
fn what_is_refused_says_why_and_what_works() {
    let mut page = Page::default();
    let named = |name: &str| format!("\n[mechanism]\nname = \"{name}\"\n");
    let wide = "\n[[bins]]\nname = \"a\"\ncolumn = \"a\"\nfrom = 0\nto = 10000001\nwidth = 1\n";
    let many = wide.replace("to = 10000001", "to = 4000")
        + &wide.replace("\"a\"", "\"b\"").replace("to = 10000001", "to = 4000");
    let mut cases = vec![
        ("geometric on outlier privacy", promising(OUTLIER, &named("geometric")), "does not meet this promise"),
        ("no delta, an offset to find", promising(OUTLIER, &named("noisy-noise")), "needs a `delta` above 0"),
        ("no delta, a range to find", promising(DP, &named("range")), "needs a `delta` above 0"),
        (
            "no delta, an alpha to find",
            promising(DP, &format!("{}epsilon-a = \"1/2\"", named("general"))),
            "needs a `delta`",
        ),
        ("no delta, levels to find", promising(PROMISES[5].1, &named("staircase")), "needs a `delta` above 0"),
        ("no delta, bins found in the data", promising(DP, OPEN_BIN), "needs a `delta` above 0"),
        ("a parameter that the promise lacks", promising(DP, &named("suppress-below")), "needs `crowd`"),
        ("more than ten million cells", promising(DP, wide), "10000001 cells"),
        ("more than ten million cells by product", promising(DP, &many), "16000000 cells"),
        ("offset too small", promising(OUTLIER, &format!("{}offset = -3", named("noisy-noise"))), "does not meet"),
        (
            "part above the whole",
            promising(DP, &format!("{}epsilon-a = 2\nalpha = 9", named("general"))),
            "`epsilon-a`",
        ),
        (
            "no noise to draw",
            promising("kind = \"group\"\ngroup = 5\nepsilon = 0", &named("geometric")),
            "cannot draw noise",
        ),
    ];
    cases.extend(samples());
    let top = "[[bins]]\nname = \"x\"\ncolumn = \"x\"\n[top]\nitems = 2\nepsilon-stabilise = 1\nepsilon-select = 1\n";
    cases.push((
        "steps cost more",
        format!("release = \"top\"\n[promise]\n{DP}\ndelta = 1e-6\n{top}"),
        "spend epsilon 2 together",
    ));
    let points = "kind = \"crowd-blending\"\ncrowd = 5\nepsilon = 1\n[[axes]]\nname = \"x\"\ncolumn = \"x\"\nedges = [0, 10]\nstep = \"1/3\"\n";
    cases.push(("no decimal grid", format!("release = \"points\"\n[promise]\n{points}"), "not a decimal number"));
    let series =
        "[[bins]]\nname = \"x\"\ncolumn = \"x\"\nvalues = [\"a\"]\n[series]\nperiod = \"year\"\nfrom = 1\nup-to = 2\n";
    let exact = "kind = \"simple-outlier\"\ngroup = 5\nepsilon = 1";
    cases.push((
        "exact counts, twice",
        format!("release = \"series\"\n[promise]\n{exact}\n{series}"),
        "can be subtracted",
    ));
    for (title, request, words) in &cases {
        let said = page.add(title, &["plan", "-"], request, 1);
        assert!(said.stderr.contains(words) && said.stderr.contains("hint: "), "{title}: {}", said.stderr);
        let json = incrowd(&["plan", "-", "--format", "json"], request);
        let object: serde_json::Value = serde_json::from_str(&json.stderr).expect("JSON");
        assert_eq!((&object["version"], &object["exit_code"]), (&1.into(), &1.into()));
        assert!(object["error"].as_str().is_some_and(|text| text.contains(words)), "{object}");
    }
    page.check("refused.txt");
}

/// What cannot be sampled, or not be charged as a sample.
fn samples() -> [(&'static str, String, &'static str); 5] {
    let crowd = |more: &str| format!("kind = \"crowd-blending\"\ncrowd = 20\nepsilon = 1\n{more}");
    let sampled = |more: &str| format!("\n[data]\nsample = \"1/10\"\n{more}\n[mechanism]\nname = ");
    let range = format!("{DP}\ndelta = \"1e-3\"\nsampled-epsilon = \"1/10\"");
    [
        (
            "a sample of rows of many persons",
            promising(&crowd(""), &(sampled("people = \"n\"") + "\"noise-below\"")),
            "a row stands for many of them",
        ),
        (
            "a sample of people in several bins",
            promising(DP, &(sampled("person = \"id\"\nbins-per-person = 2") + "\"geometric\"")),
            "`bins-per-person` is above 1",
        ),
        (
            "a sample of a sample",
            promising(DP, &(sampled("sampled = { probability = \"1/2\" }") + "\"geometric\"")),
            "is a sample already",
        ),
        (
            "a sampled epsilon below what is known",
            promising(&range, &(sampled("") + "\"range\"")),
            "it must be at least 0.158",
        ),
        (
            "a sampled delta above the one asked for",
            promising(&crowd("delta = \"1e-12\"\nsampled-epsilon = \"1/20\""), &(sampled("") + "\"suppress-below\"")),
            "this sample has delta",
        ),
    ]
}

#[test]
fn ten_million_cells_need_a_threshold_and_one_is_enough() {
    let wide = "\n[[bins]]\nname = \"a\"\ncolumn = \"a\"\nfrom = 0\nto = 10000001\nwidth = 1\n";
    let threshold = "[mechanism]\nname = \"tailored-geometric\"\nthreshold = 20\n";
    assert_eq!(incrowd(&["plan", "-"], promising(DP, &format!("{wide}{threshold}"))).code, 0);
    assert_eq!(incrowd(&["plan", "-"], promising(DP, &wide.replace("10000001", "10000000"))).code, 0);
}

#[test]
fn mechanisms_that_would_show_a_lonely_bin_are_refused_where_bins_are_found() {
    let mut page = Page::default();
    let mut misleading = Vec::new();
    let open = ["tailored-geometric", "relay", "threshold", "suppress-below", "suppress-up-to", "noisy-suppress"];
    let titles = |title: &str| !title.contains("with") && !title.contains("theorem");
    for case in MECHANISMS.iter().filter(|case| titles(case.title)) {
        let code = i32::from(!open.contains(&case.name()));
        let said =
            page.add(case.title, &["plan", "-", "--no-chart", "--counts", "1,30"], &(case.request() + OPEN_BIN), code);
        if code != 0 && !said.stderr.contains("may not run where bins are found in the data") {
            misleading.push(said.stderr);
        }
    }
    page.check("open-universe.txt");
    assert!(misleading.is_empty(), "the reason is the open universe, not a parameter:\n{}", misleading.join("\n"));
}

#[test]
fn wrong_requests_are_shown_where_they_are_wrong() {
    let mut page = Page::default();
    let epsilon = |text: &str| promising(&format!("kind = \"differential-privacy\"\nepsilon = {text}"), "");
    let bin = |text: &str| promising(DP, &format!("[[bins]]\nname = \"b\"\ncolumn = \"c\"\n{text}\n"));
    let hostile = "k\u{202e}🎉é".repeat(100);
    let cases = [
        ("odds as a share", promising("odds = 0.55", ""), "a percentage in quotes"),
        ("odds with two decimals", promising("odds = \"55.55 %\"", ""), "one decimal"),
        ("small groups without odds", promising("small = 6\nodds = \"75 %\"", ""), "needs `small-odds`"),
        ("odds beside a kind", promising("kind = \"group\"\nodds = \"75 %\"", ""), "one of both"),
        ("a rule of others as a kind", promising("kind = \"suppression\"", ""), "cannot be `suppression`"),
        ("a rule of others as a key", promising("minimum-cell-size = 11", ""), "no key `minimum-cell-size`"),
        ("a rule of others at the top", "k = 7\n".to_string(), "no key `k`"),
        ("a policy that there is not", "policy = \"fewer-than-7\"\n".into(), "cannot be `fewer-than-7`"),
        ("odds beside a policy", "policy = \"k-10\"\n[promise]\nodds = \"75 %\"\n".into(), "cannot stand beside it"),
        ("no promise", "release = \"histogram\"\n".into(), "needs a [promise], or a `policy`"),
        ("epsilon below zero", epsilon("-1"), "below zero"),
        ("epsilon not a number", epsilon("nan"), "finite number"),
        ("epsilon infinite without quotes", epsilon("inf"), "infinite"),
        ("epsilon with a huge exponent", epsilon("1e400"), "exponent"),
        ("no promise to a person alone", epsilon("\"infinite\""), "promises nothing"),
        ("a table that decreases", promising("kind = \"table\"\nvalues = [1, 0.5]", ""), "protected better"),
        ("an empty table", promising("kind = \"table\"\nvalues = []", ""), "empty list"),
        (
            "a table that starts infinite",
            promising("kind = \"table\"\nvalues = [\"infinite\"]", ""),
            "promises nothing",
        ),
        (
            "thresholds that ascend",
            promising("kind = \"staircase\"\nthresholds = [5, 20]\nepsilons = [1, 0.5, 0]", ""),
            "descending",
        ),
        ("no values", bin("values = []"), "empty list"),
        ("an unknown key", promising("kind = \"group\"\ngruop = 3\nepsilon = 1", ""), "`group`"),
        ("an unknown section", promising(DP, "[mechanisms]\nname = \"relay\""), "`mechanism`"),
        ("an unknown mechanism", promising(DP, "[mechanism]\nname = \"laplace\""), "laplace"),
        (
            "a parameter that would be ignored",
            promising(DP, "[mechanism]\nname = \"geometric\"\ncrowd = 3"),
            "does not take",
        ),
        ("delta of one", promising(&format!("{DP}\ndelta = 1"), ""), "below 1"),
        ("a key that hides and reverses", promising(&format!("{DP}\n\"{hostile}\" = 1"), ""), "there is no key"),
        ("escape codes in a value", promising("kind = \"\\u001b[31mred\\n\"\nepsilon = 1", ""), "kind"),
        ("a sampled epsilon and no sample", promising(&format!("{DP}\nsampled-epsilon = 1"), ""), "needs `sample`"),
        ("an empty file", String::new(), "[promise]"),
        ("not TOML", "release is a histogram\n".into(), "not TOML"),
        ("a data file instead", "name,age\nAlice,3\nBob,4\n".into(), "not TOML"),
    ];
    for (title, request, words) in &cases {
        for verb in
            [&["plan", "-"][..], &["compare", "-"], &["law", "-", "--count", "1"], &["draw", "-", "--count", "1"]]
        {
            let said = if verb[0] == "plan" { page.add(title, verb, request, 2) } else { incrowd(verb, request) };
            assert_eq!(said.code, 2, "{title}");
            assert!(said.stderr.contains(words), "{title}: {}", said.stderr);
            assert!(
                said.stderr.len() < 1500 && !said.stderr.contains(['\u{1b}', '\u{202e}']),
                "{title}: {}",
                said.stderr
            );
        }
    }
    page.check("wrong-requests.txt");
}

#[test]
fn wrong_arguments_name_the_argument_and_the_limits() {
    let mut page = Page::default();
    let cases: [(&str, &[&str], &str); 20] = [
        ("no command", &[], "Usage"),
        ("an unknown command", &["plam"], "plan"),
        ("an unknown option", &["plan", "-", "--cuonts", "1"], "--counts"),
        ("no request", &["plan"], "REQUEST"),
        ("a count below zero", &["law", "-", "--count", "-1"], "--count"),
        ("a count too large", &["law", "-", "--count", "1e30"], "whole number"),
        ("a count in words", &["law", "-", "--count", "many"], "whole number"),
        ("a count out of range", &["law", "-", "--count", "1000000000001"], "whole number"),
        ("no count", &["draw", "-"], "--count"),
        ("counts with a hole", &["plan", "-", "--counts", "1,,2"], "whole number"),
        ("no draws", &["draw", "-", "--count", "1", "--times", "0"], "1..=100000000"),
        ("too many draws", &["draw", "-", "--count", "1", "--times", "100000001"], "1..=100000000"),
        ("a seed without synthetic data", &["draw", "-", "--count", "1", "--test-seed", "1"], "synthetic"),
        ("a want without a colon", &["plan", "-", "--want", "50"], "50: 5"),
        ("a want for nobody", &["plan", "-", "--want", "0: 5"], "50: 5"),
        ("a want that is no number", &["plan", "-", "--want", "50: few"], "number"),
        ("an unknown format", &["plan", "-", "--format", "xml"], "possible values"),
        ("an unknown shell", &["completions", "tcsh"], "possible values"),
        ("a chart of several requests", &["plan", "-", "-", "--chart", "x.svg"], "one request at a time"),
        ("a chart in a missing folder", &["plan", "-", "--chart", "/no/such/folder/x.svg"], "cannot be written"),
    ];
    for (title, arguments, words) in cases {
        let said = page.add(title, arguments, &example("salaries"), 2);
        assert!(said.stderr.contains(words), "{title}: {}", said.stderr);
    }
    page.check("wrong-arguments.txt");
}

#[test]
fn what_cannot_be_read_or_written_is_said_plainly() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("latin.toml", b"release = \"caf\xe9\"");
    write("binary.toml", &(0..=255u8).cycle().take(5000).collect::<Vec<_>>());
    write("huge.toml", &b"[[[garbage\x07 ".repeat(1_000_000)[..10_000_000]);
    write("secret.toml", example("salaries").as_bytes());
    let cases = [
        ("missing.toml", "no such file"),
        (".", "is a folder"),
        ("latin.toml", "not UTF-8"),
        ("binary.toml", "not UTF-8"),
        ("huge.toml", "larger than"),
        ("secret.toml", "permission denied"),
    ];
    for (name, words) in cases {
        if name == "secret.toml" && !hidden(&folder.path().join(name)) {
            continue;
        }
        for verb in [&["plan"][..], &["compare"], &["law", "--count", "1"], &["draw", "--count", "1"]] {
            let mut command = binary(&[verb, &[name]].concat());
            command.current_dir(folder.path());
            let said = finish(command, "");
            assert_eq!(said.code, 2, "{name}");
            assert!(said.stderr.contains(words) && said.stderr.contains("hint: "), "{name}: {}", said.stderr);
            assert!(said.stderr.len() < 500, "{name}: {}", said.stderr);
        }
    }
    for path in ["/dev/full", "/proc/chart.svg"] {
        let said = incrowd(&["plan", "-", "--chart", path], example("salaries"));
        assert!(said.code == 2 && said.stderr.contains("hint: "), "{path}: {}", said.stderr);
    }
    let garbage = incrowd(&["plan", "-"], b"\x00[[[".repeat(2_500_000));
    assert!(garbage.code == 2 && garbage.stderr.contains("larger than"), "{}", garbage.stderr);
}

/// Takes away the right to read; no for those who may read everything.
#[cfg(unix)]
fn hidden(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).is_ok() && std::fs::File::open(path).is_err()
}

#[cfg(not(unix))]
fn hidden(_: &std::path::Path) -> bool {
    false
}
