#!/usr/bin/env python3
"""Draws the pictures of docs/which-promise.md, beside this file: a tree of questions, odds and curves by group size.

    python3 docs/pictures/which-promise.py [FOLDER]

Curves are computed from the definitions in docs/certificate.md, section 4, with fractions; a size is one person wide,
so every step stands where it is. Pictures have a ground of their own, to be read on light and on dark pages. Standard
library only.
"""
import math, pathlib, sys
from fractions import Fraction as F

INK, QUIET, GRID, EDGE, PAPER = "#1b222a", "#525c67", "#e4e8ec", "#d9d9de", "#ffffff"
BLUE, ORANGE = "#0072b2", "#d55e00"
ENDLESS = None  # No epsilon: nothing is promised.
PLAIN, CODE = "Helvetica, Arial, 'DejaVu Sans', sans-serif", "Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Picture:
    """An SVG file with a white ground; texts are measured by nobody, so boxes leave room for wide letters."""

    def __init__(self, width, height, title, words):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="{PLAIN}" font-size="14" fill="{INK}">',
            f"<title>{escaped(title)}</title>",
            f"<desc>{escaped(words)}</desc>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" fill="{PAPER}" stroke="{EDGE}"/>',
        ]

    def text(self, x, y, text, size=14, fill=INK, anchor="start", weight="normal", code=False):
        font = f' font-family="{CODE}"' if code else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
            f'font-weight="{weight}"{font}>{escaped(text)}</text>'
        )

    def line(self, points, stroke=INK, width=1.5, arrow=False, dashes=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{width}"{dashed}/>')
        if arrow:
            (ax, ay), (bx, by) = points[-2:]
            long = math.hypot(bx - ax, by - ay)
            dx, dy = (bx - ax) / long, (by - ay) / long
            tip = [(bx, by), (bx - 9 * dx - 4 * dy, by - 9 * dy + 4 * dx), (bx - 9 * dx + 4 * dy, by - 9 * dy - 4 * dx)]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in tip)
            self.parts.append(f'<polygon points="{path}" fill="{stroke}"/>')

    def box(self, x, y, width, height, stroke, fill=PAPER):
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="7" fill="{fill}" stroke="{stroke}" '
            'stroke-width="1.5"/>'
        )

    def save(self, name):
        text = "\n".join([*self.parts, "</svg>"]) + "\n"
        folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
        (folder / name).write_text(text, encoding="utf-8")


def tree():
    """Six questions; each answer is a box, its lines are words, but for those that are typed."""
    picture = Picture(
        880,
        832,
        "Which promise? A tree of questions",
        "Six questions, from a rule that is to be followed to people in several cells.",
    )
    promise = [
        (("Is there a rule to follow,", "such as “no cell below 6”?"), ("a policy", '`policy = "fewer-than-6"')),
        (("Must large counts be exact?",), ("exact counts of crowds", '`kind = "crowd-blending"')),
        (
            ("Is everybody to be protected alike,", "whatever the size of her group?"),
            ("one percentage for everybody", '`odds = "75 %"'),
        ),
        (
            ("Must a small group as a whole not be found,", "such as the managers of a company?"),
            ("groups as a whole", '`kind = "simple-outlier-dp"'),
        ),
    ]
    table = [
        (
            ("Is it publicly known beforehand", "which cells there can be?"),
            ("list the cells: each is published",),
            ("leave them out and give a delta:", "rare cells stay hidden"),
        ),
        (
            ("Can a person be in several cells?",),
            ("`person, bins-per-person", "the promise is for all her cells together"),
            ("nothing more to say",),
        ),
    ]
    left, right, wide, high = 24, 504, 352, 58

    def lines(x, y, texts, stroke, fill=PAPER):
        picture.box(x, y, wide, high, stroke, fill)
        for number, text in enumerate(texts):
            code = text.startswith("`")
            at = y + high / 2 + 5 + (number - (len(texts) - 1) / 2) * 20
            look = {"size": 13, "fill": BLUE, "code": True} if code else {}
            picture.text(x + 16, at, text.lstrip("`"), **look)

    def yes(y, word="yes"):
        picture.line([(left + wide, y), (right - 2, y)], arrow=True)
        picture.text((left + wide + right) / 2, y - 7, word, fill=QUIET, anchor="middle")

    picture.text(left, 36, "What is promised: go down until the answer is yes", size=15, weight="bold")
    y = 54
    for number, (question, answer) in enumerate(promise):
        lines(left, y, question, QUIET)
        lines(right, y, answer, BLUE, "#eef6fb")
        yes(y + high / 2)
        if number + 1 < len(promise):
            picture.line([(left + 60, y + high), (left + 60, y + 88)], arrow=True)
            picture.text(left + 72, y + high + 20, "no", fill=QUIET)
        y += 90
    y -= 90
    corner = y + 90 + high / 2
    picture.line([(left + 60, y + high), (left + 60, corner), (right - 2, corner)], arrow=True)
    picture.text(left + 72, y + high + 20, "no", fill=QUIET)
    lines(right, y + 90, ("stricter odds for small groups", '`small = 6, small-odds = "55 %"'), BLUE, "#eef6fb")

    y += 90 + high + 44
    picture.text(left, y, "And of the table, whatever is promised", size=15, weight="bold")
    y += 18
    for question, agreed, denied in table:
        lines(left, y, question, QUIET)
        lines(right, y, agreed, BLUE, "#eef6fb")
        yes(y + high / 2)
        lines(right, y + 70, denied, BLUE, "#eef6fb")
        turn = y + 70 + high / 2
        picture.line([(left + 60, y + high), (left + 60, turn), (right - 2, turn)], arrow=True)
        picture.text(left + 72, y + high + 20, "no", fill=QUIET)
        y += 152
    picture.save("decision.svg")


