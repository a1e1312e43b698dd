"""The order of syncs: a killed process loses nothing that was written, a power cut loses what was not synced.

A kill cannot show that a sync is missing, so the traced calls of a release are read instead: whatever a step relies on was synced
before it. Names that a folder got or lost count as written to the folder.
"""
import os

from book import Violation
from inject import subject

LEDGER, JOURNAL, HOME = "ledger.sqlite", "ledger.sqlite-journal", "the ledger's folder"
WRITES = ("write", "pwrite64", "ftruncate")
NAMES = ("mkdir", "unlink", "rename", "renameat2")


def check(calls):
    """Refuses calls in an order that a power cut could make a lie; returns how many syncs were needed."""
    dirty, syncs = set(), 0
    for _, call, arguments in calls:
        about = subject(arguments)
        for needed, why in relied_on(call, about, arguments, dirty):
            if needed in dirty:
                raise Violation(f"{why} before {needed} was synced")
        if call in WRITES:
            dirty.add(about)
        elif call in NAMES or call == "openat" and "O_CREAT" in arguments and "EEXIST" not in arguments:
            dirty.add(os.path.dirname(about) or HOME)
        elif call in ("fsync", "fdatasync"):
            dirty.discard(about)
            syncs += 1
    return syncs


def relied_on(call, about, arguments, dirty):
    """What a call relies on, with words for what would be wrong."""
    if call == "pwrite64" and about == JOURNAL and ", 12, 0)" in arguments:
        return [(JOURNAL, "the journal was made valid")]
    if call in WRITES and about == LEDGER:
        return [(needed, "the ledger was written") for needed in (JOURNAL, HOME)]
    if call == "unlink" and about == JOURNAL:
        return [(LEDGER, "the journal was removed")]
    if call == "write" and about.endswith(".lock"):
        sealed = {needed for needed in dirty if needed == "out" or needed.startswith("out/")}
        return [(needed, "the folder was sealed") for needed in (LEDGER, HOME, *sorted(sealed))]
    if call == "write" and about.startswith("out/."):
        return [(needed, "counts were written") for needed in (LEDGER, HOME)]
    if call == "renameat2" and about == "out/target":
        written = {needed for needed in dirty if needed.startswith("out/")}
        return [(needed, "the folder got its name") for needed in (LEDGER, HOME, *sorted(written))]
    if call == "unlink" and about.endswith(".lock"):
        return [("out", "the release ended")]
    return []
