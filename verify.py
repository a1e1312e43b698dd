#!/usr/bin/env python3
"""Verifies a folder that incrowd delivered: certificate, accounts, tables.

    python3 verify.py FOLDER

It is written from docs/certificate.md (versions 2 and 3) and docs/theory.md, shares no code with incrowd, and needs
only the standard library of Python 3.9. This file is the command; the folder `verifier` beside it holds the parts,
small enough to be read one by one (`verifier/__init__.py` says in which order).

Known are histograms, rows, points and the choice of top items, of everybody: not series, pairs, or samples. What is not
computed is named as trusted. Exit code 0: verified, but for what is trusted; 1: something is wrong; 2: it cannot be
read, is of another kind, or takes too long.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from verifier.account import Certificate
from verifier.folder import check_report, read_file, read_tables, spelt, strict
from verifier.kinds import KINDS
from verifier.numbers import TooLarge, Work, Wrong, need
from verifier.tables import check_table

TRUSTED = [
    "the charge is in the ledger (`incrowd ledger verify --against` can tell)",
    "the data is what the snapshot names, one row or identifier is one person, nobody chose by looking at it",
    "other releases about the same people are not counted; the words of the certificate say what its numbers do",
    "labels of intervals and periods, rows of Parquet, Arrow and XLSX files (`incrowd verify` can tell)",
    "words and pictures of report.html beside its certificate",
]
TRUSTED_OF = {
    "histogram": ["intervals, estimates, roundings, margins, numbers that add up, medians and means; chances of odds at counts that were not looked at"],
    "rows": ["that rows were made coarser by their public rules, and each person has one"],
    "points": ["that points were moved within their cells by noise of epsilon/R, and cells below the crowd left out"],
    "top": ["that items were chosen by permute-and-flip at the stated rate (claim 28); intervals of their counts"],
}
DERIVED = ("its counts are those of the folder with the certificate %s, from which it was made"
           " (`incrowd verify --parent` can tell)")
DRAWN = "the program drew from the laws that it states, with random bits that nobody could foresee"
MADE_UP = "MADE UP: the data is declared to be made up (synthetic = true); asserted, not checked"
NOT_PRIVATE = "NOT PRIVATE: drawn from a known seed, on data that is made up; this is a rehearsal or a test, no release"
VERSION_2 = ('version 2 says in words "but for a chance of delta": delta bounds an excess, not that chance; its numbers'
             " hold")


def is_known(c):
    """Whether this program knows the kind and the version."""
    written = re.fullmatch(r"incrowd (\d+)\.(\d+)\.\d+", c["software"])
    if type(c["version"]) is not int or c["version"] not in (2, 3) or not written:
        return False
    since_0_2 = (int(written[1]), int(written[2])) >= (0, 2)
    if since_0_2 != (c["version"] == 3):
        return False
    r = c["request"]
    pairs = any("items" in b for b in r["bins"])
    sampled = c["sampling"] is not None
    return r["release"] in KINDS and not pairs and not sampled


def check(folder, c, raw):
    """Yields what is found right, line by line."""
    need(spelt(c) + "\n" == raw, "certificate.json is not in its one spelling")
    data = c["request"]["data"]
    need(data["sample"] is None and data["sampled"] is None, "a sample that is not told")
    kinds = KINDS[c["request"]["release"]].tables
    files = read_tables(folder, c, kinds)
    check_report(folder, c)
    certificate = Certificate(c)
    yield from certificate.check()
    main = kinds.split("|")[0] + ".csv"
    rows = "rows not looked at"
    if main in files:
        rows = "%d rows in order" % check_table(files[main].decode(), certificate)
    yield "%s as certified, %s" % (", ".join(files), rows)


def main(arguments):
    lines, code = [], 2
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        folder = arguments[0]
        raw = read_file(folder, "certificate.json", 1 << 26).decode()
        c = strict(raw)
        Work.start()
        need(is_known(c), "this program knows histograms, rows, points and top items of versions 2 and 3, without"
                          " samples or pairs; ask `incrowd verify`")
        code = 1
        for found in check(folder, c, raw):
            lines.append("verified  " + found)
        known_seed = c["randomness"]["kind"] != "operating-system"
        drawn = [] if known_seed else [DRAWN]
        origin = c.get("derived_from")
        derived = [DERIVED % origin["certificates"][-1]] if origin else []
        trusted = drawn + derived + TRUSTED + TRUSTED_OF[c["request"]["release"]]
        lines += ["trusted   " + what for what in trusted]
        if known_seed:
            lines.append("note      " + NOT_PRIVATE)
        elif c["request"]["data"]["synthetic"] is True:
            lines.append("note      " + MADE_UP)
        if c["version"] == 2:
            lines.append("note      " + VERSION_2)
        code = 0
    except TooLarge as error:
        lines.append("UNCHECKED %s" % error)
        code = 2
    except Exception as error:
        word = "UNCHECKED" if code == 2 else "FAILED"
        kind = "" if isinstance(error, Wrong) else type(error).__name__ + ": "
        lines.append("%-9s %s%s" % (word, kind, error))
    print("\n".join(lines).encode("ascii", "backslashreplace").decode())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
