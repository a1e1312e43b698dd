"""Prints the true counts of the requests beside this file, by DuckDB: `request,key,count`, in the order of the bins.

    python3 expected.py DATA_DIR [--only NAME] [--key NAME=HEX]        needs `pip install duckdb`

`key` is the bin's canonical text: `c2:17` is the declared cell 17, `t3:abc` a text that was found. Only bins with somebody in
them are printed. The bounding key of a request is computed from it, unless `--key` gives another. These counts are not
protected: they are for tests on public data.
"""
import argparse, csv, os, sys

import duckdb

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, os.pardir, "duckdb"))
from truth import Declared, Found, Person, between, bounding_key, counted, counting_sql, listed, text  # noqa: E402

EDUCATION = ["Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
             "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate"]
CATEGORIES = ["frontpage", "news", "tech", "local", "opinion", "on-air", "misc", "weather", "msn-news", "health", "living",
              "business", "msn-sports", "sports", "summary", "bbs", "travel"]
CARRIERS = ["UA", "B6", "EV", "DL", "AA", "MQ", "US", "9E", "WN", "VX", "FL", "AS", "F9", "YV", "HA"]


def numbers(*values):
    return [str(value) for value in values]


# What each request says, once more in DuckDB's SQL: file, where, bins, and the person with the letter of its type.
REQUESTS = {
    "adult": (
        "adult.csv.gz", "",
        [
            listed("education", map(text, EDUCATION)),
            listed("sex", ["'Female'", "'Male'"]),
            between("TRY_CAST(age AS DOUBLE)", numbers(*range(10, 101, 10))),
        ],
        ("person_id", "t", 1),
    ),
    "cps-tax-units": (
        "cps_tax_units.parquet", "",
        [
            listed("MARS", numbers(1, 2, 3, 4)),
            listed("EIC", numbers(0, 1, 2, 3)),
            between("age_head", numbers(0, 18, 25, 35, 45, 55, 65, 75), other=True),
        ],
        None,
    ),
    "flights": (
        "nycflights13.parquet", "dep_delay IS NOT NULL",
        [listed("carrier", map(text, CARRIERS), other=True), listed("month", numbers(*range(1, 13)))],
        ("tailnum", "t", 3),
    ),
    "msnbc": (
        "msnbc_page_views.parquet", "",
        [listed("category", map(text, CATEGORIES))],
        ("user_id", "i", 3),
    ),
    "online-retail": (
        "online_retail.parquet", "Quantity > 0",
        [Found("Description", "t")],
        ("CustomerID", "i", 5),
    ),
}


def source(folder, file):
    path = text(os.path.join(folder, file))
    # A column of a CSV file is text, and an empty field is missing.
    return f"read_csv({path}, all_varchar = true, header = true)" if ".csv" in file else f"read_parquet({path})"


def expected(database, folder, name, key):
    """Returns the canonical key and the true count of every bin that somebody is in."""
    file, where, bins, person = REQUESTS[name]
    if person:
        with open(os.path.join(HERE, f"{name}.toml"), encoding="utf-8") as request:
            person = Person(*person, key or bounding_key(request.read()))
    _, rows = counted(database, bins, counting_sql(source(folder, file), where, bins, person))
    if all(isinstance(known, Declared) for known in bins):
        return [(f"c{len(str(cell))}:{cell}", count) for cell, count in rows]
    return [(row[-2], row[-1]) for row in rows]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", metavar="DATA_DIR")
    options.add_argument("--only", choices=list(REQUESTS))
    options.add_argument("--key", action="append", default=[], metavar="NAME=HEX", help="the bounding key of a request")
    given = options.parse_args()
    keys = dict(key.split("=", 1) for key in given.key)
    if keys.keys() - REQUESTS.keys():
        raise SystemExit(f"error: --key names no request\nhint: one of {', '.join(REQUESTS)}")
    database = duckdb.connect()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["request", "key", "count"])
    for name in REQUESTS:
        if given.only in (None, name):
            table.writerows([name, *row] for row in expected(database, given.folder, name, keys.get(name)))


if __name__ == "__main__":
    main()
