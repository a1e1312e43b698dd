"""Writes one small table with other programs' workbooks. Needs: pip install openpyxl odfpy.

    python3 tests/workbooks/write.py tests/workbooks

The files are kept, so that tests need none of these programs.
"""

import datetime
import pathlib
import sys

import openpyxl
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

FOLDER = pathlib.Path(sys.argv[1])
DAY, MOMENT = datetime.date, datetime.datetime
ROWS = [
    ["town", "age", "joined", "seen", "tall"],
    ["Bern", 30, DAY(2020, 3, 1), MOMENT(2020, 3, 1, 10, 30), True],
    ["Zürich", 41.5, DAY(1999, 12, 31), MOMENT(2021, 1, 1, 23, 59, 59), False],
    [None, None, None, None, None],
    ["a <b> & c", -2, DAY(2024, 2, 29), MOMENT(2020, 3, 1), True],
]


def excel():
    workbook = openpyxl.Workbook()
    for row in ROWS:
        workbook.active.append(row)
    workbook.create_sheet("empty")
    workbook.save(FOLDER / "openpyxl.xlsx")


def open_document():
    document = OpenDocumentSpreadsheet()
    table = Table(name="people")
    for row in ROWS:
        line = TableRow()
        for value in row:
            if value is None:
                cell = TableCell()
            elif isinstance(value, bool):
                cell = TableCell(valuetype="boolean", booleanvalue=str(value).lower())
            elif isinstance(value, (int, float)):
                cell = TableCell(valuetype="float", value=value)
            elif isinstance(value, DAY):
                cell = TableCell(valuetype="date", datevalue=value.isoformat())
            else:
                cell = TableCell(valuetype="string")
            if value is not None:
                cell.addElement(P(text=str(value)))
            line.addElement(cell)
        table.addElement(line)
    document.spreadsheet.addElement(table)
    document.save(FOLDER / "odfpy.ods")


excel()
open_document()
