//! Spreads pieces of work over partitions of about equal size.
//!
//! It must never lose a piece or deal one twice. It is separate because it knows sizes only. Read `scan.rs` next.

use super::Piece;

/// Returns at least one and at most so many hands; the largest pieces are dealt first, each to the smallest hand.
pub(super) fn deal(pieces: Vec<Piece>, at_most: usize) -> Vec<Vec<Piece>> {
    let hands = at_most.min(pieces.len()).max(1);
    let mut dealt: Vec<(u64, Vec<(usize, Piece)>)> = vec![(0, Vec::new()); hands];
    let mut pieces: Vec<_> = pieces.into_iter().enumerate().collect();
    pieces.sort_by_key(|(_, piece)| std::cmp::Reverse(piece.bytes));
    for (place, piece) in pieces {
        if let Some((bytes, hand)) = dealt.iter_mut().min_by_key(|(bytes, hand)| (*bytes, hand.len())) {
            *bytes = bytes.saturating_add(piece.bytes);
            hand.push((place, piece));
        }
    }
    // Each hand is read in the order of the files.
    let in_order = |(_, mut hand): (u64, Vec<(usize, Piece)>)| {
        hand.sort_by_key(|(place, _)| *place);
        hand.into_iter().map(|(_, piece)| piece).collect()
    };
    dealt.into_iter().map(in_order).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;
    use crate::file::{Compression, Content, Keys, OneFile};
    use proptest::prelude::*;

    fn piece(bytes: u64) -> Piece {
        let (path, keys) = (bytes.to_string().into(), Keys::default());
        let file = OneFile { path, bytes, compression: Compression::Plain, content: Content::Named, keys };
        Piece { file, bytes, part: Part::Whole }
    }

    proptest! {
        #[test]
        fn every_piece_is_dealt_once_and_fairly(sizes in prop::collection::vec(0u64..100, 0..20), at_most in 0usize..6) {
            let hands = deal(sizes.iter().map(|size| piece(*size)).collect(), at_most);
            prop_assert!(!hands.is_empty() && hands.len() <= at_most.max(1));
            let mut dealt: Vec<u64> = hands.iter().flatten().map(|piece| piece.bytes).collect();
            let mut all = sizes.clone();
            dealt.sort();
            all.sort();
            prop_assert_eq!(dealt, all);
            let totals: Vec<u64> = hands.iter().map(|hand| hand.iter().map(|piece| piece.bytes).sum()).collect();
            let largest = sizes.iter().max().copied().unwrap_or(0);
            prop_assert!(totals.iter().max().unwrap() - totals.iter().min().unwrap() <= largest);
        }
    }
}
