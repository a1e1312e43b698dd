"""Protection curves: the epsilon of a person by the size of her group (C 4, theory 1)."""
import math
from collections import namedtuple
from fractions import Fraction

from .numbers import INFINITE, SLACK, ZERO, exp, need, number, real, search, text_of, whole

# For counts from first to last, epsilon is `epsilon + slope * count`; one of both is 0.
Run = namedtuple("Run", "first last epsilon slope")


class Curve:
    """Epsilon by count, made of stretches (last count, epsilon, slope) that follow each other from 1 on."""

    def __init__(self, stretches):
        self.runs = []
        start = 1
        for last, epsilon, slope in stretches:
            if start <= last and start < INFINITE:
                self.append(Run(start, last, epsilon, slope))
            start = max(start, last + 1)
        need(self.runs and self.runs[-1].last == INFINITE, "a curve that ends")
        for run in self.runs:
            need(self(run.first) >= self(run.first - 1), "epsilon falls with the size of the group")
        end = self.runs[-1]
        self.constant_from = end.first
        self.end_slope = end.slope
        self.largest = INFINITE if end.slope else end.epsilon
        first = self.runs[0]
        self.last_zero = first.last if first.epsilon == 0 and first.slope == 0 else 0  # written Z
        exact = [run.first - 1 for run in self.runs if run.epsilon == INFINITE]
        self.last_finite = exact[0] if exact else INFINITE                             # written L

    def append(self, run):
        """Neighbouring runs of equal epsilon are one."""
        if self.runs and self.runs[-1][2:] == run[2:]:
            run = run._replace(first=self.runs.pop().first)
        self.runs.append(run)

    def __call__(self, count):
        index = search(lambda i: self.runs[i].last >= count, 0, len(self.runs) - 1)
        run = self.runs[index]
        return run.epsilon + run.slope * max(count, 1)

    def part(self, bins):
        """What each of a person's bins gets."""
        return Curve([(run.last, run.epsilon / bins, run.slope / bins) for run in self.runs])

    def shown(self):
        """As it is written in a certificate."""
        shown = []
        for run in self.runs:
            last = None if run.last == INFINITE else run.last
            if run.slope:
                shown.append({"from": run.first, "to": last, "slope": text_of(run.slope)})
            else:
                shown.append({"from": run.first, "to": last, "epsilon": text_of(run.epsilon)})
        return shown

    def pieces(self, stop):
        """(first, last) of equal epsilon; where it grows, count by count as long as it is below `stop`."""
        for run in self.runs:
            if not run.slope:
                yield run.first, run.last
                continue
            last = min(run.last, int(stop / run.slope) + 1)
            for count in range(run.first, last + 1):
                yield count, count


def fading(count, epsilon, factor, group, width):
    """factor t epsilon/(K - k) for k < K - t, then factor epsilon."""
    if count < group - width:
        return factor * epsilon * Fraction(width, group - count)
    return factor * epsilon


def promised(promise, most):
    """The curve of a promise (C 4). One of more than `most` runs is cut off: it is another than the stated one."""
    return Curve([(last, epsilon, slope) for last, epsilon, slope in stretches(promise, most)])


def stretches(p, most):
    kind = p["kind"]
    if kind == "staircase":
        thresholds = [whole(t) for t in p["thresholds"]]
        epsilons = [number(e) for e in p["epsilons"]]
        need(len(epsilons) == len(thresholds) + 1, "a staircase of other lengths")
        return [(last, e, ZERO) for last, e in zip(thresholds[::-1] + [INFINITE], epsilons[::-1])]
    if kind == "table":
        values = [number(v) for v in p["values"]]
        return [(k, e, ZERO) for k, e in enumerate(values[:-1], 1)] + [(INFINITE, values[-1], ZERO)]
    if kind == "linear":
        return linear(number(p["slope"]), number(p["floor"]), number(p["cap"]))
    epsilon = number(p["epsilon"])
    if kind == "differential-privacy":
        return [(INFINITE, epsilon, ZERO)]
    if kind == "crowd-blending":
        return [(whole(p["crowd"]) - 1, epsilon, ZERO), (INFINITE, INFINITE, ZERO)]
    group = whole(p["group"])
    if kind == "group":
        return [(INFINITE, epsilon / group, ZERO)]
    if kind == "simple-outlier":
        return [(group, epsilon / group, ZERO), (INFINITE, INFINITE, ZERO)]
    if kind == "simple-outlier-dp":
        return [(group, epsilon / group, ZERO), (INFINITE, epsilon, ZERO)]
    need(kind == "fading", "no such promise:", kind)
    width, factor = p["width"], number(p["factor"])
    counts = range(1, min(group - width, most + 2))
    steps = [(k, fading(k, epsilon, factor, group, width), ZERO) for k in counts]
    return steps + [(INFINITE, epsilon * factor, ZERO)]


def linear(slope, floor, cap):
    """max(floor, k slope), at most cap."""
    if slope == 0 or cap <= floor:
        return [(INFINITE, min(floor, cap), ZERO)]
    below_cap = INFINITE if cap == INFINITE else math.ceil(cap / slope) - 1
    return [(int(floor / slope), floor, ZERO), (below_cap, ZERO, slope), (INFINITE, cap, ZERO)]


# Policies by name: groups of fewer people are small (C 4). In those nobody becomes surer than 55 %, elsewhere than 75 %.
POLICIES = {"fewer-than-5": 5, "fewer-than-6": 6, "fewer-than-11": 11, "k-10": 10, "k-20": 20, "rounded-to-5": 8}
SMALL_ODDS, ODDS = 55, 75


def epsilon_within(percent):
    """The largest epsilon, in whole thousandths, with e^epsilon/(1 + e^epsilon) at most the percentage."""
    odds = real(Fraction(percent, 100 - percent))
    most = search(lambda n: exp(Fraction(n, 1000)) > odds + SLACK, 0, 10**5) - 1
    return Fraction(most, 1000)


def check_policy(name, promise):
    """A policy that is named gives the promise beside it."""
    need(name in POLICIES, "no such policy:", name)
    expected = {"kind": "staircase", "thresholds": [POLICIES[name] - 1],
                "epsilons": [text_of(epsilon_within(ODDS)), text_of(epsilon_within(SMALL_ODDS))]}
    for key, value in expected.items():
        need(promise.get(key) == value, "another promise than that of the policy", name)
