"""How tables, cases of rows and cases of counts are written down, and the canonical text of keys.

A table has a type for each column: text, integer, unsigned, number, decimal(precision,scale), boolean, date,
timestamp(s|ms|us|ns[,zone]). Numbers and decimals are texts, so that no reader of JSON rounds them; days and moments are texts in
UTC, or days and units since 1970.
"""
import csv, json, os, struct, sys
from datetime import date, datetime, timezone

# The folder that is written: this one, or another to compare with it.
FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def table(name, columns, rows):
    """Writes a table: pairs of name and type, then rows."""
    content = {"columns": [list(column) for column in columns]}
    listed(os.path.join(FOLDER, "tables", f"{name}.json"), content, "rows", rows)


def row_cases(name, of_table, cases):
    """Writes what is asked of each row of a table, and what it gives."""
    listed(os.path.join(FOLDER, "rows", f"{name}.json"), {"table": of_table}, "cases", cases)


def listed(path, content, name, items):
    """Writes an object whose last field is a list, with a line for each item."""
    head = "".join(f'  "{key}": {text(value)},\n' for key, value in content.items())
    lines = ",\n".join(f"    {text(item)}" for item in items)
    with open_to_write(path) as file:
        file.write(f'{{\n{head}  "{name}": [\n{lines}\n  ]\n}}\n')


def open_to_write(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return open(path, "w", newline="", encoding="utf-8")


def text(value):
    return json.dumps(value, ensure_ascii=False)


def counts(folder, expected):
    """Writes counts by key; cells are the numbers of declared bins."""
    heading = "cell" if all(isinstance(key, int) for key in expected) else "key"
    with open_to_write(os.path.join(FOLDER, folder, "expected.csv")) as file:
        csv.writer(file, lineterminator="\n").writerows([[heading, "count"], *sorted(expected.items())])


def key(kind, value):
    """The canonical text of a value: letter, length in bytes, colon, text (`docs/decisions/0007-canonical-keys.md`)."""
    if value is None:
        return "n0:"
    letter, written = {
        "text": lambda: ("t", value),
        "integer": lambda: ("i", str(value)),
        # The bits of the number; one zero.
        "number": lambda: ("f", struct.pack(">d", value or 0.0).hex()),
        "hundredths": lambda: ("d", f"{int(value.replace('.', ''))}e-2"),
        "boolean": lambda: ("b", str(int(value))),
        "date": lambda: ("y", str((value - date(1970, 1, 1)).days)),
        "moment": lambda: ("m", str(int((value - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()) * 10**9)),
        "cell": lambda: ("c", str(value)),
    }[kind]()
    return f"{letter}{len(written.encode())}:{written}"
