"""Odds: how sure anybody can become, and the chance that somebody becomes surer (C 10, theory 10)."""
import math
import re
from decimal import Decimal
from fractions import Fraction

from .general import General
from .noise import Tailored, likelier, within
from .numbers import BITS, INFINITE, SLACK, TINY, decimal_cost, exp, fixed, need, real, text_of
from .summed import Summed, share

FIELDS = {"group", "epsilon", "surer_than", "but_for_a_chance_of", "is", "by"}


def sureness(epsilon, room):
    """100/(1 + room e^-epsilon) percent, rounded up to 3 digits, or to as many more as it takes to be below 100."""
    true = 100 / (1 + real(room) * exp(-epsilon))
    digits = 3
    while True:
        unit = Fraction(10) ** (true.adjusted() + 1 - digits)
        rounded = math.ceil(Fraction(true - SLACK) / unit) * unit
        if rounded < 100:
            return rounded
        digits += 1


def beyond(one, other, odds, cut):
    """The chance under the first of two noises of what is more than `odds` times as likely there as under the other."""
    silent, other_silent = within(*one, -INFINITE, cut), within(*other, -INFINITE, cut)
    shown = sum(within(*one, low, high) for low, high in likelier(one, other, odds, cut))
    return shown + (silent if silent > odds * other_silent else 0)


def exceeding(law, count, odds):
    """At least how often the odds change by more than `odds` at this count; None where this program does not know."""
    if law.open and count == 1:   # whatever is shown of one person is impossible without her
        shown = law.cost(1)[0]
        silence_tells = odds * (1 - shown) < 1 - SLACK
        return max(shown, Decimal(int(silence_tells))) - SLACK
    if isinstance(law, General):
        return None               # summing its laws takes minutes
    if isinstance(law, Summed):
        return exceeding_summed(law, count, odds)
    if isinstance(law, Tailored):
        return None   # its ratios are e^epsilon everywhere
    rate = law.rate(count)
    if law.half_width is not None:
        # The last range of one count is none of the other; those on her side are e^rate times as likely.
        q = exp(-rate)
        side = 1 - q ** (law.half_width + 1) if exp(rate) > odds + SLACK else (1 - q) * q**law.half_width
        return side / (1 + q) - SLACK
    one, other = (count, rate), (count - 1, law.rate(count - 1))
    return max(beyond(one, other, odds, law.least), beyond(other, one, odds, law.least)) - SLACK


def exceeding_summed(law, count, odds):
    pairs, factor, lost = law.pairs(count), fixed(odds), law.lost + 1

    def surely_more(p, q):
        return p - lost > ((q + lost) * factor >> BITS) + lost

    up = sum(p for p, q in pairs if surely_more(p, q))
    down = sum(q for p, q in pairs if surely_more(q, p))
    return share(max(up, down)) - SLACK


def groups_of(curve):
    """(first, last, epsilon) of the runs that odds are told of: at most 12, and only finite ones."""
    runs = [(run.first, run.last, run.slope * run.last if run.slope else run.epsilon) for run in curve.runs]
    if len(runs) > 12:
        runs = [runs[i * (len(runs) - 1) // 11] for i in range(12)]
    return [run for run in runs if run[2] != INFINITE]


def check_odds(c, curve, bins, summable, law):
    """Checks every sentence; `summable` says whether a chance may be summed from the law."""
    total = bins * decimal_cost(c["exact"]["worst"]["delta"])   # written Delta
    groups, looked = groups_of(curve), 0
    need(len(groups) == len(c["odds"]), "odds of other groups")
    for (first, last, epsilon), odds in zip(groups, c["odds"]):
        need(set(odds) == FIELDS and odds["by"] == "promise", "other fields in odds")
        need(odds["group"] == {"from": first, "to": None if last == INFINITE else last}, "odds of another group")
        need(odds["epsilon"] == text_of(epsilon), "odds of another epsilon")
        exactly = odds["is"] == "exact"
        need(exactly or odds["is"] == "at most" and total, "`is` of odds")
        need(summable or not exactly or not total, "odds that cannot be exact")
        room = Fraction(1, 2) if total > Fraction(1, 100) else Fraction(9, 10)
        percent = sureness(epsilon, 1 if not total or exactly and epsilon else room)
        stated = odds["surer_than"]
        need(re.fullmatch(r"\d{2}(\.\d*[1-9])?", stated) and Fraction(stated) == percent, "surer_than is", percent)
        ratio = real(percent / (100 - percent))                 # written R
        chance = real(decimal_cost(odds["but_for_a_chance_of"]))
        if not total:
            need(chance == 0, "odds that never fail have no exception")
        elif not exactly:
            bound = min(Decimal(1), real(total) * ratio / (ratio - exp(epsilon)))
            need(abs(chance - bound) <= bound * Decimal("1e-9"), "the chance beside", percent, "is not", bound)
        else:
            for count in near(c, law, first, last):
                found = exceeding(law, count, ratio)
                if found is not None:
                    looked += 1
                    most = chance * (1 + Decimal("1e-8")) + real(TINY)
                    need(found <= most, "at", count, "the odds fail with chance", found)
    return "odds of %d groups: percentages and bounds; no chance above the stated at %d counts" % (len(groups), looked)


def near(c, law, first, last):
    """Some counts of a group at which the chance may be large."""
    counts = {first, first + 1, c["exact"]["worst"]["count"], *getattr(law, "bends", [])}
    if abs(law.least) < 10**9:
        counts |= {int(law.least) - 1, int(law.least)}
    counts |= {last, last - 1} if last < INFINITE else {first + 50}
    return sorted(count for count in counts if first <= count <= last)[:8]
