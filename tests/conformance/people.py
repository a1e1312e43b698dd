"""Persons with several rows, counted by the rules of `docs/theory.md` 7 in plain Python: what every engine must count.

    python3 people.py        writes tables/visits.json and tables/basket.json, and for each request in people/ its expected.csv

In order: where and split, bins, drop what is not counted, distinct (person, bin), at most so many bins of a person (in a series: in
each period) by the lowest SHA-256 of the key in bounding-key.txt, the person and the bin; count. Each case says in Python what its
request.toml says in incrowd's words.
"""
import hashlib, os, random, sys
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from itertools import combinations

sys.dont_write_bytecode = True
from write import FOLDER, counts, key, open_to_write, table  # noqa: E402

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "bounding-key.txt"), encoding="utf-8") as file:
    KEY = file.read().strip()

NAMES = ["Zoë", "O'Brien", 'say "hi"', "a,b", "😀", "n0:", "t1:x", "a name of more than twelve bytes", " ", *(f"p{number}" for number in range(15))]
TOWNS = ["Aarau", "Bern", "Chur", "Engelberg-Brunni", "Zürich", None]
COLUMNS = [
    ("visit", "integer"), ("who", "text"), ("number", "integer"), ("positive", "unsigned"), ("ratio", "number"), ("amount", "decimal(9,2)"),
    ("flag", "boolean"), ("born", "date"), ("since", "timestamp(us)"), ("town", "text"), ("year", "integer"), ("day", "date"), ("level", "integer"),
    ("households", "integer"), ("part", "text"), ("half", "integer"),
]
FIRST_DAY = date(2023, 12, 25)
# More items than make pairs (`MOST_ITEMS` in `definition/src/items.rs`).
ITEMS, MOST_ITEMS = 1003, 1000


def visits():
    """Rows of 24 persons and of nobody, by a generator that Python keeps."""
    chance = random.Random(7)
    ratios = [0.1, 0.25, -1.5, 1e300, 5e-324]
    rows = []
    for visit in range(240):
        person = chance.randrange(len(NAMES) + 1)
        nobody = person == len(NAMES)
        zero = chance.choice([0.0, -0.0])
        rows.append({
            "visit": visit,
            "who": chance.choice([None, ""]) if nobody else NAMES[person],
            "number": None if nobody else (person - 12) * 10**17,
            "positive": None if nobody else person + 2**63,
            # Both zeros are one person, and NaN is nobody.
            "ratio": chance.choice([None, float("nan")]) if nobody else zero if person % 6 == 5 else ratios[person % 6],
            "amount": None if nobody else f"{person - 3}.50" if person > 3 else f"-{3 - person}.05",
            "flag": None if nobody else person % 2 == 0,
            "born": None if nobody else date(1969, 12, 20) + timedelta(person),
            "since": None if nobody else datetime(1969, 12, 31, 23, 59, 50, tzinfo=timezone.utc) + timedelta(seconds=person),
            "town": chance.choice(TOWNS),
            "year": chance.choice([1999, 2000, 2001, 2002, 2003, None]),
            "day": FIRST_DAY + timedelta(chance.randrange(60)) if chance.randrange(20) else None,
            "level": chance.randrange(30),
            "households": chance.choice([None, -5, 0, 1, 2, 10**12]),
            "part": chance.choice(["north", "South", "south", None]),
            "half": chance.choice([1, 2, None]),
        })
    return rows


# --- Bins: a number for each listed one, then "other", then "missing"; nothing for what is not counted ---------------------


def listed(value, values, other=False, nulls=False):
    if value is None:
        return len(values) + other if nulls else None
    return values.index(value) if value in values else len(values) if other else None


def intervals(value, edges):
    return next((place for place, (low, high) in enumerate(zip(edges, edges[1:])) if low <= value < high), None)


def town(row):
    return listed(row["town"], ["Aarau", "Bern", "Chur"], other=True, nulls=True)


