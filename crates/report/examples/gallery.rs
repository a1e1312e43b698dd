//! Draws a few typical charts into a folder, to be looked at: `cargo run -p incrowd-report --example gallery --
//! FOLDER`. It must never be needed by the library. It is separate because a picture has to be seen, and no test can do
//! that. Read `src/chart.rs` next.

use std::path::PathBuf;
use std::{env, fs};

use incrowd_report::{Chart, ChartAxis, ChartSeries, ChartShape, Scale, TerminalStyle, svg, terminal};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("usage: gallery FOLDER")?);
    fs::create_dir_all(&folder)?;
    for (name, chart) in [("error", error()), ("epsilon", epsilon()), ("twelve", twelve()), ("nothing", nothing())] {
        fs::write(folder.join(name).with_extension("svg"), svg(&chart)?)?;
        let texts = [(72, 14, TerminalStyle::Unicode), (72, 14, TerminalStyle::Ascii), (40, 8, TerminalStyle::Unicode)]
            .map(|(width, height, style)| terminal(&chart, width, height, style));
        fs::write(folder.join(name).with_extension("txt"), texts.join("\n\n") + "\n")?;
    }
    Ok(())
}

fn axis(label: &str, scale: Scale) -> ChartAxis {
    ChartAxis { label: label.to_string(), scale }
}

fn series(name: &str, shape: ChartShape, points: impl IntoIterator<Item = (f64, f64)>) -> ChartSeries {
    ChartSeries { name: name.to_string(), points: points.into_iter().collect(), shape }
}

fn sizes(most: u32) -> impl Iterator<Item = f64> {
    (0..=most).map(|step| 10_f64.powf(f64::from(step) / 10.0).round())
}

fn error() -> Chart {
    let far = |size: f64| 1.0 / (1.0 + ((size - 100.0) / 8.0).exp());
    Chart {
        title: "Error by group size".to_string(),
        subtitle: Some("groups of up to 100 at epsilon 1/100, larger groups at epsilon 1".to_string()),
        x: axis("people in the group", Scale::Logarithmic),
        y: axis("mean absolute error, in people", Scale::Logarithmic),
        series: vec![
            series("tailored geometric", ChartShape::Line, sizes(40).map(|n| (n, 0.9 + far(n) * n * 0.8))),
            series("geometric", ChartShape::Line, sizes(40).map(|n| (n, 100.0_f64.min(0.5 * n + 50.0)))),
            series("group geometric", ChartShape::Line, sizes(40).map(|n| (n, 92.0_f64.min(0.7 * n + 0.3)))),
            series("noisy suppress", ChartShape::Line, sizes(40).map(|n| (n, if n <= 230.0 { n } else { 0.92 }))),
            series("general, smooth bound", ChartShape::Line, sizes(40).map(|n| (n, 3.0 + far(n / 3.0) * n * 0.9))),
        ],
    }
}

fn epsilon() -> Chart {
    Chart {
        title: "What is promised, and what is attained".to_string(),
        subtitle: None,
        x: axis("people in the group", Scale::Logarithmic),
        y: axis("epsilon", Scale::Linear),
        series: vec![
            series(
                "promised",
                ChartShape::Steps,
                [(1.0, 0.01), (10.0, 0.1), (100.0, 0.5), (1000.0, 1.0), (10_000.0, 1.0)],
            ),
            series(
                "attained by the audit",
                ChartShape::Dots,
                [(1.0, 0.008), (5.0, 0.009), (20.0, 0.08), (90.0, 0.095), (200.0, 0.46), (2000.0, 0.97)],
            ),
        ],
    }
}

fn twelve() -> Chart {
    let names = [
        "tailored geometric",
        "relay",
        "suppress below",
        "noise below",
        "suppress up to",
        "noise up to",
        "geometric",
        "group geometric",
        "noisy suppress, offset found",
        "noisy noise",
        "staircase with five published levels",
        "fading <K=100 & t=\"10\">",
    ];
    let line = |(place, name): (usize, &&str)| {
        let start = 10_f64.powi(-(place as i32));
        series(name, ChartShape::Line, sizes(60).map(move |n| (n, start * n.powf(-0.1 * place as f64))))
    };
    Chart {
        title: "Probability that a group is suppressed".to_string(),
        subtitle: Some("twelve mechanisms that meet the same promise".to_string()),
        x: axis("people in the group", Scale::Logarithmic),
        y: axis("probability", Scale::Logarithmic),
        series: names.iter().enumerate().map(line).collect(),
    }
}

fn nothing() -> Chart {
    Chart { series: Vec::new(), ..error() }
}
