"""The relay, integer by integer (C 5.2; why it is built so: theory 5).

A row is {label: mass}, "nothing" (None) first, then labels 0, 1, ... in the order of their births; it sums to W.
"""
import math
from fractions import Fraction
from functools import lru_cache

from .curve import Curve
from .numbers import BITS, INFINITE, MILLION, Work, around, exp, need, real, search, whole
from .summed import Summed

W = 2**128
NOTHING = None


class Factor:
    """Multiplies and divides whole numbers by e^epsilon, exactly rounded.

    E is known: e^epsilon 2^400 is above E - 1 and below E + 2.
    """

    def __init__(self, epsilon):
        self.is_one = epsilon == 0
        self.e = int(exp(epsilon) * 2**400)

    def up(self, x):
        """floor(x e^epsilon)."""
        if self.is_one:
            return x
        need(x * (self.e - 1) >> 400 == x * (self.e + 2) >> 400, "a product too near to a whole number")
        return x * self.e >> 400

    def down(self, x):
        """ceil(x / e^epsilon): the least y with floor(y e^epsilon) >= x."""
        if self.is_one:
            return x
        y = (x << 400) // (self.e + 2)
        return y if self.up(y) >= x else y + 1


def overshoot(old, new, factor):
    """By how much masses grow faster than e^epsilon from old to new, and the other way round: the worse of both."""
    grown = sum(max(mass - factor.up(old.get(label, 0)), 0) for label, mass in new.items())
    shrunk = sum(max(mass - factor.up(new.get(label, 0)), 0) for label, mass in old.items())
    return max(grown, shrunk)


def step(row, budget, factor):
    """The next row; the last label of `row` is the newest."""
    lower, left = {}, budget
    for label, mass in row.items():                 # "nothing" first, then from the oldest label on
        taken = min(left, mass)
        left -= taken
        lower[label] = factor.down(mass - taken)
    missing = W - sum(lower.values())
    new = dict(lower)
    labels = list(row)
    for label in reversed(labels):                  # newest first; "nothing" comes last and takes what remains
        room = missing
        if label is not NOTHING:
            newest = label == labels[-1]
            room = factor.up(row[label]) - lower[label] + (budget if newest else 0)
        given = min(room, missing)
        new[label] += given
        missing -= given
    need(min(new.values()) >= 0, "a mass below nothing")
    return new


def without_dead(row):
    """Labels without mass at the old end are dead for good."""
    living = dict(row)
    for label, mass in row.items():
        if label is NOTHING:
            continue
        if mass:
            break
        del living[label]
    return living


