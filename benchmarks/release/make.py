"""Writes the made-up people that `run.py` counts: one Parquet file, the same for the same number of rows.

    python3 make.py --rows 50000000 --folder DATA        writes DATA/bench-50000000.parquet, about a minute on two cores

Columns: person (about rows/10 different, some with many rows), department (40) and region (25), age (0 to 99), keyword
(about rows/10 different, 12 to 24 characters, a few frequent and most rare). Everything is a function of the row's number
by integer arithmetic and md5, so a newer DuckDB writes the same values. Needs `pip install duckdb`.
"""
import argparse, os, time
import duckdb

# A multiply-and-shift hash to 32 bits; every product fits 64 bits without a sign, so nothing depends on overflow.
MIX = """
CREATE MACRO shuffled(x) AS xor(x, x >> 15);
CREATE MACRO scrambled(x) AS shuffled((x * 2246822519::UBIGINT) & 4294967295::UBIGINT);
CREATE MACRO mixed(row, salt) AS
    scrambled(scrambled((row::UBIGINT * 2654435761::UBIGINT + salt * 40503::UBIGINT) & 4294967295::UBIGINT));
CREATE MACRO unit(row, salt) AS mixed(row, salt) / 4294967296.0::DOUBLE;
CREATE MACRO two_digits(number) AS (number // 10)::VARCHAR || (number % 10)::VARCHAR;
"""

# u^2 gives the first of n values a share of 1/sqrt(n), u^3 of 1/cbrt(n): frequent heads and long tails.
ROWS = """
SELECT
    floor({people} * u_person * u_person)::BIGINT + 1000000 AS person,
    'Department ' || two_digits(1 + floor(40 * u_department * u_department)::INTEGER) AS department,
    'Region ' || two_digits(1 + floor(25 * u_region)::INTEGER) AS region,
    (m_age % 100)::INTEGER AS age,
    substr(md5(word::VARCHAR), 1, 12 + (word % 13)::INTEGER) AS keyword
FROM (
    SELECT unit(range, 1) AS u_person, unit(range, 2) AS u_department, unit(range, 3) AS u_region,
           mixed(range, 4) AS m_age, unit(range, 5) AS u_word,
           floor({people} * u_word * u_word * u_word)::BIGINT AS word
    FROM range({rows})
)
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=50_000_000)
    options.add_argument("--folder", default=".")
    options.add_argument("--threads", type=int, default=2)
    given = options.parse_args()
    target = os.path.join(given.folder, f"bench-{given.rows}.parquet")
    if "'" in target:
        raise SystemExit("error: a quote in the folder's name\nhint: choose another folder")

    database = duckdb.connect()
    database.execute(f"SET threads = {given.threads}")
    # Rows in the order of their numbers, so that the files are equal and not only the tables.
    database.execute("SET preserve_insertion_order = true")
    database.execute(MIX)
    rows = ROWS.format(people=max(1, given.rows // 10), rows=given.rows)
    started = time.perf_counter()
    database.execute(f"COPY ({rows}) TO '{target}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)")
    taken = time.perf_counter() - started
    print(f"{target}: {given.rows} rows, {os.path.getsize(target)} bytes, {taken:.1f} s")


if __name__ == "__main__":
    main()