def cell(sizes, *codes):
    """The number of a cell, the last dimension fastest."""
    if None in codes:
        return None
    number = 0
    for size, code in zip(sizes, codes):
        number = number * size + code
    return number


def found_town(row):
    return row["town"] and key("text", row["town"])


def town_or_missing(row):
    return key("text", row["town"])


def monday(day):
    return day - timedelta(day.weekday())


def town_and_week(row):
    week = row["day"] and key("date", monday(row["day"]))
    code = listed(row["part"], ["north", "south"], other=True)
    return found_town(row) + week + key("integer", code) if row["town"] and week and code is not None else None


# --- Counting -----------------------------------------------------------------------------------------------------------


def lowest(person, keys, most):
    """The keys with the lowest hashes."""
    written = {found: found if isinstance(found, str) else key("cell", found) for found in keys}
    hashed = lambda found: (hashlib.sha256((KEY + person + written[found]).encode()).digest(), written[found].encode())
    return sorted(keys, key=hashed)[:most]


def by_person(rows, person, kind, most, bin_of, left_out=()):
    """Counts persons; `bin_of` gives the bins of a row, each with the period in which it counts."""
    bins = defaultdict(set)
    for row in rows:
        who = row[person]
        # The empty text is missing, and NaN is, too.
        if who in (None, "") or who != who:
            continue
        for period, found in bin_of(row):
            if found is not None and key(kind, who) not in left_out:
                bins[key(kind, who), period].add(found)
    counted = defaultdict(int)
    for (who, _), keys in bins.items():
        for found in lowest(who, keys, most):
            counted[found] += 1
    return counted


def by_row(rows, bin_of, weight=lambda row: 1):
    counted = defaultdict(int)
    for row in rows:
        for _, found in bin_of(row):
            if found is not None:
                counted[found] += weight(row)
    return {found: count for found, count in counted.items() if count}


def people(row):
    """A row stands for so many; none where that is missing or negative."""
    return max(row["households"] or 0, 0)


def once(bin_of):
    return lambda row: [(None, bin_of(row))]


def in_periods(period_of, last, running, bin_of):
    """A row counts in its own period, or in that and all later ones; `bin_of` is asked for each."""
    def spread(row):
        period = period_of(row)
        if period is None:
            return []
        return [(each, bin_of(each, row)) for each in (range(period, last + 1) if running else [period])]
    return spread


def year(row):
    return listed(row["year"], [2000, 2001, 2002])


def month(row):
    return row["day"] and intervals(row["day"], [date(2023, 12, 1), date(2024, 1, 1), date(2024, 2, 1), date(2024, 3, 1)])


def declared_in(period, row):
    return cell([3, 5], period, town(row))


def found_in(period, row):
    return found_town(row) and key("integer", period) + found_town(row)


def pairs(rows, item, kind, most):
    items = defaultdict(set)
    for row in rows:
        if row["who"] and row[item] is not None:
            items[key("text", row["who"])].add(row[item])
    counted = defaultdict(int)
    for who, values in items.items():
        kept = lowest(who, {key(kind, value) for value in values}, MOST_ITEMS)
        # The lower value comes first, texts by their bytes.
        ordered = sorted(values, key=lambda value: value.encode() if kind == "text" else value)
        two = combinations([key(kind, value) for value in ordered if key(kind, value) in kept], 2)
        for pair in lowest(who, {first + second for first, second in two}, most):
            counted[pair] += 1
    return counted


