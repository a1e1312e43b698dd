"""Values beside their edges, compared as fractions: what every engine must find.

    python3 edges.py        writes tables/edges.json and rows/edges.json

A floating point number is its shortest decimal: 0.3 lies at the edge 3/10.
"""
import math, sys
from fractions import Fraction

sys.dont_write_bytecode = True
from write import row_cases, table  # noqa: E402

LEAST, MOST = -(2**63), 2**63 - 1
NUMBERS = [float(text) for text in ("0.1", "0.3", "0.7", "1e300", "1", "-0.0", "9007199254740992", "0.6", "1e23", "0.25")]
NUMBERS += [math.nextafter(0.3, 0), math.nextafter(0.3, 1), 1 / 3, math.nextafter(1 / 3, 1), 5e-324, -5e-324, math.inf, -math.inf, math.nan, None]
TENTHS = ["0.1", "0.3", "0.7", "0.33", "0.34", "0.00", "-0.01", "1.00", "0.99", "-9999999.99", "9999999.99", "0.29", "0.6", None, "0.2", "0.4", "0.5",
          "0.8", "0.9", "1.01"]
DIGITS = ["0.3333333333", "0.3333333334", "0.1", "0.0999999999", "9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999",
          "0", "-0.0000000001", "1", None, "0.3", "0.2999999999", "0.3000000001", "0.7", "0.6999999999", "2", "-1", "1.5", "0.5", "0.25"]
INTEGERS = [LEAST, LEAST + 1, -1, 0, 1, 2**53, 2**53 + 1, 2**53 + 2, MOST - 1, MOST, None, 2, 3, -2, 10, 99, 100, 101, -10, 7]
UNSIGNED = [0, 1, 2**53, 2**53 + 1, MOST, MOST + 1, 2**64 - 1, 2**64 - 2, None, 2, 3, 10, 99, 100, 101, 7, 8, 9, 4, 5]
EDGES = [
    ["0", "3/10", "7/10", "1"], ["-1", "0", "1/3", "1/2", "2"], ["1/10", "1/3"], [str(LEAST), "-1", "0", "1", str(2**53 + 1), str(MOST)],
    [str(2**53), str(2**53 + 1), str(2**64 - 1), str(2**64)], ["-1e300", "-1e-300", "0", "1e-300", "1e300"], ["1e23", "100000000000000000000001"],
    [f"{number}/20" for number in range(21)],
]
REGULAR = [("0", "1", "1/10"), ("-1", "1", "1/3"), (str(2**53), str(2**53 + 10), "2"), ("0", "100", "1"), ("1/10", "7/10", "3/10"), ("0", "1000", "1/100")]


def fraction(value):
    """The value as a fraction: missing, infinite, or exact."""
    if value is None or value != value:
        return None
    return value if value in (math.inf, -math.inf) else Fraction(repr(value) if isinstance(value, float) else value)


def interval(edges, value):
    """The number of the interval; behind them are the others, then the missing ones."""
    if value is None:
        return len(edges)
    below = sum(edge <= value for edge in edges)
    return below - 1 if 0 < below < len(edges) else len(edges) - 1


def regular(low, high, width, value):
    intervals = int((high - low) / width)
    if value is None:
        return intervals + 1
    return int((value - low) // width) if low <= value < high else intervals


def main():
    columns = {"number": NUMBERS, "tenths": TENTHS, "digits": DIGITS, "whole": INTEGERS, "positive": UNSIGNED}
    kinds = ["integer", "number", "decimal(9,2)", "decimal(38,10)", "integer", "unsigned"]
    plain = {**columns, "number": [value if value is None else str(value) for value in NUMBERS]}
    rows = [[number, *(values[number - 1] for values in plain.values())] for number in range(1, len(NUMBERS) + 1)]
    table("edges", zip(["row", *columns], kinds), rows)
    cases = []
    for column, values in columns.items():
        values = [fraction(value) for value in values]
        for edges in EDGES:
            written = ", ".join(f'"{edge}"' for edge in edges)
            exact = [Fraction(edge) for edge in edges]
            cases.append({"bin": f'column = "{column}"\nedges = [{written}]\nother = true', "type": "integer",
                          "rows": [interval(exact, value) for value in values]})
        for low, high, width in REGULAR:
            exact = [Fraction(each) for each in (low, high, width)]
            cases.append({"bin": f'column = "{column}"\nfrom = "{low}"\nto = "{high}"\nwidth = "{width}"\nother = true', "type": "integer",
                          "rows": [regular(*exact, value) for value in values]})
    row_cases("edges", "edges", cases)


if __name__ == "__main__":
    main()
