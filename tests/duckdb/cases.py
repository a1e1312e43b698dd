"""Writes small data files, requests, and the true counts by DuckDB: what every engine must count.

    python3 cases.py FOLDER [--only NAME] [--key NAME=HEX]        needs `pip install duckdb`

For each case: `NAME/request.toml`, `NAME/data.csv|parquet|ndjson`, `NAME/expected.csv`, `NAME/truth.sql`, and for all of them
`cases.json` (shape, bins, bounding key). `expected.csv` has the bins that somebody is in: `cell,count` where all bins are
declared (mixed radix, the last bin fastest; listed values first, then "other", then "missing"); else a column for each bin,
`key` (the canonical text, which tells a missing value from an empty text; declared bins as their numbers) and `count`.
"""
import argparse, csv, json, os, sys
from dataclasses import dataclass
from datetime import date

import duckdb

sys.dont_write_bytecode = True
from truth import Declared, Found, Person, between, bounding_key, counted, counting_sql, days, listed, periods, text  # noqa: E402


@dataclass
class Case:
    """One case: `rows` makes the data, `bins` and `where` say in DuckDB's SQL what the request says in incrowd's."""

    name: str
    format: str
    count: int
    rows: str
    request: str
    bins: list
    where: str = ""
    person: tuple = ()
    people: str = ""


# Texts that break careless readers. "NULL" and "N/A" are texts.
TEXTS = ["Zürich", "São Paulo", "a,b", 'say "hi"', "😀👩‍👩‍👧", "O'Brien", " leading", "trailing ", "NULL", "N/A", "x;y", "a\tb",
         "-", "'"]


def pick(values, salt):
    """SQL for one of the values, by row; nulls may be among them."""
    literals = ["NULL" if value is None else text(value) if isinstance(value, str) else str(value) for value in values]
    return f"[{', '.join(literals)}][1 + (mixed(i, {salt}) % {len(values)})::INTEGER]"


def number(most, salt):
    return f"(mixed(i, {salt}) % {most})::BIGINT"


def toml(values):
    return json.dumps(values, ensure_ascii=False)


def whole(column):
    """A text as a whole number, missing if it is not one: decimal digits with at most a sign."""
    return f"CASE WHEN regexp_full_match({column}, '-?[0-9]+') THEN TRY_CAST({column} AS BIGINT) END"


def not_nan(column):
    return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"


