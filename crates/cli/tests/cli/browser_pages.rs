//! `plan`, `compare` and `law` as pages for browsers: what the text says, and nothing that acts.

use crate::browser::{same_words, words};
use crate::requests::{MECHANISMS, PROMISES, promising};
use crate::run::{binary, example, examples, finish, incrowd};

#[test]
fn pages_for_browsers_say_what_the_text_says() {
    for name in ["salaries", "diagnoses", "keywords", "sampled", "rows", "series", "top", "points", "baskets"] {
        let of = |format| {
            let request = format!("{name}/request.toml");
            let mut command = binary(&["plan", &request, "--no-chart", "--details", "--format", format]);
            command.current_dir(examples());
            finish(command, "").done().stdout
        };
        let text = of("text");
        // What to type next is for terminals.
        let (text, _) = text.split_once(" Next: incrowd release").expect("a next step");
        same_words(text, &of("html"));
    }
    let wanted = ["plan", "-", "--no-chart", "--details", "--want", "50: 5", "--format"];
    let of = |format| incrowd(&[&wanted[..], &[format]].concat(), example("salaries")).done().stdout;
    same_words(&of("text"), &of("html"));
    for (_, promise) in PROMISES {
        let compare = ["compare", "-", "--no-chart", "--counts", "1,100", "--format"];
        let of = |format| incrowd(&[&compare[..], &[format]].concat(), promising(promise, "")).done().stdout;
        same_words(&of("text"), &of("html"));
    }
    for case in &MECHANISMS {
        let of = |format| incrowd(&["law", "-", "--count", "21", "--format", format], case.request()).done().stdout;
        same_words(&of("text"), &of("html"));
    }
}

#[test]
fn several_plans_are_one_page_with_one_cost() {
    let plan = |format: &str| {
        let requests = ["plan", "salaries/request.toml", "keywords/request.toml"];
        let mut command = binary(&[&requests[..], &["--no-chart", "--details", "--format", format]].concat());
        command.current_dir(examples());
        finish(command, "").done().stdout
    };
    let (text, html) = (plan("text"), plan("html"));
    same_words(&format!("Plans {text}"), &html);
    assert_eq!(html.matches("<h1>").count(), 1);
    assert!(html.contains("<h2>All together</h2>"), "{html}");
}

#[test]
fn details_are_folded_for_browsers_and_left_out_of_the_text() {
    let plan =
        |more: &[&str]| incrowd(&[&["plan", "-", "--no-chart"], more].concat(), example("salaries")).done().stdout;
    let theorem = "neighbouring laws differ by exactly e^eps(k)";
    let (text, all) = (plan(&[]), plan(&["--details"]));
    assert!(!text.contains(theorem) && !text.contains("OP Definition") && text.contains("(--details)"), "{text}");
    assert!(all.contains(theorem) && all.contains("OP Definition 14") && !all.contains("(--details)"), "{all}");
    let html = plan(&["--format", "html"]);
    let folded = html.split_once("<details>").expect("a fold").1.split_once("</details>").expect("its end").0;
    assert!(folded.contains(theorem) && folded.contains("OP Definition 14"), "{folded}");
    assert!(!html.replace(folded, "").contains(theorem), "{html}");
    let unfolded = plan(&["--details", "--format", "html"]);
    assert!(unfolded.contains(theorem) && !unfolded.contains("<details>"), "{unfolded}");
    assert!(plan(&["--format", "json"]).contains(theorem), "machines are told everything");
}

#[test]
fn a_plan_for_browsers_has_its_chart_as_a_picture() {
    for verb in ["plan", "compare"] {
        let html = incrowd(&[verb, "-", "--format", "html"], example("salaries")).done().stdout;
        assert_eq!((html.matches("<svg").count(), html.matches("<figure").count()), (1, 1), "{html}");
        assert!(words(&html).join(" ").contains("people in the group"), "{html}");
    }
}

#[test]
fn hostile_names_stay_harmless_in_text_and_for_browsers() {
    let name = "<script>alert(1)</script>&'\\u202e\\u2066\\u200b漢";
    let request = promising(
        PROMISES[4].1,
        &format!(
            "[[bins]]\nname = \"{name}\"\ncolumn = \"c\"\nvalues = [\"a\"]\n[data]\nsource = \"{name}.csv\"\n[ledger]\ndataset = \"{name}\"\n"
        ),
    );
    let html = incrowd(&["plan", "-", "--format", "html"], &request).done().stdout;
    let text = incrowd(&["plan", "-"], &request).done().stdout;
    words(&html);
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    for shown in [&html, &text] {
        assert!(!shown.contains(|c: char| turns(c) || (c.is_control() && c != '\n')), "{shown}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    assert!(text.contains("<script>alert(1)</script>"), "{text}");
}

#[test]
fn commands_without_a_page_say_so() {
    for arguments in [&["schema"][..], &["draw", "-", "--count", "1"], &["ledger", "history"], &["init", "x.csv"]] {
        let said = incrowd(&[arguments, &["--format", "html"]].concat(), example("salaries"));
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(said.stderr.contains("--format html is for") && said.stderr.contains("hint: "), "{}", said.stderr);
    }
}
