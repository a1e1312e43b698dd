//! What a file is, told by the request or by the ending of its name.
//!
//! It must never open a file: a wrong ending is a mistake of the request, found without reading. It is separate because
//! listing and reading both ask. Read `bytes.rs` next.

use incrowd_engine::DataFormat;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Fields between signs, commas unless the dialect says otherwise.
    Csv,
    /// The same, with tabs unless the dialect says otherwise.
    Tsv,
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
    /// Returns the format of a file with this name, or nothing if its ending is not known. What the request says comes
    /// before what the name says; how a file is packed, its name alone says.
    pub(crate) fn of_name(name: &str, said: Option<DataFormat>) -> Option<(Format, Compression)> {
        let name = name.to_lowercase();
        let (rest, compression) = if let Some(rest) = name.strip_suffix(".gz") {
            (rest, Compression::Gzip)
        } else if let Some(rest) = name.strip_suffix(".zst") {
            (rest, Compression::Zstandard)
        } else {
            (name.as_str(), Compression::Plain)
        };
        let format = match said {
            Some(said) => Format::said(said)?,
            None => Format::of_ending(rest.rsplit_once('.')?.1)?,
        };
        // A Parquet file is read from its end, which a packed file hides; it is packed inside anyway.
        let is_readable = format != Format::Parquet || compression == Compression::Plain;
        is_readable.then_some((format, compression))
    }

    fn of_ending(ending: &str) -> Option<Format> {
        Some(match ending {
            "csv" | "txt" => Format::Csv,
            "tsv" | "tab" => Format::Tsv,
            "parquet" => Format::Parquet,
            "json" | "ndjson" | "jsonl" => Format::Json,
            "arrow" | "ipc" | "feather" => Format::Arrow,
            _ => return None,
        })
    }

    fn said(format: DataFormat) -> Option<Format> {
        Some(match format {
            DataFormat::Csv => Format::Csv,
            DataFormat::Tsv => Format::Tsv,
            DataFormat::Json => Format::Json,
            DataFormat::Parquet => Format::Parquet,
            DataFormat::Arrow => Format::Arrow,
            DataFormat::Xlsx | DataFormat::Ods | DataFormat::Sqlite => return None,
        })
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
            ("a.TSV", Format::Tsv, Compression::Plain),
            ("a.tab.gz", Format::Tsv, Compression::Gzip),
            ("a.txt.zst", Format::Csv, Compression::Zstandard),
        ];
        for (name, format, compression) in known {
            assert_eq!(Format::of_name(name, None), Some((format, compression)), "{name}");
        }
    }

    #[test]
    fn other_endings_are_not_known() {
        for name in ["a", "csv", "a.gz", "a.csv.bz2", "a.parquet.gz", "a.csv ", "", "."] {
            assert_eq!(Format::of_name(name, None), None, "{name}");
        }
    }

    #[test]
    fn what_is_said_comes_before_the_ending() {
        for (said, format) in [
            (DataFormat::Csv, Format::Csv),
            (DataFormat::Tsv, Format::Tsv),
            (DataFormat::Json, Format::Json),
            (DataFormat::Arrow, Format::Arrow),
        ] {
            for (name, compression) in
                [("a", Compression::Plain), ("a.parquet", Compression::Plain), ("a.log.gz", Compression::Gzip)]
            {
                assert_eq!(Format::of_name(name, Some(said)), Some((format, compression)), "{name}");
            }
        }
        assert_eq!(Format::of_name("a.csv.gz", Some(DataFormat::Parquet)), None);
    }
}
