#!/usr/bin/env python3
"""Runs a test program and says which of its tests took more than five seconds.

    cargo test --config "target.'cfg(all())'.runner = ['python3', '$PWD/tests/timed.py']"

Stable Rust tells no times of tests. But it starts them in the order in which it lists them, so many at once as it has
threads, the next as soon as one has ended: when each began follows from when the others ended. Everything that the
program prints is passed on as it is, and so is its exit code. Standard library only.
"""
import os, re, subprocess, sys, time

SLOW = 5.0
ENDED = re.compile(r"^test (.+?)(?: - should panic)?(?: - compile(?: fail)?)? \.\.\. (ok|FAILED|ignored.*)$")


def threads(arguments):
    """How many tests run at once, and the arguments that say so."""
    for at, argument in enumerate(arguments):
        if argument.startswith("--test-threads="):
            return int(argument.split("=", 1)[1]), arguments
        if argument == "--test-threads":
            return int(arguments[at + 1]), arguments
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    many = int(os.environ.get("RUST_TEST_THREADS") or cores)
    return many, [*arguments, "--test-threads", str(many)]


def listed(program, arguments):
    """The tests in the order in which they are started; none if the program is no such one."""
    done = subprocess.run([program, *arguments, "--list"], capture_output=True, text=True)
    lines = done.stdout.splitlines() if done.returncode == 0 else []
    return [line[: -len(": test")] for line in lines if line.endswith(": test")]


def main():
    program, arguments = sys.argv[1], sys.argv[2:]
    if "--list" in arguments or "--help" in arguments:
        return subprocess.run([program, *arguments]).returncode
    waiting = listed(program, arguments)
    if not waiting:
        return subprocess.run([program, *arguments]).returncode
    many, arguments = threads(arguments)
    child = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True, errors="replace")
    began, slow = {name: time.monotonic() for name in waiting[:many]}, []
    waiting = waiting[many:]
    for line in child.stdout:
        ended = ENDED.match(line.rstrip("\n"))
        if ended and ended[1] in began:
            took = time.monotonic() - began.pop(ended[1])
            if took > SLOW:
                slow.append((took, ended[1]))
            if waiting:
                began[waiting.pop(0)] = time.monotonic()
        sys.stdout.write(line)
        sys.stdout.flush()
    for took, name in sorted(slow, reverse=True):
        print("slow: %6.1f s %s %s" % (took, os.path.basename(program).rsplit("-", 1)[0], name))
    sys.stdout.flush()
    code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
