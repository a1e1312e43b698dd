"""Numbers that are never rounded the wrong way, and what is said where something does not hold.

What a certificate states is read as fractions. Powers of e are decimals of 200 digits: with epsilons up to 100 none of
them is off by more than 1e-150, and every conclusion leaves room for 1e-90 (SLACK). Laws that are summed are whole
numbers, in units of 2^-BITS. No float decides anything; INFINITE is only compared with.
"""
import re
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import lru_cache

getcontext().prec = 200

INFINITE = float("inf")
ZERO = Fraction(0)
SURE = Fraction(10**4)            # the rate of a noise that stands for no noise at all
LARGEST_EPSILON = Fraction(100)   # larger ones are compared at this
SLACK = Decimal("1e-90")
TINY = Fraction(1, 10**30)        # costs below are only known not to be below the truth (C 6)
BITS = 192
MILLION = 10**6


class Wrong(ValueError):
    """Something in the folder is not as it must be."""


class TooLarge(Exception):
    """More work than this program does: neither right nor wrong."""


def need(condition, *words):
    """Goes on if the condition holds; else says what is wrong."""
    if not condition:
        raise Wrong(" ".join(str(word)[:200] for word in words))


class Work:
    """How many cells may still be summed: about a minute's worth."""
    MOST = 40 * MILLION
    left = MOST

    @classmethod
    def start(cls):
        cls.left = cls.MOST

    @classmethod
    def spend(cls, cells, fits=True):
        cls.left -= cells
        if cls.left < 0 or not fits:
            raise TooLarge("too large: this takes more than about a minute; ask `incrowd verify`")


def real(x):
    """A fraction or a whole number, as a decimal."""
    return Decimal(x.numerator) / x.denominator


@lru_cache(maxsize=1 << 17)
def exp(x):
    """e^x for a fraction x."""
    return real(x).exp()


def fixed(x):
    """A decimal in units of 2^-BITS, rounded down."""
    return int(x * 2**BITS)


def around(x, error=SLACK):
    """From where to where a number surely lies."""
    return x - error, x + error


def number(text):
    """A whole number, a reduced fraction or "infinite", each in its one spelling (C 1)."""
    if text == "infinite":
        return INFINITE
    form = r"\d{1,400}(/[1-9]\d{0,400})?"
    need(isinstance(text, str) and re.fullmatch(form, text), "not a number:", text)
    need(str(Fraction(text)) == text, "not a reduced number:", text)
    return Fraction(text)


def text_of(x):
    """A number as certificates write it."""
    return "infinite" if x == INFINITE else str(x)


def decimal_cost(text):
    """A cost: a decimal such as 9.08803494e-7 (C 1)."""
    need(re.fullmatch(r"[\d.]{1,60}(e-\d{1,4})?", text), "not a cost:", text)
    return Fraction(text)


def whole(x):
    """A whole number that may be a count or a parameter."""
    need(type(x) is int and 1 <= x <= 10**13, "not a whole number as it should be:", x)
    return x


def search(test, low, high):
    """The first number from low on that passes a test which changes once at most; high if none below it does."""
    while low < high:
        middle = (low + high) // 2
        if test(middle):
            high = middle
        else:
            low = middle + 1
    return low
