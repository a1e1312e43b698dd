#!/usr/bin/env python3
"""Two binaries must say the same: plans, releases drawn from a known seed, and verdicts on what was delivered before.

    python3 tests/unchanged/compare.py OLD_BINARY NEW_BINARY [--quick] [--keep FOLDER] [NAME ...]

Plans and releases with both binaries every example (made-up data, examples.py), every kind of release (tests/kinds)
and every mechanism (tests/verifiers/cases.py) with `--test-seed`, and compares

    plan             the text, and the object of --format json, but for its version of the software
    certificate      every field but `version`, `software` and what hangs on the time of the charge
    tables           byte for byte, in all formats

The new binary verifies its own folders and the old one's, and both verify every golden folder of earlier versions.
Prints how many of each were compared, and a short difference for each that differs; exit code 1 if one does. With --quick fewer mechanisms; with names, only cases that
begin so (`kind/`, `example/top`); with --keep the folders stay. Standard library only.
"""
import argparse, concurrent.futures, difflib, json, os, pathlib, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests/verifiers")]
import cases
import examples

SEED = "7"
# Fields that say which software wrote a certificate or a plan, and when.
VERSIONS = {"version", "software"}
OF_THE_CHARGE = {"charge_id", "head"}


def synthetic(request):
    """The request, of data that is declared to be made up: otherwise no seed may be known."""
    if "synthetic = true" in request:
        return request
    return request.replace("[data]\n", "[data]\nsynthetic = true\n", 1)


def all_cases(quick):
    """Name, request and files beside it, of everything that is compared."""
    for name, request, files in examples.examples(ROOT / "examples"):
        yield "example/" + name, request, files
    kinds = ROOT / "tests/kinds"
    files = {path.name: path.read_bytes() for path in kinds.glob("*.csv")}
    for path in sorted(kinds.glob("*.toml")):
        yield "kind/" + path.stem, path.read_text(encoding="utf-8"), files
    people = {"people.csv": cases.data().encode()}
    for case in cases.CASES:
        if quick and not case["quick"]:
            continue
        yield "mechanism/" + case["name"], cases.toml(case, "out"), people


def run(binary, arguments, folder):
    """The exit code, what was printed, and what was said."""
    clean = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "CLICOLOR_FORCE")}
    clean["INCROWD_LEDGER"] = str(folder / "ledger.sqlite")
    done = subprocess.run([binary, *arguments], cwd=folder, env=clean, capture_output=True, timeout=600)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def without(value, names):
    """A value without the fields of these names, at any depth."""
    if isinstance(value, dict):
        return {key: without(each, names) for key, each in value.items() if key not in names}
    if isinstance(value, list):
        return [without(each, names) for each in value]
    return value


def of_certificate(text):
    """What must be the same in two certificates: version fields stand at the top, other versions are the request's."""
    value = json.loads(text)
    value = {key: each for key, each in value.items() if key not in VERSIONS}
    value["ledger"] = without(value["ledger"], OF_THE_CHARGE)
    return json.dumps(value, indent=1, ensure_ascii=False)


def of_plan(text):
    """What must be the same in two plans."""
    return json.dumps(without(json.loads(text), VERSIONS), indent=1, ensure_ascii=False)


class Comparison:
    """Counts what was compared, and keeps what differs."""
    def __init__(self):
        self.compared, self.differences = {}, []

    def same(self, what, name, old, new):
        self.compared[what] = self.compared.get(what, 0) + 1
        if old == new:
            return
        if isinstance(old, bytes) or isinstance(new, bytes):
            shown = ["bytes differ: %d and %d" % (len(old or b""), len(new or b""))]
        else:
            shown = list(difflib.unified_diff(str(old).splitlines(), str(new).splitlines(), "old", "new", "", "", 1))[2:14]
        self.differences.append((what, name, [line[:300] for line in shown]))

    def add(self, other):
        for what, many in other.compared.items():
            self.compared[what] = self.compared.get(what, 0) + many
        self.differences += other.differences


