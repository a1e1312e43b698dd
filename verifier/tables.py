"""The rows of the tables against the certificate (C 7), with what they show to readers and the quality of values.

Intervals, estimates, roundings, margins and what adds up are trusted.
"""
import json
import math
import re
from fractions import Fraction
from itertools import product

from .kinds import Points, Rows, Top
from .numbers import need, number
from .spelling import Spelling

FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))([,\n])')
INTEGER = r"(0|-?[1-9]\d{0,18})"
END = r"(0|[1-9]\d{0,18})?"
MOST_DECIMALS = 40


def lines_of(text):
    """The rows of CSV in its one spelling: nothing is quoted that need not be. None is a missing value."""
    at, row = 0, []
    while at < len(text):
        found = FIELD.match(text, at)
        need(found, "a table that is not CSV as incrowd writes it")
        quoted, plain, end = found.groups()
        value = quoted.replace('""', '"') if quoted is not None else plain or None
        needs_quotes = value is not None and (value == "" or value != value.strip(" ") or re.search('[,"\r\n]', value))
        need((quoted is not None) == bool(needs_quotes), "needless quotes, or missing ones")
        row.append(value)
        at = found.end()
        if end == "\n":
            yield row
            row = []
    need(not row and text.endswith("\n"), "a table that does not end with its last line")


def check_table(text, certificate):
    """Checks the main table; returns how many rows it has."""
    spelling = Spelling(certificate)
    head, *rows = list(lines_of(spelling.after_start(text)))
    for row in rows:
        need(len(row) == len(head), "a row of another length")
    names = [d.name for d in certificate.dimensions]
    head = [spelling.text(name) for name in head]
    rows = [[*map(spelling.key, row[:len(names)]), *row[len(names):]] for row in rows]
    if isinstance(certificate.kind, Rows):
        need(head == names, "other columns:", head)
        check_rows(rows, certificate)
    elif isinstance(certificate.kind, Points):
        need(head == names, "other columns:", head)
        check_points(rows, certificate)
    else:
        need(head == names + count_columns(certificate), "other columns:", head)
        check_counts(rows, certificate)
    return len(rows)


def count_columns(certificate):
    steps = {step["step"] for step in certificate.c["postprocessing"]}
    columns = ["counted" if may_cut_people(certificate) else "count", "low", "high", "status"]
    if certificate.parameters.get("publish-levels"):
        columns.append("levels")
    if certificate.parameters.get("publish-epsilon"):
        columns.append("epsilon_total")
    if "estimate" in steps:
        columns.append("estimate")
    if "rounding" in steps:
        columns.append("rounded")
    if "small" in steps:
        columns.append("shown")
    if "quality" in steps:
        columns.append("quality")
    return columns


def may_cut_people(certificate):
    """Whether a person may have more bins than she is counted in (C 7.1)."""
    if certificate.c["version"] == 2 or "person" not in certificate.request["data"]["unit"]:
        return False
    sizes = [d.size for d in certificate.dimensions]
    if isinstance(certificate.kind, Top):
        sizes = sizes[1:]     # ranks are not counted
    return None in sizes or math.prod(sizes) > certificate.kind.bins


def check_counts(rows, certificate):
    """Counts of bins, or of chosen items."""
    dimensions = certificate.dimensions
    keys = [tuple(row[:len(dimensions)]) for row in rows]
    need(len(set(keys)) == len(keys), "rows are repeated")
    threshold = "threshold" in certificate.parameters
    listed = not certificate.open and not threshold      # every declared cell is there
    chosen = isinstance(certificate.kind, Top)
    forms = forms_of_items(certificate) if chosen else forms_of_counts(certificate, listed, threshold)
    small, rounding = small_of(certificate)
    names = count_columns(certificate)
    for row in rows:
        shown = row[len(dimensions):len(dimensions) + 4]
        need(re.fullmatch("|".join(forms), ",".join(x or "" for x in shown)), "no such status, or other numbers:", row)
        need(chosen or not shown[0] or int(shown[0]) >= certificate.law.least, "a count that cannot be shown:", row)
        if small:
            readers = row[len(dimensions) + names.index("shown")]
            need(readers == shown_to_readers(shown, small, rounding, certificate), "readers are shown otherwise:", row)
        if "quality" in names:
            need(row[len(dimensions) + names.index("quality")] == quality(*shown[:3]), "another quality:", row)
    if chosen:
        check_items(keys, certificate)
    elif listed:
        check_every_cell(keys, dimensions)
    else:
        check_order(keys, dimensions)


