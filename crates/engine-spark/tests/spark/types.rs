//! Columns of every type that Spark has: what they count as, in the cluster and of delivered rows.

use crate::server::{address, engine_that};
use crate::statements::{asked, run};
use incrowd_conformance::{CountsByKey, counted_of};
use incrowd_engine::{CountedWhere, Engine, Participants};
use incrowd_engine_spark::Pushing;

/// A table with a column of each type, four rows.
fn make() {
    run("drop table if exists kinds");
    run("create table kinds (row bigint, tiny tinyint, small smallint, whole int, single float, double double, \
         money decimal(7, 2), yes boolean, day date, moment timestamp, local timestamp_ntz, fixed char(5), \
         short varchar(5), folded string collate UNICODE_CI, bytes binary, list array<int>, \
         span interval day to second) using parquet");
    run("insert into kinds values \
         (1, 1, 1, 1, cast(0.1 as float), 0.1d, 0.10, true, date'2026-03-29', timestamp'2026-03-29 00:30:00+00:00', \
          timestamp_ntz'2026-03-29 23:59:59', 'ab', 'ab', 'a', X'41', array(1), interval '1 00:00:00' day to second), \
         (2, -128, -32768, -2147483648, cast(0.7 as float), 0.7d, 0.70, false, date'0001-01-01', \
          timestamp'1969-12-31 23:59:59.999999+00:00', timestamp_ntz'0001-01-01 00:00:00', 'ab   ', 'ab ', 'A', X'', \
          array(), interval '2 00:00:00' day to second), \
         (3, 127, 32767, 2147483647, cast('NaN' as float), double('NaN'), -99999.99, null, date'9999-12-31', \
          timestamp'9999-12-31 23:59:59+00:00', timestamp_ntz'9999-12-31 23:59:59', '', '', '', null, null, null), \
         (4, null, null, null, cast('-0.0' as float), double('-0.0'), null, null, null, null, null, null, null, 'á', \
          null, null, null)");
}

fn counted(pushing: Pushing, bins: &str) -> (CountsByKey, bool) {
    let query =
        asked(&format!("source = \"{}\"\ntable = \"kinds\"", address()), &format!("[[bins]]\nname = \"bin\"\n{bins}"));
    let engine = engine_that(pushing);
    let prepared = engine.prepare(&query).unwrap_or_else(|error| panic!("{bins}: {error}"));
    let is_pushed = prepared.counted_where() == CountedWhere::AtTheSource;
    (counted_of(&engine, &query, Participants::Everybody), is_pushed)
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn columns_of_every_type_count_alike_in_the_cluster_and_here() {
    make();
    let cells = |found: &[(u64, u64)]| -> CountsByKey {
        found.iter().map(|(cell, count)| (format!("c{}:{cell}", cell.to_string().len()), *count)).collect()
    };
    let keys = |found: &[(&str, u64)]| -> CountsByKey {
        found.iter().map(|(key, count)| ((*key).to_owned(), *count)).collect()
    };
    let in_the_cluster = true;
    for (bins, expected, pushed) in [
        (
            "column = \"tiny\"\nedges = [-128, 0, 127, 128]\nnulls = \"bin\"",
            cells(&[(0, 1), (1, 1), (2, 1), (3, 1)]),
            in_the_cluster,
        ),
        ("column = \"small\"\nedges = [-32768, 0, 32768]", cells(&[(0, 1), (1, 2)]), in_the_cluster),
        (
            "column = \"whole\"\nvalues = [-2147483648, 2147483647]\nother = true",
            cells(&[(0, 1), (1, 1), (2, 1)]),
            in_the_cluster,
        ),
        // A float of 32 bits stands for its shortest decimal; minus zero is zero, and NaN is missing.
        (
            "column = \"single\"\nedges = [\"0\", \"0.1\", \"0.7\", \"1\"]\nnulls = \"bin\"",
            cells(&[(0, 1), (1, 1), (2, 1), (3, 1)]),
            false,
        ),
        (
            "column = \"double\"\nedges = [\"0\", \"0.1\", \"0.7\", \"1\"]\nnulls = \"bin\"",
            cells(&[(0, 1), (1, 1), (2, 1), (3, 1)]),
            in_the_cluster,
        ),
        (
            "column = \"money\"\nedges = [-100000, \"0.1\", \"0.7\", \"0.705\"]",
            cells(&[(0, 1), (1, 1), (2, 1)]),
            in_the_cluster,
        ),
        ("column = \"yes\"\nvalues = [false, true]\nnulls = \"bin\"", cells(&[(0, 1), (1, 1), (2, 2)]), in_the_cluster),
        (
            "column = \"day\"\nvalues = [2026-03-29]\nother = true\nnulls = \"bin\"",
            cells(&[(0, 1), (1, 2), (2, 1)]),
            in_the_cluster,
        ),
        (
            "column = \"moment\"\nvalues = [1969-12-31, 2026-03-29]\nother = true",
            cells(&[(0, 1), (1, 1), (2, 1)]),
            in_the_cluster,
        ),
        (
            "column = \"local\"\nvalues = [0001-01-01, 2026-03-29]\nother = true",
            cells(&[(0, 1), (1, 1), (2, 1)]),
            in_the_cluster,
        ),
        // Filled with blanks to its length, as Spark gives it.
        ("column = \"fixed\"\nvalues = [\"ab   \", \"ab\", \"     \"]", cells(&[(0, 2), (2, 1)]), in_the_cluster),
        (
            "column = \"short\"\nvalues = [\"ab\", \"ab \"]\nnulls = \"bin\"",
            cells(&[(0, 1), (1, 1), (2, 2)]),
            in_the_cluster,
        ),
        // By bytes, whatever its collation; an empty text is missing.
        (
            "column = \"folded\"\nnulls = \"bin\"",
            keys(&[("t1:a", 1), ("t1:A", 1), ("n0:", 1), ("t2:á", 1)]),
            in_the_cluster,
        ),
        ("column = \"folded\"\nvalues = [\"A\"]\nother = true", cells(&[(0, 1), (1, 2)]), in_the_cluster),
        ("expression = \"folded = 'a'\"\nvalues = [true]\nother = true", cells(&[(0, 1), (1, 2)]), in_the_cluster),
    ] {
        let (found, is_pushed) = counted(Pushing::WhereItIsTheSame, bins);
        assert_eq!((&found, is_pushed), (&expected, pushed), "{bins}");
        assert_eq!(counted(Pushing::Never, bins).0, expected, "{bins}, delivered");
    }
}

#[test]
#[ignore = "needs a Spark server: tests/spark/server"]
fn columns_without_values_for_bins_are_refused_by_their_type() {
    make();
    for (column, said) in [("list", "a nested type"), ("span", "a length of time"), ("bytes", "binary")] {
        let query = asked(
            &format!("source = \"{}\"\ntable = \"kinds\"", address()),
            &format!("[[bins]]\nname = \"bin\"\ncolumn = \"{column}\""),
        );
        let error = engine_that(Pushing::WhereItIsTheSame).prepare(&query).err().expect(column);
        assert!(error.to_string().contains(said), "{column}: {error}");
    }
}
