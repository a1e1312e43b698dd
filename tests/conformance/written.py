"""Texts in the dialects of the world, read by a regular expression and Python's `strptime`: what every engine must find.

    python3 written.py        writes tables/written.json and rows/written.json
"""
import re, sys
from datetime import datetime

sys.dont_write_bytecode = True
from write import row_cases, table  # noqa: E402

NUMBERS = [
    "94606,00", "94.606,00", "1.234.567", "1.234", "12.34", "1.5", "-1.234,5", "+7,25", "0,5", "0.123", "1234.567", "1,5e3", "1.2345", "1..234",
    "1 234,5", "1\u202f234\u00a0567", "1'234.50", "1,234.50", "-99", "NA", "-", "k. A.", "", " 7", "7 ", "7", "12,34,56", "1,234,567", "abc", None,
]
DAYS = [
    "18.11.2026", "1.2.2026", "31.02.2026", "29.02.2024", "11/18/26", "01/02/69", "01/02/68", "13/02/26", "18-Nov-2026", "18-nov-2026", "20261118",
    "2026111", "2026-11-18", "2026-02-30", "18.11.26", "18.11.2026 ", "18.11.02026", "NA", "-", "k. A.", "", "November 5, 2026", "november 15, 2026",
    "32.01.2026", "00.01.2026", "18.11.2026 23:05", "11/18/26 12:05 AM", "11/18/26 12:05 pm", "-99", None,
]
# What a request says, and the same in Python.
NUMBER_DIALECTS = [
    ({"decimal": ","}, ",", ""),
    ({"decimal": ",", "thousands": "."}, ",", "[.]"),
    ({"decimal": ",", "thousands": " "}, ",", "[ \u00a0\u202f\u2009]"),
    ({"thousands": ","}, "[.]", ","),
    ({"thousands": "'"}, "[.]", "'"),
    ({"decimal": ",", "thousands": ".", "missing": ["-99", "94606,00", "k. A."]}, ",", "[.]"),
]
DATE_DIALECTS = [
    ["%d.%m.%Y"],
    ["%m/%d/%y"],
    ["%d/%m/%y", "%m-%d-%Y"],
    ["%Y-%d-%m"],
    ["%d-%b-%Y", "%Y%m%d"],
    ["%B %d, %Y", "%d.%m.%y"],
]
MOMENT_DIALECTS = [["%d.%m.%Y %H:%M", "%m/%d/%y %I:%M %p"]]


def number(text, decimal, thousands):
    """The number that a text says, or nothing. Once there are groups, the first has no leading zero."""
    plain = rf"[0-9]+(?:{decimal}[0-9]*)?|{decimal}[0-9]+"
    groups = rf"[1-9][0-9]{{0,2}}(?:{thousands}[0-9]{{3}})+(?:{decimal}[0-9]*)?|" if thousands else ""
    if not re.fullmatch(rf"[-+]?(?:{groups}{plain})(?:[eE][-+]?[0-9]+)?", text):
        return None
    bare = re.sub(thousands, "", text) if thousands else text
    return float(re.sub(decimal, ".", bare))


def moment(text, ways):
    """The first way that fits; Python takes less digits where two numbers touch, and blanks, which no way does."""
    for way in ways:
        try:
            found = datetime.strptime(text, way)
        except ValueError:
            continue
        if "%Y%m" in way and len(text) != 8 or text != text.strip() or not re.search(r"\d{4}", text) and "%Y" in way:
            continue
        return found
    # Where years come first and days next, 2026-11-18 is no day of November.
    if "%Y-%d-%m" in ways:
        return None
    try:
        return datetime.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else None
    except ValueError:
        return None


def present(text, missing):
    return text not in (None, "", *missing)


def main():
    rows = list(zip(range(1, len(NUMBERS) + 1), NUMBERS, DAYS, strict=True))
    table("written", [("row", "integer"), ("number", "text"), ("day", "text")], [list(row) for row in rows])
    cases = []
    for dialect, decimal, thousands in NUMBER_DIALECTS:
        values = [number(text, decimal, thousands) if present(text, dialect.get("missing", [])) else None for text in NUMBERS]
        said = {"bin": 'column = "number"', "dialect": dialect, "types": {"number": "number"}, "type": "number"}
        cases.append({**said, "rows": [None if value is None else repr(value) for value in values]})
        # Whole numbers alone are integers.
        whole = [None if value is None or value != int(value) else int(value) for value in values]
        cases.append({**said, "types": {"number": "integer"}, "type": "integer", "rows": whole})
    for ways in DATE_DIALECTS:
        for missing in ([], ["2026-11-18", "18.11.2026"]):
            values = [moment(text, ways) if present(text, missing) else None for text in DAYS]
            dialect = {"dates": ways, **({"missing": missing} if missing else {})}
            said = {"bin": 'column = "day"', "dialect": dialect, "types": {"day": "date"}, "type": "date"}
            cases.append({**said, "rows": [value and str(value.date()) for value in values]})
    for ways in MOMENT_DIALECTS:
        values = [moment(text, ways) if present(text, []) else None for text in DAYS]
        said = {"expression": "date_part('hour', day)", "dialect": {"dates": ways}, "types": {"day": "timestamp"}, "type": "integer"}
        cases.append({**said, "rows": [value and value.hour for value in values]})
    # Texts that stand for nothing do so whatever a column is; all others stay what they are.
    missing = ["-", "NA", "k. A."]
    for column, texts in (("number", NUMBERS), ("day", DAYS)):
        said = {"bin": f'column = "{column}"', "dialect": {"decimal": ",", "dates": ["%d.%m.%Y"], "missing": missing}, "type": "text"}
        cases.append({**said, "rows": [text if present(text, missing) else None for text in texts]})
    row_cases("written", "written", cases)


if __name__ == "__main__":
    main()