def quality(count, low, high):
    """A, E or F by the half-width of the interval over 1.96, beside the value; None without an interval (C 7.1)."""
    if low is None or high is None:
        return None
    low, high = int(low), int(high)
    value = Fraction(low + high, 2) if count is None else int(count)
    error = Fraction(high - low, 2) / Fraction(196, 100)
    if low == 0 < high:
        return "F"
    if error <= Fraction(165, 1000) * value:
        return "A"
    return "E" if error <= Fraction(333, 1000) * value else "F"


def small_of(certificate):
    """The limit of small values, if they are shown as such, and what the others are rounded to."""
    steps = {step["step"]: step for step in certificate.c["postprocessing"]}
    if "small" not in steps:
        return None, 1
    step = int(steps["rounding"]["to"]) if "rounding" in steps else 1
    small = int(steps["small"]["below"])
    need(small >= 2 and steps["small"]["below"] == str(small), "a limit of small values that is none")
    need(rounded(small, step) >= small, "a value that is not small would be rounded to a small one")
    return small, step


def rounded(count, step):
    """The nearest multiple, halves up."""
    return (2 * count + step) // (2 * step) * step


def shown_to_readers(shown, small, step, certificate):
    """What the column `shown` has beside `count,low,high,status` (C 7.1); None where nothing is shown."""
    count, low, high, status = shown
    few = "fewer than %d" % small
    if status in ("suppressed", "chosen"):
        return None
    if status == "at-most":
        most = certificate.step_curve.last_zero
        return few if most < small else "at most %d" % most
    if count is None:
        if int(high) < small:
            return few
        return "at most " + high if int(low) < small else "%s to %s" % (low, high)
    return few if int(count) < small else str(rounded(int(count), step))


def forms_of_counts(certificate, listed, threshold):
    """What `count,low,high,status` may look like."""
    count = "" if certificate.name == "range" else INTEGER
    forms = [count + "," + END + "," + END + ",published"]
    if listed:
        forms.append(",,,suppressed")
    at_most = certificate.name == "tailored-geometric" and certificate.step_curve.last_zero > 0
    if at_most and not threshold:
        forms.append("," + END + "," + END + ",at-most")
    return forms


def forms_of_items(certificate):
    if certificate.kind.counted is None:
        return [",,,chosen"]
    return [INTEGER + "," + END + "," + END + ",published"]


def check_items(keys, certificate):
    """Ranks 1, 2, 3 and so on, no item twice; items that are always candidates are surely enough for so many rows."""
    always = certificate.request["kind"]["always"]
    need(min(certificate.kind.items, len(always)) <= len(keys) <= certificate.kind.items, "too few items, or too many")
    for rank, key in enumerate(keys, 1):
        need(key[0] == str(rank), "a rank that does not come next")
    items = [key[1:] for key in keys]
    need(len(set(items)) == len(items), "an item that was chosen before")
    for item in items:
        for label, dimension in zip(item, certificate.dimensions[1:]):
            need(place_of(label, dimension) is not NOT_DECLARED, "an item that is not declared")


def check_every_cell(keys, dimensions):
    """Every declared cell once, in the order of the declaration, the last bin fastest."""
    need(len(keys) == math.prod(d.size for d in dimensions), "rows are missing")
    labels = [list(dict.fromkeys(key[i] for key in keys)) for i in range(len(dimensions))]
    for own, dimension in zip(labels, dimensions):
        need(len(own) == dimension.size, "labels are missing or repeated")
        need(are_declared(own, dimension), "labels that are not declared, or out of order")
    need(all(key == cell for key, cell in zip(keys, product(*labels))), "rows out of order")


