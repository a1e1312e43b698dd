"""Days, periods and parts of moments, by Python's calendar and time zones: what every engine must find.

    python3 days.py        writes tables/moments.json, rows/parts.json, rows/days.json and rows/periods.json
"""
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

sys.dont_write_bytecode = True
from write import row_cases, table  # noqa: E402

# Leap days, changes of clocks, a day that Apia never had, a year of local mean time, ISO years that are not the year.
MOMENTS = [
    "2024-02-29T23:30:00", "2026-03-29T00:59:59", "2026-03-29T01:00:00", "2026-03-28T22:59:59", "2025-11-02T05:30:00", "2025-11-02T04:00:00",
    "2011-12-30T09:59:59", "2011-12-30T10:00:00", "1969-12-31T23:59:59", "1970-01-01T00:00:00", "1850-06-01T04:30:00", "2025-12-29T12:00:00",
    "2027-01-01T00:00:00", "2000-12-31T18:29:59", "2000-12-31T18:30:00", "2018-11-04T02:59:59", "0001-01-02T00:00:00", "9999-12-30T23:59:59", None,
]
ZONES = ["UTC", "Europe/Zurich", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "America/Sao_Paulo", "+05:30"]
# A bin cannot be cut to quarters, an expression can.
BIN_UNITS = ["day", "week", "month", "year"]
UNITS = BIN_UNITS + ["quarter"]
PARTS = {
    "year": lambda at: at.year, "quarter": lambda at: (at.month + 2) // 3, "month": lambda at: at.month, "week": lambda at: at.isocalendar()[1],
    "day": lambda at: at.day, "doy": lambda at: at.timetuple().tm_yday, "dow": lambda at: at.isoweekday() % 7, "isodow": lambda at: at.isoweekday(),
    "isoyear": lambda at: at.isocalendar()[0], "hour": lambda at: at.hour, "minute": lambda at: at.minute, "second": lambda at: at.second,
}


def moment(said):
    return said and datetime.fromisoformat(said).replace(tzinfo=timezone.utc)


def of(function, values):
    return [value and function(value) for value in values]


def zone(name):
    return timezone(timedelta(hours=5, minutes=30)) if name == "+05:30" else ZoneInfo(name)


def first(day, unit):
    """The first day of the period that a day is in."""
    if unit == "week":
        return day - timedelta(day.weekday())
    month = {"month": day.month, "quarter": (day.month - 1) // 3 * 3 + 1, "year": 1}
    return day.replace(month=month[unit], day=1) if unit in month else day


def main():
    moments = of(moment, MOMENTS)
    days = of(datetime.date, moments)
    rows = []
    for number, (said, at, day) in enumerate(zip(MOMENTS, moments, days), start=1):
        # What nanoseconds since 1970 cannot reach is missing there.
        near = said if at and 1700 < at.year < 2200 else None
        rows.append([number, day and str(day), said, said, said, near, near, near and f"{near}Z"])
    kinds = ["integer", "date", "timestamp(us)", "timestamp(s)", "timestamp(ms)", "timestamp(ns)", "timestamp(ms,Asia/Tokyo)", "text"]
    table("moments", zip(["row", "day", "at", "seconds", "milliseconds", "nanoseconds", "zoned", "said"], kinds), rows)
    near = [at if at and 1700 < at.year < 2200 else None for at in moments]

    parts = []
    for part, function in PARTS.items():
        values = of(function, moments)
        parts.append({"expression": f"date_part('{part}', at)", "type": "integer", "rows": values})
        if part not in ("hour", "minute", "second"):
            parts.append({"expression": f"extract({part} from day)", "type": "integer", "rows": of(function, days)})
    parts.append({"expression": "date_part('hour', seconds)", "type": "integer", "rows": of(PARTS["hour"], moments)})
    parts.append({"expression": "date_part('hour', said)", "type": "integer", "rows": of(PARTS["hour"], near)})
    for unit, kept in (("second", {}), ("minute", {"second": 0}), ("hour", {"second": 0, "minute": 0})):
        cut = of(lambda at: at.replace(**kept, tzinfo=None).isoformat(), moments)
        parts.append({"expression": f"date_trunc('{unit}', at)", "type": "timestamp(us)", "rows": cut})
    for unit in UNITS:
        for column, known in (("at", days), ("day", days), ("nanoseconds", of(datetime.date, near))):
            cut = of(lambda day: str(first(day, unit)), known)
            parts.append({"expression": f"date_trunc('{unit}', {column})", "type": "date", "rows": cut})
    row_cases("parts", "moments", parts)

    asked, periods = [], []
    for name in ZONES:
        known_of = {"at": moments, "seconds": moments, "milliseconds": moments, "nanoseconds": near, "zoned": near, "said": near}
        for column, known in known_of.items():
            local = of(lambda at: at.astimezone(zone(name)).date(), known)
            for unit in BIN_UNITS if column == "at" else ["day"]:
                asked.append({"bin": f'column = "{column}"\ntruncate = "{unit}"', "timezone": name, "type": "date",
                              "rows": of(lambda day: str(first(day, unit)), local)})
        local = of(lambda at: at.astimezone(zone(name)).date(), moments)
        edges = [date(1, 1, 2), date(1970, 1, 1), date(2011, 12, 31), date(2026, 3, 29), date(9999, 12, 31)]
        periods.append({"bin": 'column = "at"\nedges = [0001-01-02, 1970-01-01, 2011-12-31, 2026-03-29, 9999-12-31]\nother = true',
                        "timezone": name, "type": "integer", "rows": [between(edges, day) for day in local]})
        months = [date(2025, 11, 1), date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1)]
        four_days = [date(2011, 12, 29) + timedelta(number) for number in range(5)]
        for unit, low, high, starts in (("month", "2025-11-15", "2026-01-02", months), ("day", "2011-12-29", "2012-01-02", four_days)):
            periods.append({"bin": f'column = "at"\ntruncate = "{unit}"\nfrom = {low}\nto = {high}', "timezone": name, "type": "integer",
                            "rows": [code(starts, day) for day in local]})
    row_cases("days", "moments", asked)
    row_cases("periods", "moments", periods)


def between(edges, day):
    """The number of the interval; behind them are the others, then the missing ones."""
    if day is None:
        return len(edges)
    places = [place for place, (low, high) in enumerate(zip(edges, edges[1:])) if low <= day < high]
    return places[0] if places else len(edges) - 1


def code(starts, day):
    """The number of the period; behind them are the missing ones. A day in no period is in no bin: `[]`."""
    if day is None:
        return len(starts) - 1
    places = [place for place, (low, high) in enumerate(zip(starts, starts[1:])) if low <= day < high]
    return places[0] if places else []


if __name__ == "__main__":
    main()
