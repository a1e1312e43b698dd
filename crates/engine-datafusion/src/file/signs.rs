//! The two signs that cut a CSV file into fields.
//!
//! It must never be learnt from the file: a dialect says them, or the name of the file does. It is separate because the
//! header is read before the charge and the rows behind it, by the same signs. Read `format.rs` next.

use super::Format;
use incrowd_engine::{Dialect, Quote, Sign};

/// A byte that no text has: the quote of a file without quotes.
const NO_QUOTE: u8 = 0xfe;

/// The signs of a CSV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Signs {
    /// Between fields.
    pub(crate) delimiter: u8,
    /// Around fields that hold signs.
    pub(crate) quote: u8,
}

impl Signs {
    /// Returns the signs of a file of this format.
    pub(crate) fn of(format: Format, dialect: &Dialect) -> Signs {
        let usual = if format == Format::Tsv { b'\t' } else { b',' };
        let quote = match dialect.quote {
            Quote::Double => b'"',
            Quote::Other(sign) => sign.byte(),
            Quote::None => NO_QUOTE,
        };
        Signs { delimiter: dialect.delimiter.map_or(usual, Sign::byte), quote }
    }

    /// Returns whether they cannot be told apart.
    pub(crate) fn are_one(self) -> bool {
        self.delimiter == self.quote
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_comes_before_the_name_of_a_file() {
        let said = Dialect { delimiter: Sign::of(";"), quote: Quote::None, ..Dialect::default() };
        let plain = Dialect::default();
        assert_eq!(Signs::of(Format::Csv, &plain), Signs { delimiter: b',', quote: b'"' });
        assert_eq!(Signs::of(Format::Tsv, &plain), Signs { delimiter: b'\t', quote: b'"' });
        assert_eq!(Signs::of(Format::Tsv, &said), Signs { delimiter: b';', quote: NO_QUOTE });
    }
}
