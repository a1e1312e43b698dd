"""Dirty files, one fault each: the file, the request that somebody writes who does not know of it, and the way out.

Every expected count is counted here, from rows in memory, never from the file. `says` is what `incrowd check` must name before
the fix, and each line of `fix` must stand in what it prints. Read `run.py` for how a case is run.
"""

import csv
import json
from collections import Counter
from dataclasses import dataclass, field

import table
from table import by_department, by_salary, by_year, iso, people, plain, text

ROWS = people()

DEPARTMENT = ("department", 'values = ["Vertrieb", "Küche", "Forschung", "Zoll & Fracht"]')
SALARY = ("salary", "from = 0\nto = 200000\nwidth = 50000")
YEAR = ("hired", 'truncate = "year"\nfrom = 2018-01-01\nto = 2024-01-01')
NUMBER = 'salary = "number"'
DATE = 'hired = "date"'


@dataclass
class Case:
    """A file with a fault."""

    name: str
    make: object
    source: str
    bin: tuple
    expected: Counter
    says: list
    fix: list
    types: list = field(default_factory=list)
    data: list = field(default_factory=list)
    # Edits of the request beside new lines of [data]: what stands there, and what shall.
    edits: list = field(default_factory=list)
    # Repairs of the file itself, where no key helps.
    repair: object = None
    # What stays lost after the fix, as --most-lost says it; nothing for what is usual.
    most_lost: str = ""
    # Reads from standard input.
    stdin: bool = False
    # A release would go well by itself; what is wrong is told all the same.
    goes_well: bool = False


def written(name, content):
    """Writes a file of bytes, or of UTF-8 text."""

    def make(folder):
        content_bytes = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(content_bytes)

    return make


def german(number):
    whole, cents = number.split(".")
    return f"{int(whole):,}".replace(",", ".") + "," + cents


def spaced(number):
    whole, cents = number.split(".")
    return f"{int(whole):,}".replace(",", "\u00a0") + "," + cents


def swiss(number):
    whole, cents = number.split(".")
    return f"{int(whole):,}".replace(",", "'") + "." + cents


def with_salary(change):
    return [{**iso(row), "salary": change(row["salary"])} for row in ROWS]


def with_day(way):
    return [{**iso(row), "hired": way(number, row["hired"])} for number, row in enumerate(ROWS)]


FOUR = ["%d.%m.%Y", "%Y-%m-%d", "%m/%d/%Y", "%d-%b-%Y"]


def every(nth, value, column):
    """Every nth row has this value in this column."""
    return [{**iso(row), column: value if number % nth == 0 else iso(row)[column]} for number, row in enumerate(ROWS)]


def without(nth):
    return [row for number, row in enumerate(ROWS) if number % nth]


def ragged(line):
    lines = plain(ROWS).splitlines(keepends=True)
    for place in (100, 300, 500):
        lines[place] = line
    return "".join(lines)


def left_of_ragged():
    # Quoted line breaks do not occur, so line n of the file is row n - 1; the lines count from 0 with the header.
    return [row for number, row in enumerate(ROWS, 1) if number not in (100, 300, 500)]


def open_quote():
    lines = plain(ROWS, names=["id", "department", "salary", "hired"]).splitlines(keepends=True)
    lines[700] = lines[700].replace(",", ',"', 1)
    return "".join(lines)


def closed_later():
    """A quote too many, which only the quotes of a field three lines further on close, or a stray one at its end."""
    lines = plain(ROWS, names=["id", "department", "salary", "hired"]).splitlines(keepends=True)
    lines[700] = lines[700].replace(",", ',"', 1)
    number, _, rest = lines[703].partition(",")
    lines[703] = number + ',"' + rest.replace(",", '",', 1)
    return "".join(lines)


