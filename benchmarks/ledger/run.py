"""Times a charge against a ledger of many entries: python3 benchmarks/ledger/run.py BINARY [--entries 1000000]

Makes a ledger with the tables of a real one (by `incrowd ledger open`), fills it with charges and outcomes of one account,
chained as `crates/ledger/src/chain.rs` says, and then times `incrowd ledger open` of another account (a change that verifies
the chain), a release that is charged to the account with all the entries, and `ledger show`. Beside them: the time that
Python's sqlite3 takes only to read all the rows, as a limit. With `--now` entries say who wrote them, and the account has
a key that signed 20 changes of its terms; without it they are as in version 0.1, which older binaries can be timed with.
"""

import argparse
import fractions
import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

FIELDS = ["previous_hash", "seq", "account", "time", "kind", "about", "snapshot", "plan_hash", "binning_hash", "promise",
          "epsilon", "delta", "policy", "outcome"]
ADDED = ["certificate_hash", "signature", "details"]
COLUMNS = ["seq", "account", "snapshot", "kind", "charge_id", "plan_hash", "binning_hash", "promise", "epsilon", "delta",
           "policy", "outcome", "time", "previous_hash", "hash"]
DETAILS = ('{"by":"Ada Lovelace","folder":"/home/ada/releases/out","host":"desk",'
           '"table":"People by department and salary, from employees.csv","user":"ada"}')
ENDED = '{"by":"Ada Lovelace","host":"desk","user":"ada"}'


def entry_hash(values):
    digest = hashlib.sha256()
    fields = FIELDS + (ADDED if "details" in values else [])
    for text in ["incrowd ledger entry, version 1"] + [values.get(name) for name in fields]:
        if text is None:
            digest.update(b"\0")
        else:
            data = text.encode()
            digest.update(b"\1" + len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def fill(path, entries, now):
    book = sqlite3.connect(path)
    book.execute("PRAGMA journal_mode = MEMORY")
    book.execute("PRAGMA synchronous = OFF")
    seq, previous = book.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
    rows, last = [], None
    while seq < entries:
        seq += 1
        values = {"previous_hash": previous, "seq": str(seq), "account": "people", "time": "2026-01-01T00:00:00Z"}
        if last is None:
            values |= {"kind": "charge", "snapshot": "1", "plan_hash": "ab" * 32, "binning_hash": "cd" * 32,
                       "promise": '{"delta":null,"epsilon":"1/1000","group":100,"kind":"simple-outlier-dp"}',
                       "epsilon": "1/1000", "delta": str(fractions.Fraction(seq % 97 + 1, 10**12))}
        else:
            values |= {"kind": "outcome", "about": last, "outcome": "delivered"}
        if now:
            values["details"] = DETAILS if last is None else ENDED
        digest = entry_hash(values)
        charge_id = digest[:32] if last is None else last
        rows.append((seq, "people", values.get("snapshot"), values["kind"], charge_id, values.get("plan_hash"),
                     values.get("binning_hash"), values.get("promise"), values.get("epsilon"), values.get("delta"), None,
                     values.get("outcome"), values["time"], previous, digest) + ((values["details"],) if now else ()))
        last = digest[:32] if last is None else None
        previous = digest
    names = COLUMNS + (["details"] if now else [])
    marks = ", ".join("?" * len(names))
    book.executemany(f"INSERT INTO entry ({', '.join(names)}) VALUES ({marks})", rows)
    book.commit()
    book.close()


def timed(command, **options):
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, **options)
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--now", action="store_true")
    asked = parser.parse_args()
    binary = os.path.abspath(asked.binary)
    with tempfile.TemporaryDirectory() as folder:
        book = os.path.join(folder, "ledger.sqlite")
        small = os.path.join(folder, "small.sqlite")
        key = os.path.join(folder, "officer")
        if asked.now:
            timed([binary, "ledger", "key", "new", key])
        for path in (book, small):
            timed([binary, "ledger", "open", "people", "--ledger", path] + (["--key", key + ".pub"] if asked.now else []))
            for turn in range(20 if asked.now else 0):
                terms = ["--clear", "min-group"] if turn % 2 else ["--min-group", "20"]
                timed([binary, "ledger", "policy", "people", "--ledger", path, "--key", key + ".key"] + terms)
        fill(book, asked.entries, asked.now)
        timed([binary, "example", "salaries", os.path.join(folder, "example")])
        request = os.path.join(folder, "example", "request.toml")
        text = open(request).read().replace("employees-2026", "people")
        open(request, "w").write(text)
        print(f"{asked.entries} entries, {os.path.getsize(book) / 1e6:.0f} MB")
        begin = time.perf_counter()
        for _ in sqlite3.connect(book).execute("SELECT * FROM entry ORDER BY seq"):
            pass
        print(f"reading all rows with Python's sqlite3   {time.perf_counter() - begin:7.2f} s")
        for name, path in (("small", small), ("large", book)):
            again = [timed([binary, "release", request, "--ledger", path, "--quiet", "--again", "--folder",
                            os.path.join(folder, f"{name}{turn}")]) for turn in range(3)]
            print(f"release on the {name} ledger (two changes)   {sorted(again)[1]:7.2f} s")
        print(f"ledger show                              {timed([binary, 'ledger', 'show', 'people', '--ledger', book]):7.2f} s")
        print(f"ledger verify                            {timed([binary, 'ledger', 'verify', '--ledger', book]):7.2f} s")


main()
