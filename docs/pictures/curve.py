#!/usr/bin/env python3
"""Draws curve.svg: the protection of the salaries example beside plain differential privacy, and what cells may show.

All numbers come from `incrowd plan`, which reads no data; nothing is written here by hand but where things stand.

    python3 docs/pictures/curve.py target/release/incrowd
"""

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "salaries"
SIZES = [20, 100, 500]
WIDTH, HEIGHT = 880, 396

STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1c1c1e }
.title { font-weight: 600; font-size: 15.5px }
.quiet { fill: #5c5c64; font-size: 13px }
.paper { fill: #fdfdfc; stroke: #d9d9de }
.grid { stroke: #e6e6ea }
.axis { stroke: #8a8a92 }
.ours { stroke: #0072b2 }
.plain { stroke: #c65300 }
.line { fill: none; stroke-width: 3 }
.plain.line { stroke-dasharray: 7 5 }
.ours.bar { fill: #0072b2 }
.plain.bar { fill: #c65300 }
.bar { stroke: none }
.truth { stroke: #1c1c1e; stroke-width: 2 }
text.ours { fill: #00639b; stroke: none }
text.plain { fill: #b04a00; stroke: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e8ea }
  .quiet { fill: #a6a6af }
  .paper { fill: #161618; stroke: #3a3a40 }
  .grid { stroke: #2e2e33 }
  .axis { stroke: #85858f }
  .ours { stroke: #4aa8e0 }
  .plain { stroke: #ff8a3d }
  .ours.bar { fill: #4aa8e0 }
  .plain.bar { fill: #ff8a3d }
  .truth { stroke: #e8e8ea }
  text.ours { fill: #7cc0f2 }
  text.plain { fill: #ffa266 }
}
"""


def plan(incrowd, request):
    """What a request promises, and what cells of some sizes show."""
    counts = ",".join(map(str, SIZES))
    command = [incrowd, "plan", str(EXAMPLE / request), "--counts", counts, "--format", "json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    by_size = {int(row["count"]): (row["low"], row["high"]) for row in found["utility"]}
    return found["promise"]["curve"], [by_size[size] for size in SIZES]


def epsilon(curve, size):
    """The epsilon that a curve gives to a group, as it is written."""
    return next(run["epsilon"] for run in curve if run["from"] <= size and (run["to"] is None or size <= run["to"]))


def text(x, y, words, kind="", anchor="start"):
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def line(points, kind):
    """A line through some points."""
    return f'<polyline class="{kind}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def protection(ours, plain):
    """The panel of both curves: a smaller epsilon protects better."""
    left, right, top, bottom = 74, 340, 104, 316
    last = 1000
    ends = [Fraction(epsilon(curve, size)) for curve in (ours, plain) for size in (1, last)]
    low, high = math.log10(min(ends)) - 0.25, math.log10(max(ends)) + 0.25
    across = lambda size: left + (right - left) * math.log10(size) / math.log10(last)
    down = lambda value: bottom - (bottom - top) * (math.log10(Fraction(value)) - low) / (high - low)
    out = [text(24, 38, "How well a person is protected", "title")]
    out += [text(24, 59, "by the number of people in her group;", "quiet"), text(24, 76, "lower is stricter", "quiet")]
    for size in (1, 10, 100, 1000):
        out += [line([(across(size), top), (across(size), bottom)], "grid")]
        out += [text(across(size), bottom + 20, f"{size:,}", "quiet", "middle")]
    for value in sorted({*ends}):
        out += [line([(left, down(value)), (right, down(value))], "grid")]
        out += [text(left - 10, down(value) + 5, str(value), "", "end")]
    out += [text(24, top - 6, "epsilon", "quiet"), line([(left, bottom), (right, bottom)], "axis")]
    out += [text((left + right) / 2, bottom + 42, "people in the group", "quiet", "middle")]
    steps = []
    for run in ours:
        end = last if run["to"] is None else run["to"] + 0.5
        start = run["from"] - 0.5 if run["from"] > 1 else 1
        steps += [(across(start), down(run["epsilon"])), (across(end), down(run["epsilon"]))]
    level = down(epsilon(plain, 1))
    out += [line([(across(1), level), (across(last), level)], "plain line"), line(steps, "ours line")]
    out += [text(across(1) + 4, level - 10, "plain differential privacy", "plain")]
    out += [text(across(1) + 4, down(epsilon(ours, 1)) - 10, "incrowd", "ours")]
    return out


def cells(ours, plain):
    """The panel of what cells of some sizes show, 95 times in 100."""
    left, right, top = 490, 852, 118
    most = max(high for _, high in ours + plain) * 1.03
    across = lambda people: left + (right - left) * people / most
    out = [text(400, 38, "What a cell may show", "title")]
    out += [text(400, 59, "95 times in 100, by how many people there are (the upright line):", "quiet")]
    alike = [str(size) for size, (low, _) in zip(SIZES, ours) if low == 0]
    out += [text(400, 76, f"with incrowd cells of {' and '.join(alike)} look alike", "quiet")]
    for people in range(0, int(most) + 1, 100):
        out += [line([(across(people), top - 12), (across(people), 316)], "grid")]
        out += [text(across(people), 336, str(people), "quiet", "middle")]
    out += [line([(left, 316), (right, 316)], "axis")]
    out += [text((left + right) / 2, 358, "published count", "quiet", "middle")]
    for place, size in enumerate(SIZES):
        y = top + place * 68
        out += [text(left - 16, y + 24, f"{size} people", "title", "end")]
        shows = ((0, plain[place], "plain", "plain"), (24, ours[place], "ours", "incrowd"))
        for offset, (low, high), kind, name in shows:
            start, end = across(low), across(high)
            wide = max(end - start, 4)
            place_and_size = f'x="{start:.1f}" y="{y + offset}" width="{wide:.1f}" height="14" rx="2"'
            out += [f'<rect class="{kind} bar" {place_and_size}/>']
            where, anchor = (start - 8, "end") if end > (left + right) / 2 else (start + wide + 8, "start")
            out += [text(where, y + offset + 12, f"{name}: {low} to {high}", kind, anchor)]
        out += [line([(across(size), y - 5), (across(size), y + 43)], "truth")]
    return out


def main():
    incrowd = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    (ours, our_cells), (plain, plain_cells) = plan(incrowd, "request.toml"), plan(incrowd, "uniform.toml")
    words = f"Groups of up to {ours[0]['to']} are protected with epsilon {ours[0]['epsilon']}, larger ones with "
    words += f"{ours[-1]['epsilon']}; plain differential privacy protects all with {epsilon(plain, 1)}."
    for size, (low, high), (our_low, our_high) in zip(SIZES, plain_cells, our_cells):
        words += f" A cell of {size} shows {low} to {high} plainly, {our_low} to {our_high} with incrowd."
    body = [f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>']
    body += protection(ours, plain) + cells(our_cells, plain_cells)
    body += [text(24, HEIGHT - 14, "The salaries example; numbers of incrowd plan, which reads no data.", "quiet")]
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    about = f"<title>A protection curve beside plain differential privacy</title>\n<desc>{words}</desc>"
    (HERE / "curve.svg").write_text("\n".join([head, about, f"<style>{STYLE}</style>", *body, "</svg>", ""]))


if __name__ == "__main__":
    main()