CASES = [
    Case(
        "texts-csv", "csv", 20_000,
        f"SELECT {pick(TEXTS + ['', None], 1)} AS city, {pick(['yes', 'no', 'Yes', None], 2)} AS answer",
        f"""
[[bins]]
name = "city"
column = "city"
values = {toml(TEXTS[:9])}
other = true
nulls = "bin"

[[bins]]
name = "answer"
column = "answer"
values = ["yes", "no"]
""",
        [listed("city", map(text, TEXTS[:9]), other=True, nulls=True), listed("answer", ["'yes'", "'no'"])],
    ),
    # On its own: a reader that splits files at line ends must not split these.
    Case(
        "newlines-csv", "csv", 5_000,
        f"SELECT {number(1000, 1)} AS id,"
        f" {pick(['one line', 'two' + chr(10) + 'lines', 'crlf' + chr(13) + chr(10) + 'line', 'plain'], 2)} AS note",
        """
[[bins]]
name = "note"
column = "note"
values = ["one line", "two\\nlines", "crlf\\r\\nline"]
other = true
""",
        [listed("note", ["'one line'", "'two' || chr(10) || 'lines'", "'crlf' || chr(13) || chr(10) || 'line'"], other=True)],
    ),
    Case(
        "texts-open-parquet", "parquet", 10_000,
        f"SELECT {pick(TEXTS + ['', None], 1)} AS city, {pick(['a', 'b', 'c', None], 2)} AS part",
        """
[[bins]]
name = "city"
column = "city"
nulls = "bin"

[[bins]]
name = "part"
column = "part"
values = ["a", "b"]
other = true
""",
        [Found("city", "t", nulls=True), listed("part", ["'a'", "'b'"], other=True)],
    ),
    # Edges beyond 2^53: as floating point numbers two of them would be equal.
    Case(
        "integers-parquet", "parquet", 10_000,
        "SELECT "
        + pick([0, 1, -1, 9007199254740992, 9007199254740993, 9007199254740994, 9223372036854775806, 9223372036854775807,
                -9223372036854775807, None], 1)
        + "::BIGINT AS big, "
        + pick([1, 2, 3, 2147483647, -2147483648, None], 2)
        + "::INTEGER AS small, (18446744073709551615 - mixed(i, 3) % 4)::UBIGINT AS positive",
        """
[[bins]]
name = "big"
column = "big"
edges = [-9223372036854775808, -1, 0, 1, 9007199254740993, 9223372036854775807]
other = true
nulls = "bin"

[[bins]]
name = "small"
column = "small"
values = [3, 1, -2147483648]
other = true
nulls = "bin"

[[bins]]
name = "positive"
column = "positive"
edges = [18446744073709551612, 18446744073709551614, 18446744073709551615]
other = true
""",
        [
            between("big::HUGEINT", ["(-9223372036854775808)::HUGEINT", "-1", "0", "1", "9007199254740993", "9223372036854775807"], True, True),
            listed("small", ["3", "1", "-2147483648"], True, True),
            between("positive::HUGEINT", ["18446744073709551612", "18446744073709551614", "18446744073709551615"], True),
        ],
    ),
    Case(
        "decimals-parquet", "parquet", 10_000,
        f"SELECT CASE WHEN mixed(i, 1) % 50 > 0 THEN ({number(40_000, 2)} - 10000)::DECIMAL(18,4) / 10000 END::DECIMAL(18,4) AS price,"
        f" ({number(140, 3)}::DECIMAL(9,2) / 100)::DECIMAL(9,2) AS share",
        """
[[bins]]
name = "price"
column = "price"
edges = [-0.3, 0.1, 0.3, 1, 2.5001]
other = true
nulls = "bin"

[[bins]]
name = "share"
column = "share"
from = 0
to = 1
width = 0.1
""",
        [
            between("price", ["-0.3", "0.1", "0.3", "1", "2.5001"], True, True),
            between("share", [f"{tenth / 10:.1f}" for tenth in range(11)]),
        ],
    ),
    # Edges that are floating point numbers; that 0.3 lies at the edge 3/10 is asked in `engine-datafusion/tests/counts/formats.rs`.
    Case(
        "doubles-parquet", "parquet", 10_000,
        "SELECT CASE mixed(i, 1) % 12 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN 'inf'::DOUBLE WHEN 2 THEN '-inf'::DOUBLE WHEN 3 THEN '-0.0'::DOUBLE "
        "WHEN 4 THEN 0.0 WHEN 5 THEN NULL WHEN 6 THEN 0.5 WHEN 7 THEN 5e-324 WHEN 8 THEN '-5e-324'::DOUBLE WHEN 9 THEN 1e300 "
        f"ELSE ({number(8000, 2)} - 2000) / 1024.0::DOUBLE END AS value, ({number(40, 3)} / 8.0)::FLOAT AS narrow",
        """
[[bins]]
name = "value"
column = "value"
edges = [-1, 0, 0.5, 4, 1e300]
other = true
nulls = "bin"

[[bins]]
name = "narrow"
column = "narrow"
from = 0
to = 4
width = 0.5
""",
        [
            between(not_nan("value"), ["-1::DOUBLE", "0::DOUBLE", "0.5::DOUBLE", "4::DOUBLE", "1e300::DOUBLE"], True, True),
            between("narrow::DOUBLE", [f"{half / 2}::DOUBLE" for half in range(9)]),
        ],
    ),
    Case(
        "doubles-open-parquet", "parquet", 5_000,
        "SELECT CASE mixed(i, 1) % 8 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN '-0.0'::DOUBLE WHEN 2 THEN 0.0 WHEN 3 THEN NULL WHEN 4 THEN 0.1 "
        "WHEN 5 THEN -1.5 WHEN 6 THEN 1e-310 ELSE 12345678.875 END AS value",
        """
[[bins]]
name = "value"
column = "value"
nulls = "bin"
""",
        [Found(f"CASE WHEN value = 0 THEN 0::DOUBLE ELSE {not_nan('value')} END", "f", nulls=True)],
    ),
    Case(
        "widths-csv", "csv", 10_000,
        f"SELECT CASE WHEN mixed(i, 1) % 20 > 0 THEN {number(140, 2)}::VARCHAR ELSE {pick(['N/A', '', '12x', None, '-3', '00017', '9999999999999999999999'], 3)} END AS age,"
        f" {pick(['1', '2', '3', 'three', '-7', None], 4)} AS level",
        """
[[bins]]
name = "age"
column = "age"
from = 0
to = 120
width = 10
other = true
nulls = "bin"

[[bins]]
name = "level"
column = "level"
values = [1, 2, -7]
other = true
nulls = "bin"
""",
        [
            between("TRY_CAST(age AS DOUBLE)", [str(edge) for edge in range(0, 121, 10)], True, True),
            listed(whole("level"), ["1", "2", "-7"], True, True),
        ],
    ),
    Case(
        "dates-parquet", "parquet", 10_000,
        f"SELECT CASE WHEN mixed(i, 1) % 30 > 0 THEN DATE '2019-12-01' + {number(500, 2)}::INTEGER END AS born,"
        f" {pick(['0001-01-01', '1969-12-31', '1970-01-01', '2020-02-29', '9999-12-31', None], 3)}::DATE AS known,"
        f" TIMESTAMP '2020-02-28 00:00:00' + to_seconds({number(400_000, 4)}) AS seen",
        """
[[bins]]
name = "born"
column = "born"
edges = [2020-01-01, 2020-02-29, 2020-03-01, 2021-01-01]
other = true
nulls = "bin"

[[bins]]
name = "known"
column = "known"
values = [2020-02-29, 1969-12-31, 0001-01-01]
other = true
nulls = "bin"

[[bins]]
name = "seen"
column = "seen"
edges = [2020-02-28, 2020-02-29, 2020-03-01]
other = true
""",
        [
            between("born", days(["2020-01-01", "2020-02-29", "2020-03-01", "2021-01-01"]), True, True),
            listed("known", days(["2020-02-29", "1969-12-31", "0001-01-01"]), True, True),
            between("seen", days(["2020-02-28", "2020-02-29", "2020-03-01"]), True),
        ],
    ),
    Case(
        "months-closed-parquet", "parquet", 10_000,
        f"SELECT CASE WHEN mixed(i, 1) % 30 > 0 THEN TIMESTAMP '2019-12-30 23:00:00' + to_seconds({number(60_000_000, 2)}) END AS seen",
        """
[[bins]]
name = "month"
column = "seen"
truncate = "month"
from = 2020-01-15
to = 2021-02-02
nulls = "bin"
""",
        [listed("date_trunc('month', seen)::DATE", days(periods("month", date(2020, 1, 15), date(2021, 2, 2))), nulls=True)],
    ),
    Case(
        "months-open-ndjson", "ndjson", 5_000,
        f"SELECT CASE WHEN mixed(i, 1) % 10 > 0 THEN (DATE '1969-06-15' + {number(900, 2)}::INTEGER)::VARCHAR ELSE {pick(['soon', None, '2020-02-30'], 3)} END AS day",
        """
[data.types]
day = "date"

[[bins]]
name = "month"
column = "day"
truncate = "month"
nulls = "bin"
""",
        [Found("date_trunc('month', TRY_CAST(day AS DATE))::DATE", "y", nulls=True)],
    ),
    Case(
        "weeks-csv", "csv", 10_000,
        f"SELECT strftime(TIMESTAMP '2020-12-20 00:00:00' + to_seconds({number(4_000_000, 1)}), '%Y-%m-%d %H:%M:%S') AS seen,"
        f" CASE WHEN mixed(i, 2) % 20 > 0 THEN (DATE '2020-12-20' + {number(40, 3)}::INTEGER)::VARCHAR ELSE 'never' END AS due",
        """
[data.types]
seen = "timestamp"
due = "date"

[[bins]]
name = "seen"
column = "seen"
truncate = "week"

[[bins]]
name = "due"
column = "due"
truncate = "week"
from = 2020-12-28
to = 2021-01-12
nulls = "bin"
""",
        [
            Found("date_trunc('week', TRY_CAST(seen AS TIMESTAMP))::DATE", "y"),
            listed("date_trunc('week', TRY_CAST(due AS DATE))::DATE", days(periods("week", date(2020, 12, 28), date(2021, 1, 12))), nulls=True),
        ],
    ),
    # Days of 23 and 25 hours.
    Case(
        "zones-parquet", "parquet", 10_000,
        f"SELECT (TIMESTAMP '2020-03-27 18:00:00' + to_seconds({number(300_000, 1)})) AT TIME ZONE 'UTC' AS seen",
        """
[[bins]]
name = "day"
column = "seen"
truncate = "day"
from = 2020-03-27
to = 2020-04-01
""",
        [listed("date_trunc('day', timezone('Europe/Berlin', seen))::DATE", days(periods("day", date(2020, 3, 27), date(2020, 4, 1))))],
    ),
    Case(
        "booleans-parquet", "parquet", 3_000,
        f"SELECT {pick(['true', 'false', None], 1)}::BOOLEAN AS active,"
        f" {pick(['true', 'false', 'true', None], 2)}::BOOLEAN AS paid",
        """
[[bins]]
name = "active"
column = "active"
values = [true, false]
nulls = "bin"

[[bins]]
name = "paid"
column = "paid"
values = [true]
other = true
""",
        [listed("active", ["true", "false"], nulls=True), listed("paid", ["true"], other=True)],
    ),
    Case(
        "booleans-ndjson", "ndjson", 3_000,
        f"SELECT {pick(['true', 'false', None], 1)}::BOOLEAN AS active,"
        f" {number(5, 2)} AS level,"
        f" {pick(['x', '', None], 3)} AS note",
        """
[data.types]
active = "boolean"
level = "integer"

[[bins]]
name = "active"
column = "active"
values = [false, true]
nulls = "bin"

[[bins]]
name = "level"
column = "level"
values = [4, 2, 0]

[[bins]]
name = "note"
column = "note"
values = ["", "x"]
nulls = "bin"
""",
        [listed("active", ["false", "true"], nulls=True), listed("level", ["4", "2", "0"]), listed("note", ["''", "'x'"], nulls=True)],
    ),
    Case(
        "where-typed-csv", "csv", 10_000,
        f"SELECT CASE WHEN mixed(i, 1) % 10 > 0 THEN {number(2000, 2)}::VARCHAR || '.5' ELSE 'N/A' END AS amount,"
        f" {pick(TEXTS + [None], 3)} AS city",
        """
where = "amount > 100 AND city <> 'O''Brien'"

[data.types]
amount = "number"

[[bins]]
name = "city"
column = "city"
""",
        [Found("city", "t")],
        where="TRY_CAST(amount AS DOUBLE) > 100 AND city <> 'O''Brien'",
    ),
    # A text beside a number is read as a number: as texts, "9" would be above "100".
    Case(
        "where-untyped-csv", "csv", 10_000,
        f"SELECT CASE WHEN mixed(i, 1) % 10 > 0 THEN {number(2000, 2)}::VARCHAR ELSE 'N/A' END AS amount,"
        f" {pick(['a', 'b', 'c'], 3)} AS city",
        """
where = "amount > 100"

[[bins]]
name = "city"
column = "city"
values = ["a", "b", "c"]
""",
        [listed("city", ["'a'", "'b'", "'c'"])],
        where=f"{whole('amount')} > 100",
    ),
    Case(
        "expression-parquet", "parquet", 10_000,
        f"SELECT {pick(['zürich', 'Zürich', 'ZÜRICH', 'genève', 'Genève', '😀', '', None], 1)} AS city,"
        f" {number(100, 2)}::INTEGER AS age,"
        f" {number(5, 3)}::INTEGER AS parts",
        """
where = "age >= 18 OR city IS NULL"

[[bins]]
name = "city"
expression = "upper(city)"
values = ["ZÜRICH", "GENÈVE"]
other = true
nulls = "bin"

[[bins]]
name = "share"
expression = "age / parts"
edges = [0, 10, 20, 100]
nulls = "bin"
""",
        # Both are integers: the quotient is cut, and missing where the divisor is 0.
        [listed("upper(city)", ["'ZÜRICH'", "'GENÈVE'"], True, True), between("age // nullif(parts, 0)", ["0", "10", "20", "100"], nulls=True)],
        where="age >= 18 OR city IS NULL",
    ),
    Case(
        "people-ndjson", "ndjson", 5_000,
        f"SELECT {pick(['a', 'b', 'c', None], 1)} AS part,"
        f" CASE mixed(i, 2) % 6 WHEN 0 THEN NULL WHEN 1 THEN -5 WHEN 2 THEN 0 WHEN 3 THEN 1000000000000 ELSE {number(50, 3)} END AS households",
        """
people = "households"

[[bins]]
name = "part"
column = "part"
values = ["a", "b"]
other = true
nulls = "bin"
""",
        [listed("part", ["'a'", "'b'"], True, True)],
        people="households",
    ),
    # Nobody is in "nobody": it is not a bin.
    Case(
        "people-open-parquet", "parquet", 5_000,
        f"SELECT {pick(['a', 'b', 'nobody'], 1)} AS part,"
        f" CASE WHEN part = 'nobody' THEN -1 WHEN mixed(i, 2) % 6 = 0 THEN NULL ELSE {number(50, 3)} END::INTEGER AS households",
        """
people = "households"

[[bins]]
name = "part"
column = "part"
""",
        [Found("part", "t")],
        people="households",
    ),
    Case(
        "person-one-closed-parquet", "parquet", 20_000,
        f"SELECT CASE WHEN mixed(i, 1) % 100 > 0 THEN {number(4000, 2)} - 500 END AS who,"
        f" {pick(['a', 'b', 'c', 'd', None], 3)} AS part,"
        f" {number(30, 4)}::INTEGER AS level",
        """
person = "who"
bins-per-person = 1
where = "level < 25"

[[bins]]
name = "part"
column = "part"
values = ["a", "b", "c"]
other = true

[[bins]]
name = "level"
column = "level"
edges = [0, 5, 10, 20]
""",
        [listed("part", ["'a'", "'b'", "'c'"], other=True), between("level", ["0", "5", "10", "20"])],
        where="level < 25", person=("who", "i", 1),
    ),
    Case(
        "person-three-closed-csv", "csv", 20_000,
        f"SELECT CASE WHEN mixed(i, 1) % 100 > 0 THEN {pick(TEXTS, 5)} || {number(200, 2)} ELSE '' END AS who,"
        f" {number(40, 3)}::VARCHAR AS level",
        """
person = "who"
bins-per-person = 3

[[bins]]
name = "level"
column = "level"
from = 0
to = 30
width = 2
other = true
""",
        [between("TRY_CAST(level AS DOUBLE)", [str(edge) for edge in range(0, 31, 2)], other=True)],
        person=("who", "t", 3),
    ),
    Case(
        "person-one-open-parquet", "parquet", 20_000,
        f"SELECT CASE WHEN mixed(i, 1) % 100 > 0 THEN {pick(TEXTS + [''], 5)} || CASE WHEN mixed(i, 6) % 9 > 0 THEN {number(300, 2)}::VARCHAR ELSE '' END END AS who,"
        f" {pick(TEXTS + ['', None], 3)} AS word",
        """
person = "who"

[[bins]]
name = "word"
column = "word"
nulls = "bin"
""",
        [Found("word", "t", nulls=True)],
        person=("who", "t", 1),
    ),
    Case(
        "person-three-open-ndjson", "ndjson", 20_000,
        f"SELECT CASE WHEN mixed(i, 1) % 50 > 0 THEN {number(3000, 2)} - 100 END AS who,"
        f" {pick(TEXTS + [None], 3)} AS word,"
        f" (DATE '2020-12-01' + {number(60, 4)}::INTEGER)::VARCHAR AS day,"
        f" {pick(['x', 'y', 'z'], 5)} AS part",
        """
person = "who"
bins-per-person = 3

[data.types]
who = "integer"
day = "date"

[[bins]]
name = "word"
column = "word"

[[bins]]
name = "week"
column = "day"
truncate = "week"

[[bins]]
name = "part"
column = "part"
values = ["x", "y"]
other = true
""",
        [Found("word", "t"), Found("date_trunc('week', TRY_CAST(day AS DATE))::DATE", "y"), listed("part", ["'x'", "'y'"], other=True)],
        person=("who", "i", 3),
    ),
]

