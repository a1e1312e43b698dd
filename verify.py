#!/usr/bin/env python3
"""Verifies a folder that incrowd delivered: certificate, accounts, tables. Usage: verify.py FOLDER
Written from docs/certificate.md (versions 2 and 3) alone; it shares no code with incrowd and needs only the standard library
of Python 3.9. Numbers are integers, fractions, and decimals of 200 digits: with epsilons up to 100 none is off by more
than 1e-150, and every conclusion leaves room for 1e-90 (SLACK). No float decides anything. Exit code 0: verified, but
for what is named as trusted; 1: something is wrong; 2: it cannot be read, or is of another kind of release."""
import datetime, hashlib, html, json, math, os, re, stat, sys
from decimal import Decimal, getcontext
from fractions import Fraction as Q
from functools import lru_cache
from itertools import accumulate, dropwhile, groupby, islice, product
INF, SURE, CAP, TINY, SLACK = float("inf"), Q(10**4), Q(100), Q(1, 10**30), Decimal("1e-90")  # rate SURE is no noise
getcontext().prec, B, MOST, W = 200, 192, 10**6, 2**128  # B binary places of laws that are summed; W is a relay's mass
def need(condition, *otherwise):  # `need(...) or x` is x
    if not condition: raise ValueError(" ".join(str(part)[:200] for part in otherwise))
class TooLarge(Exception):
    """More work than this program does: neither right nor wrong."""


class Work:
    """Cells that may still be summed: about a minute."""
    MOST = 40 * 10**6
    left = MOST

    @classmethod
    def spend(cls, cells, fits=True):
        cls.left -= cells
        if cls.left < 0 or not fits:
            raise TooLarge("too large: this takes more than about a minute; ask `incrowd verify`")


def real(x): return Decimal(x.numerator) / x.denominator
def about(x, err=SLACK): return x - err, x + err
@lru_cache(maxsize=1 << 17)
def exp(x): return real(x).exp()
def fixed(x): return int(x * 2**B)
def number(text):  # a whole number, a reduced fraction, or "infinite"
    good = isinstance(text, str) and re.fullmatch(r"\d{1,400}(/[1-9]\d{0,400})?", text) and str(Q(text)) == text
    return INF if text == "infinite" else need(good, "not a number, or not reduced:", text) or Q(text)
