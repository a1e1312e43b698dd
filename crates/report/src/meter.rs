//! The picture of an amount that fills a limit: what was there, what came, and where the limit is.
//!
//! Widths are whole ten-thousandths, so that a page is the same on every machine; it must never draw what is over a
//! limit as if it were below. It is separate from `page.rs` because it is arithmetic. Read `html/meters.rs` for how it
//! is drawn.

/// Shares of the width of a picture, in ten-thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meter {
    /// What was there before.
    pub before: u16,
    /// What came.
    pub more: u16,
    /// Where the limit is, if there is one.
    pub limit: Option<u16>,
}

impl Meter {
    /// The whole width.
    pub const WHOLE: u16 = 10_000;

    /// Whether there is more than the limit.
    pub(crate) fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.before.saturating_add(self.more) > limit)
    }

    /// The pieces of the picture: from where, how wide, and which of them it is.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (u16, u16, &'static str)> {
        let Meter { before, more, limit } = *self;
        let end = before.saturating_add(more).min(Meter::WHOLE);
        let before = before.min(end);
        let limit = limit.unwrap_or(Meter::WHOLE).min(end);
        let pieces = [(0, before.min(limit), "before"), (before.min(limit), limit, "fill"), (limit, end, "over")];
        pieces.into_iter().filter(|(from, to, _)| to > from).map(|(from, to, class)| (from, to - from, class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(before: u16, more: u16, limit: Option<u16>) -> Vec<(u16, u16, &'static str)> {
        Meter { before, more, limit }.pieces().collect()
    }

    #[test]
    fn what_is_over_the_limit_is_a_piece_of_its_own() {
        assert_eq!(pieces(2000, 3000, Some(10_000)), [(0, 2000, "before"), (2000, 3000, "fill")]);
        assert_eq!(pieces(2000, 3000, None), [(0, 2000, "before"), (2000, 3000, "fill")]);
        assert_eq!(pieces(2000, 3000, Some(4000)), [(0, 2000, "before"), (2000, 2000, "fill"), (4000, 1000, "over")]);
        assert_eq!(pieces(5000, 0, Some(2000)), [(0, 2000, "before"), (2000, 3000, "over")]);
        assert_eq!(pieces(0, 0, Some(2000)), []);
        assert_eq!(pieces(u16::MAX, u16::MAX, None), [(0, 10_000, "before")]);
        assert!(Meter { before: 5000, more: 1, limit: Some(5000) }.is_over());
        assert!(!Meter { before: 5000, more: 0, limit: Some(5000) }.is_over());
    }
}
