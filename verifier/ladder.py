"""Ladders, `noisy-noise` and `staircase`: noise, and more noise at each level that the value does not exceed (C 5)."""
from functools import lru_cache

from .noise import apart
from .numbers import BITS, INFINITE, SLACK, SURE, around, exp, fixed, need, search
from .summed import WHOLE, Summed, share


class Ladder(Summed):
    """c = count + DL(e_0); for i = 1, 2, ...: if c <= level_i, c = c + DL(e_i), or nothing at once where e_i is 0."""

    def __init__(self, facts):
        super().__init__(facts)
        p = facts.parameters
        if facts.name == "noisy-noise":
            self.epsilons = [p["epsilon"], p["epsilon"] / p["group"]]
            self.levels = [p["group"] + p["offset"]]
        else:
            self.epsilons, self.levels = p["epsilons"], p["levels"]
        descending = sorted(set(self.epsilons), reverse=True)
        need(len(self.epsilons) == len(self.levels) + 1 and descending == self.epsilons, "this is no ladder")
        self.told = p.get("publish-levels", False)
        self.free_from = min(self.epsilons[0], SURE)   # all else is done to what the first noise made
        self.lost_each = 4 << BITS - facts.bits        # by one addition of noise
        self.lost = self.lost_each * len(self.epsilons)
        self.additions = 0

    def add_noise(self, first, masses, rate):
        self.additions += 1
        return super().add_noise(first, masses, rate)

    def outcomes(self, count):
        self.additions = 0
        start = self.add_noise(count, [WHOLE], self.free_from)
        found = list(self.climb(*start, 0, ""))
        self.lost = max(self.lost, self.additions * self.lost_each)
        return found

    def climb(self, first, masses, test, fired):
        """What comes of these masses before test number `test`; `fired` says which of the tests before did."""
        if test == len(self.levels):
            yield fired if self.told else "", first, masses
            return
        below = max(self.levels[test] - first + 1, 0)
        low, high = masses[:below], masses[below:]
        rate = self.epsilons[test + 1]
        if high:
            yield from self.climb(first + below, high, test + 1, fired + "0")
        if rate == 0:
            silent = (fired + "1").ljust(len(self.levels), "0")
            yield silent if self.told else "", None, low
        elif low:
            yield from self.climb(*self.add_noise(first, low, rate), test + 1, fired + "1")

    @lru_cache(maxsize=4)
    def chain(self, count):
        """For each test, if all before it fired: the chance that it does not, and that c is just above its level."""
        first, masses, chain = count, [WHOLE], []
        for rate, level in zip(self.epsilons, self.levels):
            first, masses = self.add_noise(first, masses, rate)
            below = max(level - first + 1, 0)
            just_above = masses[below] if 0 < below < len(masses) else 0
            chain.append((sum(masses[below:]), just_above))
            masses = masses[:below]
        return chain

    def first_noise_alone(self, epsilon):
        return apart((1, self.free_from), (0, self.free_from), epsilon)

    def upper(self, count, epsilon):
        """A bound of the cost that never falls with the count (C 6, errata 1.5).

        Couple the noises at `count` and at one person less, and let i be the first level with e_i <= epsilon. Paths
        whose first i tests fire at both cost nothing, so the chance b_1 + ... + b_i of all others is a bound.

        More finely: if test j is the first that does not fire, its own noise makes up for one person. At `count` this
        gains at most 1 - e^-e_{j-1} of b_j, which is what fires at one person less alone. In the other direction it
        gains nothing, if c is just above the level at most e^epsilon times as often as at `count` (the ratio of both
        falls with c).
        """
        within_reach = [i for i, e in enumerate(self.epsilons) if e <= epsilon]
        alone = self.first_noise_alone(epsilon)
        tests = within_reach[0] if within_reach else 0
        if tests == 0:
            return alone + SLACK
        here, before = self.chain(count)[:tests], self.chain(count - 1)[:tests]
        factor = fixed(exp(epsilon))
        misses = [share(missed + self.lost) for missed, _ in here]
        fine = 0
        for j in range(tests):
            fine += misses[j] * (1 - exp(-min(self.epsilons[j], SURE)))
            if before[j][1] + self.lost > here[j][1] * factor >> BITS:
                fine += sum(misses[:j + 1])
        return min(alone, sum(misses), fine) + SLACK

    def bounds(self, count):
        return [around(self.upper(count, self.curve(count)), 2 * SLACK)]

    def counts(self, limit):
        for first, last in self.curve.pieces(self.free_from):
            epsilon = self.curve(first)
            if epsilon >= self.free_from or self.first_noise_alone(epsilon) + SLACK <= limit:
                continue
            need(last != INFINITE, "groups without end cost more than the worst count")
            start = search(lambda count: self.upper(count, epsilon) > limit, first, last + 1)
            yield from range(start, last + 1)
