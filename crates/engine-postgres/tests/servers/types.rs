//! Every type of the server: what it is here, counted there as of rows that it sends.

use crate::stored::asked;
use crate::{Tool, Watched, question_of};
use incrowd_conformance::{CountsByKey, counted_of, difference};
use incrowd_engine::{Engine, Participants, Query};
use incrowd_engine_postgres::Pushing;

/// A table with a column of each type, and words that are the same in some collations.
fn table(tool: &Tool) -> String {
    tool.run(
        "DROP SCHEMA IF EXISTS kinds CASCADE; CREATE SCHEMA kinds; SET search_path = kinds, public; \
         CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public; \
         CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level2', deterministic = false); \
         CREATE TYPE mood AS ENUM ('well', 'Ill'); CREATE DOMAIN money_of_people AS numeric(9,2); \
         CREATE DOMAIN word AS text; \
         CREATE TABLE kinds.all (tiny int2, small int4, large int8, half real, whole float8, free numeric, \
           fixed numeric(8,3), odd numeric(50,2), padded char(5), long varchar(20), one \"char\", named name, id uuid, \
           feeling mood, any_case citext, sum money_of_people, word word, alike text COLLATE alike, truth bool, day date, \
           moment timestamp, zoned timestamptz, bytes bytea, document jsonb, many int4[]); \
         INSERT INTO kinds.all VALUES \
           (1, 1, 1, 0.1, 0.1, 1.50, 1.5, 1.5, 'ab', 'ab', 'a', 'ab', '00000000-0000-0000-0000-00000000000A', 'well', \
            'Ab', 1.5, 'ab', 'ab', true, '2026-01-31', '2026-01-31 23:59:59.999999', '2026-01-31 23:30:00-05', '\\x00', \
            '{}', '{1}'), \
           (-1, -1, -1, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'ab ', 'ab ', '', '', NULL, 'Ill', 'aB', 'NaN', '', 'AB', \
            false, 'infinity', 'infinity', 'infinity', NULL, NULL, NULL), \
           (32767, 2147483647, 9223372036854775807, 'Infinity', '-Infinity', 1e30, 99999.999, 1, 'AB', '', 'b', 'é', \
            '00000000-0000-0000-0000-00000000000a', NULL, 'ab', -0.01, ' ab', 'á', NULL, '-infinity', '-infinity', \
            '-infinity', NULL, NULL, NULL), \
           (0, 0, 0, -0.0, -0.0, 0.0, 0, 0, '', 'Ab', NULL, 'z', NULL, NULL, 'é', 0, 'Ab', 'a', NULL, '0044-03-15 BC', \
            '0044-03-15 BC', '294276-12-31 23:59:59', NULL, NULL, NULL), \
           (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
            NULL, '5874897-12-31', '294246-12-31', '4713-01-01 BC', NULL, NULL, NULL)",
    );
    "kinds.all".into()
}

fn found(column: &str) -> Query {
    question_of(&format!("[[bins]]\nname = \"bin\"\ncolumn = \"{column}\"\nnulls = \"bin\"\n"))
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn every_type_is_the_same_whether_it_is_counted_there_or_sent() {
    let table = table(&Tool::new());
    let (there, here) = (Watched::new(Pushing::WhereItIsTheSame), Watched::new(Pushing::Never));
    let counted = |engine: &Watched, column: &str| -> CountsByKey {
        counted_of(engine, &asked(&found(column), table.clone()), Participants::Everybody)
    };
    for column in [
        "tiny", "small", "large", "half", "whole", "free", "fixed", "odd", "padded", "long", "one", "named", "id",
        "feeling", "any_case", "sum", "word", "alike", "truth", "day", "moment", "zoned",
    ] {
        let pushed = there.pushed();
        let (of_server, of_rows) = (counted(&there, column), counted(&here, column));
        assert_eq!(difference(&of_server, &of_rows), None, "{column}");
        assert_eq!(there.pushed() > pushed, column != "half", "{column}");
        assert_eq!(of_rows.values().sum::<u64>(), 5, "{column}");
    }
    let keys = |column: &str| counted(&there, column).into_keys().collect::<Vec<_>>();
    assert_eq!(keys("padded"), ["n0:", "t2:AB", "t2:ab"], "blanks that only fill up are none");
    assert_eq!(keys("long"), ["n0:", "t2:Ab", "t2:ab", "t3:ab "], "other blanks are");
    assert_eq!(keys("any_case"), ["n0:", "t2:Ab", "t2:aB", "t2:ab", "t2:é"], "letter for letter");
    assert_eq!(keys("alike"), ["n0:", "t1:a", "t2:AB", "t2:ab", "t2:á"], "whatever the collation calls equal");
    assert_eq!(keys("free"), ["n0:", "t31:1000000000000000000000000000000", "t3:0.0", "t3:NaN", "t4:1.50"]);
    assert_eq!(keys("day").len(), 4, "infinite days are missing: {:?}", keys("day"));
    assert_eq!(keys("zoned").len(), 3, "moments that 64 bits do not hold are missing: {:?}", keys("zoned"));
    assert_eq!(keys("id").len(), 2, "one number, however it was written");
}

#[test]
#[ignore = "needs a PostgreSQL server"]
fn a_type_that_is_not_read_is_refused_by_its_name() {
    let table = table(&Tool::new());
    for (column, kind) in [("bytes", "bytea"), ("document", "jsonb"), ("many", "_int4")] {
        let refused = Watched::new(Pushing::WhereItIsTheSame).prepare(&asked(&found(column), table.clone()));
        let refused = refused.err().expect("refused");
        assert_eq!(
            refused.to_string(),
            format!("column {column:?} is of the PostgreSQL type {kind}, which is not read")
        );
        assert!(refused.hint().starts_with("make a view"), "{}", refused.hint());
    }
}
