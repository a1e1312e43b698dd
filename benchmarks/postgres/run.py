"""Measures `incrowd release` of a table in PostgreSQL beside a bare query in the same server, in turns.

    tests/postgres/server python3 benchmarks/postgres/run.py --incrowd PATH [--rows 10000000] [--runs 3]

incrowd's time is that of its whole process: request, catalogue, ledger, counting, noise, certificate and report. The
query's time is that of `psql`, which writes the answer away. Both take turns on the same table, analysed and in the
same caches, with the server's settings as they are. Ends with 1 if a bar is not met.
"""
import argparse, json, os, statistics, subprocess, sys, tempfile, time

# How often incrowd may take as long as the query.
BARS = {"bins": 1.3, "keys": 1.3, "persons": 1.5, "many": None}

TABLE = """
CREATE TABLE people AS SELECT
  (i * 2654435761 % {persons})::int8 AS person,
  (i * 2654435761 % {few})::int8 AS regular,
  (ARRAY['Administration', 'Research', 'Sales', 'Service', 'Works'])[1 + (i * 7919 % 5)] AS department,
  (i * 104729 % 200000)::int4 AS salary,
  'key ' || (i * 15485863 % 100000) AS keyword
FROM generate_series(1::int8, {rows}) AS i;
"""

QUERIES = {
    "bins": "SELECT department, salary / 20000, count(*) FROM people GROUP BY 1, 2",
    "keys": "SELECT keyword, count(*) FROM people GROUP BY 1",
    "persons": "SELECT department, salary / 20000, count(DISTINCT person) FROM people GROUP BY 1, 2",
    # People of whom almost each has more bins than count: what the choice by hashes costs.
    "many": "SELECT department, salary / 20000, count(DISTINCT regular) FROM people GROUP BY 1, 2",
}

PLACE = """
[[bins]]
name = "department"
column = "department"
values = ["Administration", "Research", "Sales", "Service", "Works"]
[[bins]]
name = "salary"
column = "salary"
from = 0
to = 200000
width = 20000
"""
BINS = {"bins": PLACE, "persons": PLACE, "many": PLACE, "keys": '[[bins]]\nname = "keyword"\ncolumn = "keyword"\n'}
PROMISE = {
    "bins": "epsilon = 1",
    "persons": "epsilon = 1",
    "many": "epsilon = 1",
    "keys": 'epsilon = 1\ndelta = "1e-6"\n[mechanism]\nname = "relay"',
}


def psql(address, sql, output=None):
    subprocess.run(["psql", address, "-q", "-v", "ON_ERROR_STOP=1", "-c", sql], check=True, stdout=output)


def request(measure, address):
    column = {"persons": "person", "many": "regular"}.get(measure)
    person = f'person = "{column}"\nbins-per-person = 5\n' if column else ""
    return (
        f'release = "histogram"\n[data]\nsource = {json.dumps(address)}\ntable = "people"\n{person}{BINS[measure]}'
        f'[promise]\nkind = "differential-privacy"\n{PROMISE[measure]}\n'
        f'[ledger]\ndataset = "bench-{measure}"\n[output]\nfolder = "out"\nformats = ["csv"]\n'
    )


def release(measure, address, incrowd):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "request.toml"), "w") as file:
            file.write(request(measure, address))
        command = [incrowd, "release", "request.toml", "--ledger", "ledger.sqlite"]
        started = time.perf_counter()
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        seconds = time.perf_counter() - started
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        if "on the server" not in done.stderr:
            raise SystemExit(f"{measure} was not counted on the server:\n{done.stderr}")
        return seconds


def bare(measure, address):
    started = time.perf_counter()
    with open(os.devnull, "w") as nowhere:
        psql(address, QUERIES[measure], nowhere)
    return time.perf_counter() - started


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--incrowd", required=True)
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()
    address, incrowd = os.environ["INCROWD_TEST_POSTGRES"], os.path.abspath(given.incrowd)
    psql(address, TABLE.format(rows=given.rows, persons=max(given.rows // 5, 1), few=max(given.rows // 20, 1)))
    psql(address, "VACUUM ANALYZE people")
    missed = []
    for measure, bar in BARS.items():
        times = [(bare(measure, address), release(measure, address, incrowd)) for _ in range(given.runs)]
        query, whole = (statistics.median(one) for one in zip(*times))
        ratio = whole / query
        print(f"{measure:8} query {query:7.2f} s   release {whole:7.2f} s   ratio {ratio:5.2f}   bar {bar or 'none'}", flush=True)
        if bar and ratio > bar:
            missed.append(measure)
    if missed:
        raise SystemExit(f"over the bar: {', '.join(missed)}")


main()
