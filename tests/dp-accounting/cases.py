"""Writes what Google's dp-accounting says that several releases cost together: an opinion on composition that is not ours.

    python3 cases.py FILE        needs `pip install dp-accounting`

FILE is a JSON list of cases: `parts`, each with `epsilon`, `delta` and `times`; `at`, each with an `epsilon`, the `delta` of
dp-accounting, which is rounded towards more loss, and `optimistic`, which is rounded towards less. Numbers are texts. Losses
are rounded to whole multiples of the case's step: `delta` is not below the truth and `optimistic` not above it, but for
floats (about 1e-13, and cut tails of 1e-15).
"""
import json, math, sys

from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as pld

# Epsilon, delta, times; the step; where to look. Sums of eighths have no rounding at all in either library.
CASES = [
    ([("1/8", "0", 10)], 2**-10, ["0", "1/4", "1/2", "1", "1.2"]),
    ([("1/8", "1e-6", 100)], 2**-10, ["0", "1", "3", "5", "8"]),
    ([("1/8", "1e-8", 20), ("3/4", "1e-6", 3), ("1/2", "0", 5)], 2**-10, ["0", "1/3", "1", "2.5", "5", "7"]),
    ([("1/64", "0", 1000)], 2**-12, ["0", "1/10", "1", "2", "3"]),
    ([("0.1", "0", 10)], 1e-5, ["0", "0.25", "0.5", "0.9", "0.999"]),
    ([("0.1", "1e-6", 10)], 1e-5, ["0", "0.25", "0.5", "0.9", "0.999"]),
    ([("0.1", "0", 100)], 1e-5, ["0", "1", "2.5", "4.7745676", "6"]),
    ([("0.1", "1e-7", 100)], 1e-5, ["0", "1", "2.5", "4.7745676", "6"]),
    ([("0.01", "1e-9", 1000)], 1e-5, ["0", "0.5", "1", "1.5", "2"]),
    ([("0.1", "1e-6", 10), ("0.3", "0", 4), ("1", "1e-5", 1)], 1e-5, ["0", "0.7", "1.3", "2", "2.9"]),
    ([("1/7", "1e-6", 3), ("1/3", "1e-6", 3), ("0.05", "0", 20), ("2", "0", 1)], 1e-5, ["0", "1", "2", "3", "4"]),
    ([("0.1234567891", "0", 7), ("0.2718281828", "1e-6", 5), ("0.3141592653", "0", 3)], 1e-5, ["0", "0.5", "1", "2", "3"]),
    ([(f"{k}/100", "0", 1) for k in range(1, 101)], 1e-4, ["0", "5", "15", "25", "30"]),
    ([(f"1/{k}", "1e-8", 2) for k in range(3, 60)], 1e-4, ["0", "0.5", "1", "2", "3", "4"]),
    ([("0.001", "0", 10000), ("0.5", "1e-6", 2)], 1e-5, ["0", "0.5", "1", "1.5", "2"]),
    ([("3", "1e-6", 2), ("5", "0", 1)], 1e-4, ["0", "2", "5", "8", "10.5"]),
]


def number(text):
    above, _, below = text.partition("/")
    return float(above) / float(below or "1")


def one(part, step, pessimistic):
    """Randomised response and a mass that tells everything, as dp-accounting keeps it."""
    epsilon, delta = number(part[0]), number(part[1])
    if pessimistic:
        return pld.from_privacy_parameters(common.DifferentialPrivacyParameters(epsilon, delta), step)
    rest = 1 - delta
    masses = {math.floor(epsilon / step): rest / (1 + math.exp(-epsilon)),
              math.floor(-epsilon / step): rest / (1 + math.exp(epsilon))}
    return pld.PrivacyLossDistribution.create_from_rounded_probability(masses, delta, step, pessimistic_estimate=False)


def together(parts, step, pessimistic):
    total = None
    for part in parts:
        law = one(part, step, pessimistic).self_compose(part[2])
        total = law if total is None else total.compose(law)
    return total


def cases():
    for parts, step, points in CASES:
        above, below = together(parts, step, True), together(parts, step, False)
        yield {
            "parts": [{"epsilon": epsilon, "delta": delta, "times": str(times)} for epsilon, delta, times in parts],
            "at": [{"epsilon": point, "delta": repr(float(above.get_delta_for_epsilon(number(point)))),
                    "optimistic": repr(float(below.get_delta_for_epsilon(number(point))))} for point in points],
        }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(list(cases()), file, indent=1)
