"""Forgeries of a delivered folder: each changes what is meant, and both verifiers must see it.

`forgeries(certificate)` lists them by name; a `Folder` is the copy that one of them is made in. What verify.py takes on
trust (TRUSTED) is asked of `incrowd verify` alone.
"""
import copy, csv, hashlib, html, json, os, shutil
from fractions import Fraction as Q

# Forgeries of what verify.py names as taken on trust: `incrowd verify` must reject them, verify.py is not asked.
TRUSTED = {"an interval widened, hash corrected", "an estimate changed, hash corrected",
           "a total that is off by one, hash corrected", "a cell and its totals changed, hash corrected",
           "another rounding that adds up, hash corrected",
           "a rounding changed, hash corrected", "a sum changed, hash corrected", "a label changed, hash corrected",
           "a workbook changed, hash corrected", "odds: no exception, of a law that it does not sum"}


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


def main_table(certificate):
    """The name of the table that holds what was released."""
    return {"rows": "rows.csv", "points": "points.csv"}.get(certificate["request"]["release"], "counts.csv")


class Folder:
    """A copy of a delivered folder that is about to be forged."""
    def __init__(self, source, target):
        shutil.copytree(source, target)
        self.path, self.c = target, json.load(open(os.path.join(source, "certificate.json"), encoding="utf-8"))
        self.raw = open(os.path.join(source, "certificate.json"), encoding="utf-8").read()

    def table(self):
        return os.path.join(self.path, main_table(self.c or json.loads(self.raw)))

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
        nameless = lambda items: [{k: v for k, v in item.items() if k != "name"} for item in items]
        kind = nameless(r["kind"]) if r["release"] in ("rows", "points") else "top" if r["release"] == "top" else r["kind"]
        binning.update(dataset=r["ledger"]["dataset"], kind=kind, bins=nameless(r["bins"]))
        self.c["request_hash"] = sha_value(r)
        self.c["unit"]["bounding_key"] = sha_value(binning) if "person" in r["data"]["unit"] else None
        binning["snapshot"] = r["ledger"]["snapshot"]
        if r["data"].get("sample") is not None:
            binning["sample"] = r["data"]["sample"]
        if "reading" in self.c:
            binning["reading"] = self.c["reading"]
        self.c["binning_hash"] = sha_value(binning)

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
    release, asked = c["request"]["release"], c["request"]["mechanism"] or {}
    counts = main_table(c) == "counts.csv"
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

    @forge("another policy, hashes corrected")
    def _(f):
        named = "k-20" if c["request"].get("policy") != "k-20" else "k-10"
        f.c["request"] = dict(sorted({**f.c["request"], "policy": named}.items()))
        f.rehash_request()
        return release == "histogram"

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
        return counts and len(rows) > 2 and len(f.c["tables"]) == 1

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
        rows[0] = rows[0].replace(",low,", ",lower,") if counts else "x" + rows[0]
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
    better = lambda text: {"F": "E", "E": "A", "A": "E"}[text]
    out.append(("another quality, hash corrected", changed_cell("counts.csv", ["quality"], better)))
    out.append(("no quality, hash corrected", changed_cell("counts.csv", ["quality"], lambda text: "")))

    @forge("a bad quality made good, hash corrected")
    def _(f):
        rows = f.rows()
        worst = [i for i, row in enumerate(rows) if row.endswith(",F")]
        if not counts or not worst or not rows[0].endswith(",quality"):
            return False
        rows[worst[0]] = rows[worst[0]][:-1] + "A"
        f.write_rows(rows)
        f.rehash_tables()
        return len(f.c["tables"]) == 1

    @forge("a count that was cut called otherwise, hash corrected")
    def _(f):
        rows = f.rows()
        head = rows[0]
        rows[0] = head.replace(",counted,low,", ",count,low,") if ",counted,low," in head else head.replace(",count,low,", ",counted,low,")
        f.write_rows(rows)
        f.rehash_tables()
        return counts and rows[0] != head and len(f.c["tables"]) == 1

    judged = next((i for i, step in enumerate(c["postprocessing"]) if step["step"] == "quality"), None)
    if judged is not None:
        out.append(("a step removed: quality", put(["postprocessing", judged], KeyError)))
    few = lambda text: "7" if text.startswith("fewer") else "fewer than 1000000"
    out.append(("something else shown, hash corrected", changed_cell("counts.csv", ["shown"], few)))
    out.append(("nothing shown, hash corrected", changed_cell("counts.csv", ["shown"], lambda text: "")))
    limit = next((i for i, step in enumerate(c["postprocessing"]) if step["step"] == "small"), None)
    if limit is not None:
        below = str(int(c["postprocessing"][limit]["below"]) + 1)
        another = put(["postprocessing", limit, "below"], below)
        some = lambda f: any(",fewer than" in row for row in f.rows()) and another(f)   # else nothing else is shown
        out.append(("another limit of small values", some))
        out.append(("no limit of small values", put(["postprocessing", limit, "below"], "0")))
        out.append(("a step removed: small", put(["postprocessing", limit], KeyError)))
    out.append(("a sum changed, hash corrected", changed_cell("margins.csv", ["total", "sum_of_shown", "published_total"], more)))

    def added_up(more, less):
        """One person more in a cell, and one less in another; `more` says how many of its totals follow."""
        def forged(f):
            path = os.path.join(f.path, "consistent.csv")
            if not os.path.exists(path):
                return False
            with open(path, encoding="utf-8", newline="") as g:
                head, *rows = list(csv.reader(g))
            at = head.index("consistent")
            cells = [row for row in rows if row[at + 1] == "1" and "(all)" not in row[:at]]
            full = [row for row in cells if int(row[at]) > 0]
            other = next((row for row in cells if full and row is not full[0]), None)
            if not cells or (less and other is None):
                return False
            changes = [(other if less else cells[0], 1)] + ([(full[0], -1)] if less else [])
            for cell, change in changes:
                holds = [row for row in rows if all(a in ("(all)", b) for a, b in zip(row[:at], cell[:at]))]
                for row in holds[:1] if more == "whole" else holds:
                    row[at] = str(int(row[at]) + change)
            with open(path, "w", encoding="utf-8", newline="") as g:
                csv.writer(g, lineterminator="\n").writerows([head] + rows)
            f.rehash_tables()
            return not any(t["name"].endswith(("parquet", "arrow")) for t in f.c["tables"])
        return forged

    out.append(("a total that is off by one, hash corrected", added_up("whole", False)))
    out.append(("a cell and its totals changed, hash corrected", added_up("all", False)))
    out.append(("another rounding that adds up, hash corrected", added_up("all", True)))
    first = (c["request"]["bins"] or c["request"]["kind"])[0]["name"]
    out.append(("a label changed, hash corrected", changed_cell(main_table(c), [first], lambda text: text + "?")))
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
        told_apart = worst_cost == 0 or worst_cost > Q(1, 10**29) or asked.get(key) is not None
        if key != "thresholds" and stepped(value) is not None and told_apart:
            out.append(("parameter %s by one step" % key, put(["mechanism", "parameters", key], stepped(value))))
        if key != "thresholds":  # which the definition does not count among the parameters of a staircase
            out.append(("parameter %s removed" % key, put(["mechanism", "parameters", key], KeyError)))
    out.append(("parameter invented", put(["mechanism", "parameters", "luck"], 1)))
    other = "geometric" if name != "geometric" else "tailored-geometric"
    out.append(("mechanism renamed", put(["mechanism", "name"], other)))

    @forge("mechanism renamed in the request too")
    def _(f):
        if not asked:
            return False
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
            summed = name not in ("general", "tailored-geometric")
            title = "odds: no exception" if summed else "odds: no exception, of a law that it does not sum"
            out.append((title, put(at + ["but_for_a_chance_of"], "0")))
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

    out += forgeries_of_kinds(c, put)
    out += forgeries_of_files(c, put, rewritten)

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


