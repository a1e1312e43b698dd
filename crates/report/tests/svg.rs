//! Charts as SVG, read back by an XML parser that did not write them.
//! It must never look inside the library.
//! It is separate because a picture goes into pages of others: it has to be sound XML, safe, and the same every time.
//! Read `src/chart/svg.rs` next.

use std::collections::BTreeSet;

use incrowd_report::{Chart, ChartAxis, ChartSeries, ChartShape, Scale, svg};
use roxmltree::{Document, Node};

use Scale::{Linear, Logarithmic};

fn series(name: &str, shape: ChartShape, points: &[(f64, f64)]) -> ChartSeries {
    ChartSeries { name: name.to_string(), points: points.to_vec(), shape }
}

fn chart(scales: (Scale, Scale), series: Vec<ChartSeries>) -> Chart {
    Chart {
        title: "Error by group size".to_string(),
        subtitle: Some("groups of up to 100".to_string()),
        x: ChartAxis { label: "people in the group".to_string(), scale: scales.0 },
        y: ChartAxis { label: "error".to_string(), scale: scales.1 },
        series,
    }
}

fn elements<'a>(document: &'a Document<'_>, name: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.tag_name().name() == name).collect()
}

fn texts(document: &Document<'_>) -> Vec<String> {
    elements(document, "text").iter().map(|node| node.text().unwrap_or("").trim().to_string()).collect()
}

/// Everything that holds for every chart: the form of the root, and only drawing elements with numbers inside the
/// picture.
fn assert_sound(picture: &str) {
    let document = Document::parse(picture).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
    assert_eq!((root.attribute("width"), root.attribute("height")), (Some("740"), Some("450")));
    assert_eq!(root.attribute("role"), Some("img"));
    let first: Vec<&str> =
        root.children().filter(Node::is_element).map(|node| node.tag_name().name()).take(2).collect();
    assert_eq!(first, ["title", "desc"]);
    let allowed = ["svg", "title", "desc", "g", "rect", "polyline", "polygon", "circle", "text"];
    for node in document.descendants().filter(Node::is_element) {
        assert!(allowed.contains(&node.tag_name().name()), "{node:?}");
        for (names, most) in [(["x", "cx"], 7400), (["y", "cy"], 4500)] {
            for number in names.iter().filter_map(|name| node.attribute(*name)) {
                assert!((0..=most).contains(&number.parse::<i32>().unwrap()), "{node:?}");
            }
        }
        for corner in node.attribute("points").unwrap_or("").split_whitespace() {
            let (x, y) = corner.split_once(',').unwrap();
            let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
            assert!((0..=7400).contains(&x) && (0..=4500).contains(&y), "{node:?}");
        }
    }
}

#[test]
fn a_chart_has_its_words_ticks_and_description() {
    let picture = svg(&chart(
        (Logarithmic, Logarithmic),
        vec![series("geometric", ChartShape::Line, &[(1.0, 100.0), (1000.0, 0.01)])],
    ))
    .unwrap();
    assert_sound(&picture);
    let document = Document::parse(&picture).unwrap();
    let expected = [
        "Error by group size",
        "groups of up to 100",
        "0.01",
        "0.1",
        "1",
        "10",
        "100",
        "1",
        "10",
        "100",
        "1k",
        "error",
        "people in the group",
        "geometric",
    ];
    assert_eq!(texts(&document), expected);
    assert_eq!(elements(&document, "title")[0].text(), Some("Error by group size"));
    assert_eq!(
        elements(&document, "desc")[0].text(),
        Some(
            "error (logarithmic) against people in the group (logarithmic). groups of up to 100 \
             geometric: from 100 at 1 to 0.01 at 1000."
        )
    );
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let points: Vec<(f64, f64)> = (1..500).map(|x| (f64::from(x), (f64::from(x) / 7.0).sin() + 2.0)).collect();
    let chart = chart(
        (Logarithmic, Linear),
        vec![series("wave", ChartShape::Line, &points), series("dots", ChartShape::Dots, &points)],
    );
    assert_eq!(svg(&chart).unwrap(), svg(&chart.clone()).unwrap());
}

#[test]
fn hostile_words_stay_words() {
    let words = [
        "<script>alert(1)</script>",
        "</title></svg><script>alert(1)</script>",
        "\"><image href='x' onerror='alert(1)'/>",
        "&amp; &lt; & ]]> <!-- -->",
        "two\nlines\r\tand \u{0}\u{1}\u{8}\u{1b}[31m\u{fffe}\u{ffff}\u{7f}\u{9b}",
        "\u{202e}backwards\u{2066} 👩‍👩‍👧‍👦 🇫🇷 ❤️ 漢字",
        &"x".repeat(10_000),
        &"<".repeat(10_000),
        &format!("o{}", "\u{301}".repeat(10_000)),
        "",
    ];
    for word in words {
        let chart = Chart {
            title: word.to_string(),
            subtitle: Some(word.to_string()),
            x: ChartAxis { label: word.to_string(), scale: Linear },
            y: ChartAxis { label: word.to_string(), scale: Linear },
            series: vec![
                series(word, ChartShape::Line, &[(0.0, 1.0), (9.0, 1.0)]),
                series(word, ChartShape::Dots, &[]),
            ],
        };
        let picture = svg(&chart).unwrap();
        assert_sound(&picture);
        assert!(picture.len() < 50_000, "{}", picture.len());
        let longest = texts(&Document::parse(&picture).unwrap()).iter().map(|text| text.chars().count()).max().unwrap();
        assert!(longest <= 130, "{longest} characters cannot fit in 740 pixels");
    }
}

