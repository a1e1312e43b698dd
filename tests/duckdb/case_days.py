"""Cases about days: dates, weeks, months, time zones."""
from datetime import date

from case import Case, number, pick
from truth import Found, between, days, listed, periods

CASES = [
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
]
