"""A folder with data, requests and a ledger, and the product that runs in it.

The data is made up; its true counts are figures that no file name has by chance. Read `invariants.py` next.
"""
import json
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from book import Violation

ACCOUNT = "people"
EPSILON = Fraction(1, 3)
# How many people there really are: no file name may hold one of these.
TRUE_COUNTS = {"Bern": 2741, "Chur": 1387}
# The product waits 30 seconds for another process; alone it never has to.
PATIENCE = 25

REQUEST = """[data]
source = "{source}"

[[bins]]
name = "town"
column = "town"
values = ["Bern", "Chur"]

[promise]
kind = "differential-privacy"
epsilon = "{epsilon}"

[ledger]
dataset = "{account}"

[output]
formats = ["csv", "parquet"]
"""


@dataclass
class Said:
    """What a run said, and how it ended: an exit code, or less than zero for a signal."""

    code: int
    out: str
    err: str

    @property
    def killed(self):
        return self.code == -signal.SIGKILL

    @property
    def complaint(self):
        """What it said is wrong."""
        try:
            return json.loads(self.err)["error"]
        except (ValueError, KeyError, TypeError):
            return self.err.strip()

    def json(self):
        return json.loads(self.out)


class Place:
    """A folder for one run. `out` below it holds what is delivered."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, Path(folder)
        self.ledger = self.folder / "ledger.sqlite"
        self.out = self.folder / "out"
        self.temporary = self.folder / "temporary"

    @classmethod
    def make(cls, binary, folder):
        """Makes the folder with its data and requests, and no ledger yet."""
        place = cls(binary, folder)
        place.out.mkdir(parents=True)
        place.temporary.mkdir()
        rows = "".join(f"{town}\n" * count for town, count in TRUE_COUNTS.items())
        (place.folder / "people.csv").write_text(f"town\n{rows}")
        # A row with too many fields is found out after the charge.
        (place.folder / "broken.csv").write_text(f"town\n{rows}Bern,Chur,Uri\n")
        place.request("request.toml")
        place.request("broken.toml", source="broken.csv")
        return place

    def copy(self, folder):
        """Returns a copy of everything, as it lies there."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Place(self.binary, folder)

    def request(self, name, source="people.csv", epsilon=EPSILON, account=ACCOUNT):
        (self.folder / name).write_text(REQUEST.format(source=source, epsilon=epsilon, account=account))

    def command(self, *arguments):
        return [str(self.binary), *map(str, arguments), "--format", "json"]

    def release_command(self, target, request="request.toml", options=()):
        # The same request over and over, also after a crash: each of them is meant, and paid for.
        return self.command("release", request, "--folder", f"out/{target}", "--ledger", "ledger.sqlite", "--again", *options)

    def start(self, command):
        """Starts a command here."""
        keep = {name: value for name, value in os.environ.items() if not name.startswith("INCROWD_")}
        return subprocess.Popen(command, cwd=self.folder, env={**keep, "TMPDIR": str(self.temporary)}, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, command):
        """Runs a command here; one that hangs is a violation."""
        process = self.start(command)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired as error:
            process.kill()
            process.communicate()
            raise Violation(f"`{' '.join(command[-8:])}` did not end within {PATIENCE} seconds") from error
        return Said(process.returncode, out, err)

    def must(self, *arguments):
        """Runs the product, which must succeed, and returns its JSON."""
        said = self.run(self.command(*arguments))
        if said.code != 0:
            raise Violation(f"`incrowd {' '.join(map(str, arguments))}` ended with {said.code}: {said.complaint}")
        return said.json()

    def open_account(self, epsilon, account=ACCOUNT):
        self.must("ledger", "open", account, "--epsilon", epsilon, "--ledger", "ledger.sqlite")

    def release(self, target, request="request.toml", options=()):
        return self.run(self.release_command(target, request, options))

    def must_release(self, target, request="request.toml", options=()):
        """Releases, which must succeed, and returns the name of its charge."""
        said = self.release(target, request, options)
        if said.code != 0:
            raise Violation(f"a normal release ended with {said.code}: {said.complaint}")
        return said.json()["charge_id"]