class Panel:
    """A curve by the size of a group, 1 to 1,000 on a logarithmic axis."""

    def __init__(self, picture, x, y, width, height, most=1000):
        self.picture, self.x, self.y, self.width, self.height, self.most = picture, x, y, width, height, most

    def across(self, size):
        # A group of k is drawn from k to k + 1, so that a step stands at the first size behind it.
        return self.x + self.width * math.log10(size) / math.log10(self.most)

    def frame(self, ticks, places):
        for words, at in ticks:
            self.picture.line([(self.x, at), (self.x + self.width, at)], GRID, 1)
            self.picture.text(self.x - 7, at + 4, words, 12, QUIET, "end")
        for size in places:
            self.picture.line([(self.across(size), self.y), (self.across(size), self.y + self.height)], GRID, 1)
            self.picture.text(self.across(size), self.y + self.height + 17, f"{size:,}", 12, QUIET, "middle")
        low, far = self.y + self.height, self.x + self.width
        self.picture.line([(self.x, self.y), (self.x, low), (far, low)], QUIET, 1)

    def curve(self, level, height):
        """Draws `level(k)` for each size, at the height that is given for it; where nothing is promised, dashed."""
        runs = []
        for size in range(1, self.most):
            if not runs or runs[-1][2] != level(size):
                runs.append([size, size, level(size)])
            runs[-1][1] = size + 1
        points = []
        for begin, end, value in runs:
            if value is ENDLESS:
                at = height(ENDLESS)
                path = [*points[-1:], (self.across(begin), at), (self.across(end), at)]
                self.picture.line(path, ORANGE, 2.5, dashes="5 4")
                continue
            points += [(self.across(begin), height(value)), (self.across(end), height(value))]
        self.picture.line(points, BLUE, 2.5)


def steps(*levels):
    """`(up to, epsilon)`, the last one without an end."""
    return lambda size: next(epsilon for to, epsilon in levels if to is None or size <= to)