def forgeries_of_files(c, put, rewritten):
    """Those of how tables are written to files, and of what a folder was made from; not in version 2."""
    at = next((i for i, step in enumerate(c["postprocessing"]) if step["step"] == "files"), None)
    if at is None:
        return [("derived from something in version 2", put(["derived_from"], None))]
    step, out = ["postprocessing", at], []
    out.append(("no word on files", put(["postprocessing"], c["postprocessing"][:at])))
    out.append(("files twice", put(["postprocessing"], c["postprocessing"] + [c["postprocessing"][at]])))
    out.append(("a mark that is not there", put(step + ["csv_bom"], not c["postprocessing"][at]["csv_bom"])))
    for name in ("", "12", "=1", "other", "'x", None, "x" * 41):
        out.append(("missing called %.5r" % (name,), put(step + ["missing"], name)))
    keys = c["postprocessing"][at]["keys"]
    out.append(("a type that is not known", put(step + ["keys", 0], "money")))
    out.append(("types of fewer keys", put(step + ["keys"], keys[:-1])))
    if c["universe"]["dimensions"][0]["kind"] == "declared":
        other = "boolean" if keys[0] != "boolean" else "text"
        out.append(("another type of declared keys", put(step + ["keys", 0], other)))
    out.append(("made from nothing", put(["derived_from"], {"certificates": [], "in_words": "x"})))
    out.append(("made from no certificate", put(["derived_from"], {"certificates": ["0"], "in_words": "x"})))
    out.append(("origin left out", put(["derived_from"], KeyError)))
    for written, other in (("'=1,", "=1,"), ("''=1,", "'=1,"), ("'(missing),", "(missing),"), ("\n(missing),", "\n,"),
                           ("\n-3,", "\n'-3,"), ("'=word,", "=word,"), ("\ufeff", ""), ("\nnothing,", "\n(missing),")):
        out.append(("%r as %r" % (written, other), rewritten(lambda text, w=written, o=other: text.replace(w, o, 1))))

    def workbook(f):
        path = os.path.join(f.path, main_table(f.c).replace(".csv", ".xlsx"))
        if not os.path.exists(path):
            return False
        with open(path, "ab") as g:
            g.write(b"x")
        f.rehash_tables()
        return True

    out.append(("a workbook changed, hash corrected", workbook))
    return out