# Keys of [data] that a case does not write itself.
TIMEZONES = {"zones-parquet": "Europe/Berlin"}


def request_text(case):
    found = any(not isinstance(known, Declared) for known in case.bins)
    zone = f'timezone = "{TIMEZONES[case.name]}"\n' if case.name in TIMEZONES else ""
    return (
        f'release = "histogram"\n\n[data]\nsource = "data.{case.format}"\n{zone}{case.request.lstrip() if starts_in_data(case) else case.request}\n'
        f'[promise]\nkind = "differential-privacy"\nepsilon = 1\n' + ('delta = "1e-6"\n' if found else "")
        + f'\n[ledger]\ndataset = "case-{case.name}"\n\n[output]\nfolder = "out"\n'
    )


def starts_in_data(case):
    return not case.request.lstrip().startswith("[")


def write_data(database, case, file):
    database.execute(f"CREATE OR REPLACE TABLE data AS SELECT * FROM ({case.rows}, i FROM range({case.count}) AS numbers(i)) ORDER BY i")
    database.execute("ALTER TABLE data DROP COLUMN i")
    if case.format == "parquet":
        # Several row groups, so that several threads have something to do.
        database.execute(f"COPY data TO {text(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    elif case.format == "csv":
        database.execute(f"COPY data TO {text(file)} (FORMAT csv, HEADER true)")
        # A column of a CSV file is text.
        database.execute("CREATE OR REPLACE TABLE data AS SELECT COLUMNS(*)::VARCHAR FROM data")
    else:
        names = [column[0] for column in database.execute("SELECT * FROM data LIMIT 0").description]
        with open(file, "w", encoding="utf-8") as lines:
            for at, row in enumerate(database.execute("SELECT * FROM data").fetchall()):
                # Every other missing value is left out altogether.
                kept = {name: value for name, value in zip(names, row) if value is not None or at % 2}
                lines.write(json.dumps(kept, ensure_ascii=at % 3 == 0) + "\n")
    # A CSV file cannot tell an empty text from a missing one: both are missing, in every format.
    texts = [name for name, kind, *_ in database.execute("DESCRIBE data").fetchall() if kind == "VARCHAR"]
    if texts:
        present = ", ".join(f"nullif(\"{name}\", '') AS \"{name}\"" for name in texts)
        database.execute(f"CREATE OR REPLACE TABLE data AS SELECT * REPLACE ({present}) FROM data")


def write_case(case, folder, key):
    os.makedirs(folder, exist_ok=True)
    database = duckdb.connect()
    database.execute("SET threads = 1; SET TimeZone = 'UTC'; CREATE MACRO mixed(row, salt) AS hash(row::BIGINT * 64 + salt)")
    write_data(database, case, os.path.join(folder, f"data.{case.format}"))
    request = request_text(case)
    key = (key or bounding_key(request)) if case.person else None
    person = Person(*case.person, key) if case.person else None
    sql = counting_sql("data", case.where, case.bins, person, case.people)
    headings, rows = counted(database, case.bins, sql)
    if not rows:
        raise SystemExit(f"error: {case.name} counts nobody")
    for name, content in (("request.toml", request), ("truth.sql", sql + "\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    with open(os.path.join(folder, "expected.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([headings, *rows])
    sizes = [known.size if isinstance(known, Declared) else None for known in case.bins]
    shape = "found" if None in sizes else "declared"
    print(f"{case.name}: {case.count} rows, {len(rows)} bins, {sum(row[-1] for row in rows)} counted")
    return {"name": case.name, "data": f"data.{case.format}", "shape": shape, "sizes": sizes, "bounding_key": key}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder")
    options.add_argument("--only", metavar="NAME")
    options.add_argument("--key", action="append", default=[], metavar="NAME=HEX", help="the bounding key of a case, instead of the computed one")
    given = options.parse_args()
    keys = dict(key.split("=", 1) for key in given.key)
    chosen = [case for case in CASES if given.only in (None, case.name)]
    written = [write_case(case, os.path.join(given.folder, case.name), keys.get(case.name)) for case in chosen]
    with open(os.path.join(given.folder, "cases.json"), "w") as file:
        json.dump(written, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
