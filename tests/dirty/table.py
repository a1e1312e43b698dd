"""One made-up table of people, and ways to write it down: dialects, workbooks, databases, folders.

Only the standard library writes here, so that no reader of incrowd's meets its own writer; Parquet and Arrow files, which it
cannot write, come from DuckDB and Polars. Read `cases.py` for what is wrong with each file.
"""

import csv
import gzip
import io
import random
import sqlite3
import zipfile
from collections import Counter
from datetime import date, timedelta
from xml.sax.saxutils import escape

DEPARTMENTS = ["Vertrieb", "Küche", "Forschung", "Zoll & Fracht"]
NAMES = ["id", "department", "salary", "hired", "note"]
NOTES = ["", "Teilzeit", "sagt \"ja\"", "Büro; 2. Stock", "a,b", "O'Neil"]


def people(count=1200):
    """The rows of the table: the same in every run, no cell of any test smaller than 20."""
    rng = random.Random(14)
    first = date(2018, 1, 1)
    return [
        {
            "id": str(1000 + number),
            "department": DEPARTMENTS[number % 4],
            "salary": f"{rng.randrange(0, 20_000_000) / 100:.2f}",
            "hired": first + timedelta(days=rng.randrange(0, 6 * 365)),
            "note": rng.choice(NOTES),
        }
        for number in range(count)
    ]


def by_department(rows):
    return Counter((row["department"],) for row in rows)


def band(salary):
    low = int(float(salary) // 50_000) * 50_000
    return f"[{low}, {low + 50_000})"


def by_salary(rows):
    return Counter((band(row["salary"]),) for row in rows)


def by_year(rows):
    return Counter((str(row["hired"].year),) for row in rows)


def iso(row):
    return {**row, "hired": row["hired"].isoformat()}


def text(rows, delimiter=",", quotechar='"', quoting=csv.QUOTE_MINIMAL, header=True, names=NAMES):
    """The rows as CSV text; each value must be a text by now."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quotechar=quotechar, quoting=quoting, lineterminator="\n")
    if header:
        writer.writerow(names)
    for row in rows:
        writer.writerow([row[name] for name in names])
    return out.getvalue()


def plain(rows, **how):
    return text([iso(row) for row in rows], **how)


def cell(value, place):
    """A cell of a sheet: a number if the value is one, else a text."""
    if isinstance(value, (int, float)):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>' if value else ""


def column_name(index):
    return chr(ord("A") + index)


def sheet(rows):
    lines = []
    for number, row in enumerate(rows, 1):
        cells = "".join(cell(value, f"{column_name(index)}{number}") for index, value in enumerate(row))
        lines.append(f'<row r="{number}">{cells}</row>')
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{space}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def write_xlsx(path, sheets):
    """A workbook with these sheets, each a name and its rows."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        kinds = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        book.writestr(
            "[Content_Types].xml",
            f'<?xml version="1.0"?><Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{kinds}</Types>',
        )
        book.writestr(
            "_rels/.rels",
            f'<?xml version="1.0"?><Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        listed = "".join(f'<sheet name="{escape(name)}" sheetId="{n}" r:id="r{n}"/>' for n, (name, _) in enumerate(sheets, 1))
        book.writestr(
            "xl/workbook.xml",
            f'<?xml version="1.0"?><workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{listed}</sheets></workbook>',
        )
        linked = "".join(
            f'<Relationship Id="r{n}" Type="{relations}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in range(1, len(sheets) + 1)
        )
        book.writestr("xl/_rels/workbook.xml.rels", f'<?xml version="1.0"?><Relationships xmlns="{package}/relationships">{linked}</Relationships>')
        for n, (_, rows) in enumerate(sheets, 1):
            book.writestr(f"xl/worksheets/sheet{n}.xml", sheet(rows))


def write_sqlite(path, tables):
    """A database with these tables, each a name and its rows; salaries are numbers there."""
    with sqlite3.connect(path) as database:
        for name, rows in tables:
            database.execute(f'CREATE TABLE "{name}" (id INTEGER, department TEXT, salary REAL, hired TEXT, note TEXT)')
            database.executemany(
                f'INSERT INTO "{name}" VALUES (?, ?, ?, ?, ?)',
                [(int(r["id"]), r["department"], float(r["salary"]), r["hired"].isoformat(), r["note"] or None) for r in rows],
            )
    database.close()


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, content in files:
            folder.writestr(name, content)


def packed(content):
    return gzip.compress(content)
