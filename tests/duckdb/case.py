"""What a case is, and the SQL that cases are written with."""
import json
from dataclasses import dataclass

from truth import text


@dataclass
class Case:
    """One case: `rows` makes the data, `bins` and `where` say in DuckDB's SQL what the request says in incrowd's."""

    name: str
    format: str
    count: int
    rows: str
    request: str
    bins: list
    where: str = ""
    person: tuple = ()
    people: str = ""


# Texts that break careless readers. "NULL" and "N/A" are texts.
TEXTS = ["Zürich", "São Paulo", "a,b", 'say "hi"', "😀👩‍👩‍👧", "O'Brien", " leading", "trailing ", "NULL", "N/A", "x;y", "a\tb",
         "-", "'"]


def pick(values, salt):
    """SQL for one of the values, by row; nulls may be among them."""
    literals = ["NULL" if value is None else text(value) if isinstance(value, str) else str(value) for value in values]
    return f"[{', '.join(literals)}][1 + (mixed(i, {salt}) % {len(values)})::INTEGER]"


def number(most, salt):
    return f"(mixed(i, {salt}) % {most})::BIGINT"


def toml(values):
    return json.dumps(values, ensure_ascii=False)


def whole(column):
    """A text as a whole number, missing if it is not one: decimal digits with at most a sign."""
    return f"CASE WHEN regexp_full_match({column}, '-?[0-9]+') THEN TRY_CAST({column} AS BIGINT) END"


def not_nan(column):
    return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
