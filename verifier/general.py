"""The general mechanism: a private lower bound of epsilon is drawn, then the count with the noise it leaves (C 5.3)."""
import math
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from .noise import apart, within
from .numbers import BITS, INFINITE, MILLION, SLACK, SURE, Work, around, fixed, need, real, search
from .summed import Summed


class General(Summed):
    """n = aim(count) + shift + DL(rate) is drawn, and total(n) - epsilon-a is the rate of the noise on the count."""

    def __init__(self, facts):
        super().__init__(facts)
        p, curve = facts.parameters, self.curve
        self.epsilon_a, self.alpha, self.grid = p["epsilon-a"], p["alpha"], p["grid"]
        self.told = p["publish-epsilon"]
        need(min(self.epsilon_a, self.grid, self.alpha) > 0, "a parameter that is not above 0")
        need(not curve.end_slope and curve.constant_from < MILLION / 3, "a bound for other curves")
        need(curve(1) >= self.epsilon_a, "epsilon-a is above the curve")
        self.smooth = "smooth" in p["bound"]
        self.of = p["bound"].split("-")[-1]
        need(self.of in ("count", "epsilon", "inverse"), "no such bound")
        self.end = curve.constant_from + 2               # no aim changes from here on
        steps = [0] + [abs(self.aim(k) - self.aim(k - 1)) for k in range(1, self.end)] + [0]
        self.largest_step = max(steps)
        larger_of_both = [max(pair) for pair in zip(steps, steps[1:])]
        self.local = [(k, s) for k, s in enumerate(larger_of_both) if s]      # written LS(k)
        self.first, self.last = self.ends_of_total()
        if self.smooth:
            self.start_smooth(p["delta-a"])

    def aim(self, count):
        """The count itself, F(k) = floor(eps(k)/g), or R(k) = ceil(1/(g eps(k)))."""
        if self.of == "count":
            return count
        if self.of == "epsilon":
            return int(self.curve(count) / self.grid)
        return self.inverse(self.curve(count))

    def inverse(self, epsilon):
        return 0 if epsilon == INFINITE else math.ceil(1 / (self.grid * epsilon))

    def total(self, n):
        """The epsilon that is read off a drawn n."""
        if self.of == "count":
            return self.curve(n)
        if self.of == "epsilon":
            return max(self.grid * n, self.epsilon_a)
        return max(1 / (self.grid * n), self.epsilon_a) if n > 0 else INFINITE

    def ends_of_total(self):
        """total(n) is constant before the first n and after the last; what is above weighs less than e^-250."""
        if self.of == "count":
            return 1, self.curve.constant_from
        if self.of == "inverse":
            return 0, self.inverse(self.epsilon_a)
        reach = int(1000 * (self.largest_step + 2) / self.epsilon_a) + 1
        return int(self.epsilon_a / self.grid), int(self.curve.largest / self.grid) + reach

    def start_smooth(self, delta_a):
        """beta = min(A/(2 ln(2/delta-a)), ln(1 + A/(8 alpha))); draws must be (A, delta-a)-close at every count."""
        by_delta = real(self.epsilon_a) / (2 * real(2 / delta_a).ln())
        by_alpha = real(1 + self.epsilon_a / (8 * self.alpha)).ln()
        self.beta = min(by_delta, by_alpha)
        fades = search(lambda d: self.largest_step * (-self.beta * d).exp() < 2, 0, MILLION // 30)
        self.end += fades
        for count in range(1, self.end + 1):
            need(self.draws_apart(count) <= delta_a, "draws are too far apart at", count)

    @lru_cache(maxsize=None)
    def draw(self, count):
        """The centre and the rate of n."""
        times, sensitivity = 1, self.largest_step
        if self.smooth:
            times = 4
            sensitivity = max([2] + [s * (-self.beta * abs(count - j)).exp() for j, s in self.local])
        units = sensitivity * 1024
        if units != int(units):
            need(abs(units - round(units)) > SLACK, "a sensitivity too near to a multiple of 1/1024")
        sensitivity = Fraction(math.ceil(units), 1024)
        shift = math.ceil(times * self.alpha * sensitivity / self.epsilon_a)
        rate = self.epsilon_a / (times * sensitivity) if sensitivity else SURE
        return self.aim(count) + (shift if self.of == "inverse" else -shift), rate

    @lru_cache(maxsize=None)
    def draws_apart(self, count):
        return apart(self.draw(count), self.draw(count - 1), self.epsilon_a) if self.smooth else 0

    def upper(self, count, epsilon):
        """OP Theorem 20 (errata 1.4): the chance that total > epsilon, at `count` or one less, and what the draws cost."""
        falls = self.of == "inverse"                     # total falls with n
        change = search(lambda n: (self.total(n) > epsilon) != falls, self.first, self.last + 1)
        if falls:
            low, high = -INFINITE, change
        else:
            low, high = change if change <= self.last else INFINITE, INFINITE
        exceeds = max(within(*self.draw(k), low, high) for k in (count, count - 1))
        return exceeds + self.draws_apart(count) + SLACK

    def bounds(self, count):
        """That, or what it costs where total is told and nothing is cut off."""
        yield around(self.upper(count, self.curve(count)), 2 * SLACK)
        parameters = {**self.facts.parameters, "publish-epsilon": True}
        yield General(replace(self.facts, threshold=-INFINITE, parameters=parameters)).cost(count)

    def outcomes(self, count):
        """Noises of all rates, each as likely as the values of n that lead to it."""
        Work.spend(self.last - self.first, self.last - self.first < MILLION / 10)
        stretches = [(total, list(ns)) for total, ns in groupby(range(self.first, self.last + 1), self.total)]
        self.lost = len(stretches) * (4 << BITS - self.facts.bits)
        for total, ns in stretches:
            low = -INFINITE if ns[0] == self.first else ns[0]
            high = INFINITE if ns[-1] == self.last else ns[-1] + 1
            mass = fixed(within(*self.draw(count), low, high))
            told = str(total) if self.told else ""
            if mass <= 0:
                continue
            if total == self.epsilon_a:                  # nothing is left for the count
                yield told, None, [mass]
            else:
                yield told, *self.add_noise(count, [mass], total - self.epsilon_a)

    def counts(self, limit):
        """Where neither aim nor noise differs, the cost is that of another count with the same epsilon."""
        cut = self.facts.threshold != -INFINITE
        alike = {}
        for count in range(self.end, 0, -1):
            place = self.draw(count), self.draw(count - 1), self.curve(count), count if cut or count == 1 else None
            alike[place] = count
        return [count for count in alike.values() if self.upper(count, self.curve(count)) > limit]
