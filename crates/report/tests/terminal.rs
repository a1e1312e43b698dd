//! Charts in a terminal, as a reader sees them: small ones character by character, hostile ones by their limits.
//! It must never look inside the library.
//! It is separate because a sketch is judged by its lines, not by the steps that led to them.
//! Read `src/chart/terminal.rs` next.

use incrowd_report::{Chart, ChartAxis, ChartSeries, ChartShape, Scale, TerminalStyle, terminal};
use unicode_width::UnicodeWidthStr;

use Scale::{Linear, Logarithmic};
use TerminalStyle::{Ascii, Unicode};

fn series(name: &str, shape: ChartShape, points: &[(f64, f64)]) -> ChartSeries {
    ChartSeries { name: name.to_string(), points: points.to_vec(), shape }
}

fn chart(scales: (Scale, Scale), series: Vec<ChartSeries>) -> Chart {
    Chart {
        title: "Error by group size".to_string(),
        subtitle: None,
        x: ChartAxis { label: "people in the group".to_string(), scale: scales.0 },
        y: ChartAxis { label: "error".to_string(), scale: scales.1 },
        series,
    }
}

fn two_mechanisms() -> Chart {
    let falling = [(1.0, 100.0), (10.0, 100.0), (100.0, 10.0), (1000.0, 1.0)];
    let rising = [(1.0, 1.0), (10.0, 10.0), (100.0, 10.0), (1000.0, 10.0)];
    chart(
        (Logarithmic, Logarithmic),
        vec![series("geometric", ChartShape::Line, &falling), series("tailored", ChartShape::Line, &rising)],
    )
}