class Relay(Summed):
    def __init__(self, facts):
        super().__init__(facts)
        p = facts.parameters
        self.budget = int(facts.delta * W)           # written D
        need(p["delta"] == facts.delta and self.budget > 0, "the relay's delta is not the promise's")
        Work.spend(20 * whole(p["cells"]), p["cells"] < 4 * 10**5)
        self.steps = ended(self.curve)
        need(self.steps.last_finite > 0, "a relay without a finite epsilon")
        self.rows, self.births, self.window, self.spacing = [{NOTHING: W}], [], [], INFINITE
        closed_at = self.build(p["cells"])
        found = self.cells(closed_at)
        need((found, closed_at) == (p["cells"], p["closed-at"]), "the table has", found, "cells, closes at", closed_at)
        self.repeats_from = len(self.rows) + len(self.window) + 3 if self.window else INFINITE
        self.shown_as = self.readings()

    def build(self, most_rows):
        """Makes row after row; returns the count at which the table closes, or None."""
        flat = next(run.first for run in self.steps.runs if run.last >= self.steps.last_finite)
        while len(self.rows) <= min(self.steps.last_finite, most_rows, MILLION):
            count = len(self.rows)
            epsilon = self.steps(count)
            factor = factor_of(epsilon)
            row = self.with_birth(count, epsilon)
            budget = self.budget
            if row[NOTHING] == 0 and count >= flat:
                budget, self.window, fits = self.closing(epsilon)
                if fits and overshoot(row, self.masses(count), factor) <= self.budget:
                    return count
            new = step(row, budget, factor)
            need(overshoot(row, new, factor) <= self.budget, "a step costs more than delta:", count)
            self.rows.append(without_dead(new))
        return None

    def with_birth(self, count, epsilon):
        """The last row with the label that is born at this count, if one is."""
        row = self.rows[-1]
        self.spacing = max(1, int(1 / (4 * epsilon))) if epsilon else INFINITE   # written s(k)
        if self.births and count - self.births[-1] < self.spacing:
            return row
        self.births.append(count)
        return {**row, len(self.births) - 1: 0}

    def closing(self, epsilon):
        """D', the window that it opens, and whether that may close the table."""
        return (0, [], True) if epsilon == 0 else self.window_for(epsilon)

    @lru_cache(maxsize=None)
    def window_for(self, epsilon):
        factor = factor_of(epsilon)

        def rise(u, length):
            """u_0, ..., u_{length-1}, each floor(e^epsilon times the one before)."""
            rising = []
            for _ in range(length):
                rising.append(u)
                u = factor.up(u)
            return rising

        def is_full(u, half):
            """2 (u_0 + ... + u_{half-1}) + u_half >= W."""
            rising = rise(u, half + 1)
            return 2 * sum(rising) - rising[-1] >= W

        half = next(j for j in range(MILLION) if is_full(self.budget, j))          # written J
        least = search(lambda u: is_full(u, half), 1, self.budget)                 # written D'
        if self.budget - least < 2**40:
            half += 1
            least = search(lambda u: is_full(u, half), 1, self.budget)
        side = rise(least, half)
        middle = W - 2 * sum(side)
        fits = middle <= factor.up(side[-1]) and side[-1] <= factor.up(middle)
        return least, side + [middle] + side[::-1], fits

    def masses(self, count):
        """The masses of "nothing" and of the living labels at any count."""
        if count < len(self.rows) or not self.window:
            return self.rows[min(count, len(self.rows) - 1)]
        births = self.births + list(range(self.births[-1] + self.spacing, count + 1, self.spacing))
        size = len(self.window)
        sums = [0]
        for mass in self.window:
            sums.append(sums[-1] + mass)
        # A birth at i has mass w_{count-i}; a label has all births from its own to before the next label's.
        before_window = sum(birth <= count - size + 1 for birth in births)
        oldest = max(before_window - 1, 0)
        ages = [size] + [count - birth + 1 for birth in births[oldest + 1:]] + [0]
        masses = {NOTHING: 0}
        for index, (older, younger) in enumerate(zip(ages, ages[1:])):
            masses[oldest + index] = sums[older] - sums[younger]
        return masses

    def cells(self, closed_at):
        """Living labels in all rows, the closing one included, and one for each label born."""
        in_rows = sum(len(row) - 1 for row in self.rows)
        in_closing = 0
        if closed_at and self.window:
            in_closing = sum(1 for mass in self.masses(closed_at).values() if mass)
        return in_rows + len(self.births) + in_closing

    def readings(self):
        """A label shows as the smallest count at which its mass is largest."""
        last = len(self.rows)
        if self.window:
            last = self.repeats_from + 4 * self.spacing + len(self.window)
        best = {}
        for count in range(1, min(self.curve.last_finite, last) + 1):
            for label, mass in self.masses(count).items():
                if mass > best.get(label, (0, 0))[0]:
                    best[label] = (mass, count)
        return {label: count for label, (_, count) in best.items() if label is not NOTHING}

    def outcomes(self, count):
        for label, mass in self.masses(count).items():
            if mass:
                yield "", self.shown_as.get(label), [mass << BITS - 128]

    def pairs(self, count):
        if count >= self.repeats_from:   # laws repeat themselves, label by label; later labels have no reading here
            count = self.repeats_from + (count - self.repeats_from) % self.spacing
        return super().pairs(count)

    def bounds(self, count):
        """The first step costs D/W, and no other more."""
        return [around(real(Fraction(self.budget, W)))] if count == 1 else [self.cost(count)]

    def counts(self, limit):
        need(Fraction(self.budget, W) <= limit, "the relay's steps cost more than the worst")
        return []


@lru_cache(maxsize=None)
def factor_of(epsilon):
    return Factor(epsilon)


def ended(curve):
    """A curve that grows without end counts as constant from the first count with epsilon >= 40."""
    if not curve.end_slope:
        return curve
    slope = curve.end_slope
    constant = math.ceil(40 / slope)
    stretches = [run[1:] for run in curve.runs[:-1]]
    return Curve(stretches + [(constant - 1, Fraction(0), slope), (INFINITE, slope * constant, Fraction(0))])
