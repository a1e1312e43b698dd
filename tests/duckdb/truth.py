"""True counts by DuckDB, by the rules of `docs/theory.md` 7, for comparison with an engine.

In order: where, bins, missing and other, drop what is not counted, distinct (person, bin), at most so many bins per person by
the lowest SHA-256, count. `cases.py` and `../real-data/expected.py` say in SQL what each bin is; the order is here, once.
"""
import hashlib, json, struct, tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction


# --- Bins ---------------------------------------------------------------------------------------------------------------


@dataclass
class Declared:
    """A bin with a public list: `code` is SQL for its number, null for what is not counted."""

    code: str
    size: int


@dataclass
class Found:
    """A bin with the values of the data: `kind` is the letter of its type in keys."""

    value: str
    kind: str
    nulls: bool = False


def text(value):
    return "'" + value.replace("'", "''") + "'"


def declared(value, conditions, other, nulls):
    """Numbers the bins: the listed ones, then "other", then "missing"."""
    listed = len(conditions)
    other_code = listed if other else "NULL"
    null_code = listed + other if nulls else "NULL"
    cases = " ".join(f"WHEN {condition} THEN {code}" for code, condition in enumerate(conditions))
    return Declared(f"CASE WHEN ({value}) IS NULL THEN {null_code} {cases} ELSE {other_code} END", listed + other + nulls)


def listed(value, literals, other=False, nulls=False):
    return declared(value, [f"({value}) = {literal}" for literal in literals], other, nulls)


def between(value, edges, other=False, nulls=False):
    pairs = zip(edges, edges[1:])
    return declared(value, [f"({value}) >= {low} AND ({value}) < {high}" for low, high in pairs], other, nulls)


def days(dates):
    return [f"DATE '{day}'" for day in dates]


# --- Counting -----------------------------------------------------------------------------------------------------------


@dataclass
class Person:
    """Whose row it is: `kind` is the letter of its type in keys."""

    value: str
    kind: str
    bins: int
    key: str


def key_sql(kind, value):
    """The canonical text of a value: letter, length in bytes, colon, text."""
    written = {
        "t": value,
        "i": f"({value})::VARCHAR",
        "c": f"({value})::VARCHAR",
        "y": f"(({value})::DATE - DATE '1970-01-01')::VARCHAR",
        "b": f"CASE WHEN {value} THEN '1' ELSE '0' END",
    }[kind]
    return f"coalesce('{kind}' || strlen({written}) || ':' || {written}, 'n0:')"


def key_text(kind, value):
    """The same, of a value that was fetched."""
    if value is None:
        return "n0:"
    written = {
        "t": lambda: value,
        "i": lambda: str(value),
        "y": lambda: str((value - date(1970, 1, 1)).days),
        "b": lambda: "1" if value else "0",
        # The bits of the number; one zero.
        "f": lambda: struct.pack(">d", value + 0.0 if value else 0.0).hex(),
    }[kind]()
    return f"{kind}{len(written.encode())}:{written}"


def counting_sql(rows, where, bins, person=None, people=None):
    """Returns the SQL of the true counts: `cell, count` if all bins are declared, else a column for each bin and `count`."""
    where = where or "true"
    if all(isinstance(found, Declared) for found in bins):
        cell = "0"
        for found in bins:
            cell = f"({cell}) * {found.size} + ({found.code})"
        columns, kept, key = {"cell": cell}, ["cell IS NOT NULL"], key_sql("c", "cell")
    else:
        columns = {f"bin{at}": found.code if isinstance(found, Declared) else found.value for at, found in enumerate(bins)}
        kept = [f"bin{at} IS NOT NULL" for at, found in enumerate(bins) if isinstance(found, Declared) or not found.nulls]
        key = " || ".join(key_sql(kind_of(found), f"bin{at}") for at, found in enumerate(bins)) if person else ""
    names = ", ".join(columns)
    selected = ", ".join(f"{value} AS {name}" for name, value in columns.items())
    unit = f", {person.value} AS person" if person else f", {people} AS people" if people else ""
    binned = f"SELECT {selected}{unit} FROM {rows} WHERE {where}"
    order = ", ".join(f"{name} NULLS LAST" for name in columns)
    counted = "sum(greatest(coalesce(people, 0), 0)::HUGEINT)" if people else "count(*)"
    kept = " AND ".join(kept + (["person IS NOT NULL"] if person else [])) or "true"
    source = f"({binned}) WHERE {kept}"
    if person:
        hashed = f"sha256({text(person.key)} || {key_sql(person.kind, 'person')} || {key})"
        first = f"row_number() OVER (PARTITION BY person ORDER BY {hashed})"
        source = f"(SELECT {names} FROM (SELECT DISTINCT {names}, person FROM {source}) QUALIFY {first} <= {person.bins})"
    return f"SELECT {names}, {counted}::UBIGINT AS count\n  FROM {source}\n  GROUP BY {names} HAVING {counted} > 0\n  ORDER BY {order}"


