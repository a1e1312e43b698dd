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
    /// A workbook of Excel.
    Xlsx,
    /// A workbook of LibreOffice.
    Ods,
    /// A database of SQLite.
    Sqlite,
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
    /// `.zip`, with one file inside.
    Zip,
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
        } else if let Some(rest) = name.strip_suffix(".zip") {
            (rest, Compression::Zip)
        } else {
            (name.as_str(), Compression::Plain)
        };
        let format = match said {
            Some(said) => Format::said(said),
            None => Format::said(DataFormat::of_ending(rest.rsplit_once('.')?.1)?),
        };
        let is_readable = format.is_read_from_its_beginning() || compression == Compression::Plain;
        is_readable.then_some((format, compression))
    }

    /// Returns whether it needs no second place: what is read from its end or all over, a packed file or a stream
    /// hides; it is packed inside anyway, or is not worth packing.
    pub(crate) fn is_read_from_its_beginning(self) -> bool {
        match self {
            // Files of Arrow are not, but a stream of Arrow is.
            Format::Csv | Format::Tsv | Format::Json | Format::Arrow => true,
            Format::Parquet | Format::Xlsx | Format::Ods | Format::Sqlite => false,
        }
    }

    /// Returns the format that a request says.
    pub(crate) fn said(format: DataFormat) -> Format {
        match format {
            DataFormat::Csv => Format::Csv,
            DataFormat::Tsv => Format::Tsv,
            DataFormat::Json => Format::Json,
            DataFormat::Parquet => Format::Parquet,
            DataFormat::Arrow => Format::Arrow,
            DataFormat::Xlsx => Format::Xlsx,
            DataFormat::Ods => Format::Ods,
            DataFormat::Sqlite => Format::Sqlite,
        }
    }

    /// Returns the name that a request has for it.
    pub(crate) fn name(self) -> DataFormat {
        match self {
            Format::Csv => DataFormat::Csv,
            Format::Tsv => DataFormat::Tsv,
            Format::Json => DataFormat::Json,
            Format::Parquet => DataFormat::Parquet,
            Format::Arrow => DataFormat::Arrow,
            Format::Xlsx => DataFormat::Xlsx,
            Format::Ods => DataFormat::Ods,
            Format::Sqlite => DataFormat::Sqlite,
        }
    }
}

/// Returns how to make a file readable whose ending is known for something that is not read.
pub(crate) fn how_to_read(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let ending = name.rsplit_once('.')?.1;
    Some(match ending {
        "xls" | "xlsb" | "numbers" => "open it and save it as .xlsx, or as CSV UTF-8",
        "fods" | "sxc" => "open it and save it as .ods, or as CSV UTF-8",
        "duckdb" => "in duckdb: COPY people TO 'people.parquet'",
        "sas7bdat" | "xpt" => "in R: arrow::write_parquet(haven::read_sas(\"people.sas7bdat\"), \"people.parquet\")",
        "dta" => "in Stata: export delimited people.csv; in R: haven::read_dta, then arrow::write_parquet",
        "sav" | "zsav" | "por" => "in SPSS: save as CSV UTF-8; in R: haven::read_sav, then arrow::write_parquet",
        "rds" | "rdata" | "rda" => "in R: arrow::write_parquet(readRDS(\"people.rds\"), \"people.parquet\")",
        "pkl" | "pickle" => "in Python: pandas.read_pickle(\"people.pkl\").to_parquet(\"people.parquet\")",
        "h5" | "hdf5" | "hdf" => "in Python: pandas.read_hdf(\"people.h5\").to_parquet(\"people.parquet\")",
        "mdb" | "accdb" => {
            "in Access: export the table as a text file with UTF-8; elsewhere: mdb-export people.mdb table"
        }
        "orc" | "avro" | "delta" => "write it as Parquet with the program that made it",
        "xml" | "html" | "htm" | "yaml" | "yml" | "sql" => "write it as CSV in UTF-8 with the program that made it",
        "pdf" | "doc" | "docx" | "odt" | "rtf" => "a text is no table: ask for the file that it was made of",
        "bz2" | "xz" | "7z" | "rar" | "tar" | "tgz" | "lz4" => {
            "unpack it; .gz, .zst and .zip with one file are read packed"
        }
        _ => return None,
    })
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
            ("a.csv.ZIP", Format::Csv, Compression::Zip),
            ("a.XLSX", Format::Xlsx, Compression::Plain),
            ("a.xlsm", Format::Xlsx, Compression::Plain),
            ("a.ods", Format::Ods, Compression::Plain),
            ("a.sqlite3", Format::Sqlite, Compression::Plain),
            ("a.db", Format::Sqlite, Compression::Plain),
        ];
        for (name, format, compression) in known {
            assert_eq!(Format::of_name(name, None), Some((format, compression)), "{name}");
        }
    }

    #[test]
    fn other_endings_are_not_known() {
        for name in
            ["a", "csv", "a.gz", "a.csv.bz2", "a.parquet.gz", "a.xlsx.gz", "a.db.zip", "a.zip", "a.csv ", "", "."]
        {
            assert_eq!(Format::of_name(name, None), None, "{name}");
        }
    }

    #[test]
    fn every_name_of_a_request_is_a_format_and_back() {
        for said in DataFormat::ALL {
            assert_eq!(Format::said(said).name(), said);
        }
    }

    #[test]
    fn what_is_read_needs_no_advice() {
        for name in
            ["a.csv", "a.tsv", "a.parquet", "a.json", "a.arrow", "a.xlsx", "a.ods", "a.db", "a.zip", "a.gz", "a"]
        {
            assert_eq!(how_to_read(name), None, "{name}");
        }
        for name in ["a.xls", "a.DUCKDB", "a.sas7bdat", "a.dta", "a.sav", "a.rds", "a.mdb", "a.pdf", "a.csv.bz2"] {
            assert!(how_to_read(name).is_some(), "{name}");
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
