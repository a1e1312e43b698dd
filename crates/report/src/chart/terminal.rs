//! A chart as plain text for a terminal: a small sketch with axes, ticks and a legend.
//! It must never be wider than asked, end a line in spaces, contain a control character, or rely on colour.
//! It is separate because a sketch in character cells is laid out by other rules than a picture.
//! Read `canvas.rs` next, where the lines are drawn.

use super::Chart;
use super::canvas::{Canvas, line};
use super::caption::{clean, columns, fit_columns, in_ascii};
use super::legend::{NOTHING, names};
use super::pen::{ascii_symbol, unicode_symbol};
use super::plot::{Place, Plot};
use super::ruler::Ruler;

/// Which characters the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalStyle {
    /// Lines in braille dots, marks as small shapes.
    Unicode,
    /// Letters and signs of ASCII only; other characters in names become question marks.
    Ascii,
}

/// Returns the chart as lines of plain text, without a newline at the end.
///
/// No line is wider than `width` columns. `height` is the number of rows between the axes (at least 3): title, axes and
/// legend come on top of it. Each series has its own mark, so the text needs no colour.
pub fn terminal(chart: &Chart, width: usize, height: usize, style: TerminalStyle) -> String {
    let page = Page { width, height: height.max(3), style };
    if width < NARROWEST {
        return page.fit(&format!("chart: needs {NARROWEST} columns"));
    }
    let mut lines: Vec<String> = page.heading(chart);
    let most_ticks = ((width - 8) / 9, page.height.div_ceil(2));
    match Plot::of(chart, most_ticks) {
        Some(plot) => {
            lines.extend(page.sketch(chart, &plot));
            lines.extend(page.legend(chart, &plot));
        }
        None => lines.extend(page.nothing()),
    }
    lines.join("\n")
}

/// The least width at which axes, ticks and a line can be told apart.
const NARROWEST: usize = 24;

/// The room there is, and the characters to fill it with.
struct Page {
    width: usize,
    height: usize,
    style: TerminalStyle,
}

/// The characters of axes and boxes.
struct Strokes {
    across: char,
    down: char,
    tick_down: char,
    tick_across: char,
    corners: [char; 4],
}

impl Page {
    fn strokes(&self) -> Strokes {
        match self.style {
            TerminalStyle::Unicode => {
                Strokes {
                    across: '─', down: '│', tick_down: '┤', tick_across: '┬', corners: ['┌', '┐', '└', '┘']
                }
            }
            TerminalStyle::Ascii => {
                Strokes { across: '-', down: '|', tick_down: '+', tick_across: '+', corners: ['+'; 4] }
            }
        }
    }

    fn symbol(&self, series: usize) -> char {
        match self.style {
            TerminalStyle::Unicode => unicode_symbol(series),
            TerminalStyle::Ascii => ascii_symbol(series),
        }
    }

    /// Returns words from outside in characters that this page can show.
    fn words(&self, text: &str) -> String {
        match self.style {
            TerminalStyle::Unicode => clean(text),
            TerminalStyle::Ascii => in_ascii(&clean(text)),
        }
    }

    fn fit(&self, text: &str) -> String {
        self.fit_in(text, self.width)
    }

    fn fit_in(&self, text: &str, room: usize) -> String {
        match self.style {
            TerminalStyle::Unicode => fit_columns(text, room, "…"),
            TerminalStyle::Ascii => fit_columns(text, room, "..."),
        }
    }

    fn heading(&self, chart: &Chart) -> Vec<String> {
        let texts = [Some(chart.title.as_str()), chart.subtitle.as_deref()];
        let lines = texts.into_iter().flatten().map(|text| self.fit(&self.words(text)));
        lines.filter(|line| !line.is_empty()).collect()
    }

    fn nothing(&self) -> Vec<String> {
        let strokes = self.strokes();
        let inside = self.width - 2;
        let bar = strokes.across.to_string().repeat(inside);
        let [upper_left, upper_right, lower_left, lower_right] = strokes.corners;
        let mut lines = vec![format!("{upper_left}{bar}{upper_right}")];
        for row in 0..self.height {
            let text = if row == self.height / 2 { NOTHING } else { "" };
            lines.push(format!("{down}{text:^inside$}{down}", down = strokes.down));
        }
        lines.push(format!("{lower_left}{bar}{lower_right}"));
        lines
    }

