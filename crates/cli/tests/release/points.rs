//! `release = "points"`: points moved on a public grid, where enough people share a cell.

use crate::place::Place;

const REQUEST: &str = r#"release = "points"
[data]
source = "d.csv"
[data.types]
x = "number"
y = "number"
[[axes]]
name = "east"
column = "x"
edges = [0, 10, 20]
step = 0.5
[[axes]]
name = "north"
column = "y"
edges = [-5, 0, 5]
step = "0.25"
[promise]
kind = "crowd-blending"
crowd = 20
epsilon = 2
[ledger]
dataset = "places"
snapshot = "2026"
[output]
folder = "out"
formats = ["csv", "parquet", "arrow"]
"#;

/// 300 points in one cell, 19 in another, some outside.
fn place() -> Place {
    let place = Place::new();
    let mut rows = String::from("x,y\n");
    for point in 0..300 {
        rows.push_str(&format!("{}.{},-{}.{}1\n", point % 10, point % 7, point % 4, point % 9));
    }
    for point in 0..19 {
        rows.push_str(&format!("15.{point},3.5\n"));
    }
    rows.push_str("25,0\n-1,0\n,1\nx,1\n3,7\nNaN,1\n");
    place.write("d.csv", rows);
    place.write("request.toml", REQUEST);
    place
}

fn published(place: &Place) -> Vec<(f64, f64)> {
    let mut reader = csv::Reader::from_path(place.path("out/points.csv")).expect("CSV");
    assert_eq!(reader.headers().expect("headings").iter().collect::<Vec<_>>(), ["east", "north"]);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    reader.records().map(|row| row.expect("a row")).map(|row| (number(&row[0]), number(&row[1]))).collect()
}

#[test]
fn points_of_a_crowd_are_moved_and_others_leave_no_trace() {
    let place = place();
    let said = place.run(&["plan", "request.toml"]);
    assert!(said.stdout.contains("4 public cells"), "{}", said.stdout);
    place.released();
    let points = published(&place);
    assert_eq!(points.len(), 300, "one for each person of the crowd");
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    // Noise of rate 2/38 on each axis: a standard deviation of 27 steps, 1.6 in the mean of 300.
    assert!((mean(&|point| point.0) - 4.8).abs() < 10.0 * 1.6 * 0.5, "{}", mean(&|point| point.0));
    assert!((mean(&|point| point.1) + 1.9).abs() < 10.0 * 1.6 * 0.25, "{}", mean(&|point| point.1));
    assert!(points.iter().all(|(x, y)| (x * 2.0).fract() == 0.0 && (y * 4.0).fract() == 0.0), "on the grid");
    assert!(points.windows(2).all(|pair| pair[0] <= pair[1]), "in the order of their coordinates");
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}", said.stdout);
    assert!(said.stdout.contains("300 points; all on the grid"), "{}", said.stdout);
    let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(page.contains("Points of people: east and north"), "a title");
}

