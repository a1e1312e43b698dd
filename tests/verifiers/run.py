#!/usr/bin/env python3
"""Two verifiers that share no code must agree: on every delivered folder, and on every forgery of it.

    run.py INCROWD_BINARY VERIFY_PY [--quick] [NAME ...]

Releases made-up data under requests of every kind (cases.py), lets `incrowd verify` and verify.py read each
folder, then forges each folder in many ways; both must accept the former and reject the latter. What verify.py takes
on trust (TRUSTED) is asked of `incrowd verify` alone. Exit code 1 if one of them does not do so. With names, only the
cases whose names begin so are tried.
"""
import contextlib, copy, csv, hashlib, html, importlib.util, io, json, os, shutil, subprocess, sys, tempfile, time
from fractions import Fraction as Q

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases

# Forgeries of what verify.py names as taken on trust: `incrowd verify` must reject them, verify.py is not asked.
TRUSTED = {"an interval widened, hash corrected", "an estimate changed, hash corrected",
           "a rounding changed, hash corrected", "a sum changed, hash corrected", "a label changed, hash corrected"}


def sha_file(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def sha_value(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def pretty(value, indent=0):
    """JSON as incrowd writes it: what fits into a line of 100 is in one line."""
    line, pad = json.dumps(value, ensure_ascii=False), " " * (indent + 2)
    if not isinstance(value, (dict, list)) or not value or indent > 0 and indent + len(line) <= 100:
        return line
    if isinstance(value, dict):
        items = [pad + json.dumps(k, ensure_ascii=False) + ": " + pretty(v, indent + 2) for k, v in value.items()]
    else:
        items = [pad + pretty(v, indent + 2) for v in value]
    ends = "{}" if isinstance(value, dict) else "[]"
    return ends[0] + "\n" + ",\n".join(items) + "\n" + " " * indent + ends[1]


class Folder:
    """A copy of a delivered folder that is about to be forged."""
    def __init__(self, source, target):
        shutil.copytree(source, target)
        self.path, self.c = target, json.load(open(os.path.join(source, "certificate.json"), encoding="utf-8"))
        self.raw = open(os.path.join(source, "certificate.json"), encoding="utf-8").read()

    def table(self):
        return os.path.join(self.path, "counts.csv")

    def rows(self):
        return open(self.table(), encoding="utf-8", newline="").read().split("\n")

    def write_rows(self, rows):
        with open(self.table(), "w", encoding="utf-8", newline="") as f:
            f.write("\n".join(rows))

    def rehash_tables(self):
        for t in self.c["tables"]:
            t["sha256"] = sha_file(os.path.join(self.path, t["name"]))

    def rehash_request(self):
        """All hashes of the request as they should be."""
        r = self.c["request"]
        binning = {key: r["data"][key] for key in ("where", "unit", "types", "timezone")}
        if "split" in r["data"]:
            binning["split"] = r["data"]["split"]
        binning.update(dataset=r["ledger"]["dataset"], kind=r["kind"],
                       bins=[{k: v for k, v in b.items() if k != "name"} for b in r["bins"]])
        self.c["request_hash"] = sha_value(r)
        self.c["unit"]["bounding_key"] = sha_value(binning)
        self.c["binning_hash"] = sha_value(dict(binning, snapshot=r["ledger"]["snapshot"]))

    def save(self):
        """Written as incrowd does, so that nothing but the forgery is strange."""
        with open(os.path.join(self.path, "certificate.json"), "w", encoding="utf-8") as f:
            f.write(pretty(self.c) + "\n")
        report = os.path.join(self.path, "report.html")
        if os.path.exists(report):  # which carries the certificate
            with open(report, encoding="utf-8") as f:
                page = f.read()
            before, mark, rest = page.partition("<summary>The certificate</summary><pre><code>")
            text = html.escape(json.dumps(self.c, ensure_ascii=False)).replace("&#x27;", "&#39;")
            with open(report, "w", encoding="utf-8") as f:
                f.write(before + mark + text + rest[rest.index("</code></pre>"):] if mark else page)


def scaled(text, factor):
    """A cost times a factor, in 15 digits."""
    return "%.15g" % (float(text) * factor)


def looser(runs):
    """A curve that promises less in its first run."""
    runs = copy.deepcopy(runs)
    key = "epsilon" if "epsilon" in runs[0] else "slope"
    runs[0][key] = "infinite" if runs[0][key] == "0" else str(Q(runs[0][key]) * Q(11, 10)) if runs[0][key] != "infinite" else "1"
    return runs


def stepped(value):
    """A parameter changed by one step; None if it has none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list) and value:
        rest = stepped(value[-1])
        return None if rest is None else value[:-1] + [rest]
    if isinstance(value, str) and value not in ("0", "infinite") and value[0].isdigit():
        return str(Q(value) * Q(11, 10))
    return None


def forgeries(c):
    """(name, function of a folder) for a certificate. Each changes what is meant."""
    name, exact, promise = c["mechanism"]["name"], c["exact"], c["request"]["promise"]
    listed = c["universe"]["accounted"] == "closed" and "threshold" not in c["mechanism"]["parameters"]
    out = []

    def forge(title):
        def keep(f):
            out.append((title, f))
            return f
        return keep

    def put(path, value):
        def change(f):
            at = f.c
            for key in path[:-1]:
                at = at[key]
            if value is KeyError:
                del at[path[-1]]
            else:
                at[path[-1]] = value
            return True
        return change

    def digit(f):
        rows = f.rows()
        for i in range(1, len(rows)):
            for d in "123456789":
                if d in rows[i]:
                    rows[i] = rows[i].replace(d, str(int(d) - 1), 1)
                    f.write_rows(rows)
                    return True
        return False

    out.append(("a digit of the table", digit))

    @forge("a row dropped")
    def _(f):
        rows = f.rows()
        f.write_rows(rows[:-2] + rows[-1:])
        return len(rows) > 2

    @forge("a row dropped, hash corrected")
    def _(f):
        rows = f.rows()
        f.write_rows(rows[:-2] + rows[-1:])
        f.rehash_tables()
        return listed and len(f.c["tables"]) == 1

    @forge("a row twice, hash corrected")
    def _(f):
        rows = f.rows()
        f.write_rows(rows[:-1] + rows[-2:])
        f.rehash_tables()
        return len(rows) > 2 and len(f.c["tables"]) == 1

    @forge("an unknown status, hash corrected")
    def _(f):
        rows = f.rows()
        changed = [r.replace(",published", ",guessed").replace(",suppressed", ",guessed") for r in rows]
        f.write_rows(changed)
        f.rehash_tables()
        return rows != changed and len(f.c["tables"]) == 1

    @forge("a column renamed, hash corrected")
    def _(f):
        rows = f.rows()
        rows[0] = rows[0].replace(",low,", ",lower,")
        f.write_rows(rows)
        f.rehash_tables()
        return len(f.c["tables"]) == 1

    @forge("a negative interval, hash corrected")
    def _(f):
        rows = f.rows()
        for i, row in enumerate(rows[1:], 1):
            cells = row.split(",")
            if "published" in cells and cells[cells.index("published") - 2]:
                cells[cells.index("published") - 2] = "-1"
                rows[i] = ",".join(cells)
                f.write_rows(rows)
                f.rehash_tables()
                return len(f.c["tables"]) == 1
        return False

    @forge("a suppressed row, hash corrected")
    def _(f):
        rows = f.rows()
        for i, row in enumerate(rows[1:], 1):
            cells = row.split(",")
            if "published" in cells:
                at = cells.index("published")
                cells[at - 3:at + 1] = ["", "", "", "suppressed"]
                rows[i] = ",".join(cells)
                f.write_rows(rows)
                f.rehash_tables()
                return not listed and len(f.c["tables"]) == 1
        return False

    def changed_cell(table, column, change):
        """Changes the first number that there is in a column, and corrects the hash."""
        def forged(f):
            path = os.path.join(f.path, table)
            if not os.path.exists(path):
                return False
            with open(path, encoding="utf-8", newline="") as g:
                head, *rows = list(csv.reader(g))
            at = next((i for i, name in enumerate(head) if name in column), None)
            row = next((row for row in rows if at is not None and row[at]), None)
            if row is None:
                return False
            row[at] = change(row[at])
            with open(path, "w", encoding="utf-8", newline="") as g:
                csv.writer(g, lineterminator="\n").writerows([head] + rows)
            f.rehash_tables()
            return not any(t["name"].endswith(("parquet", "arrow")) for t in f.c["tables"])
        return forged

    more = lambda text: str(Q(text) + 1) if Q(text).denominator == 1 else "%.3f" % (float(text) + 1)
    out.append(("an interval widened, hash corrected", changed_cell("counts.csv", ["high"], more)))
    out.append(("an estimate changed, hash corrected", changed_cell("counts.csv", ["estimate"], more)))
    out.append(("a rounding changed, hash corrected", changed_cell("counts.csv", ["rounded"], more)))
    out.append(("a sum changed, hash corrected", changed_cell("margins.csv", ["total", "sum_of_shown", "published_total"], more)))
    first = c["request"]["bins"][0]["name"]
    out.append(("a label changed, hash corrected", changed_cell("counts.csv", [first], lambda text: text + "?")))
    if len(c["tables"]) > 1:
        out.append(("an entry of tables removed", put(["tables"], c["tables"][:-1])))
    else:
        out.append(("an entry of tables removed", put(["tables"], [])))
    out.append(("a table's hash", put(["tables", 0, "sha256"], "0" * 64)))
    loose = looser(c["curve"])
    out.append(("curve loosened", put(["curve"], loose)))
    out.append(("exact.runs loosened", put(["exact", "runs"], looser(exact["runs"]))))

    def promise_looser(f, rehash):
        p = f.c["request"]["promise"]
        for key in ("epsilon", "slope", "epsilons", "values"):
            if key in p:
                if isinstance(p[key], list):
                    old = p[key][0]
                    p[key][0] = "infinite" if old != "infinite" else "1000"
                else:
                    p[key] = str(Q(p[key]) * 2) if p[key] not in ("0", "infinite") else "2"
                break
        if rehash:
            f.rehash_request()
        return True

    out.append(("promise loosened", lambda f: promise_looser(f, False)))
    out.append(("promise loosened and hashed", lambda f: promise_looser(f, True)))

    @forge("curve and runs and promise loosened without mechanism")
    def _(f):
        if promise["kind"] != "differential-privacy" or name in ("geometric", "tailored-geometric", "relay"):
            return False
        m = c["unit"]["bins_per_person"]
        e = Q(promise["epsilon"]) / 2
        f.c["request"]["promise"]["epsilon"] = str(e)
        f.c["curve"][0]["epsilon"] = f.c["worst_case_dp"]["epsilon"] = str(e)
        f.c["exact"]["runs"][0]["epsilon"] = f.c["theorem"]["epsilon"] = str(e / m)
        f.c["exact"]["worst"]["epsilon"] = str(e / m)
        for x in f.c["exact"]["by_count"]:
            x["epsilon"] = str(e / m)
        f.rehash_request()
        return True

    if exact["worst"]["delta"] != "0" and Q(exact["worst"]["delta"]) > Q(1, 10**29):
        out.append(("worst delta lowered", put(["exact", "worst", "delta"], scaled(exact["worst"]["delta"], 0.999))))
        out.append(("worst delta 0", put(["exact", "worst", "delta"], "0")))
        bound = dict(exact["worst"], delta=scaled(exact["worst"]["delta"], 0.5), **{"is": "upper bound"})
        out.append(("worst lowered as an upper bound, alone", put(["exact"], dict(exact, worst=bound, by_count=[]))))
    if exact["worst"]["delta"] == "0":
        out.append(("worst delta raised from 0", put(["exact", "worst", "delta"], "1e-3")))
    for i, x in enumerate(exact["by_count"]):
        if Q(x["delta"]) > Q(1, 10**29):
            out.append(("by_count delta lowered", put(["exact", "by_count", i, "delta"], scaled(x["delta"], 0.999))))
            if x["is"] == "exact":
                out.append(("by_count delta raised", put(["exact", "by_count", i, "delta"], scaled(x["delta"], 1.001))))
            break
    for i, x in enumerate(exact["by_count"]):
        if Q(x["delta"]) == 0:
            out.append(("by_count delta above 0", put(["exact", "by_count", i, "delta"], "1e-9")))
            out.append(("by_count epsilon", put(["exact", "by_count", i, "epsilon"], "7/5")))
            break
    worst_cost = Q(exact["worst"]["delta"])
    for x in exact["by_count"]:
        if worst_cost > Q(1, 10**29) and Q(x["delta"]) < worst_cost * Q(9, 10) and x["count"] != exact["worst"]["count"]:
            other = dict(exact["worst"], count=x["count"], epsilon=x["epsilon"])
            out.append(("worst count of another cost", put(["exact", "worst"], other)))
            out.append(("worst is another count", put(["exact", "worst"], x)))
            break
    out.append(("worst epsilon", put(["exact", "worst", "epsilon"], "7/5")))
    out.append(("worst 'is' unknown", put(["exact", "worst", "is"], "about")))
    if c["worst_case_dp"]:
        if c["worst_case_dp"]["delta"] != "0":
            out.append(("worst_case_dp delta lowered", put(["worst_case_dp", "delta"], scaled(c["worst_case_dp"]["delta"], 0.999))))
        out.append(("worst_case_dp epsilon", put(["worst_case_dp", "epsilon"], "1/1000")))
        out.append(("worst_case_dp null", put(["worst_case_dp"], None)))
    else:
        out.append(("worst_case_dp invented", put(["worst_case_dp"], {"epsilon": "1", "delta": "0"})))
    out.append(("delta", put(["delta"], "1/7")))
    out.append(("exact.delta", put(["exact", "delta"], "1/7")))
    out.append(("theorem.delta", put(["theorem", "delta"], "1/7")))
    out.append(("theorem.epsilon", put(["theorem", "epsilon"], "1/7")))
    for key, value in c["mechanism"]["parameters"].items():
        told_apart = worst_cost == 0 or worst_cost > Q(1, 10**29) or c["request"]["mechanism"].get(key) is not None
        if key != "thresholds" and stepped(value) is not None and told_apart:
            out.append(("parameter %s by one step" % key, put(["mechanism", "parameters", key], stepped(value))))
        if key != "thresholds":  # which the definition does not count among the parameters of a staircase
            out.append(("parameter %s removed" % key, put(["mechanism", "parameters", key], KeyError)))
    out.append(("parameter invented", put(["mechanism", "parameters", "luck"], 1)))
    other = "geometric" if name != "geometric" else "tailored-geometric"
    out.append(("mechanism renamed", put(["mechanism", "name"], other)))

    @forge("mechanism renamed in the request too")
    def _(f):
        f.c["mechanism"]["name"] = f.c["request"]["mechanism"]["name"] = "range" if name != "range" else "relay"
        f.rehash_request()
        return True

    for key in ("request_hash", "binning_hash"):
        out.append((key, put([key], "0" * 64)))
    out.append(("bounding key", put(["unit", "bounding_key"], "0" * 64)))
    if c["unit"]["bounding_key"] is not None:
        out.append(("bounding key removed", put(["unit", "bounding_key"], None)))
    out.append(("bins per person", put(["unit", "bins_per_person"], c["unit"]["bins_per_person"] + 1)))
    out.append(("data set", put(["dataset"], "others")))
    out.append(("snapshot", put(["snapshot"], "0")))
    u = c["universe"]
    out.append(("universe kind", put(["universe", "kind"], "found" if u["kind"] == "declared" else "declared")))
    out.append(("universe accounted", put(["universe", "accounted"], "open" if u["accounted"] == "closed" else "closed")))
    out.append(("universe size", put(["universe", "size"], "1000000" if u["size"] is None else None)))
    if "not_private" in c:
        out.append(("not_private removed", put(["not_private"], KeyError)))
    else:
        out.append(("not_private added", put(["not_private"], True)))
    for key in ("notion", "assumptions", "exact", "tables", "request", "delta", "sampling", "how_to_read"):
        out.append(("%s removed" % key, put([key], KeyError)))
    for path in (["exact", "worst", "is"], ["universe", "accounted"], ["ledger", "head"], ["theorem", "assumptions"],
                 ["not_protected", "facts"], ["unit", "neighbours"], ["exact", "by_count"]):
        out.append(("%s removed" % ".".join(path), put(path, KeyError)))
    if c["sampling"]:
        s = c["sampling"]
        out.append(("sampling denied", put(["sampling"], None)))
        out.append(("another chance", put(["sampling", "sample" if s["sample"] else "sampled"], "1/100")))
        out.append(("another charge", put(["sampling", "charged"], "1/50")))
        for i, x in enumerate(s["statements"]):
            for j, y in enumerate(x["curve"]):
                at = ["sampling", "statements", i, "curve", j]
                if float(y["delta"]) > 1e-25:
                    out.append(("a smaller delta", put(at + ["delta"], "%.6e" % (float(y["delta"]) * 0.99))))
                if y["others"] and y["is"] == "exact" and float(y["delta"]) > 1e-20:
                    out.append(("another worst group", put(at + ["others"], y["others"] + 7)))
                out.append(("a smaller epsilon", put(at + ["epsilon"], "1/1000")))
                out.append(("by something else", put(at + ["by"], "CB Theorem 12")))
        if s["charged"]:
            out.append(("a smaller cost", put(["worst_case_dp", "epsilon"], "1/1000")))
            out.append(("a smaller cost", put(["worst_case_dp", "delta"], "1e-40")))
    for i, odds in enumerate(c.get("odds", [])):
        at = ["odds", i]
        out.append(("odds: a smaller percentage", put(at + ["surer_than"], "50.01")))
        out.append(("odds: another epsilon", put(at + ["epsilon"], "7/5")))
        if Q(odds["but_for_a_chance_of"]) > Q(1, 10**25):
            out.append(("odds: no exception", put(at + ["but_for_a_chance_of"], "0")))
            if odds["is"] == "at most":
                out.append(("odds: delta for the chance", put(at + ["but_for_a_chance_of"], exact["worst"]["delta"])))
        break

    def rewritten(change):
        """Changes the text of the table, and corrects the hash."""
        def forged(f):
            with open(f.table(), encoding="utf-8", newline="") as g:
                text = g.read()
            changed = change(text)
            with open(f.table(), "w", encoding="utf-8", newline="") as g:
                g.write(changed)
            f.rehash_tables()
            return changed != text and len(f.c["tables"]) == 1
        return forged

    def in_text(change):
        """Changes the text of the certificate itself."""
        def forged(f):
            f.c = None
            with open(os.path.join(f.path, "certificate.json"), "w", encoding="utf-8") as g:
                g.write(change(f.raw))
            return True
        return forged

    out.append(("lines that end with CRLF, hash corrected", rewritten(lambda text: text.replace("\n", "\r\n"))))
    out.append(("needless quotes, hash corrected", rewritten(lambda text: text.replace(",published", ',"published"', 1))))
    out.append(("no last line end, hash corrected", rewritten(lambda text: text[:-1])))

    def leading_zero(text):
        head, _, rest = text.partition("\n")
        one_key = len(c["request"]["bins"]) == 1 and rest[:1].isalpha()  # else the first comma is not before the count
        return head + "\n" + rest.replace(",", ",0", 1) if one_key else text

    out.append(("a leading zero, hash corrected", rewritten(leading_zero)))

    @forge("rows out of order, hash corrected")
    def _(f):
        rows = f.rows()
        if len(rows) < 4:
            return False
        f.write_rows([rows[0], *rows[-2:0:-1], rows[-1]])
        f.rehash_tables()
        return len(f.c["tables"]) == 1

    @forge("a file that is not listed")
    def _(f):
        with open(os.path.join(f.path, "notes.txt"), "w", encoding="utf-8") as g:
            g.write("x")
        return True

    @forge("no report")
    def _(f):
        os.remove(os.path.join(f.path, "report.html"))
        return True

    @forge("another report")
    def _(f):
        f.c = None
        with open(os.path.join(f.path, "report.html"), "w", encoding="utf-8") as g:
            g.write("<script>alert(1)</script>")
        return True

    out.append(("a key said twice", in_text(lambda t: t.replace('"delta":', '"delta": "0",\n  "delta":', 1))))
    out.append(("needless spaces", in_text(lambda t: t.replace('"delta":', '"delta" :', 1))))
    out.append(("not a number", in_text(lambda t: t.replace('"seq": ', '"seq": NaN, "was": ', 1))))
    out.append(("unknown field", put(["trust_me"], True)))
    out.append(("unknown field within", put(["exact", "trust_me"], True)))
    out.append(("head shortened", put(["ledger", "head"], c["ledger"]["head"][:-1])))
    out.append(("charge id", put(["ledger", "charge_id"], "0" * 32)))
    out.append(("version raised", put(["version"], c["version"] + 1)))
    out.append(("version lowered", put(["version"], c["version"] - 1)))
    out.append(("wrong type", put(["curve"], "infinite")))

    @forge("not JSON")
    def _(f):
        f.c = None
        with open(os.path.join(f.path, "certificate.json"), "w", encoding="utf-8") as g:
            g.write(f.raw[:-20])
        return True

    @forge("deep nesting")
    def _(f):
        f.c = None
        with open(os.path.join(f.path, "certificate.json"), "w", encoding="utf-8") as g:
            g.write("[" * 200000)
        return True

    @forge("huge numbers")
    def _(f):
        f.c["exact"]["worst"]["count"] = 10**200
        f.c["exact"]["delta"] = "1" * 3000
        return True

    return out


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
            knows = n in ("crowd", "histogram", "relay", "staircase")
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
    missed, other = [w[1] for w in wrong if w[1] in TRUSTED], {"as delivered", "no release", *TRUSTED}
    print("forgeries rejected by both              %6d of %d" % (tried - sum(w[1] not in other for w in wrong), tried))
    print("those of what verify.py trusts, by incrowd %3d of %d" % (trusted - len(missed), trusted))
    print("seconds                                 incrowd %.0f, verify.py %.0f" % (times["incrowd"], times["verify.py"]))
    for name, title, text in wrong:
        print("DISAGREES  %s, %s: %s" % (name, title, text.strip()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