fn assert_fits(text: &str, width: usize) {
    for line in text.lines() {
        assert!(UnicodeWidthStr::width(line) <= width, "{width} columns: {line:?}");
        assert_eq!(line, line.trim_end());
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}

#[test]
fn a_small_chart_in_unicode() {
    assert_eq!(
        terminal(&two_mechanisms(), 44, 9, Unicode),
        "\
Error by group size
    error
100 ┤●⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉●⠢⡀
    │               ⠈⠑⠤⡀
    │                  ⠈⠒⢄
    │                     ⠉⠢⢄
 10 ┤            ⣀■⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠵●⣤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤■
    │         ⣀⠔⠊               ⠑⠢⣀
    │      ⡠⠔⠊                     ⠑⠢⣀
    │   ⡠⠔⠉                           ⠉⠢⢄
  1 ┤■⠔⠉                                 ⠉⠢●
    └┬────────────┬───────────┬────────────┬
     1           10          100          1k
               people in the group
● geometric   ■ tailored"
    );
}

#[test]
fn a_small_chart_in_ascii() {
    assert_eq!(
        terminal(&two_mechanisms(), 44, 9, Ascii),
        "\
Error by group size
    error
100 +***************
    |               ***
    |                  ***
    |                     ***
 10 +            oooooooooooo*o*oooooooooooo
    |         ooo               ***
    |     oooo                     ****
    |  ooo                             ***
  1 +oo                                   **
    ++------------+-----------+------------+
     1           10          100          1k
               people in the group
* geometric   o tailored"
    );
}

#[test]
fn steps_hold_and_dots_stand_alone() {
    let promised = series("promised", ChartShape::Steps, &[(1.0, 0.1), (10.0, 0.5), (100.0, 1.0), (1000.0, 1.0)]);
    let attained = series("attained", ChartShape::Dots, &[(3.0, 0.05), (30.0, 0.4), (300.0, 0.9)]);
    assert_eq!(
        terminal(&chart((Logarithmic, Linear), vec![promised, attained]), 44, 7, Unicode),
        "\
Error by group size
    error
  1 ┤                         ●⠉⠉⠉⠉⠉⠉■⠉⠉⠉⠉⠉●
    │                         ⢸
    │                         ⢸
0.5 ┤             ●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠼
    │             ⡇     ■
    │             ⡇
  0 ┤●⠉⠉⠉⠉⠉■⠉⠉⠉⠉⠉⠉⠁
    └┬────────────┬───────────┬────────────┬
     1           10          100          1k
               people in the group
● promised   ■ attained"
    );
}

#[test]
fn a_gap_is_left_where_a_value_is_infinite() {
    let points = [(0.0, 1.0), (1.0, 1.0), (2.0, f64::INFINITY), (3.0, f64::NAN), (4.0, 1.0), (5.0, 1.0)];
    let text = terminal(&chart((Linear, Linear), vec![series("a", ChartShape::Line, &points)]), 40, 4, Ascii);
    assert!(text.contains("1 +********                     ********\n"), "{text}");
}

#[test]
fn an_empty_chart_says_so() {
    let expected = "\
Error by group size
┌──────────────────────┐
│                      │
│   nothing to show    │
│                      │
└──────────────────────┘";
    assert_eq!(terminal(&chart((Linear, Linear), Vec::new()), 24, 3, Unicode), expected);
    let unshowable = [(f64::NAN, 1.0), (1.0, f64::INFINITY), (0.0, 1.0), (1.0, -1.0)];
    let unshowable = chart((Logarithmic, Logarithmic), vec![series("none", ChartShape::Line, &unshowable)]);
    assert_eq!(terminal(&unshowable, 24, 3, Unicode), expected);
}

#[test]
fn a_series_without_points_is_still_named() {
    let both = vec![series("some", ChartShape::Line, &[(1.0, 1.0)]), series("none", ChartShape::Line, &[])];
    let text = terminal(&chart((Linear, Linear), both), 60, 5, Unicode);
    assert_eq!(text.lines().last(), Some("● some   ■ none (nothing to show)"));
}

#[test]
fn a_single_point_and_identical_points_are_one_mark() {
    for points in [&[(7.0, 3.0)][..], &[(7.0, 3.0); 5][..]] {
        for (shape, scale) in [(ChartShape::Line, Linear), (ChartShape::Steps, Logarithmic), (ChartShape::Dots, Linear)]
        {
            let text = terminal(&chart((scale, scale), vec![series("one", shape, points)]), 50, 6, Unicode);
            assert_eq!(text.matches('●').count(), 2, "one in the chart, one in the legend:\n{text}");
            assert_fits(&text, 50);
        }
    }
}

#[test]
fn identical_series_both_show_their_marks() {
    let points: Vec<(f64, f64)> = (1..=50).map(|x| (f64::from(x), 2.0)).collect();
    let both = vec![series("first", ChartShape::Line, &points), series("second", ChartShape::Line, &points)];
    for (style, marks) in [(Unicode, ['●', '■']), (Ascii, ['*', 'o'])] {
        let text = terminal(&chart((Linear, Linear), both.clone()), 60, 6, style);
        assert!(marks.iter().all(|&mark| text.matches(mark).count() > 4), "{text}");
    }
}

#[test]
fn every_width_and_extreme_is_respected() {
    let extremes = [-1e300, -1.0, 0.0, 5e-324, 1e-30, 1e-9, 1.0, 1.0 + 1e-9, 123_456_789.0, 1e9, 1e300, f64::MAX];
    for width in [0, 1, 5, 23, 24, 25, 31, 40, 80, 200] {
        for style in [Unicode, Ascii] {
            for scales in [(Linear, Linear), (Logarithmic, Logarithmic), (Linear, Logarithmic)] {
                for pair in extremes.iter().flat_map(|a| extremes.iter().map(move |b| [(*a, *b), (*b, *a)])) {
                    assert_fits(
                        &terminal(&chart(scales, vec![series("a", ChartShape::Line, &pair)]), width, 5, style),
                        width,
                    );
                }
            }
        }
    }
}

#[test]
fn hostile_words_stay_on_their_line() {
    let words = [
        "<script>alert(1)</script> & \"quotes\" 'and' so on",
        "two\nlines\r\tand \u{1b}[31mred\u{1b}[0m \u{0}\u{7}\u{9b}31m",
        "\u{202e}backwards\u{2066} \u{200b}\u{feff}",
        "👩‍👩‍👧‍👦 🇫🇷 ❤️ 漢字かな交じり文 naïve",
        &"x".repeat(10_000),
        &"漢".repeat(10_000),
        &format!("o{}", "\u{301}".repeat(10_000)),
        "",
    ];
    for word in words {
        let chart = Chart {
            title: word.to_string(),
            subtitle: Some(word.to_string()),
            x: ChartAxis { label: word.to_string(), scale: Linear },
            y: ChartAxis { label: word.to_string(), scale: Linear },
            series: (0..15).map(|at| series(word, ChartShape::Line, &[(0.0, f64::from(at)), (9.0, 1.0)])).collect(),
        };
        for width in [24, 41, 64, 100] {
            let text = terminal(&chart, width, 8, Unicode);
            assert_fits(&text, width);
            let plain = terminal(&chart, width, 8, Ascii);
            assert_fits(&plain, width);
            assert!(plain.is_ascii());
            assert_eq!(text, terminal(&chart, width, 8, Unicode));
        }
    }
}

#[test]
fn twelve_names_line_up_in_columns() {
    let twelve = (0..12)
        .map(|at| series(&format!("mechanism {}", at + 1), ChartShape::Line, &[(1.0, f64::from(at)), (2.0, 3.0)]));
    let text = terminal(&chart((Linear, Linear), twelve.collect()), 64, 8, Unicode);
    let legend: Vec<&str> = text.lines().skip_while(|line| !line.starts_with('●')).collect();
    assert_eq!(
        legend,
        [
            "● mechanism 1   ■ mechanism 2    ▲ mechanism 3    ◆ mechanism 4",
            "○ mechanism 5   □ mechanism 6    △ mechanism 7    ◇ mechanism 8",
            "▼ mechanism 9   ★ mechanism 10   ▽ mechanism 11   ☆ mechanism 12",
        ]
    );
}
