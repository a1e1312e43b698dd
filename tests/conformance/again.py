"""Computes the expected values again, by plain Python, and compares them with those that are kept.

    python3 again.py        needs time zones: those of the system, or `pip install tzdata`
"""
import os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    differing, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for script in ("days.py", "edges.py", "people.py", "written.py"):
            subprocess.run([sys.executable, os.path.join(HERE, script), folder], check=True)
        for path in (os.path.join(below, name) for below, _, names in os.walk(folder) for name in names):
            kept = os.path.join(HERE, os.path.relpath(path, folder))
            with open(path, "rb") as again, open(kept, "rb") as before:
                compared += 1
                if again.read() != before.read():
                    differing.append(os.path.relpath(kept, HERE))
    if differing:
        raise SystemExit(f"error: computed again, these differ: {', '.join(sorted(differing))}")
    print(f"{compared} files of expected values are as plain Python computes them")


if __name__ == "__main__":
    main()