#[test]
fn an_empty_chart_says_so() {
    let unshowable = [(f64::NAN, 1.0), (1.0, f64::INFINITY), (0.0, 1.0), (1.0, -1.0)];
    for series in
        [vec![], vec![series("none", ChartShape::Line, &[])], vec![series("none", ChartShape::Line, &unshowable)]]
    {
        let picture = svg(&chart((Logarithmic, Logarithmic), series)).unwrap();
        assert_sound(&picture);
        let document = Document::parse(&picture).unwrap();
        assert_eq!(texts(&document).last().map(String::as_str), Some("nothing to show"));
        assert!(elements(&document, "desc")[0].text().unwrap().contains("nothing to show"));
    }
}

#[test]
fn extreme_single_identical_and_missing_values_stay_inside_the_picture() {
    let values = [
        f64::NEG_INFINITY,
        -1e300,
        -1.0,
        0.0,
        5e-324,
        1e-30,
        1e-9,
        1.0,
        1.0 + 1e-9,
        1e9,
        1e9 + 20.0,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    for scales in [(Linear, Linear), (Logarithmic, Logarithmic), (Linear, Logarithmic)] {
        for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))) {
            for shape in [ChartShape::Line, ChartShape::Steps, ChartShape::Dots] {
                let points = [(a, b), (b, a), (b, a), (1.0, 1.0)];
                assert_sound(&svg(&chart(scales, vec![series("s", shape, &points)])).unwrap());
            }
        }
    }
}

#[test]
fn a_gap_is_left_where_a_value_is_infinite() {
    let points = [(0.0, 1.0), (1.0, 1.0), (2.0, f64::INFINITY), (4.0, 1.0), (5.0, 1.0)];
    let picture = svg(&chart((Linear, Linear), vec![series("s", ChartShape::Line, &points)])).unwrap();
    let document = Document::parse(&picture).unwrap();
    let blue = elements(&document, "polyline").into_iter().filter(|line| line.attribute("stroke") == Some("#0072B2"));
    assert_eq!(blue.count(), 3, "two pieces and the swatch of the legend");
}

#[test]
fn twelve_series_have_five_kinds_of_line_and_are_all_in_the_legend() {
    let long = "a mechanism with a rather long name that needs two lines";
    for name in ["mechanism", long] {
        let many =
            (0..12).map(|at| series(&format!("{at} {name}"), ChartShape::Line, &[(1.0, f64::from(at)), (2.0, 3.0)]));
        let picture = svg(&chart((Linear, Linear), many.collect())).unwrap();
        assert_sound(&picture);
        let document = Document::parse(&picture).unwrap();
        let listed =
            texts(&document).iter().filter(|text| text.contains(" mechanism") || text.contains(" a mech")).count();
        assert_eq!(listed, 12);
        let lines = elements(&document, "g").into_iter().filter(|group| group.attribute("stroke-linejoin").is_some());
        let dashes: BTreeSet<Option<&str>> = lines.map(|group| group.attribute("stroke-dasharray")).collect();
        assert_eq!(dashes.len(), 5);
    }
}

#[test]
fn the_legend_stands_right_of_every_line() {
    let two = vec![
        series("first", ChartShape::Line, &[(1.0, 5.0), (9.0, 1.0)]),
        series("a second with a name", ChartShape::Steps, &[(1.0, 1.0), (9.0, 5.0)]),
    ];
    let picture = svg(&chart((Linear, Linear), two)).unwrap();
    let document = Document::parse(&picture).unwrap();
    let left_of = |text: &Node<'_, '_>| text.attribute("x").unwrap().parse::<i32>().unwrap();
    let legend = elements(&document, "text").into_iter().filter(|text| text.text().unwrap().contains("first"));
    let legend_left = legend.map(|text| left_of(&text)).min().unwrap();
    let curves = document.descendants().filter(|node| {
        node.tag_name().name() == "g" && node.children().any(|child| child.tag_name().name() == "title")
    });
    let rightmost = (curves.flat_map(|curve| curve.descendants()))
        .flat_map(|node| node.attribute("points").unwrap_or("").split_whitespace())
        .map(|corner| corner.split_once(',').unwrap().0.parse::<i32>().unwrap())
        .max()
        .unwrap();
    assert!(rightmost + 200 < legend_left, "{rightmost} {legend_left}");
}

#[test]
fn a_hundred_series_and_a_million_points_stay_small() {
    let many = (0..100).map(|at| series(&format!("s{at}"), ChartShape::Line, &[(1.0, f64::from(at)), (2.0, 3.0)]));
    let picture = svg(&chart((Linear, Linear), many.collect())).unwrap();
    assert_sound(&picture);
    assert!(texts(&Document::parse(&picture).unwrap()).iter().any(|text| text.starts_with("and ")));

    let points: Vec<(f64, f64)> = (1..=1_000_000).map(|x| (f64::from(x), 1.0 / f64::from(x))).collect();
    let picture = svg(&chart((Logarithmic, Logarithmic), vec![series("long", ChartShape::Steps, &points)])).unwrap();
    assert_sound(&picture);
    assert!(picture.len() < 60_000, "{}", picture.len());
}

#[test]
fn every_series_has_its_own_colour_until_they_run_out() {
    let seven = (0..7).map(|at| series("s", ChartShape::Dots, &[(1.0, f64::from(at))]));
    let picture = svg(&chart((Linear, Linear), seven.collect())).unwrap();
    let document = Document::parse(&picture).unwrap();
    let curves = elements(&document, "g").into_iter().filter(|node| node.first_element_child().is_some());
    let colours: BTreeSet<String> = curves
        .flat_map(|node| node.descendants().flat_map(|node| [node.attribute("fill"), node.attribute("stroke")]))
        .flatten()
        .filter(|colour| colour.starts_with('#') && *colour != "#FFFFFF")
        .map(str::to_string)
        .collect();
    assert_eq!(colours.len(), 7);
}
