"""Measures `incrowd release` beside DuckDB and DataFusion on the same file, in turns.

    python3 run.py --incrowd PATH --data bench-50000000.parquet [--memory 2GB] [--only closed|open|person] [--runs 3]

Every engine is a process of its own on the same two processors. incrowd's time is that of its whole process: request,
ledger, counting, noise, certificate and report. A peer's time is that of its query alone, inside the process. Peak memory is
what the operating system reports for the process (peers: the interpreter included; `before` is its share).
Needs `pip install duckdb datafusion` for the Python that runs it.
"""
import argparse, csv, json, os, platform, shutil, statistics, subprocess, sys, tempfile, time

# Neither duckdb nor datafusion is imported here: a child's peak memory starts at what its parent has.
sys.dont_write_bytecode = True
import peer  # noqa: E402

# How often incrowd may take as long as the fastest peer.
BARS = {"closed": 1.15, "open": 2.5, "person": 1.3}
AIMS = {"open": 1.5}
PEERS = {
    "closed": [("duckdb", ""), ("datafusion", "")],
    "open": [("duckdb", ""), ("datafusion", "")],
    "person": [("duckdb", way) for way in peer.PERSON],
}

PROMISE = {
    "closed": "epsilon = 1",
    "person": "epsilon = 1",
    "open": 'epsilon = 1\ndelta = "1e-6"\n\n[mechanism]\nname = "relay"',
}


def bin_section(name, values=None):
    listed = f"values = [{', '.join(map(json.dumps, values))}]\n" if values else ""
    return f'[[bins]]\nname = "{name}"\ncolumn = "{name}"\n{listed}'


def request(measure, data):
    by_place = bin_section("department", peer.DEPARTMENTS) + "\n" + bin_section("region", peer.REGIONS)
    return "\n".join([
        'release = "histogram"\n',
        f"[data]\nsource = {json.dumps(data)}",
        'person = "person"\nbins-per-person = 1\n' if measure == "person" else "",
        bin_section("keyword") if measure == "open" else by_place,
        f'[promise]\nkind = "differential-privacy"\n{PROMISE[measure]}\n',
        f'[ledger]\ndataset = "bench-{measure}"\n',
        '[output]\nfolder = "out"\nformats = ["csv"]\n',
    ])


def measured(command, folder):
    """Runs a command; returns its exit code, output, seconds, processor seconds and peak memory in bytes."""
    with open(os.path.join(folder, "stdout"), "w+b") as output, open(os.path.join(folder, "stderr"), "w+b") as errors:
        started = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0), errors.seek(0)
        return {
            "exit": child.returncode,
            "stdout": output.read().decode(errors="replace"),
            "stderr": errors.read().decode(errors="replace"),
            "process_seconds": seconds,
            "processor_seconds": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * 1024,
        }


def run_incrowd(measure, given, folder):
    with open(os.path.join(folder, "request.toml"), "w") as file:
        file.write(request(measure, given.data))
    command = [given.incrowd, "release", "request.toml", "--ledger", "ledger.sqlite"]
    # Options that this incrowd has: one that it lacks would end the run before it began.
    wanted = {"--quiet": [], "--threads": [str(peer.THREADS)], "--spill": [folder]}
    command += [word for option, values in wanted.items() if option in given.help for word in (option, *values)]
    if given.memory:
        if "--memory" not in given.help:
            raise SystemExit("error: this incrowd has no --memory\nhint: leave --memory out")
        command += ["--memory", given.memory]
    result = measured(command + given.argument, folder)
    result["seconds"] = result["process_seconds"]
    if result["exit"] == 0:
        result["published"], result["total"] = published(os.path.join(folder, "out", "counts.csv"))
    return result


