"""What differs between kinds of release: dimensions of the table, the mechanism, and what all steps cost (C 3, 7)."""
import datetime
import math

from .curve import Curve
from .numbers import INFINITE, ZERO, need, number, text_of, whole


def values_of(parameter, parts=1):
    """A parameter as numbers: texts that hold one, also in lists; names and plain numbers stay as they are."""
    if isinstance(parameter, list):
        return [values_of(one, parts) for one in parameter]
    if isinstance(parameter, str) and (parameter == "infinite" or parameter[:1].isdigit()):
        return number(parameter) / parts
    return parameter


def cut_size(cut):
    """How many labels a cut declares; None if they are found in the data."""
    if cut == "found":
        return None
    if "values" in cut:
        return len(cut["values"])
    if "intervals" in cut:
        return whole(cut["intervals"])
    for edges in ("edges", "days"):
        if edges in cut:
            return len(cut[edges]) - 1
    if "first" in cut:
        return periods(cut["truncate"], *(datetime.date.fromisoformat(cut[end]) for end in ("first", "last")))
    return None   # periods that are found


def periods(unit, first, last):
    days = (last - first).days
    months = 12 * (last.year - first.year) + last.month - first.month
    return 1 + {"day": days, "week": days // 7, "month": months, "year": months // 12}[unit]


class Dimension:
    """One column of keys: its name, how many labels it has (None: found), and which, as far as they are listed."""

    def __init__(self, name, cut, other=False, missing=False):
        self.name, self.cut = name, cut
        own = cut_size(cut)
        self.size = None if own is None else own + other + missing
        self.rest = ["other"] * other + [None] * missing

    def told(self):
        return {"name": self.name, **universe_of(self.size)}

    def type_name(self):
        """The type of a declared column (C 7.8); None where keys are found."""
        if self.size is None:
            return None
        if "first" in self.cut:
            return "date"
        if "values" not in self.cut or "other" in self.rest:
            return "text"
        first = self.cut["values"][0]
        names = {bool: "boolean", int: "integer", str: "text", dict: "date"}
        return names[type(first)]


def universe_of(size):
    return {"kind": "found", "size": None} if size is None else {"kind": "declared", "size": str(size)}


class Histogram:
    """Counts of bins (C 7)."""
    tables = "counts|margins|consistent|statistics"
    steps = {"name", "parameters"}

    def __init__(self, request, curve):
        self.request, self.promise = request, request["promise"]
        self.bins = whole(request["data"]["unit"]["bins-per-person"])
        self.delta = number(self.promise["delta"] or "0")
        self.curve = curve
        self.check()

    def check(self):
        need(self.request["kind"] is None, "a histogram of another kind")

    def dimensions(self):
        return [Dimension(b["name"], b["cut"], b["other"], b["nulls"] == "bin") for b in self.request["bins"]]

    def binning_kind(self):
        """What of `r.kind` belongs to what is counted (C 3)."""
        return None

    def step_curve(self):
        """The epsilon of one bin by count, of the mechanism that is accounted for."""
        return self.curve.part(self.bins)

    def step_delta(self):
        return self.delta / self.bins

    def theorem(self):
        """Epsilon and delta that `theorem` states."""
        return self.step_curve().largest, self.step_delta()

    def largest_epsilon(self):
        """The epsilon of `worst_case_dp`."""
        return self.curve.largest

    def asked(self):
        """The name of the mechanism and the parameters that are given; an own epsilon is divided among bins (C 3)."""
        asked = {key: value for key, value in self.request["mechanism"].items() if value is not None}
        given = {}
        for key, value in asked.items():
            own = key in ("epsilon", "epsilons") and value == self.promise.get(key)
            given[key] = value if key == "name" else values_of(value, self.bins if own else 1)
        return given

    def is_open(self, name, dimensions):
        return name in ("relay", "threshold") or any(d.size is None for d in dimensions)

    def odds_are_summable(self):
        return self.bins == 1

    def check_steps(self, mechanism):
        """What follows the mechanism that is accounted for: nothing."""


class Crowd(Histogram):
    """Rows and points: shown where at least `crowd` people share them, in the open; one to a person."""

    def check(self):
        need(self.promise["kind"] == "crowd-blending" and self.bins == 1, "a promise that is none of crowds")
        alone = self.request["mechanism"] is None and self.request["bins"] == []
        need(alone, "bins or a mechanism beside", self.tables)

    def binning_kind(self):
        return [{key: value for key, value in one.items() if key != "name"} for one in self.request["kind"]]

    def asked(self):
        return {"name": "suppress-below", "crowd": whole(self.promise["crowd"])}

    def is_open(self, name, dimensions):
        return True


class Rows(Crowd):
    """Rows that public rules made coarser, as they are."""
    tables = "rows"

    def check(self):
        super().check()
        need(self.promise["epsilon"] == "0", "rows are shown as they are: epsilon is 0")

    def dimensions(self):
        return [Dimension(one["name"], *self.rule(one["rule"])) for one in self.request["kind"]]

    def rule(self, rule):
        """The cut of a rule, whether it has "other", and that missing values stay."""
        if rule == "keep" or "prefix" in rule or "truncate" in rule:
            return "found", False, True
        if "names" in rule:
            names = list(dict.fromkeys(name for _, name in rule["names"]))
            return {"values": names}, False, True
        cut = rule["edges"] if "edges" in rule else {"values": rule["values"]}
        return cut, rule["other"], True


class Points(Crowd):
    """Points, moved on the grid of their cell by DL(epsilon/R) on each axis: within e^epsilon of each other (C 7)."""
    tables = "points"

    def check(self):
        super().check()
        need(0 < number(self.promise["epsilon"]) < INFINITE, "points are moved by noise: epsilon is above 0")
        boxes = [axis["boxes"] for axis in self.request["kind"] if "boxes" in axis]
        need(len(boxes) in (0, len(self.request["kind"])), "boxes that have no side on some axis")
        for axis in self.request["kind"]:
            step = number(axis["step"])
            for low, high in self.sides(axis):
                # A cell has the indices ceil(low/step) to ceil(high/step) - 1.
                need(math.ceil(low / step) < math.ceil(high / step), "a cell without a place on the grid")

    def sides(self, axis):
        """The cells of an axis, as pairs of numbers."""
        if "boxes" in axis:
            return [(signed(low), signed(high)) for low, high in axis["boxes"]]
        edges = axis["edges"]
        if "edges" in edges:
            ends = [signed(edge) for edge in edges["edges"]]
        else:
            start, width = signed(edges["from"]), signed(edges["width"])
            ends = [start + i * width for i in range(whole(edges["intervals"]) + 1)]
        return list(zip(ends, ends[1:]))

    def dimensions(self):
        return [Dimension(axis["name"], "found") for axis in self.request["kind"]]

    def theorem(self):
        return number(self.promise["epsilon"]), self.delta


class Top(Histogram):
    """The most frequent items: found by a threshold, chosen by permute-and-flip, counted with noise (C 7)."""
    tables = "counts"
    steps = {"name", "parameters", "then"}

    def check(self):
        kind = self.request["kind"]
        need(self.request["mechanism"] is None, "a mechanism beside the steps")
        self.items = whole(kind["items"])
        self.stabilise, self.select = number(kind["epsilon-stabilise"]), number(kind["epsilon-select"])
        self.counted = None if kind["epsilon-counts"] is None else number(kind["epsilon-counts"])
        self.spent = self.stabilise + self.select + (self.counted or 0)
        need(self.spent <= self.curve(1), "the steps spend more than is promised")

    def dimensions(self):
        return [Dimension("rank", {"values": range(1, self.items + 1)})] + super().dimensions()

    def binning_kind(self):
        return "top"

    def step_curve(self):
        return Curve([(INFINITE, self.stabilise / self.bins, ZERO)])

    def theorem(self):
        return self.spent, self.delta

    def largest_epsilon(self):
        return self.spent

    def asked(self):
        return {"name": "threshold", "epsilon": self.stabilise / self.bins}

    def is_open(self, name, dimensions):
        return True

    def odds_are_summable(self):
        return False

    def check_steps(self, mechanism):
        """Each choice costs its rate however many items she is in (claim 28); counts are divided among her items."""
        noise = None if self.counted is None else text_of(self.counted / self.bins)
        then = {"items": self.items, "choice-rate": text_of(self.select / self.items), "count-rate": noise}
        need(mechanism["then"] == then, "the steps after the first are", then)


def signed(text):
    """A number that may be below 0."""
    return -number(text[1:]) if text.startswith("-") else number(text)


KINDS = {"histogram": Histogram, "rows": Rows, "points": Points, "top": Top}
