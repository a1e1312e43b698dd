//! What a file is, told by the ending of its name.
//!
//! It must never open a file: a wrong ending is a mistake of the request, found without reading. It is separate because
//! listing and reading both ask. Read `bytes.rs` next.

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Comma-separated, with a header.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// An array of objects, or one object per line.
    Json,
    /// An Apache Arrow file or stream.
    Arrow,
}

/// How a file is packed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// Not at all.
    Plain,
    /// `.gz`.
    Gzip,
    /// `.zst`.
    Zstandard,
}

impl Format {
    /// Returns the format of a file with this name, or nothing if its ending is not known.
    pub(crate) fn of_name(name: &str) -> Option<(Format, Compression)> {
        let name = name.to_lowercase();
        let (rest, compression) = if let Some(rest) = name.strip_suffix(".gz") {
            (rest, Compression::Gzip)
        } else if let Some(rest) = name.strip_suffix(".zst") {
            (rest, Compression::Zstandard)
        } else {
            (name.as_str(), Compression::Plain)
        };
        let (_, ending) = rest.rsplit_once('.')?;
        let format = match ending {
            "csv" => Format::Csv,
            "parquet" => Format::Parquet,
            "json" | "ndjson" | "jsonl" => Format::Json,
            "arrow" | "ipc" | "feather" => Format::Arrow,
            _ => return None,
        };
        // A Parquet file is read from its end, which a packed file hides; it is packed inside anyway.
        let is_readable = format != Format::Parquet || compression == Compression::Plain;
        is_readable.then_some((format, compression))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_known_in_any_case() {
        let known = [
            ("a.csv", Format::Csv, Compression::Plain),
            ("A.CSV.GZ", Format::Csv, Compression::Gzip),
            ("a.b.Json.zst", Format::Json, Compression::Zstandard),
            ("a.jsonl", Format::Json, Compression::Plain),
            ("a.ndjson", Format::Json, Compression::Plain),
            ("a.PARQUET", Format::Parquet, Compression::Plain),
            ("a.feather", Format::Arrow, Compression::Plain),
            ("a.ipc.gz", Format::Arrow, Compression::Gzip),
        ];
        for (name, format, compression) in known {
            assert_eq!(Format::of_name(name), Some((format, compression)), "{name}");
        }
    }

    #[test]
    fn other_endings_are_not_known() {
        for name in ["a", "csv", "a.txt", "a.gz", "a.csv.bz2", "a.parquet.gz", "a.csv ", "", "."] {
            assert_eq!(Format::of_name(name), None, "{name}");
        }
    }
}
