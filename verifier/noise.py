"""Laws with one noise, and the tailored geometric: their costs are closed forms (C 5, 5.1, 6; theory 1, 2).

DL(w) is the discrete Laplace law, P[s] = (1-q)/(1+q) q^|s| with q = e^-w. A cost is the larger direction of

    delta_k(e) = sum over y of max(0, P_k(y) - e^e P_{k-1}(y)).
"""
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from .curve import Curve, fading
from .numbers import INFINITE, LARGEST_EPSILON, MILLION, SURE, ZERO, around, exp, need, real, search


def tail(rate, t):
    """P[DL(rate) >= t] = q^t/(1+q) for t > 0."""
    if abs(t) == INFINITE:
        return Decimal(t < 0)
    if t <= 0:
        return 1 - tail(rate, 1 - t)
    return exp(-rate * t) / (exp(-rate) + 1)


def within(centre, rate, low, high):
    """P[low <= centre + DL(rate) < high]."""
    return tail(rate, low - centre) - tail(rate, high - centre)


def likelier(one, other, factor, cut):
    """Where the first law is more than `factor` times as likely as the other, among values from the cut on.

    Laws are (centre, rate). If the first is as narrow as the other or narrower, the ratio of their chances falls on
    both sides of its centre: the values lie around it. Else the ratio rises on both sides of the other's centre: the
    values lie outside. Returned are intervals [low, high); what is beyond their reach weighs less than e^-300.
    """
    (centre, rate), (other_centre, other_rate) = one, other
    narrow = rate >= other_rate
    heights = height(rate) / height(other_rate)

    def above(y):
        return heights * exp(other_rate * abs(y - other_centre) - rate * abs(y - centre)) > factor

    middle = centre if narrow else other_centre
    reach = int((300 + factor.ln()) / real(min(rate, other_rate))) + abs(centre - other_centre) + 1
    low = max(cut, search(lambda y: above(y) == narrow, middle - reach, middle))
    high = max(cut, search(lambda y: above(y) != narrow, middle, middle + reach))
    return [(low, high)] if narrow else [(cut, low), (high, INFINITE)]


def height(rate):
    """The largest chance of DL(rate): (1-q)/(1+q)."""
    return (1 - exp(-rate)) / (1 + exp(-rate))


def excess(one, other, epsilon, cut):
    """The sum over y of max(0, P(y) - e^epsilon P'(y)), all values below the cut being one outcome."""
    factor = exp(epsilon)

    def gain(low, high):
        return within(*one, low, high) - within(*other, low, high) * factor

    silent = max(gain(-INFINITE, cut), 0)
    return silent + sum(gain(low, high) for low, high in likelier(one, other, factor, cut))


def apart(one, other, epsilon, cut=-INFINITE):
    """The same in the worse direction."""
    return max(excess(one, other, epsilon, cut), excess(other, one, epsilon, cut))


@dataclass(frozen=True)
class Facts:
    """What a law is made from: C 5."""
    name: str
    parameters: dict       # as they are used in one bin
    threshold: object      # values below are shown as nothing; -INFINITE if there is no such threshold
    curve: Curve           # epsilon of one bin, by count
    delta: Fraction        # delta of one bin
    open: bool             # whether a bin of nobody is absent
    bits: int = 0          # how finely laws are summed


class Law:
    """What a mechanism shows of a bin, and what that costs a person in it."""

    def __init__(self, facts):
        self.facts = facts
        self.curve = facts.curve
        self.open = facts.open
        self.least = facts.threshold   # the smallest value that can be shown

    def cost(self, count):
        """From where to where the cost at `count` surely is, at the epsilon of that count.

        The first person of an open universe is compared with an absent bin, for which epsilon does not matter (C 6).
        """
        epsilon = ZERO if self.open and count == 1 else self.curve(count)
        if epsilon == INFINITE:
            return around(0)
        return self.apart(count, min(epsilon, LARGEST_EPSILON))

    def apart(self, count, epsilon):
        """The cost at any epsilon."""
        raise NotImplementedError

    def bounds(self, count):
        """What may be stated as an upper bound of the cost."""
        return [self.cost(count)]

    def counts(self, limit):
        """Counts of which one costs more than the limit if any does (but the first of an open universe)."""
        raise NotImplementedError