def kind_of(found):
    return "i" if isinstance(found, Declared) else found.kind


def counted(database, bins, sql):
    """Returns headings and rows: `cell, count`, or a column for each bin, its `key`, and `count`."""
    rows = database.execute(sql).fetchall()
    if all(isinstance(found, Declared) for found in bins):
        return ["cell", "count"], [list(row) for row in rows]
    kinds = [kind_of(found) for found in bins]
    keyed = [[*row[:-1], "".join(map(key_text, kinds, row[:-1])), row[-1]] for row in rows]
    return [*(f"bin{at}" for at in range(len(bins))), "key", "count"], keyed


# --- The bounding key ---------------------------------------------------------------------------------------------------


def bounding_key(request):
    """Returns the public key that chooses a person's bins, of a request's text: dataset and binning, without the snapshot."""
    given = tomllib.loads(request, parse_float=Fraction)
    canonical = json.dumps(binning(given), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def binning(given):
    data = given.get("data", {})
    return {
        "dataset": given.get("ledger", {}).get("dataset"),
        "where": data.get("where"),
        "unit": unit(data),
        "types": data.get("types", {}),
        "timezone": data.get("timezone", "UTC"),
        "kind": None,
        "bins": [definition(found) for found in given["bins"]],
    }


def unit(data):
    named = {name: data[name] for name in ("person", "people") if name in data}
    return {**named, "bins-per-person": data.get("bins-per-person", 1)}


def definition(given):
    source = {name: given[name] for name in ("column", "expression") if name in given}
    return {"source": source, "cut": cut(given), "other": given.get("other", False), "nulls": given.get("nulls", "drop")}


def cut(given):
    if "values" in given:
        return {"values": [{"date": str(value)} if isinstance(value, date) else value for value in given["values"]]}
    if "edges" in given and isinstance(given["edges"][0], date):
        return {"days": [str(day) for day in given["edges"]]}
    if "edges" in given:
        edges = [Fraction(edge) for edge in given["edges"]]
        widths = {high - low for low, high in zip(edges, edges[1:])}
        # Equal distances are a rule, however they were written.
        return regular(edges[0], widths.pop(), len(edges) - 1) if len(widths) == 1 else {"edges": list(map(str, edges))}
    if "width" in given:
        low, high, width = (Fraction(given[name]) for name in ("from", "to", "width"))
        return regular(low, width, int((high - low) / width))
    if "truncate" in given and "from" in given:
        starts = periods(given["truncate"], day(given["from"]), day(given["to"]))
        return {"truncate": given["truncate"], "first": str(starts[0]), "last": str(starts[-1])}
    if "truncate" in given:
        return {"truncate": given["truncate"]}
    return "found"


def regular(low, width, intervals):
    return {"from": str(low), "width": str(width), "intervals": intervals}


def day(given):
    return given if isinstance(given, date) else date.fromisoformat(given)


def periods(period, first, end):
    """Returns the first days of all periods that have a day from `first` on and before `end`."""
    starts = {start(period, first + timedelta(number)) for number in range((end - first).days)}
    return sorted(starts)


def start(period, when):
    if period == "day":
        return when
    if period == "week":
        return when - timedelta(when.weekday())
    return when.replace(day=1) if period == "month" else when.replace(month=1, day=1)
