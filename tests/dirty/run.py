"""Runs every dirty file: `check` must name the fault and the way out, and after that way out a release must count what was
counted in memory. Then one table in many formats, which must all give the same counts.

    python run.py INCROWD [--formats-only]

Needs DuckDB and Polars for the formats that the standard library cannot write.
"""

import csv
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import cases
import formats

REQUEST = """release = "histogram"
[data]
source = "{source}"
synthetic = true
{data}
[data.types]
{types}
[[bins]]
name = "{bin}"
column = "{bin}"
{cut}
[promise]
kind = "crowd-blending"
crowd = 5
epsilon = 1
delta = "1e-6"
[ledger]
dataset = "people"
[output]
folder = "out"
"""


def request(case, data=()):
    name, cut = case.bin
    lines = "\n".join([*case.data, *data])
    return REQUEST.format(source=case.source, data=lines, types="\n".join(case.types), bin=name, cut=cut)


def fixed(case):
    """The request with the lines that `check` named, and the edits that it advised in words."""
    text = request(case, [line for line in case.fix if is_key(line)])
    for old, new in case.edits:
        assert old in text, (case.name, old)
        text = text.replace(old, new)
    return text


KEYS = "format sheet table delimiter quote encoding header skip-lines on-bad-row decimal thousands missing dates bins-per-person".split()


def is_key(line):
    return line.split(" = ")[0] in KEYS


def run(incrowd, folder, case, *arguments):
    standard_input = (folder / "p.csv").open("rb") if case.stdin else subprocess.DEVNULL
    done = subprocess.run([incrowd, *arguments], cwd=folder, stdin=standard_input, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def counted(folder):
    """The published counts by the label of their bin."""
    with open(folder / "out" / "counts.csv", encoding="utf-8-sig", newline="") as table:
        rows = csv.reader(table)
        next(rows)
        found = Counter()
        for label, count, *_ in rows:
            if count and int(count):
                found[(label.removesuffix("-01-01"),)] += int(count)
        return found


def try_case(incrowd, case, folder):
    """Returns what went wrong with a case."""
    case.make(folder)
    (folder / "request.toml").write_text(request(case))
    code, said = run(incrowd, folder, case, "check", "request.toml")
    flat = " ".join(said.split())
    if code == 0 and not case.goes_well:
        return f"check finds nothing wrong:\n{said}"
    if code not in (0, 1, 2):
        return f"check ends with {code}:\n{said}"
    for words in [*case.says, *case.fix]:
        if words not in flat:
            return f"check does not say {words!r}:\n{said}"
    if case.repair:
        case.repair(folder)
    (folder / "request.toml").write_text(fixed(case))
    lost = ["--most-lost", case.most_lost] if case.most_lost else []
    code, said = run(incrowd, folder, case, "check", "request.toml", *lost)
    if code != 0:
        return f"check after the fix ends with {code}:\n{said}"
    code, said = run(incrowd, folder, case, "release", "request.toml", "--ledger", "ledger.sqlite")
    if code != 0:
        return f"release ends with {code}:\n{said}"
    found = counted(folder)
    if found != case.expected:
        return f"counted {sorted(found.items())}\nand not  {sorted(case.expected.items())}"
    return None


def main(incrowd, *options):
    incrowd = str(Path(incrowd).resolve())
    failed = []
    all_cases = [] if "--formats-only" in options else cases.CASES
    for case in all_cases:
        with tempfile.TemporaryDirectory() as folder:
            wrong = try_case(incrowd, case, Path(folder))
        if wrong:
            failed.append(case.name)
            print(f"FAILED {case.name}: {wrong}\n")
    tried = len(all_cases)
    for name, make, source, data, stdin in formats.FORMATS:
        case = cases.Case(name, make, source, cases.SALARY, cases.by_salary(cases.ROWS), [], data, types=[cases.NUMBER], stdin=stdin)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            make(folder)
            (folder / "request.toml").write_text(request(case, data))
            code, said = run(incrowd, folder, case, "release", "request.toml", "--ledger", "ledger.sqlite")
            found = counted(folder) if code == 0 else None
        tried += 1
        if found != case.expected:
            failed.append(name)
            print(f"FAILED {name}: exit {code}, counted {found}\n{said}\n")
    print(f"{tried - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
