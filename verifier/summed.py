"""Laws without a closed form: they are summed outcome by outcome, in whole numbers of 2^-BITS (C 5, 6).

Rounding only ever loses mass; how much may be lost is kept beside the law (`lost`), and costs are given as intervals.
"""
from fractions import Fraction
from functools import lru_cache

from .noise import Law
from .numbers import BITS, INFINITE, MILLION, SURE, Work, around, exp, fixed, real

WHOLE = 1 << BITS


def share(mass):
    """Units of 2^-BITS as a decimal."""
    return real(Fraction(mass, 2**BITS))


class Summed(Law):
    """A law is {(what is told, value): mass}; the value None is "nothing"."""
    free_from = INFINITE   # from this epsilon on the cost is 0
    lost = 0               # at most so much mass is lost by rounding

    def outcomes(self, count):
        """Yields (what is told, first value, masses from there on); first value None: all of it is "nothing"."""
        raise NotImplementedError

    @lru_cache(maxsize=3)
    def law(self, count):
        if count == 0 and self.open:
            return {("", None): WHOLE}   # an absent bin surely shows nothing
        law = {}
        for told, first, masses in self.outcomes(count):
            for index, mass in enumerate(masses):
                value = None if first is None else first + index
                if value is not None and value < self.facts.threshold:
                    value = None
                law[told, value] = law.get((told, value), 0) + mass
            Work.spend(len(masses), len(law) < 4 * MILLION)
        return law

    def pairs(self, count):
        """The masses of every outcome at `count` and at one person less."""
        here, before = self.law(count), self.law(count - 1)
        return [(here.get(y, 0), before.get(y, 0)) for y in {**here, **before}]

    def apart(self, count, epsilon):
        pairs = self.pairs(count)
        if epsilon >= self.free_from or all(p == q for p, q in pairs):
            return around(0)
        factor = fixed(exp(epsilon))
        up = sum(max(p - (q * factor >> BITS), 0) for p, q in pairs)
        down = sum(max(q - (p * factor >> BITS), 0) for p, q in pairs)
        error = self.lost * (2 + (factor >> BITS)) + len(pairs)
        return around(share(max(up, down)), share(error))

    def add_noise(self, first, masses, rate):
        """The first value and the masses of c + DL(rate), from those of c.

        Convolved by two sums, S_up(y) = q S_up(y-1) + m(y) and the same downwards: (1-q)/(1+q) (S_up + S_down - m). Cut
        off where less than 4 units of 2^-bits are left.
        """
        rate = min(rate, SURE)
        needed = max(self.facts.bits - BITS + sum(masses).bit_length(), 0)
        reach = needed * 7 // (10 * rate) + 2
        Work.spend(len(masses) + 2 * reach, len(masses) + 2 * reach < MILLION)
        q = exp(-rate)
        height, q = fixed((1 - q) / (1 + q)), fixed(q)
        masses = [0] * reach + masses + [0] * reach
        up = running(masses, q)
        down = running(masses[::-1], q)[::-1]
        return first - reach, [(u + d - m) * height >> BITS for u, d, m in zip(up, down, masses)]


def running(masses, q):
    sums, so_far = [], 0
    for mass in masses:
        so_far = (so_far * q >> BITS) + mass
        sums.append(so_far)
    return sums
