"""A crash or an error at every system call with which a release changes something on disk.

A release is traced once; then it runs again and again from the same state, and is killed on entering its first write, its second
write, and so on through all calls of all kinds; and again for each with the call failing instead. Calls are counted for each
thread, as strace does. Five stories, so that every way to the end is walked: a release into a free name, one that replaces a
folder, one that fails after its charge, one that finds the journal and the aside of a killed one, and the very first, which makes
the ledger.

A ledger that was killed while it was made is an empty file. The product refuses it until somebody removes it, lest it forget what
was spent; such ends are counted, and checked after the removal.
"""
import concurrent.futures
import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass

import book
from book import Violation
from invariants import Look, Witness, find_folders
from product import ACCOUNT, EPSILON, Place

# With `openat` where it makes a file. What a machine does not know is left out.
CALLS = ("write writev pwrite64 pwritev pwritev2 copy_file_range sendfile fsync fdatasync sync_file_range msync truncate ftruncate "
         "fallocate unlink unlinkat rmdir rename renameat renameat2 link linkat symlink symlinkat mkdir mkdirat utimensat").split()
LINE = re.compile(r"(?P<thread>\d+) +(?P<call>\w+)\((?P<arguments>.*)")

KILL = "signal=KILL"
# With `:on`, every later call of the kind fails, too: a disk that is full stays full.
ERRORS = ("error=EIO", "error=ENOSPC")


@dataclass(frozen=True)
class Point:
    """The call of a kind at which something happens: the number-th of its thread."""

    call: str
    number: int
    what: str

    def __str__(self):
        return f"{self.call} {self.number} ({self.what})"


@dataclass
class Story:
    """A release from one state, and what it should come to if nothing happens to it."""

    name: str
    place: Place
    witness: Witness
    code: int = 0
    request: str = "request.toml"
    options: tuple = ()
    effects: tuple = (KILL, *ERRORS)
    # Whether it makes the ledger; then it is disturbed up to there.
    first: bool = False

    @property
    def command(self):
        return self.place.release_command("target", self.request, self.options)


@dataclass
class Result:
    """What came of one disturbed release."""

    code: object = None
    charged: int = 0
    delivered: int = 0
    # Whether it left a ledger that was not made to its end.
    unmade: int = 0
    violation: str | None = None


def why_not_here():
    """Returns why nothing can be injected on this machine, or nothing."""
    if shutil.which("strace") is None:
        return "there is no strace here; install it (apt-get install strace)"
    asked = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=getpid", "-e", "inject=getpid:error=EIO:when=1", "true"]
    tried = subprocess.run(asked, capture_output=True, text=True)
    if tried.returncode != 0:
        return f"strace cannot trace here (in a container, allow SYS_PTRACE): {tried.stderr.strip()}"
    return None


# ---- stories ----


def stories(binary, folder):
    """Makes the states that releases start from, and returns the stories."""
    place = Place.make(binary, folder / "prepared")
    place.request("first.toml", epsilon="1/7")
    place.request("others.toml", account="others")
    place.open_account("20")
    place.open_account("20", "others")
    place.must_release("before-1", "first.toml")
    place.must_release("before-2", "others.toml")
    if place.release("before-3", "broken.toml").code != 3:
        raise Violation("a release of broken data did not end with 3")
    halfway = grown(place, folder)
    shutil.rmtree(place.out / "before-2")
    witness = Witness(place)
    witness.look()
    replaced = place.copy(folder / "replaced")
    replaced.must_release("target")
    again = witness.after(replaced)
    again.look()
    fresh = Place.make(binary, folder / "fresh")
    return [
        Story("deliver", place, witness, effects=(KILL, *ERRORS, "error=ENOSPC:on")),
        Story("replace", replaced, again, options=("--replace",)),
        Story("fail", place, witness, code=3, request="broken.toml"),
        Story("recover", halfway, witness),
        Story("first", fresh, Witness(fresh), first=True),
    ]


def grown(place, folder):
    """Charges until the next charge makes the file longer; returns a copy that was killed right before that charge was there.

    It has a journal that must be rolled back, by writing, cutting the file and removing the journal.
    """
    for attempt in range(20):
        copy = place.copy(folder / f"halfway-{attempt}")
        length = copy.ledger.stat().st_size
        # The first thing that is removed is the file that stands for the name, which is looked at before the charge.
        said = copy.run(strace("/dev/null", "unlink", f"{KILL}:when=2") + copy.release_command("target"))
        journal = copy.ledger.with_name(copy.ledger.name + "-journal")
        if not said.killed or not journal.exists():
            raise Violation(f"a release killed at its commit left no journal: it ended with {said.code}")
        if copy.ledger.stat().st_size > length:
            return copy
        shutil.rmtree(copy.folder)
        place.must_release("filler", options=("--replace",))
    raise Violation("no charge made the ledger longer")


# ---- points ----


def strace(log, calls, inject=None):
    asked = ["strace", "-f", "-qq", "-y", "-o", str(log), "-e", f"trace={calls}"]
    return asked + (["-e", f"inject={calls}:{inject}"] if inject else [])


def trace(story, folder):
    """Runs a story undisturbed, and returns its calls: thread, name, arguments with paths from the place's folder on."""
    place = story.place.copy(folder)
    log = place.folder / "trace"
    said = place.run(strace(log, ",".join(f"?{call}" for call in (*CALLS, "openat"))) + story.command)
    if said.code != story.code:
        raise Violation(f"{story.name}: an undisturbed release ended with {said.code}: {said.complaint}")
    lines = [LINE.match(line) for line in log.read_text().replace(str(place.folder.resolve()), "HERE").splitlines()]
    shutil.rmtree(place.folder)
    return [(line["thread"], line["call"], line["arguments"]) for line in lines if line]


