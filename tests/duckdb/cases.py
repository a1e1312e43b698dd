"""Writes small data files, requests, and the true counts by DuckDB: what every engine must count.

    python3 cases.py FOLDER [--only NAME] [--key NAME=HEX]        needs `pip install duckdb`

For each case: `NAME/request.toml`, `NAME/data.csv|parquet|ndjson`, `NAME/expected.csv`, `NAME/truth.sql`, and for all of them
`cases.json` (shape, bins, bounding key). `expected.csv` has the bins that somebody is in: `cell,count` where all bins are
declared (mixed radix, the last bin fastest; listed values first, then "other", then "missing"); else a column for each bin,
`key` (the canonical text, which tells a missing value from an empty text; declared bins as their numbers) and `count`.
"""
import argparse, csv, json, os, sys

import duckdb

sys.dont_write_bytecode = True
import case_days, case_people, case_values  # noqa: E402
from truth import Declared, Person, bounding_key, counted, counting_sql, text  # noqa: E402

CASES = case_values.CASES + case_days.CASES + case_people.CASES

# Keys of [data] that a case does not write itself.
TIMEZONES = {"zones-parquet": "Europe/Berlin"}


def request_text(case):
    found = any(not isinstance(known, Declared) for known in case.bins)
    zone = f'timezone = "{TIMEZONES[case.name]}"\n' if case.name in TIMEZONES else ""
    return (
        f'release = "histogram"\n\n[data]\nsource = "data.{case.format}"\n{zone}{case.request.lstrip() if starts_in_data(case) else case.request}\n'
        f'[promise]\nkind = "differential-privacy"\nepsilon = 1\n' + ('delta = "1e-6"\n' if found else "")
        + f'\n[ledger]\ndataset = "case-{case.name}"\n\n[output]\nfolder = "out"\n'
    )


def starts_in_data(case):
    return not case.request.lstrip().startswith("[")


def write_data(database, case, file):
    database.execute(f"CREATE OR REPLACE TABLE data AS SELECT * FROM ({case.rows}, i FROM range({case.count}) AS numbers(i)) ORDER BY i")
    database.execute("ALTER TABLE data DROP COLUMN i")
    if case.format == "parquet":
        # Several row groups, so that several threads have something to do.
        database.execute(f"COPY data TO {text(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    elif case.format == "csv":
        database.execute(f"COPY data TO {text(file)} (FORMAT csv, HEADER true)")
        # A column of a CSV file is text.
        database.execute("CREATE OR REPLACE TABLE data AS SELECT COLUMNS(*)::VARCHAR FROM data")
    else:
        names = [column[0] for column in database.execute("SELECT * FROM data LIMIT 0").description]
        with open(file, "w", encoding="utf-8") as lines:
            for at, row in enumerate(database.execute("SELECT * FROM data").fetchall()):
                # Every other missing value is left out altogether.
                kept = {name: value for name, value in zip(names, row) if value is not None or at % 2}
                lines.write(json.dumps(kept, ensure_ascii=at % 3 == 0) + "\n")
    # A CSV file cannot tell an empty text from a missing one: both are missing, in every format.
    texts = [name for name, kind, *_ in database.execute("DESCRIBE data").fetchall() if kind == "VARCHAR"]
    if texts:
        present = ", ".join(f"nullif(\"{name}\", '') AS \"{name}\"" for name in texts)
        database.execute(f"CREATE OR REPLACE TABLE data AS SELECT * REPLACE ({present}) FROM data")


def write_case(case, folder, key):
    os.makedirs(folder, exist_ok=True)
    database = duckdb.connect()
    database.execute("SET threads = 1; SET TimeZone = 'UTC'; CREATE MACRO mixed(row, salt) AS hash(row::BIGINT * 64 + salt)")
    write_data(database, case, os.path.join(folder, f"data.{case.format}"))
    request = request_text(case)
    key = (key or bounding_key(request)) if case.person else None
    person = Person(*case.person, key) if case.person else None
    sql = counting_sql("data", case.where, case.bins, person, case.people)
    headings, rows = counted(database, case.bins, sql)
    if not rows:
        raise SystemExit(f"error: {case.name} counts nobody")
    for name, content in (("request.toml", request), ("truth.sql", sql + "\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    with open(os.path.join(folder, "expected.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([headings, *rows])
    sizes = [known.size if isinstance(known, Declared) else None for known in case.bins]
    shape = "found" if None in sizes else "declared"
    print(f"{case.name}: {case.count} rows, {len(rows)} bins, {sum(row[-1] for row in rows)} counted")
    return {"name": case.name, "data": f"data.{case.format}", "shape": shape, "sizes": sizes, "bounding_key": key}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder")
    options.add_argument("--only", metavar="NAME")
    options.add_argument("--key", action="append", default=[], metavar="NAME=HEX", help="the bounding key of a case, instead of the computed one")
    given = options.parse_args()
    keys = dict(key.split("=", 1) for key in given.key)
    chosen = [case for case in CASES if given.only in (None, case.name)]
    written = [write_case(case, os.path.join(given.folder, case.name), keys.get(case.name)) for case in chosen]
    with open(os.path.join(given.folder, "cases.json"), "w") as file:
        json.dump(written, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
