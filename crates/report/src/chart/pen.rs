//! The pen of each series: its colour, its dashes, its mark in a picture and its symbol in a terminal.
//! It must never leave colour as the only difference between two series.
//! It is separate so that a picture and a terminal give the same series the same mark, in the same order.
//! Read `legend.rs` next.

use std::f64::consts::TAU;

/// How one series is drawn in a picture.
pub(super) struct Pen {
    pub colour: (u8, u8, u8),
    /// Lengths of dashes and gaps in pixels; empty for a solid line.
    pub dashes: &'static [u32],
    pub mark: Mark,
}

/// The mark on the points of a series.
pub(super) struct Mark {
    pub outline: Outline,
    pub fill: Fill,
}

/// The form of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outline {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Star,
}

/// Whether a mark is solid or hollow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    Solid,
    Hollow,
}

/// The colours of Okabe and Ito, which stay apart for colour-blind readers, without the yellow that fades on white.
const COLOURS: [(u8, u8, u8); 7] =
    [(0, 114, 178), (213, 94, 0), (0, 158, 115), (0, 0, 0), (204, 121, 167), (230, 159, 0), (86, 180, 233)];

/// Five patterns, seven colours and twelve marks repeat together only after 420 series, and any twelve in a row already
/// differ in their mark.
const DASHES: [&[u32]; 5] = [&[], &[9, 5], &[2, 4], &[12, 4, 2, 4], &[5, 3]];

const MARKS: [(Outline, Fill, char, char); 12] = [
    (Outline::Circle, Fill::Solid, '●', '*'),
    (Outline::Square, Fill::Solid, '■', 'o'),
    (Outline::Triangle, Fill::Solid, '▲', '+'),
    (Outline::Diamond, Fill::Solid, '◆', 'x'),
    (Outline::Circle, Fill::Hollow, '○', '#'),
    (Outline::Square, Fill::Hollow, '□', '@'),
    (Outline::Triangle, Fill::Hollow, '△', '%'),
    (Outline::Diamond, Fill::Hollow, '◇', '='),
    (Outline::TriangleDown, Fill::Solid, '▼', '&'),
    (Outline::Star, Fill::Solid, '★', '$'),
    (Outline::TriangleDown, Fill::Hollow, '▽', '~'),
    (Outline::Star, Fill::Hollow, '☆', '^'),
];

/// Returns the pen of the series at this place in the legend.
pub(super) fn pen(series: usize) -> Pen {
    let (outline, fill, _, _) = MARKS[series % MARKS.len()];
    Pen { colour: COLOURS[series % COLOURS.len()], dashes: DASHES[series % DASHES.len()], mark: Mark { outline, fill } }
}

/// Returns the symbol of the series where every Unicode character can be shown.
pub(super) fn unicode_symbol(series: usize) -> char {
    MARKS.get(series).map_or_else(|| letter(series), |mark| mark.2)
}

/// Returns the symbol of the series in ASCII.
pub(super) fn ascii_symbol(series: usize) -> char {
    MARKS.get(series).map_or_else(|| letter(series), |mark| mark.3)
}

/// Capital letters follow the twelve symbols; series past the alphabet share one, which no reader could follow anyway.
fn letter(series: usize) -> char {
    ('A'..='Z').nth(series - MARKS.len()).unwrap_or('?')
}

impl Outline {
    /// Returns the corners around the centre, for a mark of this radius; a circle has none.
    pub fn corners(self, radius: f64) -> Vec<(i32, i32)> {
        // Radii that make all forms look equally large.
        let regular = |count: usize, turn: f64, size: f64| -> Vec<(i32, i32)> {
            (0..count).map(|corner| polar(TAU * (corner as f64 / count as f64 + turn), radius * size)).collect()
        };
        match self {
            Outline::Circle => Vec::new(),
            Outline::Square => regular(4, 0.125, 1.25),
            Outline::Triangle => regular(3, 0.75, 1.35),
            Outline::Diamond => regular(4, 0.0, 1.3),
            Outline::TriangleDown => regular(3, 0.25, 1.35),
            Outline::Star => {
                let tips = regular(5, 0.75, 1.55);
                let dents = regular(5, 0.85, 0.65);
                tips.into_iter().zip(dents).flat_map(|(tip, dent)| [tip, dent]).collect()
            }
        }
    }
}

fn polar(angle: f64, radius: f64) -> (i32, i32) {
    ((radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_series_differ_without_their_colours() {
        for first in 0..12 {
            for second in 0..first {
                let (a, b) = (pen(first).mark, pen(second).mark);
                assert!((a.outline, a.fill) != (b.outline, b.fill), "{first} {second}");
                assert_ne!(unicode_symbol(first), unicode_symbol(second));
                assert_ne!(ascii_symbol(first), ascii_symbol(second));
            }
        }
    }

    #[test]
    fn the_thirteenth_series_has_a_letter() {
        assert_eq!((unicode_symbol(12), ascii_symbol(13), ascii_symbol(99)), ('A', 'B', '?'));
    }
}
