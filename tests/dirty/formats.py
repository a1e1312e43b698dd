"""One table in many formats: its name, what writes it, and what a request must say to read it.

Parquet is written by DuckDB, Arrow by Polars, all else by the standard library. Read `run.py` for how they are counted.
"""

import json

import table
from cases import ROWS, with_salary, written
from table import plain, text


def sheet_rows():
    return [table.NAMES] + [[int(r["id"]), r["department"], float(r["salary"]), r["hired"].isoformat(), r["note"]] for r in ROWS]


def hive(folder):
    """A folder for each department, as DuckDB, Spark and Hive write them."""
    import duckdb

    (folder / "p.csv").write_text(plain(ROWS))
    duckdb.sql(
        f"COPY (SELECT * FROM read_csv('{folder}/p.csv', all_varchar = true)) TO '{folder}/hive' (FORMAT parquet, PARTITION_BY (department))"
    )
    (folder / "p.csv").unlink()


def polars_ipc(**how):
    def make(folder):
        import polars

        frame = polars.DataFrame([{**table.iso(row), "salary": float(row["salary"])} for row in ROWS])
        frame = frame.with_columns(polars.col("department").cast(polars.Categorical))
        if how.get("stream"):
            frame.write_ipc_stream(folder / "p.arrow")
        else:
            frame.write_ipc(folder / "p.arrow", **how)

    return make


def oldest():
    import polars

    return polars.CompatLevel.oldest()


FORMATS = [
    ("CSV", written("p.csv", plain(ROWS)), "p.csv", [], False),
    (
        "CSV of Excel in Germany",
        written("p.csv", text(with_salary(lambda s: s.replace(".", ",")), delimiter=";").encode("cp1252")),
        "p.csv", ['delimiter = ";"', 'decimal = ","', 'encoding = "windows-1252"'], False,
    ),
    ("CSV in UTF-16 with pipes", written("p.csv", plain(ROWS, delimiter="|").encode("utf-16")), "p.csv", ['delimiter = "|"', 'encoding = "utf-16"'], False),
    ("TSV", written("p.tsv", plain(ROWS, delimiter="\t")), "p.tsv", [], False),
    ("XLSX", lambda folder: table.write_xlsx(folder / "p.xlsx", [("Daten", sheet_rows())]), "p.xlsx", [], False),
    ("hive Parquet", hive, "hive", [], False),
    ("SQLite", lambda folder: table.write_sqlite(folder / "p.sqlite", [("staff", ROWS)]), "p.sqlite", ['table = "staff"'], False),
    ("standard input", written("p.csv", plain(ROWS)), "-", ['format = "csv"'], True),
    ("NDJSON", written("p.ndjson", "".join(json.dumps({**table.iso(row), "salary": float(row["salary"])}) + "\n" for row in ROWS)), "p.ndjson", [], False),
    ("zip", lambda folder: table.write_zip(folder / "p.zip", [("p.csv", plain(ROWS))]), "p.zip", [], False),
    ("Polars, plain", polars_ipc(compression="uncompressed"), "p.arrow", [], False),
    ("Polars, LZ4", polars_ipc(compression="lz4"), "p.arrow", [], False),
    ("Polars, Zstandard", polars_ipc(compression="zstd"), "p.arrow", [], False),
    ("Polars, oldest", lambda folder: polars_ipc(compat_level=oldest())(folder), "p.arrow", [], False),
    ("Polars, stream", polars_ipc(stream=True), "p.arrow", [], False),
]
