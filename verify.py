#!/usr/bin/env python3
"""Verifies a folder that incrowd delivered: certificate, accounts, tables. Usage: verify.py FOLDER [--json]
Written from docs/certificate.md (version 2) alone; it shares no code with incrowd and needs only the standard
library of Python 3.9. Numbers are integers, fractions and enclosures of reals with outward rounding; no float
decides anything. Exit code 0: verified, but for what is named as trusted; 1: something is wrong; 2: it cannot
be read at all."""
import contextlib, copy, csv, datetime, hashlib, json, os, re, sys
from bisect import bisect_right
from decimal import Context, Decimal, ROUND_CEILING, ROUND_FLOOR, localcontext
from fractions import Fraction as Q
from functools import lru_cache
from itertools import accumulate, product

INF, SURE = float("inf"), Q(10**4)  # infinity is only compared with; a noise of rate SURE is like none
B, MOST = 192, 10**6                # binary places of laws that are summed; no more than MOST is looked at
DOWN, UP = WAYS = tuple(Context(100, way, -10**12, 10**12) for way in (ROUND_FLOOR, ROUND_CEILING))
class Bad(Exception): """Something is not as it should be."""
def need(condition, *otherwise):
    if not condition: raise Bad(" ".join(str(part)[:200] for part in otherwise))

class I:
    """A real number from lo to hi: decimals of 100 digits."""
    def __init__(self, lo, hi): self.lo, self.hi = lo, hi
    def __add__(a, b): return I(DOWN.add(a.lo, of(b).lo), UP.add(a.hi, of(b).hi))
    def __sub__(a, b): return I(DOWN.subtract(a.lo, of(b).hi), UP.subtract(a.hi, of(b).lo))
    def __rsub__(a, b): return of(b) - a
    def __mul__(a, b):
        pairs = [(s, t) for s in (a.lo, a.hi) for t in (of(b).lo, of(b).hi)]
        return I(min(DOWN.multiply(*p) for p in pairs), max(UP.multiply(*p) for p in pairs))
    def __truediv__(a, b): return I(DOWN.divide(a.lo, of(b).hi), UP.divide(a.hi, of(b).lo))  # both positive
    def max(a, b): return I(max(a.lo, of(b).lo), max(a.hi, of(b).hi))
    def min(a, b): return I(min(a.lo, of(b).lo), min(a.hi, of(b).hi))
    def fixed(a): return int(DOWN.multiply(a.lo, 1 << B))
    __radd__, __rmul__ = __add__, __mul__
def of(x, ways=WAYS):
    return x if isinstance(x,
        I) else I(*(c.divide(Decimal(x.numerator), Decimal(x.denominator)) for c in ways))
