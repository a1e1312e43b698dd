"""Shows that the checks can fail: books, folders and words that were doctored must each be refused.

A forger's book is hashed again to its end, so that only memory or a delivered certificate can tell; a system call that pretends
to have worked shows the same on the product as it runs.
"""
import dataclasses
import shutil
import sqlite3

import book
import inject
import order
from book import Violation
from invariants import Witness
from product import ACCOUNT, TRUE_COUNTS, Place, Said


def doctored(place, *statements, forged=False):
    """Changes a ledger by hand, past its triggers; `forged` hashes everything again."""
    connection = sqlite3.connect(place.ledger, isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    if forged:
        forge(connection)
    for _, sql in triggers:
        connection.execute(sql)
    connection.close()


def forge(connection):
    """Hashes every entry again, so that the chain holds."""
    head, names = book.GENESIS, {}
    for row in connection.execute(f"SELECT {', '.join(book.COLUMNS)} FROM entry ORDER BY seq").fetchall():
        entry = dataclasses.replace(book.Entry(*row), previous_hash=head)
        if entry.kind == "outcome":
            entry = dataclasses.replace(entry, charge_id=names[entry.charge_id])
        head = entry.computed_hash()
        charge = entry.charge_id
        if entry.kind == "charge":
            names[charge], charge = head[:32], head[:32]
        connection.execute("UPDATE entry SET previous_hash = ?, hash = ?, charge_id = ? WHERE seq = ?",
                           (entry.previous_hash, head, charge, entry.seq))


LOWER = "UPDATE entry SET epsilon = '1/1000' WHERE seq = 4"
CUT_LAST = "DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)"
SET_BACK = "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM entry) WHERE name = 'entry'"
POORER = f"UPDATE entry SET epsilon = '1/2' WHERE kind = 'open' AND account = '{ACCOUNT}'"
MIDDLE = "DELETE FROM entry WHERE seq = 3"

# What is done to the ledger, whether it is hashed again, whether the folders are removed, whether the witness remembers, and what
# must be said. None of these asks the product.
BOOKS = [
    ("an entry's epsilon is lowered", [LOWER], False, True, False, "is not what its hash says"),
    ("an epsilon is lowered and all is hashed again", [LOWER], True, True, True, "decreased by"),
    ("the same, seen for the first time", [LOWER], True, False, False, "without its charge"),
    ("the last entry is deleted", [CUT_LAST], False, True, False, "the ledger ends at entry"),
    ("the last entry is deleted and the number set back", [CUT_LAST, SET_BACK], False, False, False, "says nothing"),
    ("a folder's charge is removed", [CUT_LAST, CUT_LAST, SET_BACK], False, False, False, "without its charge"),
    ("an old copy of the ledger is put back", [CUT_LAST, CUT_LAST, SET_BACK], False, True, True, "decreased by"),
    ("an outcome is forgotten", [CUT_LAST, SET_BACK], False, True, True, "gone or changed"),
    ("an entry in the middle is deleted", [MIDDLE], False, True, False, "entry 3 is missing"),
    ("more is spent than the budget", [POORER], True, True, False, "of a budget of"),
]

# What a release says, what it charged, whether its folder is there: each is a lie.
LIES = [
    (Said(0, "", ""), set(), False),
    (Said(0, "", ""), {"a"}, False),
    (Said(1, "", ""), {"a"}, False),
    (Said(2, "", ""), {"a"}, False),
    (Said(2, "", ""), {"a"}, True),
    (Said(3, "", ""), set(), False),
    (Said(3, "", ""), {"a"}, True),
    (Said(3, "", ""), {"a", "b"}, False),
    (Said(101, "", ""), set(), False),
    (Said(-11, "", ""), set(), False),
    (Said(-9, '{"charge_id": "a"}', ""), {"a"}, False),
    (Said(0, '{"charge_id": "b"}', ""), {"a"}, True),
]


def refused(title, words, check):
    """Runs a check that must refuse with these words."""
    try:
        check()
    except Violation as violation:
        if words not in str(violation):
            raise Violation(f"self-check: {title}: refused for another reason: {violation}") from violation
        return 1
    raise Violation(f"self-check: {title}: nothing was noticed")


def prepared(binary, folder):
    """A ledger with three deliveries and a failure."""
    place = Place.make(binary, folder)
    place.open_account("3")
    for target in ("one", "two"):
        place.must_release(target)
    if place.release("three", "broken.toml").code != 3:
        raise Violation("a release of broken data did not end with 3")
    place.must_release("target")
    return place


def run(binary, folder):
    """Returns how many doctored states were refused."""
    place = prepared(binary, folder / "sound")
    witness = Witness(place)
    witness.look()
    count = check_books(place, witness, folder)
    count += check_folders(place, folder)
    count += sum(refused(f"{said}, charged {new}", "", lambda: inject.must_be_true(said, new, there)) for said, new, there in LIES)
    count += check_calls(place, witness, folder)
    return count


def check_books(place, witness, folder):
    for number, (title, statements, forged, bare, remembers, words) in enumerate(BOOKS):
        copy = place.copy(folder / f"book-{number}")
        doctored(copy, *statements, forged=forged)
        if bare:
            shutil.rmtree(copy.out)
            copy.out.mkdir()
        observer = witness.after(copy) if remembers else Witness(copy)
        refused(title, words, observer.look_alone)
    return len(BOOKS)


def check_folders(place, folder):
    """Folders that are not whole, or not what they were; and names that tell."""
    def deface(path):
        path.write_bytes(path.read_bytes() + b"\n")

    def name(path):
        path.parent.mkdir(exist_ok=True)
        path.write_text("")

    true_count = TRUE_COUNTS["Bern"]
    cases = [
        ("a table is missing", "is not whole", lambda out: (out / "one/counts.csv").unlink()),
        ("the certificate is missing", "has no certificate", lambda out: (out / "one/certificate.json").unlink()),
        ("a table was changed", "does not pass", lambda out: deface(out / "one/counts.csv")),
        ("a folder stands twice", "the same charge", lambda out: shutil.copytree(out / "one", out / "copy")),
        ("a count in a name", "true count", lambda out: name(out / f".one.incrowd-aaaaaa/{true_count}.csv")),
        ("a count in the name of a temporary file", "true count", lambda out: name(out.parent / f"temporary/spill-{true_count}")),
        ("an unknown hidden name", "something else", lambda out: name(out / ".one.half")),
        ("an unknown file aside", "unknown file", lambda out: name(out / ".one.incrowd-aaaaaa/rows.csv")),
    ]
    for number, (title, words, change) in enumerate(cases):
        copy = place.copy(folder / f"folder-{number}")
        change(copy.out)
        refused(title, words, Witness(copy).look)
    return len(cases)


def check_calls(place, witness, folder):
    """System calls that pretend: the journal of the outcome stays, a page of the ledger is never written, a sync is not made."""
    story = inject.Story("pretence", place, witness, options=("--replace",))
    calls = inject.trace(story, folder / "pretence")
    needed = order.check(calls)
    syncs = [number for number, (_, call, _) in enumerate(calls) if call in ("fsync", "fdatasync")]
    for number in syncs:
        refused(f"without sync {number}", "was synced", lambda: order.check(calls[:number] + calls[number + 1:]))
    # Pages of the charge are written again with the outcome, and the first page holds a counter that nothing depends on here.
    removed = [(number, arguments) for number, (_, call, arguments) in enumerate(calls) if call == "unlink"]
    journals = [(count, number) for count, (number, arguments) in enumerate(removed, start=1)
                if inject.subject(arguments).endswith(order.JOURNAL)]
    # The first journal is that of the charge, the second that of the outcome.
    (_, charged), (outcome, _) = journals[:2]
    writes = [(number, arguments) for number, (_, call, arguments) in enumerate(calls) if call == "pwrite64"]
    pages = [count for count, (number, arguments) in enumerate(writes, start=1)
             if number > charged and inject.subject(arguments) == order.LEDGER and ", 4096, 0)" not in arguments]
    pretences = [("unlink", f"retval=0:when={outcome}")] + [("pwrite64", f"retval=4096:when={page}") for page in pages]
    for number, (call, pretence) in enumerate(pretences):
        copy = place.copy(folder / f"pretence-{number}")

        def look():
            said = copy.run(inject.strace("/dev/null", call, pretence) + copy.release_command("target", options=("--replace",)))
            inject.judge(story, copy, said, inject.Result())
        refused(f"{call} {pretence}", "", look)
    return needed + len(pretences)