class OneNoise(Law):
    """count + DL(rate), values below the least one shown as nothing: nine mechanisms; and ranges."""

    def __init__(self, facts):
        super().__init__(facts)
        p = facts.parameters
        self.epsilon = p.get("epsilon", SURE)   # suppression adds no noise
        self.group = p["group"] if "group" in p else p.get("crowd", 1) - 1
        self.width, self.factor = p.get("width", 0), p.get("factor", ZERO)
        self.half_width = p.get("half-width")
        need(0 < self.epsilon <= SURE and self.group >= 0, "no such law")
        if "suppress" in facts.name:
            self.least = max(self.least, self.group + 1 + p.get("offset", 0))
        self.bends = [self.group]               # counts near which the cost may bend
        if facts.name == "fading":
            need(self.group < MILLION / 30, "too large a law")
            self.bends += range(self.group - self.width + 1)
        if self.least > 0:
            self.bends.append(self.least)

    def rate(self, count):
        name = self.facts.name
        if name == "fading":
            return fading(count, self.epsilon, self.factor, self.group, self.width)
        if name in ("noise-below", "noise-up-to") and count > self.group:
            return SURE
        if name in ("group-geometric", "noise-up-to"):
            return self.epsilon / self.group
        return self.epsilon

    def apart(self, count, epsilon):
        rate = self.rate(count)
        if self.open and count == 1:
            return around(tail(rate, self.least - 1))
        if self.half_width is not None:
            return around(self.range_cost(rate, epsilon))
        return around(apart((count, rate), (count - 1, self.rate(count - 1)), epsilon, self.least))

    def range_cost(self, rate, epsilon):
        """(1-q) q^L/(1+q) + (1-q^L)/(1+q) (1 - q e^epsilon)+ : the far end is impossible for the neighbour (C 6)."""
        q = exp(-rate)
        far = q**self.half_width
        near = 1 - exp(min(epsilon - rate, ZERO))
        return ((1 - q) * far + (1 - far) * near) / (1 + q)

    def counts(self, limit):
        """Within a run the cost of one noise does not fall with the count; it bends near few places."""
        near = sorted({k + d for k in self.bends for d in (-1, 0, 1, 2)} | {1})
        largest = max(self.rate(k) for k in near if k >= 0)
        for first, last in self.curve.pieces(largest):
            yield first
            yield last if last != INFINITE else max(near[-1], first) + 1
            for count in near:
                if first <= count <= last:
                    yield count


class Tailored(Law):
    """C 5.1: it costs nothing at its own curve, but for the first person of an open universe."""

    def __init__(self, facts):
        super().__init__(facts)
        zero = self.curve.last_zero
        self.least = max(self.least, zero + 1 if zero else 0)

    def apart(self, count, epsilon):
        if not (self.open and count == 1):
            return around(0)
        if self.least <= 1:
            return around(1)
        if self.least > self.curve.last_finite or self.least == INFINITE:
            return around(0)
        # P(Y >= j | 1) = e^-(Phi(j) - Phi(1)) / (1 + r_j)
        return around(exp(-self.phi_from_two(self.least)) / (1 + exp(-self.curve(self.least))))

    def phi_from_two(self, count):
        """eps(2) + ... + eps(count)."""
        total = ZERO
        for run in self.curve.runs:
            first, last = max(run.first, 2), min(run.last, count)
            if first <= last:
                middle = Fraction(first + last, 2)
                total += (last - first + 1) * (run.epsilon + run.slope * middle)
        return total

    def counts(self, limit):
        return []
