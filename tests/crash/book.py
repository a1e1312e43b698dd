"""Reads a ledger's file without the product: the chain of hashes, the order of events, and what was spent.

The format is that of `crates/ledger/src/chain.rs` and `row.rs`. Every entry is hashed again, every link and number is followed,
and every number is an exact fraction. Read `invariants.py` next.
"""
import hashlib
import sqlite3
from dataclasses import dataclass
from fractions import Fraction

GENESIS = "0" * 64
PURPOSE = "incrowd ledger entry, version 1"
COLUMNS = ("seq", "account", "snapshot", "kind", "charge_id", "plan_hash", "binning_hash", "promise", "epsilon", "delta",
           "policy", "outcome", "time", "previous_hash", "hash", "certificate_hash", "signature", "details")


class Violation(Exception):
    """Something that must never happen has happened."""


@dataclass(frozen=True)
class Entry:
    """One row of the table `entry`."""

    seq: int
    account: str
    snapshot: str | None
    kind: str
    charge_id: str | None
    plan_hash: str | None
    binning_hash: str | None
    promise: str | None
    epsilon: str | None
    delta: str | None
    policy: str | None
    outcome: str | None
    time: str
    previous_hash: str
    hash: str
    certificate_hash: str | None
    signature: str | None
    details: str | None

    def computed_hash(self):
        about = self.charge_id if self.kind == "outcome" else None
        # What later versions added stands at the end, and is left out after the last that is there.
        added = [self.certificate_hash, self.signature, self.details]
        while added and added[-1] is None:
            added.pop()
        return hash_of([self.previous_hash, str(self.seq), self.account, self.time, self.kind, about, self.snapshot, self.plan_hash,
                        self.binning_hash, self.promise, self.epsilon, self.delta, self.policy, self.outcome, *added])


def hash_of(fields):
    """SHA-256 of fields: a byte 1, the length in eight bytes (least first) and the bytes; or a byte 0 for one that is missing."""
    hasher = hashlib.sha256()
    for field in [PURPOSE, *fields]:
        if field is None:
            hasher.update(b"\0")
        else:
            text = field.encode()
            hasher.update(b"\1" + len(text).to_bytes(8, "little") + text)
    return hasher.hexdigest()


def read_entries(path, mode="ro"):
    """Returns the verified entries of the ledger at a path. With `ro`, a journal that must be rolled back is a violation."""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=30)
        try:
            with connection:
                connection.execute("BEGIN")
                sound = connection.execute("PRAGMA integrity_check").fetchall()
                rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM entry ORDER BY seq").fetchall()
                highest = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entry'").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise Violation(f"the ledger's file cannot be read: {error}") from error
    if sound != [("ok",)]:
        raise Violation(f"the ledger's file is damaged: {sound}")
    entries = [Entry(*row) for row in rows]
    verify_chain(entries)
    verify_order(entries)
    last = entries[-1].seq if entries else 0
    if (highest[0] if highest else 0) != last:
        raise Violation(f"the ledger ends at entry {last}, but entry {highest and highest[0]} was there")
    return entries


def verify_chain(entries):
    """Refuses a number that is missing, a link that is broken and an entry that is not what its hash says."""
    head = GENESIS
    for number, entry in enumerate(entries, start=1):
        if entry.seq != number:
            raise Violation(f"entry {number} is missing: there is {entry.seq} instead")
        if entry.previous_hash != head:
            raise Violation(f"entry {number} does not follow the one before it")
        if entry.hash != entry.computed_hash():
            raise Violation(f"entry {number} is not what its hash says")
        if entry.kind == "charge" and entry.charge_id != entry.hash[:32]:
            raise Violation(f"entry {number} has the name of another charge")
        head = entry.hash


def verify_order(entries):
    """Refuses events that cannot follow each other: no account, no charge, a second outcome."""
    accounts, pending = set(), {}
    for entry in entries:
        impossible = Violation(f"entry {entry.seq} cannot be: {entry.kind} {entry.account} {entry.charge_id}")
        if entry.kind == "open":
            if entry.account in accounts:
                raise impossible
            accounts.add(entry.account)
        elif entry.account not in accounts:
            raise impossible
        elif entry.kind == "charge":
            pending[entry.charge_id] = entry.account
        elif entry.kind == "outcome" and pending.pop(entry.charge_id, None) != entry.account:
            raise impossible


def charges(entries, account=None):
    """Returns the charges by name, of one account or of all."""
    return {entry.charge_id: entry for entry in entries if entry.kind == "charge" and account in (None, entry.account)}


def outcomes(entries):
    """Returns how each charge ended, by name; one that did not end is missing."""
    return {entry.charge_id: entry.outcome for entry in entries if entry.kind == "outcome"}


def spent(entries, account):
    """Returns the sum of what was charged to an account, exactly."""
    return sum((Fraction(entry.epsilon) for entry in charges(entries, account).values()), Fraction(0))


def budget(entries, account):
    """Returns the last budget that an account was given."""
    terms = [entry.epsilon for entry in entries if entry.account == account and entry.kind in ("open", "policy")]
    return Fraction(terms[-1]) if terms and terms[-1] is not None else None
