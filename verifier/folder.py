"""A folder as bytes: plain files, JSON in its one spelling, tables as hashed, a report that carries the certificate."""
import hashlib
import html
import json
import os
import re
import stat

from .numbers import Wrong, need

ORDER = ("version not_private software how_to_read request_hash binning_hash dataset snapshot reading notion curve"
         " delta unit worst_case_dp odds sampling universe mechanism theorem exact postprocessing randomness floating_point"
         " timing assumptions not_protected ledger derived_from tables request").split()
BEFORE = "<details><summary>The certificate</summary><pre><code>"
AFTER = "</code></pre></details>"
HIDDEN = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")   # what a report replaces


def read_file(folder, name, most=1 << 28):
    """The bytes of a plain file that is not too large."""
    path = os.path.join(folder, name)
    there = os.stat(path)
    need(stat.S_ISREG(there.st_mode) and there.st_size <= most, name, "is no plain file, or too large")
    with open(path, "rb") as file:
        return file.read(most)


def strict(text):
    """JSON without fractions, NaN, or a key that is said twice."""
    def once(pairs):
        need(len({key for key, _ in pairs}) == len(pairs), "a key is said twice")
        return dict(pairs)

    def never(text):
        raise Wrong("not a whole number: " + text[:40])

    return json.loads(text, object_pairs_hook=once, parse_float=never, parse_constant=never)


def spelt(value, indent=0):
    """A certificate in its one spelling (C 1): what fits into a line of 100 is on one line, else one part a line."""
    line = json.dumps(value, ensure_ascii=False, sort_keys=True)
    is_whole_file = indent == 0
    if not isinstance(value, (dict, list)) or not value:
        return line
    if not is_whole_file and indent + len(line.encode()) <= 100:
        return line
    pad, parts = " " * (indent + 2), []
    if isinstance(value, list):
        for part in value:
            parts.append(pad + spelt(part, indent + 2))
        return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"
    for key in sorted(value, key=ORDER.index if is_whole_file else None):
        parts.append(pad + json.dumps(key, ensure_ascii=False) + ": " + spelt(value[key], indent + 2))
    return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"


def read_tables(folder, certificate, kinds):
    """The listed tables, as hashed. Beside them are the certificate and a report; nothing else."""
    names = [table["name"] for table in certificate["tables"]]
    workbook = kinds.split("|")[0] + ".xlsx"                # one for all tables, never alone, not in version 2
    for name in names:
        known = re.fullmatch(r"(%s)\.(csv|parquet|arrow)" % kinds, name)
        need(known or name == workbook and certificate["version"] == 3, "no such table:", name)
    need(names and len(set(names)) == len(names), "no tables, or one that is listed twice")
    need(names != [workbook], "a workbook, and no other file to hold it against")
    there = sorted(os.listdir(folder))
    need(there == sorted(names + ["certificate.json", "report.html"]), "the folder has other files")
    files = {}
    for table in certificate["tables"]:
        files[table["name"]] = read_file(folder, table["name"])
        found = hashlib.sha256(files[table["name"]]).hexdigest()
        need(found == table["sha256"], table["name"], "is not what was certified")
    return files


def check_report(folder, certificate):
    """report.html carries this certificate, once."""
    parts = read_file(folder, "report.html").decode().split(BEFORE)
    need(len(parts) == 2 and AFTER in parts[1], "report.html carries no certificate")
    carried = strict(html.unescape(parts[1].split(AFTER)[0]))
    need(plain(carried) == plain(certificate), "report.html carries another certificate")


def plain(value):
    return HIDDEN.sub("\ufffd", json.dumps(value, sort_keys=True, ensure_ascii=False))