def closed_by_a_stray_quote(lines_between):
    lines = plain(ROWS, names=["id", "department", "salary", "hired"]).splitlines(keepends=True)
    first, last = 100, 101 + lines_between
    lines[first] = lines[first].replace(",", ',"', 1)
    number, department, rest = lines[last].split(",", 2)
    lines[last] = f'{number},{department}",{rest}'
    return "".join(lines)


CASES = [
    Case("semicolons", written("p.csv", plain(ROWS, delimiter=";")), "p.csv", DEPARTMENT, by_department(ROWS), ['the sign ";"'], ['delimiter = ";"']),
    Case("tabs", written("p.csv", plain(ROWS, delimiter="\t")), "p.csv", DEPARTMENT, by_department(ROWS), ["the sign"], ['delimiter = "tab"']),
    Case("pipes", written("p.txt", plain(ROWS, delimiter="|")), "p.txt", DEPARTMENT, by_department(ROWS), ["|"], ['delimiter = "|"']),
    Case(
        "commas in a tsv", written("p.tsv", plain(ROWS)), "p.tsv", DEPARTMENT, by_department(ROWS), ['the sign ","'], ['delimiter = ","'],
    ),
    Case("Latin-1", written("p.csv", plain(ROWS).encode("latin-1")), "p.csv", DEPARTMENT, by_department(ROWS), ["UTF-8"], ['encoding = "windows-1252"']),
    Case(
        "Windows-1252 and semicolons",
        written("p.csv", plain(ROWS, delimiter=";").replace("Teilzeit", "500 €").encode("cp1252")),
        "p.csv", DEPARTMENT, by_department(ROWS), ["UTF-8"], ['encoding = "windows-1252"', 'delimiter = ";"'],
    ),
    Case("UTF-16", written("p.csv", plain(ROWS).encode("utf-16")), "p.csv", DEPARTMENT, by_department(ROWS), ["UTF-16"], ['encoding = "utf-16"']),
    Case(
        "UTF-16 without a mark", written("p.csv", plain(ROWS).encode("utf-16-be")), "p.csv", DEPARTMENT, by_department(ROWS), ["UTF-16"], ['encoding = "utf-16be"'],
    ),
    Case(
        "decimal commas",
        written("p.csv", text(with_salary(lambda s: s.replace(".", ",")))),
        "p.csv", SALARY, by_salary(ROWS), ["salary", "decimal comma"], ['decimal = ","'], types=[NUMBER],
    ),
    Case(
        "points between thousands",
        written("p.csv", text(with_salary(german))),
        "p.csv", SALARY, by_salary(ROWS), ["salary"], ['decimal = ","', 'thousands = "."'], types=[NUMBER],
    ),
    Case(
        "blanks between thousands",
        written("p.csv", text(with_salary(spaced))),
        "p.csv", SALARY, by_salary(ROWS), ["salary"], ['decimal = ","', 'thousands = " "'], types=[NUMBER],
    ),
    Case(
        "apostrophes between thousands",
        written("p.csv", text(with_salary(swiss))),
        "p.csv", SALARY, by_salary(ROWS), ["salary"], ['thousands = "\'"'], types=[NUMBER],
    ),
    Case(
        "a second way to write days",
        written("p.csv", text(with_day(lambda n, day: day.strftime("%d.%m.%Y") if n % 4 else day.isoformat()))),
        "p.csv", YEAR, by_year(ROWS), ["hired"], ['dates = ["%d.%m.%Y"]'], types=[DATE],
    ),
    Case(
        "four ways to write days",
        written("p.csv", text(with_day(lambda n, day: day.strftime(FOUR[n % 4])))),
        "p.csv", YEAR, by_year(ROWS), ["hired"], ['dates = ["%d.%m.%Y", "%m/%d/%Y", "%d-%b-%Y"]'], types=[DATE],
    ),
    Case(
        "American days",
        written("p.csv", text(with_day(lambda n, day: day.strftime("%m/%d/%Y")))),
        "p.csv", YEAR, by_year(ROWS), ["hired"], ['dates = ["%m/%d/%Y"]'], types=[DATE],
    ),
    Case(
        "years of two digits",
        written("p.csv", text(with_day(lambda n, day: day.strftime("%d.%m.%y")))),
        "p.csv", YEAR, by_year(ROWS), ["hired"], ['dates = ["%d.%m.%y"]'], types=[DATE],
    ),
    Case(
        "NA among numbers",
        written("p.csv", text(every(8, "NA", "salary"))),
        "p.csv", SALARY, by_salary(without(8)), ["NA"], ['missing = ["NA"]'], types=[NUMBER], most_lost="15%",
    ),
    Case(
        "NULL among found bins",
        written("p.csv", text(every(8, "NULL", "department"))),
        "p.csv", ("department", ""), by_department(without(8)), ["NULL"], ['missing = ["NULL"]'], most_lost="15%", goes_well=True,
    ),
    Case(
        "no names on top",
        written("p.csv", plain(ROWS, header=False)),
        "p.csv", DEPARTMENT, by_department(ROWS), ["first line"], ["header = false"],
        edits=[('column = "department"', 'column = "column2"')],
    ),
    Case(
        "too many fields",
        written("p.csv", ragged("9,Vertrieb,1.00,2020-01-01,x,y,z\n")),
        "p.csv", DEPARTMENT, by_department(left_of_ragged()), ["line 101", "7 fields"], ['on-bad-row = "skip"'],
    ),
    Case(
        "too few fields",
        written("p.csv", ragged("9,Vertrieb\n")),
        "p.csv", DEPARTMENT, by_department(left_of_ragged()), ["line 101", "2 fields"], ['on-bad-row = "skip"'],
    ),
    Case(
        "an open quote", written("p.csv", open_quote()), "p.csv", SALARY, by_salary(ROWS), ["line 701", "quote"], ['quote = "none"'], types=[NUMBER],
    ),
    Case(
        "a quote that only a later quote closes", written("p.csv", closed_later()), "p.csv", SALARY, by_salary(ROWS),
        ["line 701", "only another quote closes, on line 704", "4 lines are read as one field", "close the quote in the file"], ['quote = "none"'],
        types=[NUMBER],
    ),
    Case(
        "rows between two stray quotes", written("p.csv", closed_by_a_stray_quote(2)), "p.csv", SALARY, by_salary(ROWS),
        ["line 101: the field ends on line 104", "3 rows are not counted"], ['quote = "none"'], types=[NUMBER], goes_well=True,
    ),
    Case(
        "many rows between two stray quotes", written("p.csv", closed_by_a_stray_quote(200)), "p.csv", SALARY, by_salary(ROWS),
        ["line 101: the field ends on line 302", "201 rows are not counted", "which stand between quotes as if they were text"], ['quote = "none"'],
        types=[NUMBER],
    ),
    Case(
        "titles with commas",
        written("p.csv", "Personal, Stand 1. Mai, intern\n" + plain(ROWS)),
        "p.csv", DEPARTMENT, by_department(ROWS), ["looks like a title"], ["skip-lines = 1"],
    ),
    Case(
        "single quotes",
        written("p.csv", plain([{**row, "note": row["note"].replace("'", "").replace('"', "")} for row in ROWS], quotechar="'", quoting=csv.QUOTE_ALL)),
        "p.csv", DEPARTMENT, by_department(ROWS), ["quote"], ["quote = \"'\""],
    ),
    Case(
        "blanks around values",
        written("p.csv", text(every(3, " Vertrieb ", "department"))),
        "p.csv", DEPARTMENT,
        Counter(("Vertrieb" if number % 3 == 0 else row["department"],) for number, row in enumerate(ROWS)),
        ["in no bin"], ["trim(department)"], edits=[('column = "department"', 'expression = "trim(department)"')],
    ),
    Case(
        "capital letters",
        written("p.csv", text([{**iso(row), "department": row["department"].upper()} for row in ROWS])),
        "p.csv", ("department", 'values = ["vertrieb", "küche", "forschung", "zoll & fracht"]'),
        Counter((row["department"].lower(),) for row in ROWS),
        ["Values in none of the listed bins"], ["lower(trim(department))"], edits=[('column = "department"', 'expression = "lower(trim(department))"')],
    ),
    Case(
        "a value that nobody listed",
        written("p.csv", text(every(5, "Lager", "department"))),
        "p.csv", DEPARTMENT,
        Counter(("other" if number % 5 == 0 else row["department"],) for number, row in enumerate(ROWS)),
        ["in no bin"], ["other = true"], edits=[("values =", "other = true\nvalues =")],
    ),
    Case(
        "days outside of the periods",
        written("p.csv", plain(ROWS)),
        "p.csv", ("hired", 'truncate = "year"\nfrom = 2020-01-01\nto = 2024-01-01'), by_year(ROWS), ["period"], [],
        types=[DATE], edits=[("from = 2020-01-01", "from = 2018-01-01")],
    ),
    Case(
        "people in more bins than are counted",
        written("p.csv", text([{**iso(row), "id": str(1000 + number // 2)} for number, row in enumerate(ROWS)])),
        "p.csv", DEPARTMENT, Counter((row["department"],) for row in ROWS), ["600 are counted (50 %)", "bins-per-person = 1"], [],
        data=['person = "id"'], edits=[('person = "id"', 'person = "id"\nbins-per-person = 2')], goes_well=True,
    ),
    Case(
        "a workbook with decimal commas as text",
        lambda folder: table.write_xlsx(folder / "p.xlsx", [("Blatt 1", [table.NAMES] + [list(row.values()) for row in with_salary(lambda s: s.replace(".", ","))])]),
        "p.xlsx", SALARY, by_salary(ROWS), ["salary", "decimal comma"], ['decimal = ","'], types=[NUMBER],
    ),
    Case(
        "the second sheet",
        lambda folder: table.write_xlsx(folder / "p.xlsx", [("Deckblatt", [["Bericht"], ["2026"]]), ("Daten", [table.NAMES] + [[int(r["id"]), r["department"], float(r["salary"]), r["hired"].isoformat(), r["note"]] for r in ROWS])]),
        "p.xlsx", SALARY, by_salary(ROWS), ["sheet"], ['sheet = "Daten"'], types=[NUMBER],
    ),
    Case(
        "a database with two tables",
        lambda folder: table.write_sqlite(folder / "p.sqlite", [("staff", ROWS), ("former", ROWS[:10])]),
        "p.sqlite", SALARY, by_salary(ROWS), ["table", "staff", "former"], ['table = "staff"'], types=[NUMBER],
    ),
    Case(
        "objects with decimal commas",
        written("p.ndjson", "".join(json.dumps(row) + "\n" for row in with_salary(lambda s: s.replace(".", ",")))),
        "p.ndjson", SALARY, by_salary(ROWS), ["salary", "decimal comma"], ['decimal = ","'], types=[NUMBER],
    ),
    Case(
        "standard input without a format",
        written("p.csv", plain(ROWS)),
        "-", DEPARTMENT, by_department(ROWS), ["format"], ['format = "csv"'], stdin=True,
    ),
    Case(
        "two files in a zip",
        lambda folder: table.write_zip(folder / "p.zip", [("a.csv", plain(ROWS)), ("readme.txt", "hello")]),
        "p.zip", DEPARTMENT, by_department(ROWS), ["2 files"], [],
        repair=lambda folder: table.write_zip(folder / "p.zip", [("a.csv", plain(ROWS))]),
    ),
    Case(
        "a packed file that ends too early",
        written("p.csv.gz", table.packed(plain(ROWS).encode())[:-2000]),
        "p.csv.gz", DEPARTMENT, by_department(ROWS), ["cannot be read"], [],
        repair=written("p.csv.gz", table.packed(plain(ROWS).encode())),
    ),
]