def log(y): return I(DOWN.next_minus(DOWN.ln(of(y).lo)), UP.next_plus(UP.ln(of(y).hi)))
def ceil(x): return -int(-x // 1)
@lru_cache(maxsize=1 << 17)
def exp(x, ways=WAYS):
    """e^x; exponentials of decimals are rounded correctly, so the truth is within their neighbours."""
    a, (down, up) = of(x, ways), ways
    return of(1) if x == 0 else I(max(down.next_minus(down.exp(a.lo)), Decimal(0)),
        up.next_plus(up.exp(a.hi)))
def number(text):
    """An exact number: a whole number, a reduced fraction, or "infinite"."""
    if text == "infinite": return INF
    need(isinstance(text, str) and re.fullmatch(r"\d{1,400}(/[1-9]\d{0,400})?", text), "not a number:", text)
    need(str(Q(text)) == text, "not a reduced fraction:", text)
    return Q(text)
def chance(text):
    """A cost: a decimal of at most 15 digits."""
    need(re.fullmatch(r"\d{1,16}(\.\d{1,60})?(e-\d{1,4})?", text), "not a cost:", text)
    need(len(re.sub(r"e.*|\.", "", text).strip("0")) <= 15, "a cost of too many digits:", text)
    return Q(text)
def whole(x, least=0):
    need(type(x) is int and least <= x <= 10**13, "not a whole number as it should be:", x)
    return x

class Curve:
    """Epsilon by count, from (last count, epsilon, slope), one of the latter two being None."""
    def __init__(self, stretches):
        self.runs, at = [], 1
        for b, e, s in stretches:
            joins = self.runs and s is None and self.runs[-1][2] == e
            if at <= b and at < INF: self.runs.append((self.runs.pop()[0] if joins else at, b, e, s))
            at = max(at, b + 1)
        self.starts, (_, b, e, _), last = [run[0] for run in self.runs], self.runs[0], self.runs[-1]
        need(all(self(a) >= self(a - 1) for a in self.starts), "epsilon falls with the size of the group")
        # Z is the last count with epsilon 0
        self.sup, self.Z = INF if last[3] else last[2], b if e == 0 else 0
        self.L = next((a - 1 for a, _, e, _ in self.runs if e == INF), INF)  # and L that with a finite one
    def __call__(self, k):
        _, _, e, s = self.runs[bisect_right(self.starts, max(k, 1)) - 1]
        return e if s is None else s * max(k, 1)
    def part(self, m): return Curve([(b, e and e / m, s and s / m) for _, b, e, s in self.runs])
    def shown(self):
        """As it is written in a certificate."""
        text = lambda name, x: {name: "infinite" if x == INF else str(x)}
        return [{"from": a, "to": None if b == INF else b, **(text("slope", s) if s else text("epsilon", e))}
                for a, b, e, s in self.runs]
    def pieces(self, stop):
        """Runs of constant epsilon; counts of a slope one by one, as long as epsilon is below stop."""
        for a, b, e, s in self.runs:
            last = min(b, a + MOST if stop == INF else int(stop / s) + 1) if s else 0
            need(last - a < MOST / 30, "too many counts to be looked at one by one")
            yield from ((k, k, s * k) for k in range(a, last + 1)) if s else [(a, b, e)]
    def phi(self, k):
        """eps(1) + ... + eps(k)."""
        ends = [(a, min(b, k), e, s) for a, b, e, s in self.runs if a <= k]
        return sum(((b - a + 1) * (s * (a + b) / 2 if s else e) for a, b, e, s in ends), Q(0))
def fade(k, e, factor, K, t): return factor * e * (Q(t, K - k) if k < K - t else 1)
def promised(p, most):
    """The curve of a promise (section 4); a curve of more than so many runs is cut off."""
    n, e = lambda key: number(p[key]), number(p.get("epsilon", "0"))
    K = whole(p.get("group", p.get("crowd", 1)), 1)
    s, f, c, x = (n(key) if key in p else 1 for key in ("slope", "floor", "cap", "factor"))
    return Curve([(*stretch, None)[:3] for stretch in {
        "differential-privacy": lambda: [(INF, e)], "group": lambda: [(INF, e / K)],
        "crowd-blending": lambda: [(K - 1, e), (INF, INF)],
        "simple-outlier": lambda: [(K, e / K), (INF, INF)],
        "simple-outlier-dp": lambda: [(K, e / K), (INF, e)],
        "staircase": lambda: zip(p["thresholds"][::-1] + [INF], map(number, p["epsilons"][::-1])),
        "linear": lambda: [(INF, min(f, c))] if s == 0 or c <= f else [
            (int(f / s), f), (INF if c == INF else ceil(c / s) - 1, None, s), (INF, c)],
        "fading": lambda: [(k, fade(k, e, x, K, p["width"])) for k in range(1, min(K - p["width"], most + 2))]
                          + [(INF, e * x)],
        "table": lambda: [*enumerate(map(number, p["values"][:-1]), 1), (INF, number(p["values"][-1]))],
    }[p["kind"]]()])

# ---- laws: cost(k, e) is exact, upper(k, e) a bound on it, most(k, e) the largest that may be stated as one;
# ---- counts(S) are counts of which one costs more than S if any does; at_least(j, k) is P(Y >= j | k)

def tail(w, t):
    """P[DL(w) >= t]."""
    w = min(w, SURE)
    if t in (-INF, INF): return of(int(t < 0))
    return exp(-w * t) / (exp(-w) + 1) if t > 0 else 1 - exp(-w * (1 - t)) / (exp(-w) + 1)
def within(a, w, lo, hi): return tail(w, lo - a) - tail(w, hi + 1 - a)
def search(test, lo, hi):
    """The first number from lo on that passes a test which changes once at most; hi if none does."""
    while lo < hi: lo, hi = (lo, (lo + hi) // 2) if test((lo + hi) // 2) else ((lo + hi) // 2 + 1, hi)
    return lo
def excess(a, wa, b, wb, e, cut=-INF):
    """The sum over y of (P(y) - e^e P'(y))+ for a + DL(wa) and b + DL(wb), values below the cut being one."""
    wa, wb, x = min(wa, SURE), min(wb, SURE), exp(e)
    total = (1 - tail(wa, cut - a) - (1 - tail(wb, cut - b)) * x).max(0)
    ka, kb = ((1 - exp(-w)) / (1 + exp(-w)) for w in (wa, wb))
    def more(y):  # whether P(y) > e^e P'(y): on each stretch between the centres this changes at most once
        t = wb * abs(y - b) - wa * abs(y - a) - e
        return t > 0 if wa == wb else (ka * exp(t) - kb).lo > 0
    left, right, far = min(a, b), max(a, b), int(300 / min(wa, wb)) + 1  # what is further away weighs 1e-130
    for lo, hi in ((left - far, left), (left + 1, right - 1), (right, right + far)):
        lo = max(lo, cut)
        if lo <= hi and more(lo) != more(hi):
            i = search(lambda y: more(y) == more(hi), lo, hi)
            lo, hi = (i, hi) if more(hi) else (lo, i - 1)
        if lo <= hi and more(lo): total += within(a, wa, lo, hi) - within(b, wb, lo, hi) * x
    return total.max(0) + I(Decimal(0), Decimal("1e-95"))

class Law:
    def __init__(self, rel):
        for name in ("name", "eps", "delta", "open", "T", "bits"): setattr(self, name, getattr(rel, name))
        self.setup(**{key.replace("-", "_"): value for key, value in rel.p.items()})
    def upper(self, k, e): return self.cost(k, e)
    def most(self, k, e): return self.upper(k, e)
    def told_cost(self, k, e): return self.cost(k, e)
    def counts(self, stated): return [1]

class OneNoise(Law):
    """k + DL(rate(k)), values below `least` shown as nothing: nine mechanisms; and ranges."""
    def setup(self, epsilon=INF, group=None, crowd=1, offset=0, half_width=None, factor=0, width=0, **_):
        e, n, K = epsilon, self.name, group or crowd - 1
        self.rate = {"group-geometric": lambda k: e / K, "noise-below": lambda k: e if k <= K else INF,
                     "noise-up-to": lambda k: e / K if k <= K else INF,
                     "fading": lambda k: fade(k, e, factor, K, width)}.get(n, lambda k: e)
        # the last noisy count
        self.noisy = -1 if e == INF else K if n in ("noise-below", "noise-up-to") else INF
        self.least, self.half = max(self.T, K + 1 + offset if "suppress" in n else -INF), half_width
        need(e > 0 and K >= 0 and (n != "fading" or K < MOST / 30), "no such law, or too large a one")
        self.places = [K, *range((K - width + 1) * (n == "fading")), *[self.least] * (self.least > 0)]
    def at_least(self, j, k): return tail(self.rate(k), j - k) if k <= self.noisy else of(int(j <= k))
    def cost(self, k, e):
        one, two = (k, self.rate(k)), (k - 1, self.rate(k - 1))
        if self.open and k == 1: return self.at_least(self.least, 1)
        if e == INF or self.half is None and e >= one[1] == two[1]: return of(0)
        if self.half is None: return excess(*one, *two, e, self.least).max(excess(*two, *one, e, self.least))
        q, qL = exp(-one[1]), exp(-one[1] * self.half)
        return (1 - q) * qL / (1 + q) + (1 - qL) / (1 + q) * (1 - exp(min(e - one[1], Q(0))))
    def counts(self, stated):
        """The cost of one noise grows within a run, and bends only near these places."""
        near = sorted({k + d for k in self.places for d in (-1, 0, 1, 2)} | {1})
        for a, b, e in self.eps.pieces(max(self.rate(k) for k in near if k >= 0)):
            yield from {a, b if b != INF else max(near[-1], a) + 1, *(k for k in near if a <= k <= b)}

class Tailored(Law):
    """Section 5.1: only the first person of an open universe costs anything."""
    def setup(self, **_):
        self.noisy, self.least = self.eps.L, max(self.T, self.eps.Z + 1 if self.eps.Z else 0)
    def at_least(self, j, k):
        if j <= 0 or max(j, k) > self.eps.L: return of(int(j <= max(k, 0)))
        rest = exp(-abs(self.eps.phi(j if j > k else j - 1) - self.eps.phi(k))) / (1 + exp(-self.eps(j)))
        return rest if j > k else 1 - rest
    def cost(self, k, e):
        return self.at_least(self.least, 1) if self.open and k == 1 and self.eps.Z != INF else of(0)

class Summed(Law):
    """Laws that are summed. law(k) has, by what is told, the first value and the masses (2^B in all, of which
    rounding loses err); masses of nothing have names with "-". From the epsilon `free` on the cost is 0."""
    free = INF
    def cost(self, k, e):
        if self.open and k == 1:
            shown = sum(sum(masses) for told, (_, masses) in self.law(1).items() if told[:1] != "-")
            return self.real(shown, shown + self.err)
        one, two, a, b = self.law(k), self.law(k - 1), [], []
        if e >= self.free or one == two: return of(0)
        for told in {**one, **two}:
            _, s, t = self.align(one.get(told, (k, [])), two.get(told, (k, [])))
            a, b = a + s, b + t
        x = exp(e).fixed()
        found = max(sum(d for s, t in zip(*pair) if (d := s - (t * x >> B)) > 0) for pair in ((a, b), (b, a)))
        err = self.err * (2 + (x >> B)) + len(a)
        return self.real(found - err, found + err)
    @staticmethod
    def real(lo, hi): return I(Decimal(max(lo, 0)), Decimal(hi)) * Q(1, 1 << B)
    @staticmethod
    def align(one, two):
        """Two stretches of masses over the same values."""
        one, two = one if one[1] else (two[0], []), two if two[1] else (one[0], [])
        first, last = min(one[0], two[0]), max(one[0] + len(one[1]), two[0] + len(two[1]))
        return first, *([0] * (off - first) + law + [0] * (last - off - len(law)) for off, law in (one, two))
    def add(self, law, told, off, masses):
        off, one, two = self.align((off, masses), law.get(told, (off, [])))
        law[told] = off, [s + t for s, t in zip(one, two)]
    def show(self, law, told, off, masses):
        """Adds to a law what is shown; values below T are shown as nothing."""
        n = 0 if self.T == -INF else max(self.T - off, 0)
        if masses[:n]: self.add(law, "-" + told, 0, [sum(masses[:n])])
        if masses[n:]: self.add(law, told, off + n, masses[n:])

class Ladder(Summed):
    """c = k + DL(epsilons[0]), with more noise at each level that c does not exceed."""
    def setup(self, epsilons=None, levels=None, publish_levels=False, group=1, epsilon=0, offset=0, **_):
        self.e, self.levels = epsilons or [epsilon, epsilon / group], levels if epsilons else [group + offset]
        descend = all(a > b for a, b in zip(self.e, self.e[1:]))
        need(len(self.e) == len(self.levels) + 1 and descend, "this is no ladder")
        self.q, self.free, self.told = [exp(-min(w, SURE)) for w in self.e], self.e[0], publish_levels
        self.reach = [0 if w in (0, INF) else int(self.bits * 7 / (10 * w)) + 2 for w in self.e]
        need(sum(self.reach) < MOST / 2, "a law too large to be summed")
        # a noise loses 2^-bits beyond its reach, and 4 size/w in its last places
        size = 2 * sum(self.reach) + 2
        noises = [w for w in self.e if w not in (0, INF)]
        self.err = sum((2 << B - self.bits) + int(4 * size * (1 + 1 / w)) for w in noises)
    def spread(self, off, law, i):
        """The law of c + DL(epsilons[i]), in two passes."""
        q, a = self.q[i].fixed(), [0] * self.reach[i] + law + [0] * self.reach[i]
        k, step = ((1 - self.q[i]) / (1 + self.q[i])).fixed(), lambda s, v: (s * q >> B) + v
        down = reversed(list(accumulate(reversed(a), step)))
        return off - self.reach[i], [(u + d - v) * k >> B for u, d, v in zip(accumulate(a, step), down, a)]
    @lru_cache(maxsize=3)
    def law(self, k):
        paths, law = {"": self.spread(k, [1 << B], 0)}, {}
        for i, level in enumerate(self.levels, 1):
            old, paths = paths, {}
            for told, (off, masses) in old.items():
                n, yes = max(level - off + 1, 0), told + "1" * self.told
                if masses[:n] and self.e[i] == 0:
                    self.add(law, "-" + yes.ljust(len(self.levels) * self.told, "0"), 0, [sum(masses[:n])])
                elif masses[:n]: self.add(paths, yes, *self.spread(off, masses[:n], i))
                if masses[n:]: self.add(paths, told + "0" * self.told, off + n, masses[n:])
        for told, (off, masses) in paths.items(): self.show(law, told, off, masses)
        return law
    def most(self, k, e):
        """What the first noise alone costs."""
        return of(0) if e >= self.e[0] else (1 - exp(e - min(self.e[0], SURE))) / (1 + self.q[0])
    @lru_cache(maxsize=4)
    def chain(self, k):
        """Of each test, if those before fired, the chances that it does not and of c just above the level."""
        (off, law), out = self.spread(k, [1 << B], 0), []
        for i, level in enumerate(self.levels, 1):
            n = max(level - off + 1, 0)
            out.append((sum(law[n:]), law[n] if level >= off and n < len(law) else 0))
            if not law[:n] or self.e[i] == 0 or i == len(self.levels): return out
            off, law = self.spread(off, law[:n], i)
    def upper(self, k, e):
        """A bound that never falls with k. Couple the noises at k and k-1; let i be the first level with
        e_i <= e. Paths whose first i tests fire at both cost nothing: the chance b_1 + ... + b_i of others
        is a bound. More finely, where test j is the first not to fire, its noise e_{j-1} can make up for one
        person. At k such paths gain at most (1 - q_{j-1}) b_j, and so weigh those that fire at k-1 alone; at
        k-1 they gain nothing if c is just above the level at most e^e as often as at k: that chance is log-
        concave in k, and the ratio of chances at k-1 and k falls with c. Where this is not certain, all of
        b_1 + ... + b_j is added."""
        i = next((i for i, w in enumerate(self.e) if w <= e), None)
        if self.open and k == 1: return self.cost(k, e)
        if not i: return self.most(k, e)
        b, x, fine = [self.real(0, mass + self.err) for mass, _ in self.chain(k)[:i]], exp(e).fixed(), of(0)
        for j, (s, q, (_, m), (_, n)) in enumerate(zip(b, self.q, self.chain(k), self.chain(k - 1)), 1):
            fine += (1 - q) * s if n + self.err <= m * x >> B else (1 - q) * s + sum(b[:j], of(0))
        return fine.min(sum(b, of(0))).min(self.most(k, e))
    def counts(self, stated):
        yield from [1] * self.open
        for a, b, e in self.eps.pieces(self.e[0]):
            if self.most(a, e).hi > of(stated).lo:
                need(b != INF, "groups without end cost more than the worst count")
                for k in range(b, a - 1, -1):
                    if self.upper(k, e).hi <= of(stated).lo: break
                    yield k

@lru_cache(maxsize=None)
def scales(e):
    """floor(x e^e) and ceil(x e^-e) for whole x, exactly."""
    if e == 0: return lambda x: x, lambda x: x
    bits, ways = 400 + 3 * int(e), tuple(Context(150 + int(e), way) for way in (ROUND_FLOOR, ROUND_CEILING))
    lo, hi = int(Q(exp(e, ways).lo) * 2**bits), int(Q(exp(e, ways).hi) * 2**bits) + 1
    def product(x, lo, hi):
        need(x * lo >> bits == x * hi >> bits, "a product too near to a whole number")
        return x * lo >> bits
    less, more = 4**bits // hi, 4**bits // lo + 1
    return lambda x: product(x, lo, hi), lambda x: product(x, less, more) + (x > 0)
def over(old, new, up): return sum(d for x, y in zip(old, new) if (d := y - up(x)) > 0)

class Relay(Summed):
    """Section 5.2, integer by integer."""
    def setup(self, delta, cells, closed_at, **_):
        W, D, eps, self.err, self.window = 2**128, int(self.delta * 2**128), self.eps, 0, None
        if eps.runs[-1][3]:  # a curve that grows without end is constant from 40 on
            s, last = eps.runs[-1][3], ceil(40 / eps.runs[-1][3])
            eps = Curve([run[1:] for run in eps.runs[:-1]] + [(last - 1, None, s), (INF, s * last, None)])
        row, dead, closed, k, found = [W], 0, None, 0, 0
        flat = next(a for a, b, _, _ in eps.runs if b >= eps.L)  # constant from here on
        need(delta == self.delta and D > 0, "the relay's delta is not the promise's")
        self.D, self.rows, self.births = D, [(0, row)], []
        while closed is None and k < eps.L and found <= min(cells, 5 * MOST):
            k, e, new, budget = k + 1, eps(k + 1), [], D
            self.s, (up, down) = max(1, int(1 / (4 * e))) if e else INF, scales(e)
            if not self.births or k - self.births[-1] >= self.s:
                self.births, row = self.births + [k], row + [0]
            if row[0] == 0 and k >= flat:
                budget, self.window, fits = self.window_for(e) if e else (0, None, True)
                self.sums = [0, *accumulate(self.window or [])]
                before, after = dict(enumerate(row[1:], dead)), self.masses(k, True) if e else {}
                old, new = zip(*((before.get(x, 0), after.get(x, 0)) for x in {**before, **after}))
                if fits and (e == 0 or max(over(old, new, up), over(new, old, up)) <= D):
                    closed, found = k, found + sum(1 for x in new if x)
                    break
            left, new = budget, []
            for x in row:
                new.append(down(max(x - left, 0)))
                left = max(left - x, 0)
            missing = W - sum(new)
            for i in range(len(row) - 1, 0, -1):
                more = min(missing, up(row[i]) - new[i] + budget * (i == len(row) - 1))
                new[i], missing = new[i] + more, missing - more
            new[0] += missing
            need(min(new) >= 0 and max(over(row, new, up), over(new, row, up)) <= D, "a step costs more:", k)
            gone = next((i for i, x in enumerate(new[1:]) if x), len(new) - 1)
            row, dead, found = new[:1] + new[1 + gone:], dead + gone, found + len(new) - 1 - gone
            self.rows.append((dead, row))
        found += len(self.births)
        need((found, closed) == (cells, closed_at), "the table has", found, "cells and closes at", closed)
        self.far = len(self.rows) + len(self.window or []) + 3
    @lru_cache(maxsize=None)
    def window_for(self, e):
        """The smallest D', the window it opens, and whether that may close the table."""
        W, up, J = 2**128, scales(e)[0], 0
        half = lambda u, J: list(accumulate(range(J), lambda u, _: up(u), initial=u))
        full = lambda us: 2 * sum(us) - us[-1] >= W
        while not full(half(self.D, J)): J += 1
        least = search(lambda u: full(half(u, J)), 1, self.D)
        if self.D - least < 2**40: J, least = J + 1, search(lambda u: full(half(u, J + 1)), 1, self.D)
        us = half(least, J - 1)
        c = W - 2 * sum(us)
        return least, us + [c] + us[::-1], c <= up(us[-1]) and us[-1] <= up(c)
    def masses(self, k, closing=False):
        """The masses of nothing (None) and of the living labels, at count k."""
        if not closing and (k < len(self.rows) or self.window is None):
            dead, row = self.rows[min(k, len(self.rows) - 1)]
            return {None: row[0], **dict(enumerate(row[1:], dead))}
        later = range(self.births[-1] + self.s, k + 1, self.s)
        births, sums, size = self.births + list(later), self.sums, len(self.window)
        oldest = max(bisect_right(births, k - size + 1) - 1, 0)
        ages = [size] + [k - i + 1 for i in births[oldest + 1:]] + [0]
        return {None: 0, **{oldest + i: sums[x] - sums[y] for i, (x, y) in enumerate(zip(ages, ages[1:]))}}
    @lru_cache(maxsize=None)
    def readings(self):
        """Of each label the largest mass, and (negative) the smallest count at which it has it."""
        best, last = {}, self.far + 4 * self.s + len(self.window) if self.window else self.far
        for k in range(1, min(self.eps.L, last) + 1):
            for label, mass in self.masses(k).items(): best[label] = max(best.get(label, (0, 0)), (mass, -k))
        return best
    @lru_cache(maxsize=3)
    def law(self, k):
        law = {}
        for label, mass in self.masses(k).items():
            at = -self.readings()[label][1] if label is not None else 0
            if mass: self.add(law, "-" if label is None or at < self.T else str(at), 0, [mass << B - 128])
        return law
    def cost(self, k, e):
        if e == INF: return of(0)
        if self.window and k > self.far: k = self.far + (k - self.far) % self.s
        return super().cost(k, e)
    def upper(self, k, e): return of(Q(self.D, 2**128))

class General(Summed):
    """Section 5.3: n = aim + DL(rate) is drawn, and tells the rate of the noise on the count."""
    def setup(self, bound, epsilon_a, delta_a, grid, alpha, publish_epsilon, **_):
        self.A, self.g, self.a, self.told = A, g, a, _ = epsilon_a, grid, alpha, publish_epsilon
        eps = self.eps
        self.plain, self.inverse, self.smooth = (word in bound for word in ("count", "inverse", "smooth"))
        need(min(A, g, a) > 0 and eps.runs[-1][3] is None and eps.starts[-1] < MOST / 3, "too large a curve")
        need(eps(1) >= A and (self.plain or self.inverse or eps.sup != INF), "a bound for other epsilons")
        self.end = eps.starts[-1] + 2
        steps = [0, *(abs(self.aim(k) - self.aim(k - 1)) for k in range(1, self.end * (not self.plain))), 0]
        self.steps = [(k, max(s, t)) for k, (s, t) in enumerate(zip(steps, steps[1:])) if max(s, t)]
        self.S, self.fall = max(steps), [of(1)]
        if self.smooth:
            once = exp(0 - (of(A) / (log(2 / delta_a) * 2)).min(log(1 + A / (8 * a))))
            while (self.fall[-1] * self.S).hi > 2 and len(self.fall) < MOST / 30:
                self.fall.append(self.fall[-1] * once)
            self.end += len(self.fall)
            for k in range(1, self.end + 1):
                need(self.close(k).hi <= of(delta_a).hi, "draws are too far apart at", k)
        n, m, last = int(A / g), ceil(1 / (g * A)), max(map(self.draw, (0, self.end)))
        top = max(n + 1, min(last[0] + int(250 / last[1]), n + MOST // 10))
        self.many = m > MOST // 10 or top == n + MOST // 10  # too many values of epsilon to sum over
        if self.plain: self.values = [(v, x if x > 1 else -INF, y) for x, y, v in eps.pieces(INF)]
        elif self.inverse:
            single = ((1 / (g * i), i, i) for i in range(1, min(m, MOST // 10)))
            self.values = [(INF, -INF, 0), *single, (A, m, INF)]
        else: self.values = [(A, -INF, n), *((g * i, i, i) for i in range(n + 1, top)), (INF, top, INF)]
    def aim(self, k):
        e = self.eps(k)
        return (0 if e == INF else ceil(1 / (self.g * e))) if self.inverse else int(e / self.g)
    @lru_cache(maxsize=None)
    def draw(self, k):
        """The aim and the rate of n."""
        if self.plain: return k - ceil(self.a / self.A), self.A
        S, c, sign = of(2 if self.smooth else self.S), 4 if self.smooth else 1, 1 if self.inverse else -1
        for j, s in self.steps if self.smooth else []:
            S = S.max(self.fall[min(abs(k - j), len(self.fall) - 1)] * s)
        S, high = (ceil(Q(end) * 1024) / Q(1024) for end in (S.lo, S.hi))
        need(S == high, "a sensitivity too near to a multiple of 1/1024")
        shift = sign * ceil(c * self.a * S / self.A)
        return self.aim(k) + shift, self.A / (c * S) if S else SURE
    @lru_cache(maxsize=None)
    def close(self, k):
        """What the draws of n cost at epsilon-a."""
        one, two = self.draw(k), self.draw(k - 1)
        if not self.smooth or one == two: return of(0)
        return excess(*one, *two, self.A).max(excess(*two, *one, self.A))
    def upper(self, k, e):
        """The chance that total > e, and what the draws cost."""
        if self.open and k == 1: return self.cost(k, e)
        if self.plain: lo, hi = next((lo for v, lo, _ in self.values if v > e), INF), INF
        elif self.inverse: lo, hi = -INF, ceil(1 / (self.g * e)) - 1 if e != INF else -INF
        else: lo, hi = int(e / self.g) + 1 if e != INF else INF, INF
        one, two = (within(*self.draw(j), lo, hi) for j in (k, k - 1))
        return one.max(two) + self.close(k)
    def told_cost(self, k, e):
        """What it costs if total is told and nothing is cut off."""
        twin = copy.copy(self)
        twin.told, twin.T = True, -INF
        return twin.cost(k, e)
    @lru_cache(maxsize=3)
    def law(self, k):
        """Noises of all rates, each as likely as its values of n."""
        law, size = {}, 0
        need(not self.many, "a law too large to be summed")
        for v, lo, hi in self.values:
            p, w = within(*self.draw(k), lo, hi).fixed(), min(v - self.A, SURE)
            if p > 0:
                z, R = exp(-w), max(int((self.bits - B + p.bit_length()) * 7 / (10 * w)), 0) + 2 if w else 0
                size += R + 1
                need(size < 2 * MOST, "a law too large to be summed")
                q, first = z.fixed(), ((1 - z) / (1 + z)).fixed() * p >> B
                side = list(accumulate(range(R), lambda s, _: s * q >> B, initial=first))
                if w: self.show(law, str(v) * self.told, k - R, side[:0:-1] + side)
                else: self.add(law, "-" + str(v) * self.told, 0, [p])
        self.err = len(self.values) * (4 << B - self.bits) + 9 * size * size
        return law
    def counts(self, stated):
        """Where neither aim nor noise differs, the cost is that of another count with the same epsilon."""
        seen = set()
        for k in range(1, self.end + 1):
            key = self.draw(k), self.draw(k - 1), self.eps(k), k * (self.plain or self.T != -INF)
            if key not in seen and (self.open and k == 1 or self.upper(k, self.eps(k)).hi > of(stated).lo):
                seen.add(key)
                yield k

# ---- samples: everybody is in with chance p; b is the law of how many of n others are. Decimals of 60 digits, whose
# ---- errors are far below the 1e-9 that a stated delta may be off

LEFT_OUT = Decimal("1e-50")  # so little is left out of a law
def dec(x): return of(x).lo
def ceiling(a, c, p):
    """n -> a bound on the sum over m of (a b(m) - c b(m+1))+ that falls with n: Chernoff at the tilt c/a."""
    if a <= 0 or c <= a: return lambda n: Decimal(int(a > 0))
    t = min(c / a, Decimal(10) ** 12)
    total = 1 - p + p * t
    step = (total.ln() - p * t / total * t.ln()).exp()
    return lambda n: a * t * step ** n
def stick(one, two, x): return sum((d for y in one.keys() | two.keys() if (d := one.get(y, 0) - x * two.get(y, 0)) > 0), Decimal(0))
def shown(counts, K, rate, curve=None):
    """The law of what is shown, by outcome, when a bin has j people with chance counts[j]: below K noise, or nothing."""
    out, small = {j: v for j, v in enumerate(counts) if j >= K and v}, counts[:K]
    if rate is None and curve is None: return {**out, "nothing": sum(small)}
    n = len(counts) + 1
    small = small + [Decimal(0)] * (n - len(small) if curve is None else K - len(small))
    if curve is None:
        q = dec(exp(-rate))
        r, mu = [q] * (len(small) + 1), [(1 - q) / (1 + q)] * len(small)
    else:  # the walk of the tailored geometric lives on 0..K-1
        r = [Decimal(0)] + [dec(exp(-curve(j))) for j in range(1, K)] + [Decimal(0)]
        mu = [1 / (1 + x) + 1 / (1 + y) - 1 for x, y in zip(r, r[1:])]
    up, down, f, g = [], [], Decimal(0), Decimal(0)
    for x, y in zip(small, r):
        up.append(f := x + y * f)
    for y in range(len(small) - 1, -1, -1):
        down.append(g)
        g = r[y] * (small[y] + g)
    for y, (m, f, h) in enumerate(zip(mu, up, down[::-1])):
        y = "at most" if curve is not None and y <= curve.Z > 0 else y
        out[y] = out.get(y, 0) + m * (f + h)
    if curve is None:  # beyond the counts all values have one ratio, and are one outcome on each side
        out["below"], out["above"] = g / (1 + q), q * up[-1] / (1 + q)
    return out
def others(p):
    """n and the law of how many of n others are in the sample, n = 0, 1, ..."""
    n, b = 0, [Decimal(1)]
    while True:
        yield n, b
        b = [x * (1 - p) + y * p for x, y in zip(b + [0], [0] + b)]
        b, n = [x if x > LEFT_OUT else Decimal(0) for x in b], n + 1
        while not b[-1]: b.pop()
def worst(p, cost, ceilings, stated, place):
    """The largest cost of any number of others, as far as it may be above what is stated; the cost at a place; whether
    more than 1200 others were looked at as well, as far as they matter."""
    most = there = Decimal(0)
    for n, b in others(p):
        done = max(c(n) for c in ceilings) <= max(stated, Decimal("1e-31"))
        if done or n > 1200: return most, there, done
        d = cost(b)
        most, there = max(most, d), d if n == place else there

# ---- the certificate

FIELDS = {key: set(names.split()) for key, names in {
    "": "version software how_to_read request_hash binning_hash dataset snapshot notion curve delta unit"
        " sampling worst_case_dp universe mechanism theorem exact postprocessing randomness floating_point"
        " timing assumptions not_protected ledger tables request",
    "how_to_read": "layer fields in_words", "unit": "bins_per_person bounding_key neighbours person_rule",
    "worst_case_dp": "epsilon delta", "universe": "accounted dimensions in_words kind size",
    "universe.dimensions": "kind name size", "mechanism": "name parameters",
    "theorem": "source statement assumptions epsilon delta", "exact": "runs delta worst by_count",
    "exact.worst": "count epsilon delta is", "exact.by_count": "count epsilon delta is",
    "randomness": "kind in_words", "not_protected": "columns facts", "not_protected.columns": "column what",
    "ledger": "account_opened after charge_id head seq", "ledger.after": "releases epsilon delta left",
    "ledger.after.left": "epsilon delta", "tables": "name sha256", "sampling": "sample sampled in_words statements charged",
    "sampling.statements": "notion in_words curve",
    "sampling.statements.curve": "epsilon delta is by others by_theorem"}.items()}
LAWS = {name: (law, set(parameters.split())) for law, names in {
    OneNoise: {"geometric": "epsilon", "group-geometric": "group epsilon", "suppress-below": "crowd",
               "suppress-up-to": "group", "noise-below": "crowd epsilon", "noise-up-to": "group epsilon",
               "noisy-suppress": "group epsilon offset", "fading": "group width epsilon factor",
               "threshold": "epsilon threshold", "range": "epsilon half-width"},
    Ladder: {"noisy-noise": "group epsilon offset", "staircase": "epsilons levels publish-levels"},
    Tailored: {"tailored-geometric": ""}, Relay: {"relay": "delta cells closed-at"},
    General: {"general": "bound epsilon-a delta-a grid alpha publish-epsilon"}}.items()
    for name, parameters in names.items()}
TYPES = {str: "software notion snapshot floating_point timing delta request_hash binning_hash",
         list: "how_to_read curve postprocessing assumptions tables", dict: "unit universe mechanism request"}
WORDS = {"in_words", "layer", "fields", "person_rule", "neighbours", "source", "statement", "assumptions",
         "facts", "column", "what", "kind", "name"}
def fields(x, where=""):
    """Whether an object, and those within it, have the fields that they should have."""
    for item in x if isinstance(x, list) else [x]:
        if where in FIELDS and (item is not None or where not in ("worst_case_dp", "sampling")):
            names = set(item) - (set() if where else {"not_private"}) if isinstance(item, dict) else None
            need(names == FIELDS[where], "other fields than there should be in", where or "the certificate")
            for key, value in item.items():
                texts = [] if key not in WORDS else value if isinstance(value, list) else [value]
                need(all(isinstance(x, str) for x in texts), "no words in", where, key)
                fields(value, (where + "." + key).strip("."))
def sha(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
def labels(b):
    """The labels of a declared bin in their order; None if they are found in the data."""
    cut, out = b["cut"], []
    if cut == "found" or "truncate" in cut and "first" not in cut: return None
    if "values" in cut: out = [str(v).lower() if isinstance(v, bool) else str(v) for v in cut["values"]]
    elif "truncate" in cut:
        step, date = cut["truncate"], datetime.date.fromisoformat
        day, last = date(cut["first"]), date(cut["last"])
        while day <= last:
            out.append(day.isoformat())
            month = day.year * 12 + day.month - 1 + (12 if step == "year" else 1)
            day = day + datetime.timedelta(7 if step == "week" else 1) if step in ("day", "week") else (
                datetime.date(month // 12, month % 12 + 1, 1))
    else:
        ends = cut["edges"] if "edges" in cut else [
            Q(cut["from"]) + i * Q(cut["width"]) for i in range(min(cut["intervals"], MOST) + 1)]
        out = ["[%s, %s)" % (ends_in(x), ends_in(y)) for x, y in zip(ends, ends[1:])]
    return out + ["other"] * (b["other"] is True) + [""] * (b["nulls"] == "bin")
def ends_in(text):
    """A number as a decimal, if that ends."""
    x = Q(text)
    places = next((n for n in range(60) if 10**n % x.denominator == 0), 0)
    digits = str(abs(x.numerator) * 10**places // x.denominator).rjust(places + 1, "0")
    return "-" * (x < 0) + digits[:-places] + "." + digits[-places:] if places else str(x)

class Release:
    """A certificate, and what follows from it."""
    def __init__(self, folder, c): self.folder, self.c = folder, c
    def form(self):
        c, r = self.c, self.c["request"]
        fields(c)
        for kind, names in TYPES.items():
            for key in names.split(): need(isinstance(c[key], kind), key, "is not a", kind.__name__)
        for x in (c["theorem"]["assumptions"], c["not_protected"]["facts"], c["not_protected"]["columns"]):
            need(isinstance(x, list), "not a list:", x)
        known = c["randomness"]["kind"] != "operating-system"
        need(c.get("not_private") is (True if known else None), "not_private and randomness disagree")
        need(not known or r["data"]["synthetic"] is True, "a known seed, but no made-up data")
        self.r, self.m, self.name = r, whole(c["unit"]["bins_per_person"], 1), c["mechanism"]["name"]
        return "all fields are there, and no others"
    def identity(self):
        c, r, data, ledger = self.c, self.r, self.r["data"], self.r["ledger"]
        keys = ["where", "unit", "types", "timezone"] + ["split"] * ("split" in data)
        binning = {key: data[key] for key in keys}
        bins = [{k: v for k, v in b.items() if k != "name"} for b in r["bins"]]
        binning.update(dataset=ledger["dataset"], kind=r["kind"], bins=bins)
        need(sha(r) == c["request_hash"], "request_hash is not that of the request")
        person = data["unit"].get("person") is not None
        need(c["unit"]["bounding_key"] == (sha(binning) if person else None), "bounding_key is another")
        sample = {} if data["sample"] is None else {"sample": data["sample"]}
        need(c["binning_hash"] == sha({**binning, **sample, "snapshot": ledger["snapshot"]}), "binning_hash is another")
        need((c["dataset"], c["snapshot"]) == (ledger["dataset"], ledger["snapshot"]), "another account")
        need(self.m == data["unit"]["bins-per-person"], "bins_per_person is not the request's")
        head = c["ledger"]["head"]
        need(re.fullmatch("[0-9a-f]{64}", head) and c["ledger"]["charge_id"] == head[:32], "head and charge")
        after, left = c["ledger"]["after"], c["ledger"]["after"]["left"]
        whole(c["ledger"]["seq"]), whole(after["releases"], 1), number(after["delta"])
        for x in (after["epsilon"], left["epsilon"], left["delta"]):
            need(x is None or number(x) < INF, "ledger.after")
        need(type(c["ledger"]["account_opened"]) is bool, "account_opened")
        return "request, binning, bounding key and charge are what they hash to"
    def promise(self):
        c, dp = self.c, self.c["worst_case_dp"]
        curve, delta = promised(self.r["promise"], len(c["curve"])), number(self.r["promise"]["delta"] or "0")
        self.eps, self.delta = curve.part(self.m), delta / self.m
        need(all(e in (None, INF) or e <= SURE / 2 for _, _, e, _ in curve.runs), "too large an epsilon")
        need(c["curve"] == curve.shown(), "curve is not that of the promise")
        need(number(c["delta"]) == delta < 1, "delta is not the promise's")
        need(c["exact"]["runs"] == self.eps.shown(), "exact.runs is not the part of one bin")
        need(number(c["exact"]["delta"]) == self.delta == number(c["theorem"]["delta"]), "not a bin's delta")
        need(number(c["theorem"]["epsilon"]) == self.eps.sup, "theorem.epsilon is not the largest")
        charged = self.r["promise"].get("sampled-epsilon")
        sup = curve.sup if charged is None else number(charged)
        need(dp is None if sup == INF else number(dp["epsilon"]) == sup, "worst_case_dp.epsilon")
        return "the curve follows from the request, for one bin and as plain differential privacy"
    def mechanism(self):
        c, r, p, u, name = self.c, self.r, self.c["mechanism"]["parameters"], self.c["universe"], self.name
        need(name == r["mechanism"]["name"] and name in LAWS, "another mechanism than the request's")
        wanted, more = LAWS[name][1], {"threshold"} if name != "range" else set()
        more |= {"thresholds"} if name == "staircase" else set()  # those of the request, for the reader
        need(wanted <= set(p) <= wanted | more, "not the parameters of", name)
        def read(v, m=1):
            if isinstance(v, list): return [read(x, m) for x in v]
            return number(v) / m if isinstance(v, str) and v != p.get("bound") else v
        self.p = {key: read(v) for key, v in p.items()}
        for key, asked in r["mechanism"].items():
            own = key in ("epsilon", "epsilons") and asked == r["promise"].get(key)
            if asked is not None and key in wanted | set(p) | {"threshold"}:
                same = key in p and read(asked, self.m if own else 1) == self.p[key]
                need(same, key, "is not what was asked for")
        self.T, self.bins, self.size = self.p.get("threshold", -INF), [labels(b) for b in r["bins"]], 1
        for b in self.bins: self.size *= len(b or [])
        found = any(b is None for b in self.bins)
        kinds = [("found", None) if b is None else ("declared", str(len(b))) for b in self.bins]
        need([(d["kind"], d["size"]) for d in u["dimensions"]] == kinds, "other dimensions")
        need([d["name"] for d in u["dimensions"]] == [b["name"] for b in r["bins"]], "other dimensions")
        self.open = found or name in ("relay", "threshold")
        self.listed = not self.open and self.T == -INF
        kind = ("found", None) if found else ("declared", str(self.size))
        need((u["kind"], u["size"]) == kind, "the universe is not the request's")
        need(u["accounted"] == ("open" if self.open else "closed"), "the universe is not accounted for so")
        free = "suppress" in name and p.get("crowd", 2) >= 2 or name == "relay"
        tells = name == "range" or p.get("publish-levels") or p.get("publish-epsilon")
        need(not self.open or not tells and (free or self.T != -INF), name, "may not run in an open universe")
        return "%s with the parameters that were asked for, where it may run" % name
    def account(self):
        exact, near, laws, kind = self.c["exact"], 1 + Q(1, 10**8), {}, LAWS[self.name][0]
        entries, hair = [exact["worst"], *exact["by_count"]], 1 + Q(1, 10**12)
        worst, dp, total = chance(entries[0]["delta"]), self.c["worst_case_dp"], self.delta * self.m
        if "sampled-epsilon" in self.r["promise"]: dp = None  # that of the sample
        for x in entries:
            v, k, e = chance(x["delta"]), whole(x["count"], 1), self.eps(x["count"])
            size = int(1 / max(v or worst, Q(1, 10**30))).bit_length()
            self.bits = 50 + size if kind in (Ladder, General) else 0
            law = laws[self.bits] = laws.get(self.bits) or kind(self)
            need(number(x["epsilon"]) == e and x["is"] in ("exact", "upper bound"), "epsilon or `is` at", k)
            need(v <= min(worst, self.delta) * hair, "count", k, "costs more than the worst, or than delta")
            upper = law.upper(k, e) if x["is"] == "upper bound" else None
            true = law.cost(k, e) if upper is None else I(upper.lo, law.most(k, e).hi)
            if upper and of(v).hi < upper.lo: true = law.told_cost(k, e)  # the other bound
            need(of(v).hi >= true.lo if v else true.hi < Decimal("1e-60"), "at", k, "it costs", true.lo)
            need(v <= Q(1, 10**30) or of(v).lo <= (true * near).hi, "at", k, "it costs only", true.hi)
            if x is entries[0]: self.law, least = law, min(DOWN.multiply(true.lo, self.m), of(total).lo)
        need(self.name != "relay" or entries[0]["count"] == 1, "the relay's first step is its worst one")
        limit = max(of(worst * near).hi, Decimal("1e-30" if worst else "1e-60"))
        for k in self.law.counts(worst):
            costs = (f(k, self.eps(k)).hi for f in (self.law.upper, self.law.cost))
            need(any(c <= limit for c in costs), "count", k, "costs more than the worst")
        stated, all_bins = chance(dp["delta"] if dp else "0"), min(worst * self.m, total)
        need(not dp or least <= of(stated).hi, "worst_case_dp.delta is below the truth")
        need(not dp or all_bins / hair <= stated <= all_bins * hair, "worst_case_dp.delta is another")
        said = "count {count} costs {delta} ({is})".format(**entries[0])
        return said + ", %d others cost what is stated, and none more" % (len(entries) - 1)
    def sampling(self):
        s, data, promise, trust = self.c["sampling"], self.r["data"], self.r["promise"], []
        charged = promise.get("sampled-epsilon")
        if data["sample"] is None and data["sampled"] is None:
            need(s is None and charged is None, "a sample that the request does not ask for")
            return None
        need((s["sample"], s["sampled"], s["charged"]) == (data["sample"], data["sampled"], charged), "another sample")
        need(self.m == 1 and (data["sample"] is None or data["sampled"] is None), "no such sample")
        need(data["sample"] is not None or charged is None, "a collected sample is not charged")
        need("people" not in data["unit"] or data["sample"] is None, "a coin for many persons")
        d = data["sampled"] or {"least": data["sample"], "most": data["sample"], "known": 0}
        self.least, self.chance, self.known = number(d["least"]), number(d["most"]), whole(d["known"])
        need(0 < self.least <= self.chance < 1, "no such chances")
        kinds = [x["notion"] for x in s["statements"]]
        need(kinds in ([], ["differential-privacy"], ["distributional-differential-privacy"],
            ["differential-privacy", "distributional-differential-privacy"]), "statements of other kinds")
        need(data["sampled"] is not None or kinds in ([], ["differential-privacy"]), "not of a fresh sample")
        points = 0
        for kind, x in zip(kinds, s["statements"]):
            epsilons = [number(y["epsilon"]) for y in x["curve"]]
            need(epsilons and epsilons == sorted(set(epsilons)) and 0 < epsilons[0] <= epsilons[-1] < INF, "no curve")
            with localcontext(Context(60)):
                for y in x["curve"]: trust += self.point(kind, y)
            points += len(x["curve"])
        if charged is not None:
            mine = [y for x, kind in zip(s["statements"], kinds) for y in x["curve"] if y["epsilon"] == charged and kind == kinds[0]]
            need(kinds[:1] == ["differential-privacy"] and len(mine) == 1, "what is charged is not on the curve")
            most, stated, dp = promise["delta"], chance(mine[0]["delta"]), self.c["worst_case_dp"]["delta"]
            rounded = most is not None and dp == most and number(most) <= stated <= number(most) * (1 + Q(1, 10**12))
            need(rounded or dp == mine[0]["delta"], "worst_case_dp.delta is not that of the curve")
            need(most is None or stated <= number(most) * (1 + Q(1, 10**12)), "a larger delta than was asked for")
        said = "%d deltas of the sample, each in the worst group of people" % points
        return said + (", but %s taken on trust" % ", ".join(sorted(set(trust))) if trust else "")
    def theorem(self):
        """The crowd and the epsilon of the sampling theorems, if they apply."""
        p, none = self.r["promise"], chance(self.c["exact"]["worst"]["delta"]) > 0
        e = number(p["epsilon"]) if "epsilon" in p else INF
        if none or e == INF: return None
        return {"crowd-blending": lambda: (p["crowd"], e),
                "simple-outlier": lambda: (p["group"] + 1, e / p["group"])}.get(p["kind"], lambda: None)()
    def point(self, kind, y):
        """Checks a delta; returns what of it is not checked."""
        E, v, p, trust = number(y["epsilon"]), chance(y["delta"]), dec(self.chance), []
        x, name, near = dec(exp(E)), self.name, Decimal("1e-9")
        need(y["is"] in ("exact", "upper bound") and (y["others"] is None or whole(y["others"]) >= 0), "is, or others")
        sure, back = x - 1 + p, 1 - x * (1 - p)
        rising, falling = ceiling(p, sure, p), ceiling(back, x * p, 1 - p)
        def check(cost, stated, ceilings, title, exact=True, place=None):
            most, there, whole_way = worst(p, cost, ceilings, dec(stated), place)
            need(most <= dec(stated) * (1 + near) + Decimal("1e-31"), title, "at epsilon", E, "is at least", most)
            if whole_way and exact:
                need(dec(stated) <= most * (1 + Decimal("1e-8")) + Decimal("1e-30"), title, "at epsilon", E, "is only", most)
                need(place is None or most < Decimal("1e-25") or there >= most * (1 - Decimal("1e-8")), "not the worst group:", place)
            return [] if whole_way else ["groups of more than 1200"]
        def with_her(b): return [s * (1 - p) + t * p for s, t in zip(b + [0], [0] + b)]
        def law(K, rate, curve=None, known=0):
            def cost(b):
                most = Decimal(0)
                for l in range(known + 1):
                    lacks = [Decimal(0)] * l
                    one, two = (shown(lacks + z, K, rate, curve) for z in (with_her(b), b + [Decimal(0)]))
                    most = max(most, stick(one, two, x), stick(two, one, x))
                return most
            return cost
        found = self.theorem()
        if kind != "differential-privacy":
            pr = self.r["promise"]
            need(y["by"] == "OP Theorem 22" and pr["kind"] == "simple-outlier" and found, "no such theorem")
            share, left = found[1], max(pr["group"] - self.known, 0)
            need(E >= share and y["by_theorem"] is None, "the theorem does not say so")
            z = dec(exp(share))
            def cost(b):
                c = b + [Decimal(0)]
                ahead = sum((d for m in range(left, len(b)) if (d := c[m] - x * c[m + 1]) > 0), Decimal(0))
                rest, back, below, plain = (Decimal(0),) * 4
                for j, here in enumerate(c):
                    take = min(max(z * (here / x - rest), Decimal(0)), here) if j < left else Decimal(0)
                    back += max(here - x * (take / z + rest), Decimal(0))
                    plain += max(here - x * below, Decimal(0))
                    rest, below = here - take, here
                return max(ahead, min(back, plain))
            return check(cost, v, [ceiling(Decimal(1), x, p), ceiling(Decimal(1), x, 1 - p)], "a distributional delta", y["is"] == "exact", y["others"])
        if y["by_theorem"] is not None:
            need(found, "no theorem applies")
            K, e = max(found[0] - self.known, 1), found[1]
            need(e == 0 or x * (1 - p) >= 1 - near and sure >= p * dec(exp(e)) * (1 - near), "the theorem does not say so")
            c = sure / dec(exp(e))
            def crowd(b): return sum((d for m in range(K - 1, len(b)) if (d := p * b[m] - c * (b + [Decimal(0)])[m + 1]) > 0), Decimal(0))
            by = chance(y["by_theorem"])
            both = [ceiling(p, c, p), falling] if e == 0 else [ceiling(p, c, p)]
            trust += check(law(K, None) if e == 0 else crowd, by, both, "by_theorem")
            need(v <= by * (1 + Q(1, 10**8)) + Q(1, 10**30), "worse than the worst")
        if y["by"] in ("CB Theorem 13", "CB Theorem 16"):
            plain = self.least == self.chance and self.known == 0
            need(y["by_theorem"] == y["delta"] and (y["by"][-2:] == "13") == plain, "not as the theorem says")
            return trust
        def amplified(e): return e != INF and sure >= p * dec(exp(e)) * (1 - near)
        if y["by"] == "amplification":
            paid = self.chance * chance(self.c["exact"]["worst"]["delta"])
            need(amplified(self.eps.sup) and paid <= v * (1 + Q(1, 10**9)) and v <= paid * (1 + Q(1, 10**9)), "not amplified so")
            return trust
        need(y["by"] == "the law that runs", "by what?")
        q, e = self.p, self.p.get("epsilon", INF)
        pure = {"tailored-geometric": self.eps.sup, "group-geometric": e / q.get("group", 1) if e != INF else INF,
                "staircase": (q.get("epsilons") or [INF])[0]}.get(name, e if name in ("geometric", "noisy-suppress", "noisy-noise", "threshold") else INF)
        if v == 0: need(amplified(pure) and not self.open, "a delta of 0"); return trust
        last = q["crowd"] - 1 if "crowd" in q else q.get("group", 0)
        plain = {"suppress-below": (last + 1, None), "suppress-up-to": (last + 1, None), "noise-below": (last + 1, e),
                 "noise-up-to": (last + 1, e / max(last, 1) if e != INF else INF), "geometric": (MOST, e),
                 "group-geometric": (MOST, pure)}.get(name)
        ends = [b for _, b, _, _ in self.eps.runs if b != INF]
        if name == "tailored-geometric" and self.eps.sup == INF and ends and ends[-1] < 400: plain = ends[-1] + 1, None, self.eps
        open_noise = self.open and not name.startswith("suppress")
        if plain is None or self.T != -INF or open_noise or self.known > 20: return trust + ["the law of %s on a sample" % name]
        return trust + check(law(*plain, known=self.known), v, [rising, falling], "delta", y["is"] == "exact", y["others"])
    def files(self):
        names = [t["name"] for t in self.c["tables"]]
        there = [n for n in os.listdir(self.folder) if re.search(r"\.(csv|parquet|arrow)$", n)]
        need(names and sorted(names) == sorted(there), "the folder has other tables:", there)
        for t in self.c["tables"]:
            with open(os.path.join(self.folder, t["name"]), "rb") as f: data = f.read()
            need(hashlib.sha256(data).hexdigest() == t["sha256"], t["name"], "is not what was certified")
        return ", ".join(names) + " as certified"
    def read(self, name):
        """The head and the rows of a table; None if there is none."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path): return None, None
        with open(path, newline="", encoding="utf-8") as f: head, *rows = csv.reader(f, strict=True)
        need(all(len(row) == len(head) for row in rows), "a row of another length in", name)
        return head, rows
    def rows(self):
        p, d, names = self.p, len(self.bins), [b["name"] for b in self.r["bins"]]
        asked, (head, rows) = {s["step"]: s for s in self.c["postprocessing"]}, self.read("counts.csv")
        self.table = rows
        if rows is None: return None
        more = {"levels": p.get("publish-levels"), "epsilon_total": p.get("publish-epsilon"),
                "estimate": "estimate" in asked, "rounded": "rounding" in asked}
        names += ["count", "low", "high", "status"] + [name for name, there in more.items() if there]
        need(head == names, "other columns:", head)
        places = [b and {x: i for i, x in enumerate(b)} for b in self.bins]
        def ascend(found):
            order = [[p[x] if p else (x == "", found(x)) for p, x in zip(places, row)] for row in rows]
            return all(a < b for a, b in zip(order, order[1:]))
        digits = re.compile(r"-?\d{1,15}").fullmatch
        need(ascend(str) or ascend(lambda x: int(x) if digits(x) else 0), "rows are repeated or out of order")
        need(not self.listed or len(rows) == self.size, "there are", len(rows), "rows and not", self.size)
        for row in rows:
            self.status(row[d:d + 4], row)
            count, extra = row[d], dict(zip(head[d + 4:], row[d + 4:]))
            if not count: continue
            kind, value = asked.get("estimate", {}).get("kind"), Q(extra.get("estimate") or count)
            true = {"unbiased": self.unbiased, "clamped": lambda y: max(y, 0)}.get(kind, lambda y: value)
            need(abs(value - true(int(count))) <= Q(1, 1999), "not the estimate of this count:", row)
            if "rounded" in extra:
                to = number(asked["rounding"]["to"])
                need(Q(extra["rounded"]) == (value / to + Q(1, 2)) // 1 * to, "not rounded to this:", row)
        return "%d rows of counts.csv" % len(rows)
    def status(self, cells, row):
        """The numbers that go with a status."""
        (count, low, high, status), law, Z = cells, self.law, self.eps.Z
        need(all(re.fullmatch(r"(-?\d{1,15})?", x) for x in cells[:3]), "not whole numbers:", row)
        silent = re.search("suppress|range|general", self.name) or 0 in self.p.get("epsilons", []) or Z == INF
        if status == "suppressed":
            need(self.listed and silent and not count + low + high, "this cannot be suppressed:", row)
        elif status == "at-most":
            told = self.name == "tailored-geometric" and self.T == -INF and 0 < Z < INF and count == ""
            need(told and (int(low), int(high)) == self.interval(Z), "this cannot be at most", Z, row)
        else:
            need(status == "published" and bool(low) == bool(high), "no such status or interval:", row)
            need(0 <= int(low or 0) <= int(high or 0), "not an interval:", row)
        if status == "published" and self.name == "range":
            width, full = int(high) - int(low), 2 * self.p["half-width"]
            need(count == "" and (width == full or low == "0" and width < full), "not a range:", row)
        elif status == "published":
            least = getattr(law, "least", max(self.T, 1) if self.name == "relay" else self.T)
            need(int(count) >= least, "below what is shown:", row)
            if isinstance(law, (OneNoise, Tailored)) and self.name != "fading":
                need((int(low), int(high)) == self.interval(int(count)), "not the interval of this:", row)
    @lru_cache(maxsize=None)
    def interval(self, y):
        """The least and the largest count that a value leaves open; one below `least` is "at most Z"."""
        law, first, low = self.law, int(self.open), y if y >= self.law.least else 0
        # beside "at most Z" a value is compared with other values and with all that is shown: either may accept it
        starts = {law.least, 0} if isinstance(law, Tailored) and self.T == -INF else {law.least}
        likely = lambda mass, k: any((mass(s) * 40 - law.at_least(s, k)).lo > 0 for s in starts)
        above = lambda k: not likely(lambda s: law.at_least(s, k) - law.at_least(y + 1, k), k)  # k is too large
        fits = lambda k: likely(lambda s: law.at_least(low, k), k)                             # or not too small
        top = max(y, first) + 1
        while top <= law.noisy and not above(top): top += top - max(y, first)
        end = min(top, law.noisy + 1)
        a, b = search(fits, first, end), search(above, first, end) - 1
        left = [a, b] * (a <= b) + [y] * (y > law.noisy) or [0]
        return min(left), max(left)
    @lru_cache(maxsize=None)
    def unbiased(self, y):
        """A value whose mean is the count, to a hundred digits."""
        if self.name != "tailored-geometric": return Q(y)
        r, s = (exp(-self.eps(j)) if 0 < j <= self.eps.L else of(0) for j in (y, y + 1))
        a, b = (x / (1 - x * x) for x in (r, s))
        return y + Q((a - b).lo) / Q((of(1) / (1 + r) + of(1) / (1 + s) - 1).lo)
    def margins(self):
        names, (head, rows) = [b["name"] for b in self.r["bins"]], self.read("margins.csv")
        if rows is None or self.table is None: return None
        plain = head == ["dimension", "value", "published_total", "cells", "omitted"]
        full = head == ["dimension", "value", "total", "standard_error", "cells", "omitted"]
        need(plain or full, "other columns:", head)
        for row in rows:
            at = names.index(row[0]) if row[0] else 0
            cells = [x for x in self.table if not row[0] or x[at] == row[1]]
            counts = [int(x[len(names)]) for x in cells if x[len(names)]]
            total = sum((Q(y) if plain else self.unbiased(y) for y in counts), Q(0))
            same = abs(Q(row[2]) - total) <= Q(1, 1999) and row[-2] == str(len(counts))
            need(same, "not the sum of its cells:", row)
        return "%d sums of margins.csv" % len(rows)

TRUSTED = ["the charge is in the ledger (`incrowd ledger verify --against` can tell)",
           "the data is what the snapshot names, and one row or one identifier is one person",
           "the program drew from the laws that it states, with random bits that nobody could foresee",
           "nothing was chosen by looking at the data; other releases about the same people are not counted",
           "the words of the certificate mean what its numbers say",
           "Parquet and Arrow files hold the rows of counts.csv",
           "medians, standard errors, intervals of laws without a closed form are what they are called"]
def main(arguments):
    folders, lines, rel = [x for x in arguments if x != "--json"], [], None
    try:
        need(len(folders) == 1, "usage: verify.py FOLDER [--json]")
        with open(os.path.join(folders[0], "certificate.json"), encoding="utf-8") as f: c = json.load(f)
        need(isinstance(c, dict) and type(c.get("version")) is int and c["version"] == 2, "not of version 2")
        need(dict(c.get("request") or {}).get("release") == "histogram", "only histograms are known here")
        rel = Release(folders[0], c)
    except (OSError, ValueError, TypeError, RecursionError, MemoryError, Bad) as error:
        lines.append(("FAILED", "%s cannot be read: %s" % (" ".join(folders), error)))
    for name in "form identity promise mechanism account sampling files rows margins".split() if rel else []:
        try:
            said = getattr(rel, name)()
            lines += [("verified", "%s: %s" % (name, said))] if said else []
        except Bad as error: lines.append(("FAILED", "%s: %s" % (name, error)))
        except Exception as error: lines.append(("FAILED", "%s: no sense in it: %r" % (name, error)))
        if lines[-1][0] == "FAILED": break
    failed = any(word == "FAILED" for word, _ in lines)
    lines += [("trusted", text) for text in TRUSTED if not failed]
    text = "\n".join("%-9s %s" % line for line in lines)
    if "--json" in arguments:
        text = json.dumps({"version": 1, "verified": not failed,
            "checks": [dict(zip(("is", "text"), x)) for x in lines]})
    coding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with contextlib.suppress(BrokenPipeError): print(text.encode(coding, "backslashreplace").decode(coding), flush=True)
    return 2 if not rel else int(failed)
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
