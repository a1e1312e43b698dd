"""Cases about who is counted: conditions, expressions, rows of several people, persons with several rows."""
from case import Case, TEXTS, number, pick, whole
from truth import Found, between, listed

CASES = [
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