def released(binary, folder):
    """What a binary says and writes about the request in a folder."""
    text = run(binary, ["plan", "request.toml"], folder)
    plan = run(binary, ["plan", "request.toml", "--format", "json"], folder)
    done = run(binary, ["release", "request.toml", "--test-seed", SEED, "--folder", "out"], folder)
    out = folder / "out"
    files = {path.name: path.read_bytes() for path in out.iterdir()} if out.is_dir() else {}
    return text, plan, done, files


def compare(name, request, files, binaries, root):
    """Compares what two binaries make of one request."""
    found, sides = Comparison(), []
    for side, binary in zip(("old", "new"), binaries):
        folder = root / side / name
        folder.mkdir(parents=True)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        (folder / "request.toml").write_text(synthetic(request), encoding="utf-8")
        sides.append(released(binary, folder))
    (old_text, old_plan, old_done, old_files), (new_text, new_plan, new_done, new_files) = sides
    found.same("exit codes", name, [old_text[0], old_plan[0], old_done[0]], [new_text[0], new_plan[0], new_done[0]])
    found.same("plans", name, old_text[1] + old_text[2], new_text[1] + new_text[2])
    if old_plan[0] == 0 == new_plan[0]:
        found.same("plans for machines", name, of_plan(old_plan[1]), of_plan(new_plan[1]))
    found.same("pages of releases", name, old_done[1] + old_done[2], new_done[1] + new_done[2])
    found.same("names of files", name, sorted(old_files), sorted(new_files))
    for file in sorted(set(old_files) & set(new_files) - {"report.html"}):
        if file == "certificate.json":
            found.same("certificates", name, of_certificate(old_files[file]), of_certificate(new_files[file]))
        else:
            found.same("tables", "%s %s" % (name, file), old_files[file], new_files[file])
    for side, done in (("old", old_done), ("new", new_done)):
        if done[0] == 0:
            found.same("folders of the %s binary that the new one verifies" % side, name, "",
                       rejected(binaries[1], root / side / name, side))
    return found


def rejected(binary, folder, side):
    """What a binary finds wrong in a folder. Between two releases binaries with one version number may write other
    sentences: of another binary's folder words and the report's bytes are not asked."""
    code, said, talk = run(binary, ["verify", "out", "--format", "json"], folder)
    if not said:
        return talk
    wrong = [check["name"] + ": " + check["detail"] for check in json.loads(said)["checks"] if not check["passed"]]
    return "\n".join(line for line in wrong if side == "new" or line.split(":")[0] not in ("words", "report"))


def golden(binaries, root):
    """Both binaries verify what earlier versions delivered."""
    found = Comparison()
    for certificate in sorted((ROOT / "tests/golden").glob("*/*/certificate.json")):
        folder = certificate.parent
        verdicts = []
        for binary in binaries:
            code, said, talk = run(binary, ["verify", str(folder), "--format", "json"], root)
            verdicts.append((code, json.dumps(json.loads(said), indent=1) if said else talk))
        name = str(folder.relative_to(ROOT))
        found.same("golden folders", name, "exit 0", "exit %d" % verdicts[1][0])
        found.same("verdicts on golden folders", name, verdicts[0][1], verdicts[1][1])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER")
    asked = parser.parse_args()
    binaries = [os.path.abspath(asked.old), os.path.abspath(asked.new)]
    root = pathlib.Path(asked.keep or tempfile.mkdtemp(prefix="incrowd-unchanged-"))
    found = Comparison()
    try:
        named = lambda case: not asked.names or any(case[0].startswith(name) for name in asked.names)
        chosen = [case for case in all_cases(asked.quick) if named(case)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for each in pool.map(lambda case: compare(*case, binaries, root), chosen):
                found.add(each)
        if not asked.names:
            found.add(golden(binaries, root))
    finally:
        if not asked.keep:
            shutil.rmtree(root, ignore_errors=True)
    for what, name, shown in found.differences:
        print("DIFFERENT %s: %s" % (what, name))
        print("".join("    %s\n" % line for line in shown), end="")
    for what, many in found.compared.items():
        wrong = sum(1 for difference in found.differences if difference[0] == what)
        print("%5d %s compared, %d different" % (many, what, wrong))
    return 1 if found.differences or not found.compared else 0


if __name__ == "__main__":
    sys.exit(main())