def label_of(value):
    """A listed value as tables write it."""
    if isinstance(value, dict):
        return value["date"]
    return value if isinstance(value, str) else json.dumps(value)


def are_declared(labels, dimension):
    """Whether labels are those of a dimension: listed values as they are; intervals and periods ascend."""
    rest = dimension.rest
    if "values" in dimension.cut:
        return labels == [label_of(value) for value in dimension.cut["values"]] + rest
    own = labels[:len(labels) - len(rest)]
    starts = [(label or "").strip("[").split(",")[0] for label in own]
    if not all(re.fullmatch(r"\d{4}-\d\d-\d\d", start) for start in starts):
        starts = [Fraction(start) for start in starts]
    return labels[len(own):] == rest and all(x < y for x, y in zip(starts, starts[1:]))


NOT_DECLARED = object()


def place_of(label, dimension):
    """Where a label stands among the listed ones; None where labels are not listed one by one."""
    if dimension.cut == "found" or "values" not in dimension.cut:
        return None
    if not hasattr(dimension, "places"):
        listed = [label_of(value) for value in dimension.cut["values"]] + dimension.rest
        dimension.places = {own: i for i, own in enumerate(listed)}
    return dimension.places.get(label, NOT_DECLARED)


def as_number(text):
    return Fraction(text) if re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?(e-?\d{1,3})?", text) else None


def as_day(text):
    found = re.fullmatch(r"([+-]?\d{1,9})-(.*)", text, re.S)
    return (int(found[1]), found[2]) if found else None


def check_order(keys, dimensions):
    """Keys ascend from row to row: listed ones as declared, found ones as texts, numbers or days throughout."""
    ways = [[str, as_number, as_day] for _ in dimensions]
    for key in keys:
        for label, dimension in zip(key, dimensions):
            need(place_of(label, dimension) is not NOT_DECLARED, "a key that is not declared")
    for key, following in zip(keys, keys[1:]):
        differing = [i for i in range(len(key)) if key[i] != following[i]]
        need(differing, "rows are repeated")
        at = differing[0]
        one, two, dimension = key[at], following[at], dimensions[at]
        place = place_of(one, dimension)
        if place is not None:
            need(place < place_of(two, dimension), "rows out of order")
        elif dimension.size is None and two is not None:     # missing ones come last; intervals are trusted
            need(one is not None, "rows out of order")
            ways[at] = [way for way in ways[at] if ascends(way(one), way(two))]
            need(ways[at], "rows out of order")


def ascends(one, two):
    return one is not None and two is not None and one < two


def check_rows(rows, certificate):
    """Equal rows stand together, kinds ascend, and no kind has fewer rows than the crowd."""
    kinds, people = [], []
    for row in map(tuple, rows):
        if kinds and kinds[-1] == row:
            people[-1] += 1
        else:
            kinds.append(row)
            people.append(1)
    need(len(set(kinds)) == len(kinds), "equal rows that do not stand together")
    need(all(count >= certificate.parameters["crowd"] for count in people), "a kind of row that too few people share")
    check_order(kinds, certificate.dimensions)


def check_points(rows, certificate):
    """Coordinates are multiples of their step with all its decimals, in order; one cell has at least a crowd."""
    steps = [number(axis["step"]) for axis in certificate.request["kind"]]
    need(not rows or len(rows) >= certificate.parameters["crowd"], "fewer points than those of a single cell")
    before = None
    for row in rows:
        point = [coordinate(text, step) for text, step in zip(row, steps)]
        need(before is None or before <= point, "points out of order")
        before = point


def coordinate(text, step):
    decimals = next(n for n in range(MOST_DECIMALS) if (step * 10**n).denominator == 1)
    fraction = r"\.\d{%d}" % decimals if decimals else ""
    need(text and re.fullmatch(r"-?(0|[1-9]\d{0,30})" + fraction, text), "a point that is not written as it should be")
    value = Fraction(text)
    need(not (value == 0 and text.startswith("-")), "a zero with a sign")
    need((value / step).denominator == 1, "a point that is not on the grid")
    return value