/// Boxes of any size: a large one in the west, two small ones in the east; what is in none is dropped.
#[test]
fn boxes_of_any_size_are_cells() {
    let place = place();
    let boxes = REQUEST
        .replace("edges = [0, 10, 20]", "boxes = [[0, 10], [10, 20], [10, 20]]")
        .replace("edges = [-5, 0, 5]", "boxes = [[-5, 5], [3, 4], [4, 5]]");
    place.write("request.toml", boxes.replace("crowd = 20", "crowd = 19"));
    let said = place.run(&["plan", "request.toml"]);
    assert!(said.stdout.contains("3 public cells"), "{}", said.stdout);
    place.released();
    // All 300 of the west, also those at its northern edge, and 19 in the box from 3 to 4.
    assert_eq!(published(&place).len(), 319);
    let said = place.run(&["verify", "out"]);
    assert_eq!(said.code, 0, "{}", said.stdout);
    for (from, to, code, words) in [
        ("[10, 20], [10, 20]]", "[10, 20], [9, 20]]", 1, "overlap"),
        ("[3, 4], [4, 5]]", "[3, 4]]", 2, "every axis has one side of each box"),
        ("[3, 4]", "[4, 3]", 2, "from a smaller number"),
        ("boxes = [[-5", "edges = [0, 1]\nboxes = [[-5", 2, "not both"),
    ] {
        let forged = boxes.replace(from, to).replace("[4, 5]]", if words == "overlap" { "[3, 5]]" } else { "[4, 5]]" });
        place.write("request.toml", forged);
        let said = place.run(&["plan", "request.toml"]);
        assert_eq!(said.code, code, "{words}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
}

#[test]
fn a_point_beside_the_grid_is_noticed() {
    let place = place();
    place.write("request.toml", REQUEST.replace(", \"parquet\", \"arrow\"", ""));
    place.released();
    let text = std::fs::read_to_string(place.path("out/points.csv")).expect("a table");
    let (head, rest) = text.split_once('\n').expect("lines");
    let (first, others) = rest.split_once('\n').expect("lines");
    let (x, y) = first.split_once(',').expect("two");
    let off = format!("{head}\n{}1,{y}\n{others}", &x[..x.len() - 1]);
    let turned = format!("{head}\n{others}{first}\n");
    let spelt = format!("{head}\n{}\n{others}", first.replacen('-', "-0", 1));
    let few = format!("{head}\n{first}\n");
    for forged in [off, turned, spelt, few] {
        let said = place.verify_forged("points.csv", &forged);
        assert!(said.code == 1 && said.stdout.contains("WRONG        table contents"), "{}", said.stdout);
    }
}

#[test]
fn other_cells_of_the_same_people_are_refused() {
    let place = place();
    place.released();
    assert_eq!(place.run(&["release", "request.toml", "--folder", "again", "--again"]).code, 0, "the same cells again");
    place.write("request.toml", REQUEST.replace("[0, 10, 20]", "[0, 9, 20]"));
    let said = place.run(&["release", "request.toml", "--folder", "other"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stderr.contains("would promise nothing"), "{}", said.stderr);
}

#[test]
fn grids_that_are_none_are_refused() {
    let place = place();
    for (from, to, code, words) in [
        ("step = 0.5", "step = \"1/3\"", 1, "not a decimal number"),
        ("step = 0.5", "step = 40", 1, "has no grid point"),
        ("step = 0.5", "step = 0.00001", 1, "at most"),
        ("step = 0.5", "step = 0", 2, ""),
        ("epsilon = 2", "epsilon = 0", 1, "cannot draw noise"),
        ("kind = \"crowd-blending\"\ncrowd = 20", "kind = \"differential-privacy\"", 2, "promises crowd-blending"),
        ("[output]", "[output]\nmargins = true", 1, "published as they are"),
        ("source = \"d.csv\"", "source = \"d.csv\"\nperson = \"x\"\nbins-per-person = 2", 1, "at most one"),
        ("source = \"d.csv\"", "source = \"d.csv\"\npeople = \"x\"", 1, "a point is one person's"),
    ] {
        place.write("request.toml", REQUEST.replace(from, to));
        let said = place.run(&["release", "request.toml"]);
        assert_eq!(said.code, code, "{to}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
        assert!(!place.path("out").exists());
    }
}

#[test]
fn the_map_of_points_has_north_on_top_and_west_on_the_left() {
    // Few places in the south-west corner and many in the north-east, whichever axis is named first.
    let axes = |first: &str, second: &str| {
        let axis = |name: &str| match name {
            "lng" => "[[axes]]\nname = \"lng\"\ncolumn = \"lng\"\nedges = [-6, -4, -2, 0]\nstep = 0.5\n",
            _ => "[[axes]]\nname = \"lat\"\ncolumn = \"lat\"\nedges = [50, 52, 54, 56, 58]\nstep = 0.5\n",
        };
        format!("{}{}", axis(first), axis(second))
    };
    for (first, second) in [("lng", "lat"), ("lat", "lng")] {
        let place = Place::new();
        let corners = (0..30).map(|_| "-5,51\n").chain((0..900).map(|_| "-1,57\n"));
        place.write("d.csv", format!("lng,lat\n{}", corners.collect::<String>()));
        place.write(
            "request.toml",
            format!(
                "release = \"points\"\n[data]\nsource = \"d.csv\"\n[data.types]\nlng = \"number\"\nlat = \"number\"\n{}[promise]\nkind = \"crowd-blending\"\ncrowd = 20\nepsilon = 40\n[ledger]\ndataset = \"places\"\n[output]\nfolder = \"out\"\n",
                axes(first, second)
            ),
        );
        place.released();
        let page = std::fs::read_to_string(place.path("out/report.html")).expect("a page");
        let start = page.find("<svg").expect("a map");
        let end = start + page[start..].find("</svg>").expect("its end") + "</svg>".len();
        let map = roxmltree::Document::parse(&page[start..end]).expect("well-formed");
        let at = |node: &roxmltree::Node<'_, '_>, name: &str| -> f64 {
            node.attribute(name).unwrap_or("1").parse().expect("a number")
        };
        let edge = |name: &str| {
            let texts = map.descendants().filter(|node| node.has_tag_name("text"));
            let mut named = texts.filter(|node| node.text().is_some_and(|text| text.trim() == name));
            let found = named.next().unwrap_or_else(|| panic!("no {name} in the map"));
            (at(&found, "x"), at(&found, "y"))
        };
        assert!(edge("-6").0 < edge("-2").0, "west is on the left");
        assert!(edge("58").1 < edge("54").1 && edge("54").1 < edge("50").1, "north is on top");
        // The cell with most points is the one in the north-east.
        let top = edge("58").1 - 100.0;
        let cells = map.descendants().filter(|node| node.has_tag_name("rect") && at(node, "y") >= top);
        let darkest = cells.max_by(|one, other| at(one, "opacity").total_cmp(&at(other, "opacity"))).expect("a cell");
        assert!(at(&darkest, "x") >= edge("-2").0 && at(&darkest, "y") < edge("54").1, "{darkest:?}");
        assert_eq!(place.run(&["verify", "out"]).code, 0);
    }
}
