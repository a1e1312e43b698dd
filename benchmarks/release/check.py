"""Measures `incrowd check` beside `incrowd release` on the same file and request, in turns: processor time.

    python3 check.py --incrowd PATH --data bench-10000000.parquet [--runs 3] [--only closed|open|person]

The data is what `make.py` writes, the requests are those of `run.py`. `check` may cost at most three times the processor time
of the release that it looks ahead to; this ends with 1 if it costs more. Needs nothing but Python.
"""
import argparse, os, statistics, sys, tempfile

sys.dont_write_bytecode = True
import run  # noqa: E402

# How many times the processor time of a release its check may take.
BAR = 3.0


def once(incrowd, measure, data, command):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "request.toml"), "w") as file:
            file.write(run.request(measure, data))
        # Nothing of this machine: the mark of a check, and the book, are in the folder.
        os.environ["XDG_DATA_HOME"] = os.path.join(folder, "home")
        arguments = {"check": ["--most-cut", "100%"], "release": ["--ledger", "ledger.sqlite", "--quiet"]}[command]
        result = run.measured([incrowd, command, "request.toml", "--threads", "2", *arguments], folder)
        if result["exit"] != 0:
            raise SystemExit(f"error: {command} of {measure} ended with {result['exit']}\n{result['stderr']}")
        return result["processor_seconds"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--incrowd", required=True)
    options.add_argument("--data", required=True)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--only", choices=["closed", "open", "person"])
    given = options.parse_args()
    incrowd, data = os.path.abspath(given.incrowd), os.path.abspath(given.data)
    met = True
    for measure in [given.only] if given.only else ["closed", "open", "person"]:
        seconds = {"check": [], "release": []}
        for _ in range(given.runs):
            for command, taken in seconds.items():
                taken.append(once(incrowd, measure, data, command))
        check, release = (statistics.median(seconds[command]) for command in ("check", "release"))
        ratio = check / release
        met &= ratio <= BAR
        print(f"{measure}: check {check:.2f} s, release {release:.2f} s of processor time, ratio {ratio:.2f}, bar {BAR}")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
