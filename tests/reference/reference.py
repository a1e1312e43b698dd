"""Independent reference values for the per-bin mechanisms, by brute force.

Probabilities are integers in units of 2**-F.  A law is an explicit array of
probabilities over a window so wide that less than CUT is left outside; sums of
independent noises are plain convolutions; a hockey-stick divergence is a sum
over all outcomes.  Closed forms are used only where they are the definition.
Run:  python3 reference.py        (writes vectors.json beside this file)
"""
import json, math, os, sys, time
from fractions import Fraction as Fr
from functools import lru_cache
from itertools import accumulate, count
import gmpy2, mpmath

F = 384                        # fractional bits of a probability
ONE = gmpy2.mpz(1) << F
CUT = mpmath.mpf(10) ** -64    # mass allowed outside a window, per noise
INF = float("inf")
mpmath.mp.prec = F + 128

def frac(text):                # "1/10" -> 1/10, "infinite" -> infinity
    return INF if text == "infinite" else Fr(text)
def name(x):
    return "infinite" if x == INF else str(x)
def expo(x):                   # e**x for an exact rational x, in units of 2**-F
    return gmpy2.mpz(int(mpmath.floor(mpmath.ldexp(mpmath.exp(mpmath.mpf(x.numerator) / x.denominator), F))))
expo_once = lru_cache(maxsize=None)(expo)
def digits(p, n=25):           # a fixed-point number as a decimal string
    return "0" if p == 0 else mpmath.nstr(mpmath.mpf(int(p)) / mpmath.mpf(2) ** F, n, min_fixed=-4, max_fixed=12)

# ---------------------------------------------------------------- arrays
# An array is (lo, [p_lo, p_lo+1, ...]).

