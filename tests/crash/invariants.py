"""What must hold whenever somebody looks, whatever was killed before.

- The ledger opens without damage; the product and an independent reader see the same entries.
- Entries are only ever added: what is spent never decreases; it never exceeds the budget.
- A folder at its final name is whole (`incrowd verify`), and the ledger says that its charge was delivered.
- What lies aside has one of the names `.TARGET.incrowd-XXXXXX`, the same with `.lock` or `.old`, where X is random, or
  `.TARGET.incrowd-taken`; no name holds a true count, and nobody but the owner may read it.

Read `inject.py` and `storm.py` for who looks.
"""
import json
import os
import re
from dataclasses import dataclass
from fractions import Fraction

import book
from book import Violation
from product import ACCOUNT, TRUE_COUNTS

FILES = {"counts.csv", "counts.parquet", "certificate.json", "report.html"}
RANDOM = "[A-Za-z0-9]{6}"
ASIDE = re.compile(rf"\.(?P<target>[a-z0-9-]+)\.incrowd-{RANDOM}(\.lock|\.old)?|\.[a-z0-9-]+\.incrowd-taken")


@dataclass
class Look:
    """What was seen at one moment."""

    entries: list
    folders: dict
    aside: list

    @property
    def spent(self):
        return book.spent(self.entries, ACCOUNT)

    @property
    def charges(self):
        return book.charges(self.entries)

    @property
    def outcomes(self):
        return book.outcomes(self.entries)


class Witness:
    """Looks at a place again and again, and remembers what it has seen."""

    def __init__(self, place, quiet=True):
        """`quiet` says that nobody else writes while it looks."""
        self.place, self.quiet = place, quiet
        self.entries = []
        self.verified = set()

    def after(self, place):
        """Returns a witness of a copy, with the same memory."""
        witness = Witness(place, self.quiet)
        witness.entries, witness.verified = list(self.entries), set(self.verified)
        return witness

    def look(self):
        """Checks everything, and returns what was seen."""
        # Folders first: what is there now must be in the book that is read next.
        folders, aside = find_folders(self.place)
        shown = self.shown_entries()
        account = self.shown_account()
        look = self.look_alone(folders, aside)
        self.compare(shown, account, look.entries)
        for name, certificate in folders.items():
            self.verify(name, certificate)
        return look

    def look_alone(self, folders=None, aside=None):
        """Checks what can be checked without the product."""
        if folders is None:
            folders, aside = find_folders(self.place)
        # Alone, the product has rolled back by now what was half done, so that a reader who may not write can read.
        entries = book.read_entries(self.place.ledger, "ro" if self.quiet else "rw")
        must_extend(self.entries, entries)
        must_be_within_budget(entries)
        self.entries = entries
        charges, outcomes = book.charges(entries), book.outcomes(entries)
        must_be_different(folders)
        for name, certificate in folders.items():
            must_be_charged(name, certificate, charges, outcomes)
        check_names(self.place)
        return Look(entries, folders, aside)

    def shown_entries(self):
        history = self.place.must("ledger", "history", "--ledger", "ledger.sqlite")
        # An attempt that was refused has its reason where others have how they ended.
        ended = lambda event: event.get("outcome", event.get("reason"))
        return [(entry["seq"], entry["account"], entry["event"]["kind"], entry["charge_id"], ended(entry["event"]),
                 entry["event"].get("epsilon"), entry["previous_hash"], entry["hash"]) for entry in history["entries"]]

    def shown_account(self):
        accounts = self.place.must("ledger", "show", "--ledger", "ledger.sqlite")["accounts"]
        return next((account for account in accounts if account["name"] == ACCOUNT), None)

    def compare(self, shown, account, entries):
        """What the product shows is what the file holds; where others write, what it held a moment before."""
        held = [(entry.seq, entry.account, entry.kind, entry.charge_id, entry.outcome,
                 entry.epsilon if entry.kind in ("charge", "refused") else None, entry.previous_hash, entry.hash) for entry in entries]
        if shown != (held if self.quiet else held[: len(shown)]):
            raise Violation("`incrowd ledger history` shows other entries than the file holds")
        told = Fraction(account["spent"]["epsilon"]) if account else Fraction(0)
        now, before = book.spent(entries, ACCOUNT), book.spent(entries[: len(shown)], ACCOUNT)
        if not before <= told <= now:
            raise Violation(f"`incrowd ledger show` says that {told} is spent; the entries say {now}")

    def verify(self, name, certificate):
        """Verifies a folder once for each charge."""
        key = (name, certificate["ledger"]["charge_id"])
        if key in self.verified:
            return
        files = {path.name for path in (self.place.out / name).iterdir()}
        if files != FILES:
            raise Violation(f"the folder {name} is not whole: it has {sorted(files)}")
        said = self.place.run(self.place.command("verify", f"out/{name}"))
        if said.code != 0 or said.json()["passed"] is not True:
            raise Violation(f"the folder {name} does not pass `incrowd verify`: {said.out}{said.err}")
        self.verified.add(key)


def find_folders(place):
    """Returns the certificates of the folders at their final names, and the names of what lies aside."""
    folders, aside = {}, []
    for path in sorted(place.out.iterdir()):
        if path.name.startswith("."):
            aside.append(path.name)
            continue
        try:
            folders[path.name] = json.loads((path / "certificate.json").read_text())
        except (OSError, ValueError) as error:
            raise Violation(f"the folder {path.name} has no certificate: {error}") from error
    return folders, aside


def must_extend(before, now):
    """Refuses a book in which something that was seen is gone or changed."""
    lost = book.spent(before, ACCOUNT) - book.spent(now, ACCOUNT)
    if lost > 0:
        raise Violation(f"what is spent decreased by {lost}")
    if now[: len(before)] != before:
        raise Violation("an entry that was seen before is gone or changed")


def must_be_within_budget(entries):
    spent, budget = book.spent(entries, ACCOUNT), book.budget(entries, ACCOUNT)
    if budget is not None and spent > budget:
        raise Violation(f"spent {spent} of a budget of {budget}")


def must_be_different(folders):
    paid = [certificate["ledger"]["charge_id"] for certificate in folders.values()]
    if len(set(paid)) != len(paid):
        raise Violation("two folders name the same charge")


def must_be_charged(name, certificate, charges, outcomes):
    """Refuses a folder whose charge is not in the book, or that the book does not know as delivered."""
    stated = certificate["ledger"]
    entry = charges.get(stated["charge_id"])
    if entry is None:
        raise Violation(f"the folder {name} exists without its charge {stated['charge_id']}")
    if (entry.seq, entry.hash) != (stated["seq"], stated["head"]):
        raise Violation(f"the folder {name} names another head of the ledger")
    outcome = outcomes.get(entry.charge_id)
    if outcome != "delivered":
        raise Violation(f"the folder {name} is there, but the ledger says {outcome or 'nothing'} of its charge")


def check_names(place):
    """Refuses names that tell of the data, and hidden names other than the documented ones. Others may be at work meanwhile."""
    for top in (place.out, place.temporary):
        for folder, folders, files in os.walk(top):
            for name in folders + files:
                check_name(name, inside=os.path.basename(folder), hidden_here=folder == str(place.out))


def check_name(name, inside, hidden_here):
    if any(str(count) in name for count in TRUE_COUNTS.values()):
        raise Violation(f"a file name holds a true count: {name}")
    if hidden_here and name.startswith(".") and not ASIDE.fullmatch(name):
        raise Violation(f"something else than an aside was left: {name}")
    if ASIDE.fullmatch(inside) and name not in FILES:
        raise Violation(f"an aside holds an unknown file: {name}")