    fn sketch(&self, chart: &Chart, plot: &Plot) -> Vec<String> {
        let strokes = self.strokes();
        let gutter = plot.y.ticks.iter().map(|tick| columns(&tick.label)).max().unwrap_or(0);
        // One column for a space, one for the axis.
        let canvas = self.canvas(plot, self.width.saturating_sub(gutter + 2).max(1));
        let mut lines = Vec::new();

        let above = self.fit_in(&self.words(&chart.y.label), self.width - gutter - 1);
        if !above.is_empty() {
            lines.push(format!("{:1$}{above}", "", gutter + 1));
        }
        let mut axis: Vec<(String, char)> = vec![(String::new(), strokes.down); self.height];
        for tick in &plot.y.ticks {
            let (_, row) = canvas.cell(canvas.dot((0.0, tick.at)));
            axis[row] = (tick.label.clone(), strokes.tick_down);
        }
        for ((label, stroke), cells) in axis.into_iter().zip(canvas.rows(|series| self.symbol(series))) {
            lines.push(format!("{label:>gutter$} {stroke}{cells}"));
        }
        lines.extend(self.foot(&plot.x, &canvas, gutter + 2));
        let below = self.fit(&self.words(&chart.x.label));
        if !below.is_empty() {
            let centred = (self.width - gutter - 2).saturating_sub(columns(&below)) / 2;
            let indent = (gutter + 2 + centred).min(self.width - columns(&below));
            lines.push(format!("{:indent$}{below}", ""));
        }
        lines
    }

    /// Returns the canvas with all curves on it.
    fn canvas(&self, plot: &Plot, columns: usize) -> Canvas {
        let dots = match self.style {
            TerminalStyle::Unicode => (2, 4),
            TerminalStyle::Ascii => (1, 1),
        };
        let mut canvas = Canvas::new(columns, self.height, dots);
        // About eight marks along a line, in dots.
        let spacing = ((columns * dots.0) as i32 / 8).max(4);
        for (series, curve) in plot.curves.iter().enumerate() {
            for path in curve.paths() {
                let path: Vec<_> = path.into_iter().map(|place| canvas.dot(place)).collect();
                for dot in path.windows(2).flat_map(|two| line(two[0], two[1])) {
                    match self.style {
                        TerminalStyle::Unicode => canvas.ink(dot),
                        TerminalStyle::Ascii => canvas.mark(dot, series),
                    }
                }
            }
            let lead = spacing * series as i32 / plot.curves.len() as i32;
            for dot in curve.marks(spacing, lead, |place: Place| canvas.dot(place)) {
                canvas.mark(dot, series);
            }
        }
        canvas
    }

    /// Returns the horizontal axis and the labels of its ticks.
    fn foot(&self, ruler: &Ruler, canvas: &Canvas, indent: usize) -> [String; 2] {
        let strokes = self.strokes();
        let mut axis = vec![strokes.across; self.width - indent];
        let mut labels = String::new();
        for tick in &ruler.ticks {
            let (column, _) = canvas.cell(canvas.dot((tick.at, 0.0)));
            let length = columns(&tick.label);
            let centred = (indent + column).saturating_sub(length / 2);
            let start = centred.min(self.width - length);
            // A label that would touch its neighbour is left out; its tick with it.
            let free = if labels.is_empty() { 0 } else { columns(&labels) + 1 };
            if start >= free {
                axis[column] = strokes.tick_across;
                labels.push_str(&" ".repeat(start - columns(&labels)));
                labels.push_str(&tick.label);
            }
        }
        let corner = strokes.corners[2];
        let axis: String = axis.into_iter().collect();
        [format!("{:1$}{corner}{axis}", "", indent - 1), labels]
    }

    /// Returns the marks and names of the series: in one line if they fit, else in aligned columns.
    fn legend(&self, chart: &Chart, plot: &Plot) -> Vec<String> {
        const GAP: usize = 3;
        let longest = self.width - 2;
        let entries: Vec<String> = (names(chart, plot).iter().enumerate())
            .map(|(series, name)| format!("{} {}", self.symbol(series), self.fit_in(&self.words(name), longest)))
            .collect();
        let sizes: Vec<usize> = entries.iter().map(|entry| columns(entry)).collect();
        // As many columns as fit, each as wide as its own widest entry.
        let widths = |per_line: usize| -> Vec<usize> {
            (0..per_line)
                .map(|column| sizes.iter().skip(column).step_by(per_line).copied().max().unwrap_or(0))
                .collect()
        };
        let fits = |widths: &Vec<usize>| widths.iter().sum::<usize>() + GAP * (widths.len() - 1) <= self.width;
        let most = entries.len().min(self.width / GAP);
        let widths = (1..=most).rev().map(widths).find(fits).unwrap_or(vec![self.width]);
        let padded =
            |(entry, width): (&String, &usize)| format!("{entry}{:1$}", "", width.saturating_sub(columns(entry)) + GAP);
        let lines = entries.chunks(widths.len()).map(|row| row.iter().zip(&widths).map(padded).collect::<String>());
        lines.map(|line| line.trim_end().to_string()).collect()
    }
}
