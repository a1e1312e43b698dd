#!/usr/bin/env python3
"""Two verifiers that share no code must agree: on every delivered folder, and on every forgery of it.

    run.py INCROWD_BINARY VERIFY_PY [--quick] [NAME ...]

Releases made-up data under requests of every kind (cases.py), lets `incrowd verify` and verify.py read each
folder, then forges each folder in many ways; both must accept the former and reject the latter. What verify.py takes
on trust (TRUSTED) is asked of `incrowd verify` alone. Exit code 1 if one of them does not do so. With names, only the
cases whose names begin so are tried.
"""
import contextlib, importlib.util, io, json, os, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases
from forgeries import TRUSTED, Folder, forgeries, pretty


def load(path):
    spec = importlib.util.spec_from_file_location("verify", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_python(module, folder):
    """The exit code of verify.py, called within this process, and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = module.main([folder])
    return code, said.getvalue()


def main():
    arguments = [a for a in sys.argv[1:] if a != "--quick"]
    if len(arguments) < 2:
        print(__doc__)
        return 2
    binary, script, quick, only = os.path.abspath(arguments[0]), os.path.abspath(arguments[1]), "--quick" in sys.argv, arguments[2:]
    module, wrong, folders, tried, trusted, times = load(script), [], 0, 0, 0, {"incrowd": 0.0, "verify.py": 0.0}
    chosen = [c for c in cases.CASES if (c["quick"] or not quick) and (not only or c["name"].startswith(tuple(only)))]
    work = tempfile.mkdtemp(prefix="verifiers-")
    try:
        with open(os.path.join(work, "people.csv"), "w", encoding="utf-8") as f:
            f.write(cases.data())

        def both(folder, trusted=False):
            """The exit codes of both, what they said and how long it took; what is trusted is not asked of verify.py."""
            start = time.time()
            rust = subprocess.run([binary, "verify", folder], capture_output=True, text=True)
            middle = time.time()
            python, said = (1, "not asked") if trusted else run_python(module, folder)
            seconds = middle - start, time.time() - middle
            times["incrowd"] += seconds[0]
            times["verify.py"] += seconds[1]
            return rust.returncode, python, rust.stdout + rust.stderr, said, seconds

        for c in chosen:
            request, folder = os.path.join(work, c["name"] + ".toml"), os.path.join(work, c["name"])
            with open(request, "w", encoding="utf-8") as f:
                f.write(cases.toml(c, c["name"]))
            seed = ["--test-seed", str(c["seed"])] if "seed" in c else ["--ledger", os.path.join(work, c["name"] + ".sqlite")]
            made = subprocess.run([binary, "release", request, "--quiet"] + seed, capture_output=True, text=True)
            if made.returncode:
                wrong.append((c["name"], "no release", made.stderr))
                continue
            if "render" in c:  # the folder that is read is made from the one that was released
                paid, folder = folder, folder + "-rendered"
                made = subprocess.run([binary, "render", paid, "--to", folder] + c["render"], capture_output=True, text=True)
                same = subprocess.run([binary, "verify", folder, "--parent", paid], capture_output=True, text=True)
                if made.returncode or same.returncode:
                    wrong.append((c["name"], "no rendering", made.stderr + same.stdout))
                    continue
            print("  %s" % c["name"], file=sys.stderr, flush=True)
            folders += 1
            rust, python, rust_said, said, seconds = both(folder)
            certificate = json.load(open(os.path.join(folder, "certificate.json"), encoding="utf-8"))
            # verify.py does not know samples, says so with exit code 2, and is not asked about forgeries of them
            unknown = certificate["sampling"] is not None
            if rust or python != (2 if unknown else 0):
                wrong.append((c["name"], "as delivered", "incrowd %d, verify.py %d\n%s%s" % (rust, python, rust_said if rust else "", said)))
                continue
            if pretty(certificate) + "\n" != open(os.path.join(folder, "certificate.json"), encoding="utf-8").read():
                wrong.append((c["name"], "rewritten", "certificate.json is laid out otherwise than this program can"))
            every = forgeries(certificate)
            stride = 1 + int(sum(seconds) * len(every) / (2 if quick else 8))  # slow ones are tried with fewer
            for title, change in every[folders % stride::stride]:
                target = os.path.join(work, "forged")
                forged = Folder(folder, target)
                if change(forged):
                    if forged.c is not None:
                        forged.save()
                    alone = unknown or title in TRUSTED
                    tried, trusted = tried + (not alone), trusted + alone
                    rust, python, _, said, _ = both(target, alone)
                    if not rust or not python or "Traceback" in said:
                        wrong.append((c["name"], title, "incrowd %d, verify.py %d\n%s" % (rust, python, said if rust else "")))
                shutil.rmtree(target)
        # What earlier versions delivered: accepted by both (of what verify.py does not know it says so), and forged as all.
        golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "0.1.0")
        old = sorted(n for n in os.listdir(golden) if os.path.exists(os.path.join(golden, n, "certificate.json")))
        for n in [] if only else old:
            rust, python, rust_said, said, _ = both(os.path.join(golden, n))
            knows = n in ("crowd", "histogram", "points", "relay", "rows", "staircase", "top")
            folders += 1
            chosen = chosen + [None]
            if rust or python != (0 if knows else 2):
                wrong.append((n, "as delivered", "incrowd %d, verify.py %d\n%s%s" % (rust, python, rust_said if rust else "", said)))
            certificate = json.load(open(os.path.join(golden, n, "certificate.json"), encoding="utf-8"))
            plain = ["curve loosened", "delta", "exact.delta", "worst epsilon", "a digit of the table", "another report"]
            for title, change in forgeries(certificate) if knows else []:
                if title in plain or title.startswith("parameter"):
                    forged = Folder(os.path.join(golden, n), target := os.path.join(work, "forged"))
                    if change(forged):
                        if forged.c is not None:
                            forged.save()
                        tried += 1
                        rust, python, _, said, _ = both(target)
                        if not rust or not python:
                            wrong.append((n, title, "incrowd %d, verify.py %d" % (rust, python)))
                    shutil.rmtree(target)
        chosen = [c for c in chosen]
        if chosen and chosen[0]:  # once as a program of its own
            alone = subprocess.run([sys.executable, script, os.path.join(work, chosen[0]["name"])], capture_output=True, text=True)
            if alone.returncode or "verified" not in alone.stdout:
                wrong.append((chosen[0]["name"], "verify.py as a program", alone.stdout + alone.stderr))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("folders released and read alike by both   %6d of %d" % (folders - sum(w[1] == "as delivered" for w in wrong), len(chosen)))
    missed = [w[1] for w in wrong if w[1] in TRUSTED]
    other = {"as delivered", "no release", "no rendering", *TRUSTED}
    print("forgeries rejected by both              %6d of %d" % (tried - sum(w[1] not in other for w in wrong), tried))
    print("those of what verify.py trusts, by incrowd %3d of %d" % (trusted - len(missed), trusted))
    print("seconds                                 incrowd %.0f, verify.py %.0f" % (times["incrowd"], times["verify.py"]))
    for name, title, text in wrong:
        print("DISAGREES  %s, %s: %s" % (name, title, text.strip()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