CURVES = [
    ("differential-privacy", "epsilon = 1", steps((None, F(1)))),
    ("group", "group = 20, epsilon = 1", steps((None, F(1, 20)))),
    ("crowd-blending", "crowd = 20, epsilon = 1/5", steps((19, F(1, 5)), (None, ENDLESS))),
    ("simple-outlier", "group = 20, epsilon = 1", steps((20, F(1, 20)), (None, ENDLESS))),
    ("simple-outlier-dp", "group = 20, epsilon = 1", steps((20, F(1, 20)), (None, F(1)))),
    ("staircase", "thresholds = 49, 9; epsilons = 1, 1/5, 1/20", steps((9, F(1, 20)), (49, F(1, 5)), (None, F(1)))),
    ("linear", "slope = 1/100, floor = 1/20, cap = 1", lambda size: min(max(F(1, 20), F(size, 100)), F(1))),
    ("fading", "group = 120, width = 20, epsilon = 1", lambda size: F(20, 120 - size) if size < 100 else F(1)),
    ("table", "values = 1/50, 1/20, 1/10, 1/5, 1/2, 1", lambda size: F(1, [50, 20, 10, 5, 2, 1][min(size, 6) - 1])),
]


def curves():
    """One panel for each kind of promise, all on the same axes."""
    across, down = 300, 224
    picture = Picture(
        3 * across + 30,
        3 * down + 44,
        "Nine promises as curves",
        "Epsilon by the size of a group, for each kind of promise, on logarithmic axes.",
    )
    for number, (name, parameters, level) in enumerate(CURVES):
        x, y = 62 + number % 3 * across, 62 + number // 3 * down
        panel = Panel(picture, x, y, across - 74, down - 88)

        def height(epsilon, panel=panel):
            # Three decades, 1/100 to 10; above them a place for what has no epsilon.
            decades = 3.0 if epsilon is ENDLESS else math.log10(epsilon) + 2
            return panel.y + panel.height * (1 - decades / 3.0)

        levels = [("infinite", ENDLESS), ("1", F(1)), ("1/10", F(1, 10)), ("1/100", F(1, 100))]
        panel.frame([(words, height(epsilon)) for words, epsilon in levels], [1, 10, 100, 1000])
        picture.text(x, y - 30, name, 14, weight="bold", code=True)
        picture.text(x, y - 12, parameters, 12, QUIET)
        panel.curve(level, height)
    words = "Across: people in the group. Up: epsilon, infinite (dashed) where nothing is promised."
    picture.text(62, 3 * down + 28, words, 13, QUIET)
    picture.save("promises.svg")


def odds():
    """How sure anybody may become, for three promises."""
    words = "From even odds, by the size of a group, for three promises."
    picture = Picture(930, 292, "How sure anybody may become", words)
    strict, usual = F(1, 5), F(549, 500)
    shown = [
        ("Everybody alike", "epsilon = 1", steps((None, F(1))), [(20, "73.2 %", F(1), -9)], [1, 10, 100, 1000]),
        (
            "Small groups more strictly",
            'small = 6, small-odds = "55 %", odds = "75 %"',
            steps((5, strict), (None, usual)),
            [(1.15, "55 %", strict, -9), (20, "75 %", usual, -9)],
            [1, 6, 100, 1000],
        ),
        (
            "Exact counts of crowds",
            "crowd = 6, epsilon = 1/5",
            steps((5, strict), (None, ENDLESS)),
            [(1.15, "55 %", strict, -9), (8, "nothing is promised", ENDLESS, 19)],
            [1, 6, 100, 1000],
        ),
    ]
    for number, (name, parameters, level, words, places) in enumerate(shown):
        panel = Panel(picture, 62 + number * 300, 72, 226, 150)

        def height(epsilon, panel=panel):
            sure = 1.0 if epsilon is ENDLESS else 1 / (1 + math.exp(-epsilon))
            return panel.y + panel.height * (1 - (sure - 0.5) / 0.5)

        ticks = [(f"{percent} %", panel.y + panel.height * (1 - (percent - 50) / 50)) for percent in (50, 75, 100)]
        panel.frame(ticks, places)
        picture.text(panel.x, 34, name, 14, weight="bold")
        picture.text(panel.x, 54, parameters, 11 if len(parameters) > 30 else 12, QUIET)
        panel.curve(level, height)
        for size, text, epsilon, lift in words:
            picture.text(panel.across(size), height(epsilon) + lift, text, 13)
    words = "Up: how sure anybody who knows how many others are in it may become, from 50 %."
    picture.text(62, 276, "Across: people in the group. " + words, 13, QUIET)
    picture.save("odds.svg")


if __name__ == "__main__":
    tree()
    curves()
    odds()
