//! What the report says of a sample: who is counted at all, and what that adds to the promise.
//!
//! It must never say more than the certificate's `sampling`. It is separate because most releases count everybody. Read
//! `../sampled.rs` for the numbers.

use super::{column, sentence};
use crate::refusal::readable;
use crate::sampled::{Notion, SampledRelease, Statement, delta_words};
use incrowd_report::{Align, Block, PageTable};

/// Returns the blocks.
pub(super) fn blocks(sampled: &SampledRelease) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(sentence(&sampled.words()))];
    for statement in sampled.statements() {
        blocks.push(Block::Paragraph(sentence(&sampled.statement_words(statement))));
        blocks.push(curve(statement));
    }
    blocks
}

fn curve(statement: &Statement) -> Block {
    let theorem = match statement.notion {
        Notion::Everybody => statement.curve.iter().any(|point| point.by_theorem.is_some()),
        Notion::Distributional => false,
    };
    let mut columns = vec![column("epsilon", Align::Right), column("delta", Align::Right), column("by", Align::Left)];
    if theorem {
        columns.push(column("delta of any mechanism with this promise", Align::Right));
    }
    let rows = statement.curve.iter().map(|point| {
        let mut row =
            vec![Some(readable(&point.epsilon)), Some(delta_words(point)), Some(point.by.words().to_string())];
        if theorem {
            row.push(point.by_theorem.as_ref().map(crate::sampled::short));
        }
        row
    });
    Block::Table(PageTable { columns, rows: rows.collect() })
}