def forgeries_of_kinds(c, put):
    """Those of rows, points and top items alone."""
    release, kind = c["request"]["release"], c["request"]["kind"]
    one_table = len(c["tables"]) == 1

    def in_rows(change):
        """Changes the list of lines between the header and the end, and corrects the hash."""
        def forged(f):
            head, *lines, end = f.rows()
            changed = change(list(lines))
            if not changed or changed == lines:
                return False
            f.write_rows([head, *changed, end])
            f.rehash_tables()
            return one_table
        return forged

    def too_few(lines):
        """One kind of row less than the crowd asks for."""
        least = c["mechanism"]["parameters"]["crowd"] - 1
        return lines[:1] * least + [line for line in lines if line != lines[0]]

    def promise(key, value):
        def forged(f):
            f.c["request"]["promise"][key] = value
            f.rehash_request()
            return True
        return forged

    out = []
    if release == "rows":
        out.append(("a kind of row that too few share", in_rows(too_few)))
        out.append(("equal rows apart", in_rows(lambda lines: lines[1:] + lines[:1])))
        out.append(("rows with a larger epsilon", promise("epsilon", "1")))
        out.append(("another crowd, hashed", promise("crowd", c["request"]["promise"]["crowd"] + 1)))
    if release == "points":
        between = lambda line: line.replace(line.split(",")[0], line.split(",")[0] + "1", 1)
        out.append(("a point off the grid", in_rows(lambda lines: [between(lines[0]), *lines[1:]])))
        out.append(("points out of order", in_rows(lambda lines: lines[-1:] + lines[:-1])))
        out.append(("fewer points than a crowd", in_rows(lambda lines: lines[:2])))
        out.append(("a missing coordinate", in_rows(lambda lines: ["," + lines[0].partition(",")[2], *lines[1:]])))
        out.append(("points without noise", promise("epsilon", "infinite")))
        out.append(("theorem with another epsilon", put(["theorem", "epsilon"], "1/3")))
    if release == "top":
        for key, value in c["mechanism"]["then"].items():
            other = "1/7" if value is None or isinstance(value, str) else value + 1
            out.append(("steps: another " + key, put(["mechanism", "then", key], other)))
        out.append(("steps: none", put(["mechanism", "then"], KeyError)))
        out.append(("a rank skipped", in_rows(lambda lines: lines[:-1])) if len(kind["always"]) >= kind["items"] else
                   ("a rank changed", in_rows(lambda lines: [*lines[:-1], "9" + lines[-1]])))
        item = lambda line: line.split(",")[1]
        twice = lambda lines: [*lines[:-1], lines[-1].replace(item(lines[-1]), item(lines[0]), 1)] if lines[1:] else None
        out.append(("an item twice", in_rows(twice)))
        out.append(("a status of histograms", in_rows(lambda lines: [line.replace(",chosen", ",published") for line in lines])))
        out.append(("a status without a count", in_rows(lambda lines: [line.replace(",published", ",chosen") for line in lines])))
        out.append(("steps that spend more than is promised", lambda f: more_spent(f)))
    return out


def more_spent(f):
    f.c["request"]["kind"]["epsilon-select"] = "100"
    f.rehash_request()
    return True