def points(story, folder):
    """Returns every call with which a story changes something. Of several in a row that only speak, the first stands for all."""
    counted, found, speaking = Counter(), {}, False
    for thread, call, arguments in trace(story, folder):
        counted[thread, call] += 1
        about = subject(arguments)
        if call == "openat" and "O_CREAT" not in arguments:
            continue
        if story.first and call == "renameat2":
            break
        spoke, speaking = speaking, call == "write" and about.startswith("pipe:")
        number = counted[thread, call]
        if not (spoke and speaking):
            found.setdefault((call, number), Point(call, number, about))
    return list(found.values())


def subject(arguments):
    """What a call is about, from the place's folder on: the open file, or the last path that is named."""
    handle = re.match(r"\d+<([^>]*)>", arguments)
    names = re.findall(r'"([^"]*)"', arguments)
    name = handle[1] if handle else names[-1] if names else "nothing"
    name = re.sub(r"^HERE(/|$)", "", name) or "the ledger's folder"
    return re.sub(r"incrowd-(?!taken)\w{6}", r"incrowd-XXXXXX", name)


# ---- runs ----


def run_story(story, folder, threads):
    """Disturbs a story at every point, in every way; returns the points and what came of each run."""
    found = points(story, folder / f"{story.name}-traced")
    tasks = [(point, effect) for effect in story.effects for point in found]
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(disturb, story, point, effect, folder / f"{story.name}-{number}")
                   for number, (point, effect) in enumerate(tasks)]
        return found, [result.result() for result in running]


def disturb(story, point, effect, folder):
    """One disturbed release, a look, a normal release, and another look. A folder with a violation is kept."""
    place, result = story.place.copy(folder), Result()
    try:
        said = injected(place, story, point, effect)
        result.code = "killed" if said.killed else said.code
        result.unmade = story.first and remove_unmade(place)
        judge(story, place, said, result)
        shutil.rmtree(folder)
    except Violation as violation:
        result.violation = f"{story.name}: {effect} at {point}: {violation} [{folder.name}]"
    return result


def injected(place, story, point, effect):
    """Runs the release with the effect at the point."""
    effect, _, goes_on = effect.partition(":")
    log = place.folder / "trace"
    when = f"{effect}:when={point.number}{'+' if goes_on else ''}"
    said = place.run(strace(log, point.call, when) + story.command)
    happened = said.killed if effect == KILL else "(INJECTED)" in log.read_text()
    if not happened:
        raise Violation("the call was not made this time, so that nothing could happen at it")
    return said


def remove_unmade(place):
    """Removes a ledger that was never made to its end, as the product asks; it must refuse to work with it."""
    if not place.ledger.exists():
        return False
    said = place.run(place.command("ledger", "show", "--ledger", "ledger.sqlite"))
    if said.code == 2 and "is empty, which a ledger never is" in said.err:
        for path in place.folder.glob("ledger.sqlite*"):
            path.unlink()
        return True
    return False


def judge(story, place, said, result):
    """Checks the state that a disturbed release left, and that the next one is not in its way."""
    witness = story.witness.after(place)
    look = witness.look() if place.ledger.exists() else Look([], *find_folders(place))
    new = set(look.charges) - set(book.charges(story.witness.entries))
    certificate = look.folders.get("target")
    delivered = certificate is not None and certificate["ledger"]["charge_id"] in new
    result.charged, result.delivered = len(new), int(delivered)
    if "--replace" in story.options and certificate is None:
        raise Violation("the folder that was to be replaced is gone, and no other is there")
    follow(story, place, witness, len(new))
    must_be_true(said, new, delivered)


def must_be_true(said, new, delivered):
    """The exit code and the words of a release are what the ledger and the folders say."""
    fact = f"it ended with {said.code}: {len(new)} charges, {'a' if delivered else 'no'} folder"
    if len(new) > 1:
        raise Violation(f"one release, several charges: {fact}")
    true = {0: len(new) == 1 and delivered, 1: not new and not delivered, 2: not new and not delivered,
            3: len(new) == 1 and not delivered}
    # Where the disk fails for good, nobody can look whether the charge stands: then it must be called possible.
    if said.code == 3 and not delivered and "may stand" in said.complaint:
        true[3] = True
    if not said.killed and not true.get(said.code, False):
        raise Violation(f"the exit code is not true: {fact}: {said.complaint}")
    try:
        told = json.loads(said.out)["charge_id"]
    except (ValueError, KeyError):
        return
    if not delivered or new != {told}:
        raise Violation(f"it said that charge {told} was delivered: {fact}")


def follow(story, place, witness, charged):
    """A normal release right after, to the same name: it succeeds, is charged once, and clears away what was left aside.

    What the disturbed one left whole gets its name first, and says so; then the release is asked for again."""
    said = place.release("target", options=("--replace",))
    if said.code == 1 and "was paid for and interrupted; it is there now" in said.complaint:
        recovered = witness.look().folders["target"]["ledger"]["charge_id"]
        if recovered not in said.complaint or recovered in book.charges(story.witness.entries):
            raise Violation(f"something else was recovered than what was interrupted: {recovered}")
        said = place.release("target", options=("--replace",))
    if said.code != 0:
        raise Violation(f"a normal release ended with {said.code}: {said.complaint}")
    charge = said.json()["charge_id"]
    look = witness.look()
    if look.folders["target"]["ledger"]["charge_id"] != charge:
        raise Violation("the next release is not the one that is there")
    added = look.spent - book.spent(story.witness.entries, ACCOUNT)
    if added != EPSILON * (charged + 1):
        raise Violation(f"{charged} + 1 charges of {EPSILON} came to {added}")
    if look.aside:
        raise Violation(f"the next release left aside what it should remove: {look.aside}")

