//! A grid of character cells on which lines are drawn with braille dots, and series leave their marks.
//! It must never draw outside its cells, or hide one of several series that pass through the same cells.
//! It is separate because it knows nothing of charts: only dots, cells and whose turn it is.
//! Read `terminal.rs` next, which puts axes around it.

/// A place in dots, from the upper left corner.
pub(super) type Dot = (i32, i32);

/// A grid of cells, each divided into dots.
pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    /// How many dots a cell has across and down: 2 by 4 in braille, 1 by 1 in ASCII.
    dots: (usize, usize),
    /// The braille dots of every cell, as bits of its character.
    ink: Vec<u8>,
    /// The series that left a mark in every cell, without repetition.
    marks: Vec<Vec<usize>>,
}

impl Canvas {
    /// Returns an empty canvas of so many cells and so many dots per cell.
    pub fn new(columns: usize, rows: usize, dots: (usize, usize)) -> Canvas {
        Canvas { columns, rows, dots, ink: vec![0; columns * rows], marks: vec![Vec::new(); columns * rows] }
    }

    /// Returns the dot at a place of the unit square, counted from the lower left corner.
    pub fn dot(&self, (along, up): (f64, f64)) -> Dot {
        let across = (self.columns * self.dots.0 - 1) as f64;
        let down = (self.rows * self.dots.1 - 1) as f64;
        ((along * across).round() as i32, ((1.0 - up) * down).round() as i32)
    }

    /// Returns the column and row of the cell that holds a dot.
    pub fn cell(&self, dot: Dot) -> (usize, usize) {
        let within = |dot: i32, per_cell: usize, cells: usize| (dot.max(0) as usize / per_cell).min(cells - 1);
        (within(dot.0, self.dots.0, self.columns), within(dot.1, self.dots.1, self.rows))
    }

    /// Inks one dot of a braille cell.
    pub fn ink(&mut self, dot: Dot) {
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let (column, row) = self.cell(dot);
        let (across, down) = (dot.0.max(0) as usize % self.dots.0, dot.1.max(0) as usize % self.dots.1);
        self.ink[row * self.columns + column] |= BITS[down % 4][across % 2];
    }

    /// Leaves the mark of a series in the cell that holds a dot.
    pub fn mark(&mut self, dot: Dot, series: usize) {
        let (column, row) = self.cell(dot);
        let marks = &mut self.marks[row * self.columns + column];
        if !marks.contains(&series) {
            marks.push(series);
        }
    }

    /// Returns the rows as text, without trailing spaces.
    ///
    /// Series that share cells take turns, from left to right: the one that was shown longest ago is shown next.
    pub fn rows(&self, symbol: impl Fn(usize) -> char) -> Vec<String> {
        let series = self.marks.iter().flatten().max().map_or(0, |most| most + 1);
        let mut last_shown = vec![0; series];
        let mut turn = 0;
        let mut cells = vec![' '; self.columns * self.rows];
        for column in 0..self.columns {
            for row in 0..self.rows {
                let at = row * self.columns + column;
                turn += 1;
                cells[at] = match self.marks[at].iter().copied().min_by_key(|&series| (last_shown[series], series)) {
                    Some(next) => {
                        last_shown[next] = turn;
                        symbol(next)
                    }
                    None if self.ink[at] == 0 => ' ',
                    None => char::from_u32(0x2800 + u32::from(self.ink[at])).unwrap_or(' '),
                };
            }
        }
        cells.chunks(self.columns).map(|row| row.iter().collect::<String>().trim_end().to_string()).collect()
    }
}

/// Returns all dots on the straight line between two dots, both included.
pub(super) fn line(from: Dot, to: Dot) -> impl Iterator<Item = Dot> {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let steps = across.abs().max(down.abs());
    let part = move |length: i32, step: i32| {
        if steps == 0 { 0 } else { (f64::from(length) * f64::from(step) / f64::from(steps)).round() as i32 }
    };
    (0..=steps).map(move |step| (from.0 + part(across, step), from.1 + part(down, step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_braille_diagonal_goes_from_corner_to_corner() {
        let mut canvas = Canvas::new(4, 2, (2, 4));
        let (from, to) = (canvas.dot((0.0, 0.0)), canvas.dot((1.0, 1.0)));
        line(from, to).for_each(|dot| canvas.ink(dot));
        assert_eq!(canvas.rows(|_| '?'), ["  ⡠⠊", "⡠⠊"]);
    }

    #[test]
    fn series_that_coincide_take_turns() {
        let mut canvas = Canvas::new(6, 1, (1, 1));
        for series in 0..2 {
            line((0, 0), (5, 0)).for_each(|dot| canvas.mark(dot, series));
        }
        assert_eq!(canvas.rows(|series| ['a', 'b'][series]), ["ababab"]);
    }
}