def chance(text): return need(re.fullmatch(r"[\d.]{1,60}(e-\d{1,4})?", text), "not a cost:", text) or Q(text)
def whole(x): return need(type(x) is int and 1 <= x <= 10**13, "not a whole number as it should be:", x) or x
def text(x): return str(x).replace("inf", "infinite")
def search(test, lo, hi):  # the first number from lo on that passes a test which changes once at most; hi if none does
    return lo if lo >= hi else search(test, lo, m) if test(m := (lo + hi) // 2) else search(test, m + 1, hi)
class Curve:
    """Epsilon by count, from stretches (last count, e, s): epsilon is e + s k, one of e and s being 0."""
    def __init__(self, stretches):
        self.runs, at = [], 1
        for b, e, s in stretches:
            joins = self.runs and self.runs[-1][2:] == (e, s)
            if at <= b and at < INF: self.runs.append((self.runs.pop()[0] if joins else at, b, e, s))
            at = max(at, b + 1)
        (_, b, e, s), (self.last, _, sup, self.slope) = self.runs[0], self.runs[-1]
        self.sup, self.Z = INF if self.slope else sup, b if e == s == 0 else 0  # Z is the last count with epsilon 0
        self.L = next((a - 1 for a, _, e, _ in self.runs if e == INF), INF)     # and L that with a finite one
        need(all(self(a) >= self(a - 1) for a, _, _, _ in self.runs), "epsilon falls with the size of the group")
    def __call__(self, k):
        return (run := self.runs[search(lambda i: self.runs[i][1] >= k, 0, len(self.runs) - 1)])[2] + run[3] * max(k, 1)
    def part(self, m): return Curve([(b, e / m, s / m) for _, b, e, s in self.runs])
    def shown(self):  # as it is written in a certificate
        return [{"from": a, "to": b if b < INF else None, "slope" if s else "epsilon": text(s or e)}
                for a, b, e, s in self.runs]
    def pieces(self, stop):  # runs of constant epsilon; counts of a slope one by one, as long as epsilon is below stop
        for a, b, _, s in self.runs:
            yield from ((k, k) for k in range(a, min(b, int(stop / s) + 1) + 1)) if s else [(a, b)]
def fade(k, e, factor, K, t): return factor * e * (Q(t, K - k) if k < K - t else 1)
def promised(p, most):  # the curve of a promise (section 4); a curve of more than so many runs is cut off
    e, K, t = number(p.get("epsilon", "0")), whole(p.get("group", p.get("crowd", 1))), p.get("width", 0)
    (s, f, c, x), values = (number(p.get(key, "1")) for key in "slope floor cap factor".split()), p.get("values", ["0"])
    return Curve([(*stretch, Q(0))[:3] for stretch in {
        "differential-privacy": [(INF, e)], "group": [(INF, e / K)], "crowd-blending": [(K - 1, e), (INF, INF)],
        "simple-outlier": [(K, e / K), (INF, INF)], "simple-outlier-dp": [(K, e / K), (INF, e)],
        "staircase": zip(p.get("thresholds", [])[::-1] + [INF], map(number, p.get("epsilons", [])[::-1])),
        "linear": [(INF, min(f, c))] if s == 0 or c <= f else [
            (int(f / s), f), (INF if c == INF else math.ceil(c / s) - 1, Q(0), s), (INF, c)],
        "fading": [*((k, fade(k, e, x, K, t)) for k in range(1, min(K - t, most + 2))), (INF, e * x)],
        "table": [*enumerate(map(number, values[:-1]), 1), (INF, number(values[-1]))]}[p["kind"]]])
# ---- laws: cost(k) is from where to where a cost surely is; bounds(k, e) are what may be stated as bounds on it; and
# ---- counts(limit) are counts of which one costs more than the limit if any (but 1 in an open universe) does
def tail(w, t):  # P[DL(w) >= t]
    return Decimal(t < 0) if abs(t) == INF else exp(-w * t) / (exp(-w) + 1) if t > 0 else 1 - tail(w, 1 - t)
def within(a, w, lo, hi): return tail(w, lo - a) - tail(w, hi - a)  # P[lo <= a + DL(w) < hi]
def excess(a, wa, b, wb, e, cut):
    """The sum over y of (P(y) - e^e P'(y))+ for a + DL(wa) and b + DL(wb), values below the cut being one. If P is as
    narrow as P' or more, P(y)/P'(y) falls on both sides of a: it is above e^e from lo to hi; else below, around b."""
    ratio, narrow = (1 - exp(-wa)) / (1 + exp(-wa)) * (1 + exp(-wb)) / (1 - exp(-wb)), wa >= wb
    above = lambda y: ratio * exp(wb * abs(y - b) - wa * abs(y - a) - e) > 1
    centre, far = a if narrow else b, int((300 + e) / min(wa, wb)) + abs(a - b) + 1  # what is beyond weighs e^-300
    lo = max(cut, search(lambda y: above(y) == narrow, centre - far, centre))
    hi = max(cut, search(lambda y: above(y) != narrow, centre, centre + far))
    gain = lambda lo, hi: within(a, wa, lo, hi) - within(b, wb, lo, hi) * exp(e)
    return max(gain(-INF, cut), 0) + (gain(lo, hi) if narrow else gain(cut, lo) + gain(hi, INF))
def between(one, two, e, cut=-INF): return max(excess(*one, *two, e, cut), excess(*two, *one, e, cut))
class Law:
    """What a mechanism shows: from its name, parameters p, threshold T, epsilons, delta, and whether bins are found."""
    def __init__(self, **facts):
        self.__dict__.update(facts, least=facts["T"])  # the least value that is shown
        self.setup(**{key.replace("-", "_"): value for key, value in self.p.items()})
    def cost(self, k):  # at eps(k), or CAP; the first person of an open universe is compared with an absent bin
        return about(0) if (e := Q(0) if self.open and k == 1 else self.eps(k)) == INF else self.apart(k, min(e, CAP))
    def bounds(self, k, e): return [self.cost(k)]
class OneNoise(Law):
    """k + DL(rate(k)), values below `least` shown as nothing: nine mechanisms; and ranges."""
    def setup(self, epsilon=SURE, group=None, crowd=1, offset=0, half_width=None, factor=0, width=0, **_):
        e, n, K = epsilon, self.name, group or crowd - 1
        self.rate = {"group-geometric": lambda k: e / K, "noise-below": lambda k: e if k <= K else SURE,
                     "noise-up-to": lambda k: e / K if k <= K else SURE,
                     "fading": lambda k: fade(k, e, factor, K, width)}.get(n, lambda k: e)
        self.least, self.half = max(self.T, K + 1 + offset if "suppress" in n else -INF), half_width
        need(0 < e <= SURE and K >= 0 and (n != "fading" or K < MOST / 30), "no such law, or too large a one")
        self.places = [K, *range((K - width + 1) * (n == "fading")), *[self.least] * (self.least > 0)]
    def apart(self, k, e):
        w, q = self.rate(k), exp(-self.rate(k))
        if self.open and k == 1: return about(tail(w, self.least - 1))
        if self.half is None: return about(between((k, w), (k - 1, self.rate(k - 1)), e, self.least))
        return about(((1 - q) * q**self.half + (1 - q**self.half) * (1 - exp(min(e - w, Q(0))))) / (1 + q))
    def counts(self, limit):  # the cost of one noise grows within a run, and bends only near these places
        near = sorted({k + d for k in self.places for d in (-1, 0, 1, 2)} | {1})
        for a, b in self.eps.pieces(max(self.rate(k) for k in near if k >= 0)):
            yield from {a, b if b != INF else max(near[-1], a) + 1, *(k for k in near if a <= k <= b)}
class Tailored(Law):
    """Section 5.1: only the first person of an open universe costs anything."""
    def setup(self, **_): self.least = max(self.T, self.eps.Z + 1 if self.eps.Z else 0)
    def apart(self, k, e):
        j, first, runs = self.least, self.open and k == 1, self.eps.runs
        if not first or not 0 < j <= self.eps.L or j == INF: return about(int(first and j <= 1))
        phi = sum((y - x + 1) * (e + s * (x + y) / 2) for a, b, e, s in runs if (x := max(a, 2)) <= (y := min(b, j)))
        return about(exp(-phi) / (1 + exp(-self.eps(j))))
    def counts(self, limit): return []
class Summed(Law):
    """Laws that are summed: outcomes(k) are what is told, the first value (None is nothing) and the masses from there
    on (2^B in all, of which rounding loses err). From the epsilon `free` on the cost is 0."""
    free, err, spreads = INF, 0, 0
    @lru_cache(maxsize=3)
    def law(self, k):
        law = {}
        for told, off, masses in self.outcomes(k) if k or not self.open else [("", None, [1 << B])]:
            n = len(masses) if off is None else max(self.T - off, 0)  # values below T are shown as nothing
            law[told, None] = law.get((told, None), 0) + sum(masses[:n])
            for y, p in enumerate(masses[n:], n + (off or 0)): law[told, y] = law.get((told, y), 0) + p
            Work.spend(len(masses), len(law) < 4 * MOST)
        return law
    def apart(self, k, e):
        one, two, x = self.law(k), self.law(k - 1), fixed(exp(e))
        pairs = [(one.get(y, 0), two.get(y, 0)) for y in {**one, **two}]
        found = max(sum(max(s - (t * x >> B), 0) for s, t in pairs), sum(max(t - (s * x >> B), 0) for s, t in pairs))
        err = self.err * (2 + (x >> B)) + len(pairs)
        return about(0) if e >= self.free or one == two else about(real(Q(found, 2**B)), real(Q(err, 2**B)))
    def spread(self, off, law, w):  # the first value and the masses of c + DL(w), from that of c; 4 2^-bits may be lost
        q, reach = exp(-min(w, SURE)), max(self.bits - B + sum(law).bit_length(), 0) * 7 // (10 * min(w, SURE)) + 2
        Work.spend(len(law) + 2 * reach, len(law) + 2 * reach < MOST)
        self.spreads += 1
        factor, q, a = fixed((1 - q) / (1 + q)), fixed(q), [0] * reach + law + [0] * reach
        up, down = (accumulate(side, lambda s, v: (s * q >> B) + v) for side in (a, reversed(a)))
        return off - reach, [(u + d - v) * factor >> B for u, d, v in zip(up, reversed(list(down)), a)]
class Ladder(Summed):
    """c = k + DL(epsilons[0]), with more noise at each level that c does not exceed."""
    def setup(self, epsilons=None, levels=None, publish_levels=False, group=1, epsilon=0, offset=0, **_):
        self.e, self.levels = epsilons or [epsilon, epsilon / group], levels if epsilons else [group + offset]
        need(len(self.e) == len(self.levels) + 1 and sorted(set(self.e))[::-1] == self.e, "this is no ladder")
        self.free, self.told, self.err = min(self.e[0], SURE), publish_levels, (4 << B - self.bits) * len(self.e)
    def outcomes(self, k):
        # Each noise that is added loses a little, so all lose as much as it was added often.
        self.spreads = 0
        out = list(self.walk(*self.spread(k, [1 << B], self.free), 0, ""))
        self.err = max(self.err, self.spreads * (4 << B - self.bits))
        return out
    def walk(self, off, law, i, fired):  # what comes of these masses before test i; which tests fired already
        if i == len(self.levels): return (yield fired * self.told, off, law)
        n, w = max(self.levels[i] - off + 1, 0), self.e[i + 1]
        if law[n:]: yield from self.walk(off + n, law[n:], i + 1, fired + "0")
        if w == 0: yield (fired + "1").ljust(len(self.levels), "0") * self.told, None, law[:n]
        elif law[:n]: yield from self.walk(*self.spread(off, law[:n], w), i + 1, fired + "1")
    @lru_cache(maxsize=4)
    def chain(self, k):  # if all tests before fired: the chances that one does not, and of c just above its level
        off, law, out = k, [1 << B], []
        for w, level in zip(self.e, self.levels):
            off, law = self.spread(off, law, w)
            n = max(level - off + 1, 0)
            out, law = out + [(sum(law[n:]), law[n] if 0 < n < len(law) else 0)], law[:n]
        return out
    def most(self, e): return between((1, self.free), (0, self.free), e)  # what the first noise alone costs
    def upper(self, k, e):
        """Bounds that never fall with k. Couple the noises at k and k-1; let i be the first level with e_i <= e. Paths
        whose first i tests fire at both cost nothing: the chance b_1 + ... + b_i of others is a bound. More finely, if
        test j is the first not to fire, its noise makes up for one person: at k this gains at most 1 - q_{j-1} of b_j,
        as much as fires at k-1 alone; at k-1 nothing, if c is just above the level at most e^e as often as at k (a
        chance that is log-concave in k; the ratio of both falls with c)."""
        i, x = next((i for i, w in enumerate(self.e) if w <= e), 0), fixed(exp(e))
        b = [real(Q(p + self.err, 2**B)) for p, _ in self.chain(k)[:i]]
        sure = [n + self.err <= m * x >> B for (_, m), (_, n) in zip(self.chain(k), self.chain(k - 1))]
        fine = [b[j] * (1 - exp(-min(self.e[j], SURE))) + (0 if sure[j] else sum(b[:j + 1])) for j in range(i)]
        return min([self.most(e), sum(b), sum(fine)] if i else [self.most(e)]) + SLACK
    def bounds(self, k, e): return [about(self.upper(k, e), 2 * SLACK)]
    def counts(self, limit):
        for a, b in self.eps.pieces(self.free):
            if self.eps(a) < self.free and self.most(self.eps(a)) + SLACK > limit:
                need(b != INF, "groups without end cost more than the worst count")
                yield from range(search(lambda k: self.upper(k, self.eps(a)) > limit, a, b + 1), b + 1)
@lru_cache(maxsize=None)
def scales(e):  # floor(x e^e) and ceil(x e^-e) for whole x, exactly
    E = int(exp(e) * 2**400)  # e^e 2^400 is above E - 1 and below E + 2
    up = lambda x: need(e == 0 or x * (E - 1) >> 400 == x * (E + 2) >> 400, "too near to a whole one") or x * E >> 400
    return up, lambda x: (y := (x << 400) // (E + 2)) + (up(y) < x)
def over(old, new, up):  # by how much masses grow too fast, in the worse direction
    return max(sum(max(b[x] - up(a.get(x, 0)), 0) for x in b) for a, b in ((old, new), (new, old)))
class Relay(Summed):
    """Section 5.2, integer by integer: rows of masses by label (0, 1, ... as they are born; None is nothing)."""
    def setup(self, delta, cells, closed_at, **_):
        eps, D, s, row, closed = self.eps, int(self.delta * W), self.eps.slope, {None: W}, None  # a slope ends at 40
        if s: eps = Curve([run[1:] for run in eps.runs[:-1]] + [((j := math.ceil(40 / s)) - 1, 0, s), (INF, s * j, 0)])
        flat = next(a for a, b, _, _ in eps.runs if b >= eps.L)  # constant from here on
        need(delta == self.delta and D > 0 and eps.L > 0, "the relay's delta is not the promise's")
        Work.spend(20 * whole(cells), cells < 4 * 10**5)
        self.D, self.rows, self.births, self.window, best = D, [row], [], [], {}
        while len(self.rows) <= min(eps.L, cells, MOST):
            k, e, budget = len(self.rows), eps(len(self.rows)), D
            self.s, (up, down) = max(1, int(1 / (4 * e))) if e else INF, scales(e)
            if not self.births or k - self.births[-1] >= self.s:
                self.births, row = self.births + [k], {**row, len(self.births): 0}
            if row[None] == 0 and k >= flat:
                budget, self.window, fits = self.window_for(e) if e else (0, [], True)
                closed = k if fits and over(row, self.masses(k), up) <= D else None
                if closed: break
            left = accumulate(xs := list(row.values()), lambda left, x: max(left - x, 0), initial=budget)
            low = [down(max(x - y, 0)) for x, y in zip(xs, left)]
            room = [W] + [up(x) - y + budget * (i == len(xs) - 1) for i, (x, y) in enumerate(zip(xs, low)) if i]
            missing = list(accumulate(room[::-1], lambda missing, x: max(missing - x, 0), initial=W - sum(low)))
            new = [(label, y + min(x, z)) for label, y, x, z in zip(row, low, room, missing[-2::-1])]
            need(min(x for _, x in new) >= 0 and over(row, dict(new), up) <= D, "a step costs more:", k)
            self.rows.append(row := dict(new[:1] + list(dropwhile(lambda item: item[1] == 0, new[1:]))))
        living = sum(map(bool, self.masses(closed).values())) if closed and self.window else 0
        found, size = sum(len(row) - 1 for row in self.rows) + len(self.births) + living, len(self.window)
        need((found, closed) == (cells, closed_at), "the table has", found, "cells and closes at", closed)
        self.far = len(self.rows) + size + 3 if size else INF  # from here on laws repeat themselves
        for k in range(1, min(self.eps.L, self.far + 4 * self.s + size if size else len(self.rows)) + 1):
            for label, mass in self.masses(k).items(): best[label] = max(best.get(label, (0, 0)), (mass, -k))
        self.reading = {label: -k for label, (_, k) in best.items() if label is not None}
    @lru_cache(maxsize=None)
    def window_for(self, e):  # the smallest D', the window it opens, and whether that may close the table
        up, D = scales(e)[0], self.D
        half = lambda u, J: list(accumulate(range(J), lambda u, _: up(u), initial=u))
        full = lambda u, J: 2 * sum(half(u, J)) - half(u, J)[-1] >= W
        J = next(J for J in range(MOST) if full(D, J))
        least = search(lambda u: full(u, J), 1, D)
        if D - least < 2**40: J, least = J + 1, search(lambda u: full(u, J + 1), 1, D)
        us, c = half(least, J - 1), W - 2 * sum(half(least, J - 1))
        return least, us + [c] + us[::-1], c <= up(us[-1]) and us[-1] <= up(c)
    def masses(self, k):  # the masses of nothing (None) and of the living labels, at count k
        if k < len(self.rows) or not self.window: return self.rows[min(k, len(self.rows) - 1)]
        births, size = self.births + list(range(self.births[-1] + self.s, k + 1, self.s)), len(self.window)
        oldest, sums = max(sum(i <= k - size + 1 for i in births) - 1, 0), [0, *accumulate(self.window)]
        ages = [size] + [k - i + 1 for i in births[oldest + 1:]] + [0]
        return {None: 0, **{oldest + i: sums[x] - sums[y] for i, (x, y) in enumerate(zip(ages, ages[1:]))}}
    def outcomes(self, k): return (("", self.reading.get(i), [x << B - 128]) for i, x in self.masses(k).items() if x)
    def apart(self, k, e): return super().apart(k if k < self.far else self.far + (k - self.far) % self.s, e)
    def bounds(self, k, e): return [about(real(Q(self.D, W)))] if k == 1 else [self.cost(k)]
    def counts(self, limit): return need(Q(self.D, W) <= limit, "the relay's steps cost more than the worst") or []
class General(Summed):
    """Section 5.3: n = aim + DL(rate) is drawn, and total(n) tells the rate of the noise on the count."""
    def setup(self, bound, epsilon_a, delta_a, grid, alpha, publish_epsilon, **_):
        self.A, self.a, self.told, A, g, eps = epsilon_a, alpha, publish_epsilon, epsilon_a, grid, self.eps
        need(not eps.slope and eps.last < MOST / 3 and min(A, g, alpha) > 0 and eps(1) >= A, "a bound for other curves")
        self.smooth, word, self.end = "smooth" in bound, bound.split("-")[-1], eps.last + 2
        self.inverse, invert = word == "inverse", lambda e: 0 if e == INF else math.ceil(1 / (g * e))
        self.aim, self.total, self.first, self.last = {  # total is constant before the first n and after the last
            "count": (lambda k: k, eps, 1, eps.last),
            "epsilon": (lambda k: int(eps(k) / g), lambda n: max(g * n, A), int(A / g), 0),
            "inverse": (lambda k: invert(eps(k)), lambda n: max(1 / (g * n), A) if n > 0 else INF, 0, invert(A))}[word]
        steps = [0, *(abs(self.aim(k) - self.aim(k - 1)) for k in range(1, self.end)), 0]
        self.S, self.steps = max(steps), [(k, max(s)) for k, s in enumerate(zip(steps, steps[1:])) if max(s)]
        self.last = self.last or int(eps.sup / g) + int(1000 * (self.S + 2) / A) + 1  # what is above weighs e^-250
        if self.smooth:
            self.fall = -min(real(A) / (2 * real(2 / delta_a).ln()), real(1 + A / (8 * alpha)).ln())  # -beta
            self.end += search(lambda d: self.S * (self.fall * d).exp() < 2, 0, MOST // 30)
            for k in range(1, self.end + 1): need(self.close(k) <= delta_a, "draws are too far apart at", k)
    @lru_cache(maxsize=None)
    def draw(self, k):  # the aim and the rate of n
        c, S = (4, max(2, *(s * (self.fall * abs(k - j)).exp() for j, s in self.steps))) if self.smooth else (1, self.S)
        need(S == int(S) or abs(S * 1024 - round(S * 1024)) > SLACK, "a sensitivity too near to a multiple of 1/1024")
        S, sign = Q(math.ceil(S * 1024), 1024), 1 if self.inverse else -1
        return self.aim(k) + sign * math.ceil(c * self.a * S / self.A), self.A / (c * S) if S else SURE
    @lru_cache(maxsize=None)
    def close(self, k): return between(self.draw(k), self.draw(k - 1), self.A) if self.smooth else 0
    def upper(self, k, e):  # the chance that total > e, and what the draws of n cost at epsilon-a
        i = search(lambda n: (self.total(n) > e) != self.inverse, self.first, self.last + 1)
        lo, hi = (-INF, i) if self.inverse else (i if i <= self.last else INF, INF)
        return max(within(*self.draw(j), lo, hi) for j in (k, k - 1)) + self.close(k) + SLACK
    def bounds(self, k, e):  # that, or what it costs if total is told and nothing is cut off
        yield about(self.upper(k, e), 2 * SLACK)
        yield General(**{**vars(self), "T": -INF, "p": {**self.p, "publish-epsilon": True}}).cost(k)
    def outcomes(self, k):  # noises of all rates, each as likely as its values of n
        Work.spend(self.last - self.first, self.last - self.first < MOST / 10)
        values = [(v, list(ns)) for v, ns in groupby(range(self.first, self.last + 1), self.total)]
        self.err = len(values) * (4 << B - self.bits)
        for v, ns in values:
            lo, hi = -INF if ns[0] == self.first else ns[0], INF if ns[-1] == self.last else ns[-1] + 1
            if (p := fixed(within(*self.draw(k), lo, hi))) > 0:
                yield str(v) * self.told, *((None, [p]) if v == self.A else self.spread(k, [p], v - self.A))
    def counts(self, limit):  # where neither aim nor noise differs, the cost is that of a count with the same epsilon
        place = lambda k: (self.draw(k), self.draw(k - 1), self.eps(k), k * (self.T != -INF or k == 1))
        return (k for k in {place(k): k for k in range(self.end, 0, -1)}.values() if self.upper(k, self.eps(k)) > limit)
def sureness(e, s):
    """100/(1 + s e^-e) percent, rounded up to 3 digits, or to as many more as it takes to be below 100."""
    true, digits = 100 / (1 + real(s) * exp(-e)), 3
    while True:
        unit = Q(10) ** (true.adjusted() + 1 - digits)
        up = math.ceil(Q(true - SLACK) / unit) * unit
        if up < 100:
            return up
        digits += 1


def beyond(a, wa, b, wb, R, cut):
    """The chance under a + DL(wa) of values that are more than R times as likely there as under b + DL(wb)."""
    ratio = (1 - exp(-wa)) / (1 + exp(-wa)) * (1 + exp(-wb)) / (1 - exp(-wb))
    narrow = wa >= wb
    above = lambda y: ratio * exp(wb * abs(y - b) - wa * abs(y - a)) > R
    centre, far = a if narrow else b, int((300 + R.ln()) / real(min(wa, wb))) + abs(a - b) + 1
    lo = max(cut, search(lambda y: above(y) == narrow, centre - far, centre))
    hi = max(cut, search(lambda y: above(y) != narrow, centre, centre + far))
    silent, other = within(a, wa, -INF, cut), within(b, wb, -INF, cut)
    shown = within(a, wa, lo, hi) if narrow else within(a, wa, cut, lo) + within(a, wa, hi, INF)
    return (silent if silent > R * other else 0) + shown


def exceeding(law, k, R):
    """At least how often the odds change by more than R at this count; None where this program does not know."""
    if isinstance(law, General):
        return None  # its laws take minutes
    if isinstance(law, Summed):
        one, two, x = law.law(k), law.law(k - 1), fixed(R)
        err = law.err + 1
        pairs = [(one.get(y, 0), two.get(y, 0)) for y in {**one, **two}]
        sure = lambda p, q: p - err > ((q + err) * x >> B) + err
        up, down = sum(p for p, q in pairs if sure(p, q)), sum(q for p, q in pairs if sure(q, p))
        return real(Q(max(up, down), 2**B)) - SLACK
    if law.open and k == 1:
        shown = law.cost(1)[0]
        return max(shown, Decimal(int(R * (1 - shown) < 1 - SLACK))) - SLACK
    if isinstance(law, Tailored):
        return None
    if law.half is not None:  # the last range of one count is none of the other; those on her side are e^w times as likely
        q, w = exp(-law.rate(k)), law.rate(k)
        side = 1 - q ** (law.half + 1) if exp(w) > R + SLACK else (1 - q) * q**law.half
        return side / (1 + q) - SLACK
    one, two = (k, law.rate(k)), (k - 1, law.rate(k - 1))
    return max(beyond(*one, *two, R, law.least), beyond(*two, *one, R, law.least)) - SLACK


def check_odds(c, curve, m, worst, law):
    """Section 10: the percentages, and the chances that somebody becomes surer."""
    runs = [(a, b, e if not s else s * b) for a, b, e, s in curve.runs]
    chosen = runs if len(runs) <= 12 else [runs[i * (len(runs) - 1) // 11] for i in range(12)]
    chosen, looked, total = [run for run in chosen if run[2] != INF], 0, m * worst
    need(len(chosen) == len(c["odds"]), "odds of other groups")
    for (a, b, e), odds in zip(chosen, c["odds"]):
        follows(odds, group={"from": a, "to": b if b < INF else None}, epsilon=text(e), by="promise")
        need(set(odds) == set("group epsilon surer_than but_for_a_chance_of is by".split()), "other fields in odds")
        v, exactly = chance(odds["but_for_a_chance_of"]), odds["is"] == "exact"
        need(exactly or odds["is"] == "at most" and total, "`is` of odds")
        need(not exactly or m == 1 or not total, "odds of several bins are not exact")
        room = Q(1, 2) if total > Q(1, 100) else Q(9, 10)
        S = sureness(e, 1 if not total or exactly and e else room)
        need(re.fullmatch(r"\d{2}(\.\d*[1-9])?", odds["surer_than"]) and Q(odds["surer_than"]) == S, "surer_than is", S)
        R = real(S / (100 - S))
        if not total:
            need(v == 0, "odds that never fail have no exception")
        elif not exactly:
            bound = min(Decimal(1), real(total) * R / (R - exp(e)))
            need(abs(real(v) - bound) <= bound * Decimal("1e-9"), "the chance beside", S, "is not", bound)
        else:
            near = {a, a + 1, c["exact"]["worst"]["count"], *getattr(law, "places", [])}
            near |= {int(law.least) - 1, int(law.least)} if abs(law.least) < 10**9 else set()
            near |= {b, b - 1} if b < INF else {a + 50}
            for k in sorted(k for k in near if a <= k <= b)[:8]:
                found = exceeding(law, k, R)
                if found is not None:
                    looked += 1
                    most = real(v) * (1 + Decimal("1e-8")) + real(TINY)
                    need(found <= most, "at", k, "the odds fail with chance", found)
    yield "odds of %d groups: percentages and bounds; no chance above the stated at %d counts" % (len(chosen), looked)


FIELDS = {part.split()[0]: set(part.split()[1:]) for part in (
    "all version software how_to_read request_hash binning_hash dataset snapshot notion curve delta unit request ledger"
    " tables worst_case_dp universe mechanism theorem exact postprocessing randomness floating_point timing assumptions"
    " not_protected sampling; unit bins_per_person bounding_key neighbours person_rule; universe accounted dimensions"
    " in_words kind size; theorem source statement assumptions epsilon delta; exact runs delta worst by_count;"
    " not_protected columns facts; ledger account_opened after charge_id head seq").split(";")}
LAWS = {part.split()[0]: (law, set(part.split()[1:])) for law, parts in {
    OneNoise: "geometric epsilon; group-geometric group epsilon; noise-up-to group epsilon; suppress-below crowd; range"
              " epsilon half-width; suppress-up-to group; noise-below crowd epsilon; threshold epsilon threshold;"
              " noisy-suppress group epsilon offset; fading group width epsilon factor", Tailored: "tailored-geometric",
    Ladder: "noisy-noise group epsilon offset; staircase epsilons levels publish-levels",
    Relay: "relay delta cells closed-at", General: "general bound epsilon-a delta-a grid alpha publish-epsilon"
}.items() for part in parts.split(";")}
def sha(data): return hashlib.sha256(data).hexdigest()
def sha_of(value): return sha(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
def follows(part, **expected):
    for key, value in expected.items(): need(part[key] == value, key, "is not what follows from the rest:", part[key])
def size(b):  # how many labels a declared bin has; None if they are found in the data
    cut = {} if b["cut"] == "found" else b["cut"]
    n = cut.get("intervals", len(cut.get("values", cut.get("edges", [])[1:])))
    if "first" in cut:
        a, z = (datetime.date.fromisoformat(cut[end]) for end in ("first", "last"))
        months, days = 12 * (z.year - a.year) + z.month - a.month, (z - a).days
        n = 1 + {"day": days, "week": days // 7, "month": months, "year": months // 12}[cut["truncate"]]
    return n + (b["other"] is True) + (b["nulls"] == "bin") if n else None
def checks(files, c):
    """Checks a certificate and its tables, and yields what has been found right."""
    r, u, exact, dp = c["request"], c["universe"], c["exact"], c["worst_case_dp"]
    data, ledger, promise, asked = r["data"], r["ledger"], r["promise"], r["mechanism"]
    m, known = whole(data["unit"]["bins-per-person"]), c["randomness"]["kind"] != "operating-system"
    later = {"not_private", "odds", "reading"} if c["version"] == 3 else {"not_private"}
    for key, names in FIELDS.items(): need(set({**c, "all": c}[key]) - later == names, "other fields in", key)
    need(c.get("not_private") is (known or None) and (not known or data["synthetic"] is True), "known random bits")
    read = {"reading": c["reading"]} if c["version"] == 3 else {}  # how values are stored is part of what is counted
    bare = lambda items: items and [{k: v for k, v in b.items() if k != "name"} for b in items]
    binning = {key: data[key] for key in {"where", "unit", "types", "timezone", *({"split"} & set(data))}}
    binning.update(dataset=ledger["dataset"], kind=bare(r["kind"]), bins=bare(r["bins"]))
    follows(c, request_hash=sha_of(r), binning_hash=sha_of({**binning, **read, "snapshot": ledger["snapshot"]}),
            dataset=ledger["dataset"], snapshot=ledger["snapshot"])
    follows(c["unit"], bins_per_person=m, bounding_key=None if data["unit"].get("person") is None else sha_of(binning))
    follows(c["ledger"], charge_id=re.fullmatch("([0-9a-f]{32})[0-9a-f]{32}", c["ledger"]["head"])[1])
    yield "fields; request, binning, bounding key and charge are what they hash to"
    curve, delta = promised(promise, len(c["curve"])), number(promise["delta"] or "0")
    eps, part = curve.part(m), delta / m
    need(delta < 1 and all(e == INF or e <= CAP for _, _, e, _ in curve.runs), "too large an epsilon")
    plain = None if curve.sup == INF else {"epsilon": text(curve.sup), "delta": dp["delta"]}
    follows(c, curve=curve.shown(), delta=text(delta), worst_case_dp=plain, exact={**exact, "runs": eps.shown(),
            "delta": text(part)}, theorem={**c["theorem"], "epsilon": text(eps.sup), "delta": text(part)})
    yield "the curve follows from the request"
    name, p = c["mechanism"]["name"], c["mechanism"]["parameters"]
    (kind, wanted), more = LAWS[name], ["threshold"] * (name != "range") + ["thresholds"] * (name == "staircase")
    need(name == asked["name"] and wanted <= set(p) <= wanted.union(more), "another mechanism, or other parameters")
    def read(v, m=1):
        return [read(x, m) for x in v] if type(v) is list else number(v) / m if type(v) is str and "-" not in v else v
    for key in (wanted | set(p) | {"threshold"}) & {key for key, value in asked.items() if value is not None}:
        own = key in ("epsilon", "epsilons") and asked[key] == promise.get(key)
        need(key in p and read(asked[key], m if own else 1) == read(p[key]), key, "is not what was asked for")
    sizes, T = [size(b) for b in r["bins"]], p.get("threshold", -INF)
    told = lambda n: {"kind": "declared" if n else "found", "size": n and str(n)}
    is_open = None in sizes or name in ("relay", "threshold")
    follows(u, **told(None if None in sizes else math.prod(sizes)), accounted="open" if is_open else "closed",
            dimensions=[{"name": b["name"], **told(n)} for b, n in zip(r["bins"], sizes)])
    may = "suppress" in name and p.get("crowd", 2) >= 2 or name == "relay" or T != -INF
    may = may and name != "range" and not p.get("publish-levels") and not p.get("publish-epsilon")
    need(may or not is_open, name, "may not run in an open universe")
    yield name + " with the parameters that were asked for, where it may run"
    near, hair, laws, worst = 1 + Q(1, 10**8), 1 + Q(1, 10**12), {}, chance(exact["worst"]["delta"])
    facts = dict(name=name, eps=eps, delta=part, open=is_open, T=T, p={key: read(v) for key, v in p.items()})
    for x in [exact["worst"], *exact["by_count"]]:
        v, k, e = chance(x["delta"]), whole(x["count"]), eps(x["count"])
        bits = (int(1 / max(v or worst, TINY)).bit_length() + 50 - 20 * (v <= TINY)) * (kind in (Ladder, General))
        law = laws[bits] = laws.get(bits) or kind(**facts, bits=bits)
        need(x["epsilon"] == text(e) and x["is"] in ("exact", "upper bound"), "epsilon or `is` at", k)
        need(v <= min(worst, part) * hair, "count", k, "costs more than the worst, or than delta")
        fits = lambda lo, hi: (lo <= v if v else hi < TINY**2) and (v <= TINY or v <= hi * real(near))
        exactly = x["is"] == "exact" or is_open and k == 1 and kind is not Relay
        need(any(fits(*true) for true in ([law.cost(k)] if exactly else law.bounds(k, e))), k, "costs another delta")
    law, limit = next(iter(laws.values())), max(worst * near, TINY if worst else TINY**2)
    for k in [1] * is_open + list(law.counts(limit)): need(law.cost(k)[1] <= limit, k, "costs more than the worst")
    need(not dp or abs(chance(dp["delta"]) / m - min(worst, part)) <= min(worst, part) / 10**12, "worst_case_dp.delta")
    if c["version"] == 3:
        yield from check_odds(c, curve, m, worst, law)
    yield "count {count} costs {delta} ({is}), others as stated, none more".format(**exact["worst"])
    head, rows, d = None, [], len(sizes)
    if "counts.csv" in files:
        head, *rows = list(lines_of(files["counts.csv"].decode()))
    steps, listed = {s["step"] for s in c["postprocessing"]}, head and not is_open and T == -INF
    more = {"levels": p.get("publish-levels"), "epsilon_total": p.get("publish-epsilon"),
            "estimate": "estimate" in steps, "rounded": "rounding" in steps}
    columns = [b["name"] for b in r["bins"]] + "count low high status".split() + [key for key in more if more[key]]
    need(head in (None, columns) and all(len(row) == len(head) for row in rows), "other columns:", head)
    number_form, end = r"(0|-?[1-9]\d{0,18})", r"(0|[1-9]\d{0,18})?"
    forms = [number_form * (name != "range") + "," + end + "," + end + ",published"]
    if listed:
        forms.append(",,,suppressed")
    if name == "tailored-geometric" and T == -INF and eps.Z > 0:
        forms.append("," + end + "," + end + ",at-most")
    for row in rows:
        shown = row[d:d + 4]
        good = re.fullmatch("|".join(forms), ",".join(x or "" for x in shown))
        need(good and (not shown[0] or int(shown[0]) >= law.least), "no such status, or other numbers:", row)
    cells = [tuple(row[:d]) for row in rows]
    need(len(set(cells)) == len(cells), "rows are repeated")
    if listed:
        need(len(cells) == math.prod(sizes), "rows are missing")
        labels = [list(dict.fromkeys(cell[i] for cell in cells)) for i in range(d)]
        need(list(map(len, labels)) == sizes, "labels are missing or repeated")
        for b, own in zip(r["bins"], labels):
            need(declared(b, own), "labels that are not declared, or out of order")
        need(all(x == y for x, y in zip(cells, product(*labels))), "rows out of order")
    else:
        need(ascending(cells, sizes), "rows out of order")
    yield "%s as certified, %d rows in order" % (", ".join(files), len(rows))


def lines_of(text):
    """The rows of CSV in its one spelling: nothing is quoted that need not be. None is a missing value."""
    field, at, row = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))([,\n])'), 0, []
    while at < len(text):
        found = field.match(text, at)
        need(found, "a table that is not CSV as incrowd writes it")
        quoted = found[1] is not None
        value = found[1].replace('""', '"') if quoted else found[2] or None
        special = value is not None and (value == "" or value != value.strip(" ") or re.search('[,"\r\n]', value))
        need(quoted == bool(special), "needless quotes, or missing ones")
        row.append(value)
        at = found.end()
        if found[3] == "\n":
            yield row
            row = []
    need(not row and text.endswith("\n"), "a table that does not end with its last line")


def declared(b, labels):
    """Whether labels are those of a bin: listed values as they are; of intervals and periods, whether they ascend."""
    rest = ["other"] * (b["other"] is True) + [None] * (b["nulls"] == "bin")
    own = labels[:len(labels) - len(rest)]
    if "values" in b["cut"]:
        plain = lambda v: v["date"] if isinstance(v, dict) else json.dumps(v) if not isinstance(v, str) else v
        return labels == [plain(v) for v in b["cut"]["values"]] + rest
    starts = [(label or "").strip("[").split(",")[0] for label in own]
    dates = all(re.fullmatch(r"\d{4}-\d\d-\d\d", x) for x in starts)
    starts = starts if dates else [Q(x) for x in starts]
    return labels[len(own):] == rest and all(x < y for x, y in zip(starts, starts[1:]))


def as_number(x): return Q(x) if re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?(e-?\d{1,3})?", x) else None
def as_day(x): return (int(m[1]), m[2]) if (m := re.fullmatch(r"([+-]?\d{1,9})-(.*)", x, re.S)) else None


def ascending(cells, sizes):
    """Found keys ascend as texts, as numbers or as days, throughout; missing ones come last."""
    ways = [[str, as_number, as_day] for _ in sizes]
    after = lambda x, y, way: way(x) is not None and way(y) is not None and way(x) < way(y)
    for one, two in zip(cells, islice(cells, 1, None)):
        at = next(i for i in range(len(sizes)) if one[i] != two[i])
        if sizes[at] is not None or two[at] is None:
            continue  # the order of declared labels is trusted as they are
        if one[at] is None:
            return False
        ways[at] = [way for way in ways[at] if after(one[at], two[at], way)]
        if not ways[at]:
            return False
    return True


ORDER = ("version not_private software how_to_read request_hash binning_hash dataset snapshot reading notion curve"
         " delta unit worst_case_dp odds sampling universe mechanism theorem exact postprocessing randomness floating_point timing"
         " assumptions not_protected ledger tables request").split()


def spelt(value, indent=0):
    """A certificate in its one spelling (section 1)."""
    line, pad = json.dumps(value, ensure_ascii=False, sort_keys=True), " " * (indent + 2)
    if not isinstance(value, (dict, list)) or not value or indent and indent + len(line.encode()) <= 100:
        return line
    if isinstance(value, list):
        items, ends = [pad + spelt(v, indent + 2) for v in value], "[]"
    else:
        keys = sorted(value) if indent else sorted(value, key=ORDER.index)
        named = lambda k: pad + json.dumps(k, ensure_ascii=False) + ": " + spelt(value[k], indent + 2)
        items, ends = [named(k) for k in keys], "{}"
    return ends[0] + "\n" + ",\n".join(items) + "\n" + " " * indent + ends[1]


def strict(text):
    """JSON without fractions, NaN, or a key that is said twice."""
    def once(pairs):
        need(len({key for key, _ in pairs}) == len(pairs), "a key is said twice")
        return dict(pairs)

    def never(text):
        raise ValueError("not a whole number: " + text[:40])
    return json.loads(text, object_pairs_hook=once, parse_float=never, parse_constant=never)


def read(folder, name, most=1 << 28):
    """The bytes of a plain file that is not too large."""
    path = os.path.join(folder, name)
    there = os.stat(path)
    need(stat.S_ISREG(there.st_mode) and there.st_size <= most, name, "is no plain file, or too large")
    with open(path, "rb") as f:
        return f.read(most)


def read_all(folder, c):
    """The tables, as certified. Beside them are the certificate, and a report that carries it; nothing else."""
    names = [t["name"] for t in c["tables"]]
    known = re.compile(r"(counts|margins)\.(csv|parquet|arrow)")
    need(names and all(known.fullmatch(n) for n in names) and len(set(names)) == len(names), "no such tables")
    need(sorted(os.listdir(folder)) == sorted(names + ["certificate.json", "report.html"]), "the folder has other files")
    files = {name: read(folder, name) for name in names}
    for t in c["tables"]:
        need(sha(files[t["name"]]) == t["sha256"], t["name"], "is not what was certified")
    before, after = "<details><summary>The certificate</summary><pre><code>", "</code></pre></details>"
    parts = read(folder, "report.html").decode().split(before)
    need(len(parts) == 2 and after in parts[1], "report.html carries no certificate")
    hidden = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
    plain = lambda v: hidden.sub("\ufffd", json.dumps(v, sort_keys=True, ensure_ascii=False))
    carried = strict(html.unescape(parts[1].split(after)[0]))
    need(plain(carried) == plain(c), "report.html carries another certificate")
    return files


TRUSTED = ["the charge is in the ledger (`incrowd ledger verify --against` can tell)",
           "the data is what the snapshot names, one row or identifier is one person, nobody chose by looking at it",
           "the program drew from the laws that it states, with random bits that nobody could foresee",
           "other releases about the same people are not counted; the words of the certificate say what its numbers do",
           "labels, intervals, estimates, roundings, margins, rows of Parquet and Arrow files (`incrowd verify` can tell)",
           "words and pictures of report.html beside its certificate; chances of odds at counts that were not looked at"]
WRONG = """note      version 2 says in words "but for a chance of delta": delta bounds an excess, not that chance; its numbers hold"""
def main(arguments):
    lines, code = [], 2
    try:
        raw = read(arguments[0], "certificate.json", 1 << 26).decode()
        c, Work.left = strict(raw), Work.MOST
        r, good = c["request"], type(c["version"]) is int and c["version"] in (2, 3)
        plain = r["release"] == "histogram" and c["sampling"] is None and not any("items" in b for b in r["bins"])
        written = re.fullmatch(r"incrowd (\d+)\.(\d+)\.\d+", c["software"])
        good = good and written and ((0, 2) <= (int(written[1]), int(written[2]))) == (c["version"] == 3)
        code = need(good and plain, "this program knows plain histograms of versions 2 and 3; ask `incrowd verify`") or 1
        need(spelt(c) + "\n" == raw, "certificate.json is not in its one spelling")
        files = read_all(arguments[0], c)
        for found in checks(files, c): lines.append("verified  " + found)
        lines, code = lines + ["trusted   " + text for text in TRUSTED] + [WRONG] * (c["version"] == 2), 0
    except TooLarge as error:
        lines, code = lines + ["UNCHECKED %s" % error], 2
    except Exception as error:
        lines.append("%-9s %s: %s" % (("FAILED", "UNCHECKED")[code == 2], type(error).__name__, error))
    print("\n".join(lines).encode("ascii", "backslashreplace").decode())
    return code
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
