"""Cases about values: texts, whole and other numbers, booleans, intervals of them."""
from case import Case, TEXTS, not_nan, number, pick, toml, whole
from truth import Found, between, listed, text

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
    # Edges that are floating point numbers; that 0.3 lies at the edge 3/10 is asked in `tests/conformance/edges.py`.
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
]