def published(table):
    """Returns how many rows were published and the sum of their counts: noise must not change either by much."""
    rows = total = 0
    # One row at a time: what this process holds would be added to the next child's peak.
    with open(table, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        place = next(lines).index("low") - 1     # "count", or "counted" where people may have been cut to some bins
        for line in lines:
            if line[place]:
                rows, total = rows + 1, total + int(line[place])
    return rows, total


def run_peer(engine, way, measure, given, folder):
    scratch = os.path.join(folder, "spill")
    os.mkdir(scratch)
    target = os.path.join(folder, "counts.csv")
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.py")
    command = [sys.executable, program, engine, measure, way, given.data, target, scratch, given.memory or ""]
    result = measured(command, folder)
    if result["exit"] == 0:
        result.update(json.loads(result["stdout"].splitlines()[-1]))
        if os.path.exists(target):
            result["published"], result["total"] = published(target)
    return result


def run_once(engine, way, measure, given):
    folder = tempfile.mkdtemp(prefix="incrowd-bench-", dir=given.scratch)
    try:
        if engine == "incrowd":
            return run_incrowd(measure, given, folder)
        return run_peer(engine, way, measure, given, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_measure(measure, given):
    # "-" measures the peers alone, before there is an incrowd.
    engines = ([("incrowd", "")] if given.incrowd != "-" else []) + PEERS[measure]
    results = {engine: [] for engine in engines}
    for turn in range(given.runs):
        for engine, way in engines:
            result = run_once(engine, way, measure, given)
            results[engine, way].append(result)
            shown = f"{result['seconds']:.2f} s" if result["exit"] == 0 else f"failed ({result['exit']})\n{result['stderr']}"
            print(f"  {measure} run {turn + 1}: {name(engine, way)} {shown}", file=sys.stderr, flush=True)
    return [summary(engine, way, runs) for (engine, way), runs in results.items()]


def name(engine, way):
    return f"{engine} ({way})" if way else engine


def summary(engine, way, runs):
    done = [run for run in runs if run["exit"] == 0]
    found = {"engine": name(engine, way), "runs": len(runs), "failed": len(runs) - len(done)}
    if done:
        for key in ("seconds", "process_seconds", "processor_seconds", "peak", "peak_before"):
            if key in done[0]:
                found[key] = statistics.median(run[key] for run in done)
        found["all_seconds"] = [run["seconds"] for run in done]
        found.update({key: done[-1][key] for key in ("published", "total", "version") if key in done[-1]})
    return found


def judged(measure, engines):
    """Returns how incrowd stands to the fastest peer that finished, or nothing if either side did not."""
    ours = [engine for engine in engines if engine["engine"] == "incrowd" and "seconds" in engine]
    peers = [engine for engine in engines if engine["engine"] != "incrowd" and "seconds" in engine]
    found = {"measure": measure, "bar": BARS[measure], "aim": AIMS.get(measure), "engines": engines}
    if ours and peers:
        fastest = min(peers, key=lambda engine: engine["seconds"])
        ratio = ours[0]["seconds"] / fastest["seconds"]
        found.update(fastest_peer=fastest["engine"], ratio=ratio, meets_bar=ratio <= BARS[measure])
    return found


def table(results):
    lines = [f"{'measure':8} {'engine':20} {'seconds':>9} {'process':>9} {'cpu':>9} {'peak MB':>9} {'before':>7} {'rows out':>10}"]
    for result in results:
        for engine in result["engines"]:
            if "seconds" not in engine:
                lines.append(f"{result['measure']:8} {engine['engine']:20} {'failed':>9}")
                continue
            before = f"{engine['peak_before'] / 1e6:.0f}" if "peak_before" in engine else ""
            lines.append(
                f"{result['measure']:8} {engine['engine']:20} {engine['seconds']:9.2f} {engine['process_seconds']:9.2f} "
                f"{engine['processor_seconds']:9.2f} {engine['peak'] / 1e6:9.0f} {before:>7} {engine.get('published', ''):>10}"
            )
        if "ratio" in result:
            verdict = "within" if result["meets_bar"] else "ABOVE"
            lines.append(
                f"{'':8} ratio to {result['fastest_peer']}: {result['ratio']:.2f}, {verdict} the bar of {result['bar']}"
                + (f" (aim {result['aim']})" if result["aim"] else "")
            )
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--incrowd", required=True, metavar="PATH", help="the binary; - measures the peers alone")
    options.add_argument("--data", required=True, metavar="FILE", help="a file made by make.py")
    options.add_argument("--memory", metavar="2GB", help="a limit for every engine; they spill beyond it")
    options.add_argument("--only", choices=list(BARS))
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--scratch", metavar="FOLDER", help="where temporary folders are made")
    options.add_argument("--json", default="release-benchmark.json", metavar="FILE", help="where the figures are written")
    options.add_argument("--argument", action="append", default=[], help="one more argument for incrowd release, repeatable")
    given = options.parse_args()
    given.data = os.path.abspath(given.data)
    if given.incrowd == "-":
        given.help = ""
    else:
        # A command of its name in the path is found as well.
        given.incrowd = os.path.abspath(shutil.which(given.incrowd) or given.incrowd)
        asked = subprocess.run([given.incrowd, "release", "--help"], capture_output=True, text=True)
        if asked.returncode != 0:
            raise SystemExit("error: this incrowd has no `release`\nhint: build it, or give --incrowd - for the peers alone")
        given.help = asked.stdout

    # The same processors for everybody, and no more of them than peers have threads.
    processors = sorted(os.sched_getaffinity(0))[: peer.THREADS]
    os.sched_setaffinity(0, processors)
    # Everybody finds the file in the page cache.
    with open(given.data, "rb") as file:
        while file.read(1 << 24):
            pass

    results = []
    for measure in BARS:
        if given.only in (None, measure):
            results.append(judged(measure, run_measure(measure, given)))
    print(table(results))
    with open(given.json, "w") as file:
        setting = {"data": os.path.basename(given.data), "bytes": os.path.getsize(given.data), "runs": given.runs,
                   "memory": given.memory, "processors": len(processors), "machine": platform.machine()}
        json.dump({"setting": setting, "results": results}, file, indent=2)
        file.write("\n")
    sys.exit(0 if all(result.get("meets_bar", given.incrowd == "-") for result in results) else 1)


if __name__ == "__main__":
    main()