def cases(rows, left_out):
    """The counts of each case."""
    some = [row for row in rows if row["level"] >= 10 and row["town"] not in (None, "Bern")]
    south = [row for row in rows if row["part"] == "south"]
    second = [row for row in rows if row["half"] == 2]
    crossed = lambda row: cell([5, 3], town(row), intervals(row["level"], [0, 5, 20, 25]))
    apart, running = in_periods(year, 2, False, declared_in), in_periods(year, 2, True, declared_in)
    found_apart, found_running = in_periods(year, 2, False, found_in), in_periods(year, 2, True, found_in)
    months = in_periods(month, 2, True, declared_in)
    of = lambda which, most, bin_of, left_out=(): by_person(which, "who", "text", most, bin_of, left_out)
    return {
        "rows": by_row(rows, once(town)),
        "one-bin": of(rows, 1, once(town)),
        "one-bin-of-some-rows": of(some, 1, once(found_town)),
        "two-bins": of(rows, 2, once(town)),
        "three-bins-of-two-dimensions": of(rows, 3, once(crossed)),
        "one-found-bin": of(rows, 1, once(town_or_missing)),
        "two-found-bins": of(rows, 2, once(found_town)),
        "three-bins-found-and-declared": of(rows, 3, once(town_and_week)),
        "more-bins-than-anybody-has": of(rows, 9, once(town_or_missing)),
        "persons-by-integers": by_person(rows, "number", "integer", 1, once(town)),
        "persons-by-unsigned-integers": by_person(rows, "positive", "integer", 1, once(found_town)),
        "persons-by-numbers": by_person(rows, "ratio", "number", 2, once(town)),
        "persons-by-decimals": by_person(rows, "amount", "hundredths", 1, once(found_town)),
        "persons-by-truth-values": by_person(rows, "flag", "boolean", 2, once(town)),
        "persons-by-days": by_person(rows, "born", "date", 1, once(town)),
        "persons-by-moments": by_person(rows, "since", "moment", 1, once(found_town)),
        "weights": by_row(rows, once(town), people),
        "weights-of-found-bins": by_row(rows, once(found_town), people),
        "weights-of-a-part": by_row(south, once(town), people),
        "a-part-by-text": of(south, 1, once(town)),
        "a-part-by-integer": of(second, 2, once(found_town)),
        "a-part-of-some-rows": by_row([row for row in south if row in some], once(town)),
        "periods-of-rows": by_row(rows, apart),
        "periods-of-persons": of(rows, 1, apart),
        "periods-of-persons-and-found-bins": of(rows, 2, found_apart),
        "periods-of-persons-who-are-in-one": of(rows, 1, lambda row: [(None, found) for _, found in apart(row)]),
        "running-rows": by_row(rows, running),
        "running-weights": by_row(rows, running, people),
        "running-persons": of(rows, 1, running),
        "running-persons-and-found-bins": of(rows, 2, found_running),
        "running-months": of(rows, 1, months),
        "pairs": pairs(rows, "town", "text", 2),
        "all-pairs": pairs(rows, "town", "text", 20),
        "pairs-of-integers": pairs(rows, "households", "integer", 3),
        "a-sample": of(rows, 1, once(town), left_out),
        "a-sample-of-found-bins": of(rows, 2, once(found_town), left_out),
        "a-sample-of-running-persons": of(rows, 1, running, left_out),
        "pairs-of-too-many-items": pairs([{"who": "Ada", "item": f"item {number}"} for number in range(ITEMS)], "item", "text", 3),
    }


def main():
    rows = visits()
    plain = lambda value: f"{value:%Y-%m-%dT%H:%M:%S}" if isinstance(value, datetime) else str(value) if isinstance(value, (date, float)) else value
    table("visits", COLUMNS, [[plain(row[name]) for name, _ in COLUMNS] for row in rows])
    table("basket", [("who", "text"), ("item", "text")], [["Ada", f"item {number}"] for number in range(ITEMS)])
    left_out = [key("text", name) for name in NAMES[::3]]
    for name, counted in cases(rows, left_out).items():
        counts(os.path.join("people", name), counted)
        if name.startswith("a-sample"):
            with open_to_write(os.path.join(FOLDER, "people", name, "left-out.txt")) as file:
                file.write("".join(f"{person}\n" for person in left_out))


if __name__ == "__main__":
    main()
