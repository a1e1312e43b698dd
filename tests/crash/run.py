"""Crashes releases wherever they can crash, and shows that the ledger and the delivered folders never lie.

    python3 run.py BINARY [--kills 500] [--workers 8] [--seed N] [--quick]        needs strace, and nothing but Python's own library

Against the real binary, with real system calls:

1. Self-check: doctored ledgers, folders, exit codes and system calls are each refused by the checks that follow.
2. Order: whatever a release relies on was synced before it, as a power cut demands.
3. Injection: a release is killed on entering every call with which it writes, syncs, cuts, removes, renames or makes something; and
   each of these calls fails once with EIO and with ENOSPC. The exit code must be true: 0 charged and delivered, 1 and 2 nothing
   charged, 3 charged and not delivered. Right after, a normal release must succeed.
4. Storm: kill -9 at random moments while several releases work on one ledger, and until its budget is spent.

What must hold is in `invariants.py`; the ledger's chain is verified without the product in `book.py`. Exit codes: 0 everything
held; 1 something did not, and what is left of it is kept; 2 the machine does not allow such a test.
"""
import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True
import inject  # noqa: E402
import order  # noqa: E402
import selfcheck  # noqa: E402
import storm  # noqa: E402
from book import Violation  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("binary", type=Path, help="the product")
    parser.add_argument("--kills", type=int, default=500, help="how many releases are killed in the storm")
    parser.add_argument("--workers", type=int, default=8, help="how many run at once")
    parser.add_argument("--seed", type=int, help="for the moments of the storm; otherwise another one each time")
    parser.add_argument("--quick", action="store_true", help="40 kills, and fewer ways to fail")
    given = parser.parse_args()
    if given.quick:
        given.kills = min(given.kills, 40)
    if given.seed is None:
        given.seed = random.SystemRandom().randrange(2**32)
    return given


def listed(counts):
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=str) if count)


def check_order(stories, folder):
    story = next(story for story in stories if story.name == "deliver")
    return order.check(inject.trace(story, folder / "order"))


def shorter(story):
    """The story for daily tests: killed everywhere, and errors once on the main way."""
    return replace(story, effects=(inject.KILL, "error=EIO") if story.name == "deliver" else (inject.KILL,))


def run_injection(stories, folder, threads):
    """Runs every story, prints its figures, and returns the violations."""
    violations, total, killed = [], 0, 0
    for story in stories:
        begun = time.monotonic()
        points, results = inject.run_story(story, folder, threads)
        codes = Counter(result.code if result.code == "killed" else f"code {result.code}" for result in results)
        kinds = Counter(point.call for point in points)
        print(f"{story.name:8} {len(points)} points: {listed(kinds)}")
        print(f"{'':8} {len(results)} runs: {listed(codes)}; charged {sum(result.charged for result in results)}, "
              f"delivered {sum(result.delivered for result in results)}; {time.monotonic() - begun:.0f} s", flush=True)
        unmade = sum(result.unmade for result in results)
        if unmade:
            print(f"{'':8} {unmade} left a ledger that was not made to its end: refused until it is removed, with nothing spent")
        violations += [result.violation for result in results if result.violation]
        total, killed = total + len(results), killed + codes["killed"]
    print(f"injection: {total} runs, {killed} killed, {total - killed} with errors, {len(violations)} violations", flush=True)
    return violations


def run_storm(binary, folder, given):
    figures = storm.run(binary, folder, given.workers, given.kills, given.seed)
    moments = [name for name in figures if name.startswith(("before", "between", "after"))]
    print(f"storm: {figures['kills']} killed among {given.workers} at work, 0 to {figures['span']:.2f} s after their start; "
          f"seed {given.seed}")
    print("       " + ", ".join(f"{figures[name]} {name}" for name in moments))
    print(f"       {figures['ended']} ended well, {figures['refused']} refused; charged {figures['charged']}, folders "
          f"{figures['folders']}, left aside {figures['aside']}; looked {figures['looks']} times", flush=True)


def run(given, folder):
    """Runs everything, and returns the violations."""
    binary = given.binary.resolve()
    print(f"self-check: {selfcheck.run(binary, folder / 'selfcheck')} doctored states refused", flush=True)
    stories = inject.stories(binary, folder)
    print(f"order: {check_order(stories, folder)} syncs, each before what relies on it", flush=True)
    violations = run_injection(map(shorter, stories) if given.quick else stories, folder, given.workers)
    try:
        run_storm(binary, folder / "storm", given)
    except Violation as violation:
        violations.append(f"storm, seed {given.seed}: {violation} [storm]")
    return violations


def main():
    given = arguments()
    if not given.binary.is_file():
        print(f"error: there is no binary {given.binary}", file=sys.stderr)
        return 2
    reason = inject.why_not_here()
    if reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="incrowd-crash-")).resolve()
    try:
        violations = run(given, folder)
    except Violation as violation:
        violations = [str(violation)]
    print(f"{time.monotonic() - begun:.0f} s")
    if violations:
        for violation in violations:
            print(f"VIOLATION {violation}")
        print(f"{len(violations)} violations; the folders in brackets are in {folder}")
        return 1
    shutil.rmtree(folder)
    print("everything held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