@lru_cache(maxsize=64)
def noise(w):
    """The discrete Laplace law of rate w; w infinite is the constant zero."""
    if w == INF:
        return (0, [ONE])
    q = expo(-Fr(w))
    p = [(ONE - q) * ONE // (ONE + q)]
    for _ in range(int(mpmath.ceil(-mpmath.log(CUT) / mpmath.mpf(w.numerator) * w.denominator))):
        p.append(p[-1] * q >> F)
    return (1 - len(p), p[:0:-1] + p)

def convolve(a, b):
    """Exact product of the two generating functions, through one big product
    (every coefficient has its own slot of bits), rounded once."""
    slot = 2 * F + 32
    c = gmpy2.unpack(gmpy2.pack(a[1], slot) * gmpy2.pack(b[1], slot), slot)
    n = len(a[1]) + len(b[1]) - 1
    return (a[0] + b[0], [x >> F for x in c] + [gmpy2.mpz(0)] * (n - len(c)))

def split(a, t):
    """The parts of an array at or below t, and above t."""
    i = min(max(t - a[0] + 1, 0), len(a[1]))
    return (a[0], a[1][:i]), (a[0] + i, a[1][i:])

def shift(a, k):
    return (a[0] + k, a[1])
def add(law, key, a, weight=None):
    """Add weight * a (or a itself) to the part of a law called key."""
    if weight is not None:
        a = (a[0], [x * weight >> F for x in a[1]])
    lo, arr = law.get(key, (a[0], []))
    if a[0] < lo:
        lo, arr = a[0], [gmpy2.mpz(0)] * (lo - a[0]) + arr
    arr += [gmpy2.mpz(0)] * (a[0] + len(a[1]) - lo - len(arr))
    for i, x in enumerate(a[1], a[0] - lo):
        arr[i] += x
    law[key] = (lo, arr)

# ---------------------------------------------------------------- laws
# A law is {(kind, tag): array}: kind is "count", "range" (indexed by its
# middle), "suppressed" or "at_most" (one entry); tag is what is told besides.
NOTHING, COUNT = ("suppressed", ()), ("count", ())

def at(curve, k):              # eps(k); eps(0) is read as eps(1); the last value is repeated
    return curve[min(max(k, 1), len(curve)) - 1]

def staircase(k, epsilons, levels, publish):
    live, law = {(): shift(noise(epsilons[0]), k)}, {}     # live: count by levels fired so far
    tell = lambda bits: bits if publish else ()
    for e, level in zip(epsilons[1:], levels):
        nxt = {}
        for bits, a in live.items():
            low, high = split(a, level)
            if high[1]:
                add(nxt, bits + (0,), high)
            if low[1] and e == 0:
                add(law, ("suppressed", tell(bits + (1,))), (0, [sum(low[1])]))
            elif low[1]:
                add(nxt, bits + (1,), convolve(low, noise(e)))
        live = nxt
    for bits, a in live.items():
        add(law, ("count", tell(bits)), a)
    return law
def lower_bound(k, p, curve):
    """The law of eps_total as {value: probability}: f(k) + noise is read off with a shift of a."""
    ea, g, out = p["epsilon-a"], p.get("grid"), {}
    if p["bound"] == "noise-on-count":
        f = lambda j: j
        read = lambda v, a: at(curve, max(v - a, 0))
    elif p["bound"] == "global-epsilon":
        f = lambda j: math.floor(at(curve, j) / g)
        read = lambda v, a: max(g * (v - a), ea)
    else:                       # global-inverse
        f = lambda j: 0 if at(curve, j) == INF else math.ceil(1 / (g * at(curve, j)))
        read = lambda v, a: max(1 / (g * (v + a)), ea) if v + a > 0 else INF
    d = max(abs(f(j) - f(j - 1)) for j in range(1, len(curve) + 2))
    a = math.ceil(p["alpha"] * d / ea)
    lo, arr = noise(ea / d)
    for s, x in enumerate(arr, lo):
        e = read(f(k) + s, a)
        out[e] = out.get(e, 0) + x
    return out

def general(k, p, curve):
    law = {}
    for e, weight in lower_bound(k, p, curve).items():
        tag = (name(e),) if p["publish-epsilon"] else ()
        if e == p["epsilon-a"]:
            add(law, ("suppressed", tag), (0, [weight]))
        else:
            add(law, ("count", tag), shift(noise(e - p["epsilon-a"]), k), weight)
    return law

def tailored(k, curve):
    """mu(y) exp(-|Phi(y) - Phi(k)|) on 0, 1, ..., L; zeros of the curve merged."""
    last = curve.index(INF) if INF in curve else INF
    zero = sum(e == 0 for e in curve)
    if zero == len(curve) or k > last:
        return {NOTHING: (0, [ONE])} if k <= last else {COUNT: (k, [ONE])}
    half = lambda j: ONE if j == 0 or j > last else ONE * ONE // (ONE + expo_once(-at(curve, j)))   # 1/(1+r_j)
    Phi = [Fr(0)]
    while len(Phi) <= last and (len(Phi) <= k or Phi[-1] - Phi[k] < 150):
        Phi.append(Phi[-1] + at(curve, len(Phi)))
    p = [(half(y) + half(y + 1) - ONE) * expo(-abs(Phi[y] - Phi[k])) >> F for y in range(len(Phi))]
    low, high = split((0, p), zero)
    return {("at_most", ()): (zero, [sum(low[1])]), COUNT: high} if zero else {COUNT: (0, p)}

def law_of(m, p, k, curve=None):
    e, K = p.get("epsilon"), p.get("group")
    plus = lambda w: {COUNT: shift(noise(w), k)}               # an infinite rate is an exact count
    hide = {NOTHING: (0, [ONE])}
    def cut(low, high, kind):                                  # publish low..high, suppress the rest
        below, rest = split(shift(noise(e), k), low - 1)
        mid, above = split(rest, high)
        return {NOTHING: (0, [sum(below[1]) + sum(above[1])]), (kind, ()): mid}
    return {
        "geometric": lambda: plus(e),
        "group-geometric": lambda: plus(e / K),
        "suppress-below": lambda: plus(INF) if k >= p["crowd"] else hide,
        "noise-below": lambda: plus(INF if k >= p["crowd"] else e),
        "suppress-up-to": lambda: plus(INF) if k > K else hide,
        "noise-up-to": lambda: plus(INF if k > K else e / K),
        "noisy-suppress": lambda: staircase(k, [e, 0], [K + p["offset"]], False),
        "noisy-noise": lambda: staircase(k, [e, e / K], [K + p["offset"]], False),
        "staircase": lambda: staircase(k, p["epsilons"], p["levels"], p["publish-levels"]),
        "general": lambda: general(k, p, curve),
        "fading": lambda: plus(p["width"] * e / max(K - k, p["width"])),
        "threshold": lambda: cut(p["threshold"], 10 ** 9, "count"),
        "range": lambda: cut(k - p["half-width"], k + p["half-width"], "range"),
        "tailored-geometric": lambda: tailored(k, curve),
    }[m]()

def neighbour(m, p, k, curve=None):        # what count k is compared with; an absent bin shows nothing
    return {NOTHING: (0, [ONE])} if m == "threshold" and k == 1 else law_of(m, p, k - 1, curve)

def excess(P, Q, eps):
    """sum over outcomes of max(0, P - e^eps Q), by direct summation."""
    e, total = expo(eps), 0
    for key, (lo, arr) in P.items():
        qlo, q = Q.get(key, (lo, []))
        for i, x in enumerate(arr, lo - qlo):
            d = x - (e * q[i] >> F) if 0 <= i < len(q) else x
            if d > 0:
                total += d
    return total

def delta(P, Q, eps):          # the worse direction
    return max(excess(P, Q, eps), excess(Q, P, eps))

def error_of(law, k):
    """E|max(Y,0) - k|, P(suppressed), P(at most): these two count as 0, a range as its middle."""
    mass = {kind: sum(sum(a[1]) for key, a in law.items() if key[0] == kind) for kind in ("suppressed", "at_most")}
    error = sum(x * abs(max(y, 0) - k) for key, (lo, arr) in law.items() if key[0] not in mass for y, x in enumerate(arr, lo))
    return error + k * sum(mass.values()), mass["suppressed"], mass["at_most"]

# ---------------------------------------------------------------- relay
class Relay:
    """The relay table: exact integer masses out of W = 2**128, row after row."""
    W, BITS = 1 << 128, 512
    def __init__(self, curve, dl):
        self.curve, self.D, self.memo = curve, (dl.numerator << 128) // dl.denominator, {}
        tail = next(i for i in range(len(curve) + 1) if len(set(curve[i:])) == 1) + 1
        J, self.D2, u = self.window_of(curve[-1])
        self.window = u[:J] + [self.W - 2 * sum(u[:J])] + u[:J][::-1]
        assert 0 < self.window[J] <= u[J]
        births, rows = [], [(self.W, {})]          # row: (nothing, {index of label: mass})
        for k in count(1):
            e, (none, row) = at(curve, k), rows[-1]
            if not births or (e > 0 and k - births[-1] >= self.width(e)):
                births.append(k)
            if k >= max(tail, 2 * J + 1) and self.within((none, row), (0, self.merged(births, k)), e, self.D):
                break
            D = self.D2 if none == 0 and k >= tail else self.D
            new = self.step(none, row, e, D, len(births) - 1)
            assert self.within((none, row), new, e, self.D)
            rows.append(new)
        self.J, self.births, self.rows, self.closing = J, births, rows, k
    def width(self, e):
        return max(1, math.floor(1 / (4 * e)))
    def times(self, x, e, sign=1):                 # floor(x e^(+-eps)), decided exactly
        if e == 0:
            return x
        if (e, sign) not in self.memo:
            with mpmath.workprec(self.BITS + 200):
                z = mpmath.exp(mpmath.mpf(sign * e.numerator) / e.denominator)
                self.memo[e, sign] = int(mpmath.floor(mpmath.ldexp(z, self.BITS)))
        lo = self.memo[e, sign]
        assert x * lo >> self.BITS == x * (lo + 1) >> self.BITS
        return x * lo >> self.BITS
    def over(self, x, e):                          # ceil(x e^-eps)
        return x if e == 0 or x == 0 else self.times(x, e, -1) + 1
    def ramp(self, d, e, n):
        return list(accumulate(range(n), lambda u, _: self.times(u, e), initial=d))
    def window_of(self, e):
        full = lambda d, j: (lambda u: 2 * sum(u[:j]) + u[j] >= self.W)(self.ramp(d, e, j))
        J = 0
        while not full(self.D, J):
            J += 1
        while True:
            lo, hi = 0, self.D                     # smallest d that still fills the window
            while hi - lo > 1:
                mid = (lo + hi) // 2
                lo, hi = (lo, mid) if full(mid, J) else (mid, hi)
            if self.D - hi >= 1 << 40:
                return J, hi, self.ramp(hi, e, J)
            J += 1
    def step(self, none, row, e, D, newest):
        budget, low = D, {}
        t = min(none, budget)
        budget -= t
        base = self.over(none - t, e)
        for i in sorted(row):                      # oldest labels first
            t = min(row[i], budget)
            budget -= t
            low[i] = self.over(row[i] - t, e)
        low.setdefault(newest, 0)
        left = self.W - base - sum(low.values())
        for i in sorted(low, reverse=True):        # newest labels first
            top = self.times(row.get(i, 0), e) + (D if i == newest else 0)
            give = min(left, top - low[i])
            low[i] += give
            left -= give
        return base + left, {i: x for i, x in low.items() if x}
    def within(self, a, b, e, D):
        """Both hockey-sticks of one step at most D, on integers."""
        for (n0, r0), (n1, r1) in ((a, b), (b, a)):
            A = B = 0
            for x, y in [(n0, n1)] + [(r0.get(i, 0), r1.get(i, 0)) for i in set(r0) | set(r1)]:
                if y > self.times(x, e):
                    A, B = A + y, B + x
            if A - D > self.times(B, e):
                return False
        return True
    def merged(self, births, k):                   # the closing window at count k, by label
        row, i = {}, len(births) - 1
        for d, x in enumerate(self.window):
            while births[i] > k - d:
                i -= 1
            row[i] = row.get(i, 0) + x
        return row
    def row(self, k):
        if k < self.closing:
            return self.rows[k]
        while self.births[-1] + self.width(self.curve[-1]) <= k:
            self.births.append(self.births[-1] + self.width(self.curve[-1]))
        return (0, self.merged(self.births, k))
    def peaks(self, upto):
        """The published value of every label: the first count of its largest mass."""
        best = {}
        for k in range(1, upto + 1):
            for i, x in self.row(k)[1].items():
                if x > best.get(i, (0, 0))[0]:
                    best[i] = (x, k)
        return {i: k for i, (_, k) in best.items()}
    def law(self, k, peaks):
        none, row = self.row(k)
        out = {}
        for i, x in row.items():
            out[peaks[i]] = out.get(peaks[i], 0) + x
        return none, dict(sorted(out.items()))

# ---------------------------------------------------------------- what is computed
CURVES = {
    "one": ["1"], "tenth": ["1/10"], "nothing": ["0"],
    "ten": ["1/10"] * 10 + ["1"], "hundred": ["1/100"] * 100 + ["1"],           # eps/K up to K, eps above
    "table": "3/10 3/10 1/2 4/5 1 1 7/5 2".split(), "open-end": "1/4 1/4 1/2 1 infinite".split(),
    "fifths": [str(Fr(k, 5)) for k in range(1, 11)], "steep": "2 3 infinite".split(),
    "linear": [str(max(Fr(1, 20), min(Fr(k, 50), Fr(1)))) for k in range(1, 51)],
    "fade": [str(Fr(7, 60 - k)) for k in range(1, 25)] + ["1/5"],
    "zeros": "0 0 0 1/2 1".split(), "mixed": "0 0 1/4 1/4 1/2 1 infinite".split(),
    "crowd": ["1/2"] * 9 + ["infinite"], "hard": "0 0 infinite".split(),
}
# One line: mechanism, parameters : counts for laws and errors @ counts for deltas @ epsilons; more sets after ";".
CASES = """
geometric epsilon=1/10 : 0 1 37 @ 1 37 @ 0 1/20 1/10 1/5 ; epsilon=1 : 0 1 37 ; epsilon=5/2 : 0 37
group-geometric group=5 epsilon=1 : 0 1 37 @ 3 @ 0 1/10 1/5 ; group=100 epsilon=1/2 : 1 37
suppress-below crowd=10 : 0 9 10 11 @ 9 10 11 @ 0 1 ; crowd=2 : 1 2
noise-below crowd=10 epsilon=1 : 0 9 10 37 @ 9 10 11 @ 1/2 1 3 ; crowd=3 epsilon=1/4 : 2 3
suppress-up-to group=10 : 0 10 11 @ 10 11 @ 0 2 ; group=1 : 1 2
noise-up-to group=10 epsilon=1 : 0 10 11 @ 10 11 @ 1/20 1/10 4 ; group=100 epsilon=1 : 1 100 101
noisy-suppress group=10 epsilon=1/10 offset=107 : 0 10 117 118 200 @ 1 10 11 60 117 118 130 @ 0 1/100 1/20 1/10 1/5 ; group=20 epsilon=1 offset=12 : 1 31 32 33 37 ; group=5 epsilon=1/2 offset=0 : 0 5 6
noisy-suppress group=10 epsilon=1/10 offset=106 : @ 10 @ 1/100 ; group=20 epsilon=1/10 offset=100 : @ 20 @ 0 1/200 ; group=20 epsilon=1 offset=45 : @ 1 20 @ 1/20 1/2 1
noisy-noise group=10 epsilon=1/10 offset=105 : 0 10 115 116 200 @ 1 9 10 11 60 116 @ 0 1/100 1/50 1/20 1/10 ; group=100 epsilon=1 offset=13 : 1 50 105 113 114 @ 100 @ 1/100 ; group=100 epsilon=1 offset=12 : 50 105 @ 100 @ 1/100 ; group=5 epsilon=1/2 offset=3 : 0 8 9 37
noisy-noise group=10 epsilon=1/10 offset=104 : @ 10 @ 1/100 ; group=5 epsilon=1 offset=30 : @ 1 5 6 35 @ 1/5 1/2 1
staircase thresholds=100,20 epsilons=1,1/2,1/10 levels=111,44 publish-levels=both : 0 1 37 44 60 111 112 @ 1 20 21 44 100 101 111 @ 1/20 1/10 3/10 1/2 1
staircase thresholds=100,30,5 epsilons=1,1/2,1/4,1/10 levels=111,30,47 publish-levels=both : 0 5 37 100 112 @ 5 30 100 @ 1/10 1/4 1/2
staircase thresholds=200,50,10 epsilons=1,1/2,1/5,0 levels=211,50,68 publish-levels=both : 0 10 60 69 211 @ 1 10 50 200 201 @ 0 1/5 1/2 1
staircase thresholds=10 epsilons=1/10,0 levels=117 publish-levels=yes : 10 118 @ 10 11 @ 0 1/100 ; thresholds=50,10 epsilons=1,1/5,1/20 levels=50,63 publish-levels=no : 10 50 70
staircase thresholds=20 epsilons=infinite,1/2 levels=20 publish-levels=no : 20 21 ; thresholds=100,20 epsilons=1,1/2,1/10 levels=115,65 publish-levels=no : @ 20 100 @ 1/10 1/2
staircase thresholds=50,10 epsilons=1,1/5,1/20 levels=65,98 publish-levels=both : @ 10 50 @ 1/20 1/5 ; thresholds=10 epsilons=1,1/4 levels=14 publish-levels=both : @ 1 10 14 15 @ 1/4 1/2 1
general curve=table bound=noise-on-count epsilon-a=1/4 alpha=4 publish-epsilon=both : 0 1 5 25 37 @ 1 3 8 20 @ 1/4 3/10 1/2 1 2
general curve=open-end bound=noise-on-count epsilon-a=1/4 alpha=2 publish-epsilon=both : 0 9 37 @ 1 5 12 @ 1/4 1/2 1 ; curve=fifths bound=global-epsilon epsilon-a=1/10 alpha=2 grid=1/50 publish-epsilon=both : 1 37 @ 3 10 @ 1/5 3/5 1
general curve=fifths bound=global-inverse epsilon-a=1/10 alpha=1 grid=1/10 publish-epsilon=both : 0 3 37 @ 1 3 10 @ 1/5 3/5 2 ; curve=steep bound=global-inverse epsilon-a=1/4 alpha=1/2 grid=1/10 publish-epsilon=no : 1 3 37
fading group=100 width=35 epsilon=1/5 factor=1 : 0 1 2 64 65 66 @ 1 2 64 65 66 @ 7/99 1/10 1/5 2/5 ; group=15 width=5 epsilon=1/5 factor=1 : 1 9 10 37 ; group=100 width=70 epsilon=1/5 factor=1 : @ 2 29 30 @ 1/7 3/10 2/5
threshold epsilon=1/20 threshold=863 : 1 37 862 863 @ 1 2 862 863 864 @ 0 1/40 1/20 1 ; epsilon=1 threshold=15 : 1 14 15 16 37 @ 1 2 15 16 @ 0 1/2 1 2 ; epsilon=1 threshold=66 : @ 1 2 @ 1/2 1
range epsilon=1/20 half-width=802 : 0 37 @ 1 37 @ 0 1/40 1/20 1/10 ; epsilon=1 half-width=5 : 0 1 37 @ 1 37 @ 1/2 1 2 ; epsilon=1/2 half-width=0 : 1 37 ; epsilon=1 half-width=66 : @ 5 @ 1/2 1 3
tailored-geometric curve=one : 0 1 37 ; curve=tenth : 0 37 ; curve=ten : 0 1 9 10 11 37 @ 1 10 11 12 @ 0 1/20 1/10 1/2 1 ; curve=hundred : 0 50 101 105
tailored-geometric curve=zeros : 0 1 3 4 5 37 @ 1 3 4 5 @ 0 1/4 1/2 1 ; curve=mixed : 0 2 3 6 7 @ 2 3 6 7 @ 1/4 1/2 1 ; curve=crowd : 0 9 10 37 ; curve=hard : 1 2 3
tailored-geometric curve=nothing : 0 37 ; curve=linear : 0 1 37 50 51 ; curve=fade : 0 24 25 37
"""

def cases():
    """(mechanism, parameters as written out, parsed parameters, curve, counts, counts, epsilons)"""
    for line in CASES.split("\n")[1:-1]:
        m, line = line.split(" ", 1)
        for part in line.split(";"):
            left, right = part.split(":")
            p = dict(x.split("=") for x in left.split())
            curve = CURVES.get(p.pop("curve", None))
            for key, v in p.items():
                if key in ("thresholds", "levels", "epsilons"):
                    p[key] = [x if key == "epsilons" else int(x) for x in v.split(",")]
                elif key in ("group", "crowd", "offset", "threshold", "half-width", "width"):
                    p[key] = int(v)
            counts, steps, eps = [x.split() for x in (right + "@@").split("@")[:3]]
            secret = next((key for key in p if key.startswith("publish")), None)
            for told in {None: [None], "no": [False], "yes": [True], "both": [False, True]}[p.get(secret)]:
                q = dict(p, **{secret: told}) if secret else p
                yield m, q, parse(q), curve, [int(x) for x in counts], [int(x) for x in steps], eps

def parse(p):
    real = ("epsilon", "epsilon-a", "alpha", "grid")
    return {k: frac(v) if k in real else [frac(x) for x in v] if k == "epsilons" else v for k, v in p.items()}

def record(m, p, curve, **more):
    return dict({"mechanism": m, "parameters": p}, **({"curve": curve} if curve else {}), **more)

def pick(m, p, k, law):
    """Outcomes near the count, near the borders of the mechanism and in both tails."""
    half, out = p.get("half-width", 0), []
    marks = [p["group"] + p["offset"]] if "offset" in p else p.get("levels", [])
    marks = marks + [p["threshold"] - 1] if "threshold" in p else marks
    parts = sorted(law.items(), key=lambda kv: (-sum(kv[1][1]), kv[0]))
    parts = parts if len(parts) <= 8 else parts[:5] + parts[8::len(parts) // 3][:3]
    targets = [ONE // 10 ** n for n in ((3, 8, 16, 26) if len(parts) < 4 else (12,))]
    for (kind, tag), (lo, arr) in parts:
        told = {} if not tag else {"levels": list(tag)} if m == "staircase" else {"epsilon_total": tag[0]}
        get = lambda y: arr[y - lo] if 0 <= y - lo < len(arr) else 0
        show = {"count": lambda y: y, "range": lambda y: [y - half, y + half], "suppressed": lambda y: kind,
                "at_most": lambda y: {kind: y}}[kind]
        single = kind in ("suppressed", "at_most")
        ys = {lo} if single else {k - 3, k - 1, k, k + 1, k + 2} if len(parts) < 4 else {k - 1, k}
        zero = set() if single else ys | {x for t in marks for x in (t, t + 1)}
        for t in targets:
            good = [i for i, x in enumerate(arr) if x >= t]
            ys |= {lo + good[0], lo + good[-1]} if good else set()
        for y in sorted(ys | zero):
            x = get(y)
            if x > ONE // 10 ** 30 or (x == 0 and y in zero and len(parts) < 4):
                out.append(dict({"outcome": show(y)}, **told, probability=digits(x)))
    return out

def tables():
    out = {"laws": [], "errors": [], "deltas": []}
    for m, p, q, curve, counts, steps, epsilons in cases():
        c = curve and [frac(x) for x in curve]
        for k in counts:
            law = law_of(m, q, k, c)
            assert abs(sum(sum(a[1]) for a in law.values()) - ONE) < ONE // 10 ** 58, (m, p, k)
            out["laws"].append(record(m, p, curve, count=k, outcomes=pick(m, q, k, law)))
            err, sup, atm = [digits(x, 15) for x in error_of(law, k)]
            out["errors"].append(record(m, p, curve, count=k, mean_absolute_error=err, suppression=sup, at_most=atm))
        for k in steps:
            P, Q = law_of(m, q, k, c), neighbour(m, q, k, c)
            for e in epsilons:
                d = delta(P, Q, Fr(e))     # below 1e-50 the difference of two sums means zero
                out["deltas"].append(record(m, p, curve, count=k, epsilon=e, delta=digits(d) if d > ONE // 10 ** 50 else "0"))
    return out

def precision(bits, cut):      # searches need fewer digits than the tables
    global F, ONE, CUT
    F, ONE, CUT = bits, gmpy2.mpz(1) << bits, mpmath.mpf(10) ** -cut
    noise.cache_clear()
    expo_once.cache_clear()

def found():
    out = []                   # smallest integers that meet a delta, tried one after another
    def smallest(m, p, key, dl, rates, start=0):
        limit = ONE * Fr(dl).numerator // Fr(dl).denominator
        for n in count(start):         # rates: (count, eps(count)), the most demanding first
            q = parse(dict(p, **{key: n}))
            if all(delta(law_of(m, q, k), neighbour(m, q, k), Fr(e)) <= limit for k, e in rates):
                return out.append(record(m, p, None, find=key, delta=dl, value=n))
    precision(160, 26)
    for K, e in ((10, "1/10"), (100, "1")):
        for m in ("noisy-suppress", "noisy-noise"):
            rates = [(k, str(Fr(e) / K)) for k in range(K, 0, -1)] + [(k, e) for k in range(K + 1, K + 4)]
            smallest(m, {"group": K, "epsilon": e}, "offset", "1/1000000", rates)
    rates = [(k, "1/20") for k in (1, 2, 3, 400, 862, 863, 864)]
    smallest("threshold", {"epsilon": "1/20"}, "threshold", "1/" + "1" + "0" * 19, rates, 1)
    smallest("range", {"epsilon": "1/20"}, "half-width", "1/" + "1" + "0" * 19, [(1, "1/20"), (37, "1/20")])
    for levels in ([111, 44], [111, 43], [110, 44]):
        p = {"thresholds": [100, 20], "epsilons": ["1", "1/2", "1/10"], "levels": levels, "publish-levels": False}
        q, worst = parse(p), (0, 0)
        for k in range(1, 131):
            e = Fr(1, 10) if k <= 20 else Fr(1, 2) if k <= 100 else Fr(1)
            worst = max(worst, (delta(law_of("staircase", q, k), law_of("staircase", q, k - 1), e), k))
        out.append(record("staircase", p, None, find="check", delta="1/1000000", meets=bool(worst[0] * 10 ** 6 <= ONE),
                          worst_count=worst[1], worst_delta=digits(worst[0], 15)))
    precision(112, 20)         # rates of 1/1000 need wide windows; the second search starts nearer its end
    rates = [(k, "1/1000") for k in range(100, 0, -1)] + [(k, "1/10") for k in (101, 102)]
    for m, start in (("noisy-suppress", 0), ("noisy-noise", 80)):
        smallest(m, {"group": 100, "epsilon": "1/10"}, "offset", "1/1000000", rates, start)
    precision(384, 64)
    return out

def relay():
    out, ratio = [], lambda x, n=20: "0" if x == 0 else mpmath.nstr(mpmath.mpf(x) / Relay.W, n, min_fixed=-4, max_fixed=12)
    for curve, dl, counts, shown in (
            (["1"], "1/1000000", [1, 2, 5, 10, 13, 14, 15, 20, 25, 27, 28], [1, 10, 14, 15, 28, 29, 30, 37, 200]),
            (["1/10"], "1/1000000", [1, 10, 50, 100, 108, 109, 133, 200, 217], [10, 109, 224, 225, 1000, 1001]),
            (["1/10"] * 8 + ["1"], "1/10000", [1, 8, 9, 10, 12, 15, 20, 22], [8, 9, 15, 23, 24, 200]),
            (["0"] * 3 + ["1/2"], "1/100000", [1, 3, 4, 10, 15, 20, 22, 30, 40], [1, 3, 4, 22, 42, 43, 200])):
        r = Relay([Fr(x) for x in curve], Fr(dl))
        peaks = r.peaks(max(shown) + 3 * r.J)
        rec = record("relay", {"delta": dl}, curve, closing_count=r.closing, window_half_length=r.J, window_delta=str(r.D2),
                     cells=sum(len(x) for _, x in r.rows), first_peak=min(peaks.values()))
        rec.update(pi=[{"count": k, "probability": ratio(r.W - r.row(k)[0])} for k in counts], laws=[])
        for k in shown:
            none, law = r.law(k, peaks)
            err = none * k + sum(x * abs(y - k) for y, x in law.items())
            some = [y for n, y in enumerate(law) if n in (0, 1, len(law) // 3, 2 * len(law) // 3, len(law) - 1) or abs(y - k) <= 3]
            rec["laws"].append({"count": k, "nothing": ratio(none), "outcomes": len(law), "mean_absolute_error": ratio(err, 15),
                                "probabilities": [{"outcome": y, "probability": ratio(law[y])} for y in some]})
        out.append(rec)
    return out

def unbiased():
    """g from the equations E[g(Y)|k] = k alone, on a curve cut after n counts
    (no count above n is promised anything), then checked on the full law."""
    out, solve = [], lambda rows, rhs: list(mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(rhs)))
    for label in ("one", "tenth", "ten", "crowd", "table", "linear", "fade"):
        curve = [frac(x) for x in CURVES[label]]
        n = curve.index(INF) if INF in curve else len(curve) + 12
        cut = [at(curve, j) for j in range(1, n + 1)] + [INF]
        real = lambda x: mpmath.mpf(int(x)) / mpmath.mpf(2) ** F
        rows = [[real(x) for x in tailored(k, cut)[COUNT][1]] for k in range(n + 1)]
        g = solve(rows, list(range(n + 1)))
        # the weights are the only solution of: every row of the kernel sums to one
        r = [0] + [mpmath.exp(-mpmath.mpf(e.numerator) / e.denominator) for e in cut[:n]] + [0]
        kern = [[mpmath.fprod(r[min(k, y) + 1:max(k, y) + 1]) for y in range(n + 1)] for k in range(n + 1)]
        for y, m in enumerate(solve(kern, [1] * (n + 1))):
            assert abs(m - rows[y][y]) < mpmath.mpf(10) ** -90
        g = g if INF in curve else g[:n]
        for k in [0, 1, n // 2, n - 1, n + 5]:
            lo, arr = tailored(k, curve)[COUNT]
            mean = sum(real(x) * (g[y] if y < len(g) else y) for y, x in enumerate(arr, lo))
            assert abs(mean - k) < mpmath.mpf(10) ** -55, (label, k, mean)
        ys = sorted({0, 1, 2, n // 3, n // 2, n - 14, n - 13, n - 12, n - 11, n - 1, len(g) - 1} & set(range(len(g))))
        out.append(record("tailored-geometric", {}, CURVES[label],
                          values=[{"outcome": y, "unbiased": mpmath.nstr(g[y], 25, min_fixed=-4, max_fixed=12)} for y in ys]))
    return out

def write(data):
    body = ",\n".join('"%s": [\n%s\n]' % (k, ",\n".join(json.dumps(r, separators=(",", ":")) for r in v)) for k, v in data.items())
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors.json"), "w") as f:
        f.write("{\n" + body + "\n}\n")

if __name__ == "__main__":
    data = tables()
    write(data)
    for section in (found, relay, unbiased):
        data[section.__name__] = section()
        write(data)
        print(section.__name__, round(time.process_time()), "s", file=sys.stderr, flush=True)
