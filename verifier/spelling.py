"""How keys are written to CSV files, and read back (C 7.8): names of missing values, apostrophes before formulas.

Version 2 writes texts as they are and nothing where a value is missing.
"""
import re

from .numbers import need

SIGNS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
NUMBER = re.compile(r"-(inf|[0-9]+(\.[0-9]+)?(e-?[0-9]+)?)")
DAY = re.compile(r"[+-][0-9]{4,}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z?)?")
FOUND = re.compile(r"text|integer|unsigned|number|boolean|date|decimal\([0-9]{1,2}, -?[0-9]{1,2}\)"
                   r"|timestamp\((s|ms|us|ns)(, [^()]{1,100})?\)")


def acts(text):
    """Whether a spreadsheet might evaluate a text. Numbers and days with a sign are what they are."""
    begins = text.lstrip("' ")[:1]
    return begins != "" and begins in SIGNS and not NUMBER.fullmatch(text) and not DAY.fullmatch(text)


class Spelling:
    """The step `files` of a certificate, which version 2 does not have."""

    def __init__(self, certificate):
        steps = [step for step in certificate.c["postprocessing"] if step["step"] == "files"]
        need(len(steps) == (certificate.c["version"] == 3), "the step `files` is missing, or does not belong there")
        self.missing = self.mark = None
        if steps:
            self.read(steps[0], certificate.dimensions)

    def read(self, step, dimensions):
        need(set(step) == {"step", "missing", "csv_bom", "keys", "in_words"}, "other fields in the step `files`")
        need(type(step["csv_bom"]) is bool, "csv_bom is true or false")
        self.missing, self.mark = step["missing"], step["csv_bom"]
        need(isinstance(self.missing, str) and re.fullmatch(r"[^\s'\[0-9][^\x00-\x1f]{0,39}", self.missing)
             and not acts(self.missing) and self.missing not in ("true", "false", "inf", "nan", "other"),
             "a name of missing values that could be a key:", self.missing)
        need(len(step["keys"]) == len(dimensions), "types of more or fewer keys than there are")
        for stated, dimension in zip(step["keys"], dimensions):
            need(isinstance(stated, str) and FOUND.fullmatch(stated), "no type of a key:", stated)
            need(dimension.type_name() in (None, stated), "another type than the declared keys have:", stated)
            listed = dimension.cut["values"] if "values" in dimension.cut else []
            need(self.missing not in listed, "a listed key that is called like the missing ones")

    def after_start(self, text):
        """The text behind the byte order mark, where there is one."""
        if not self.mark:
            return text
        need(text.startswith("\ufeff"), "no byte order mark")
        return text[1:]

    def is_marked(self, text, is_key):
        return acts(text) or is_key and text.lstrip("'") == self.missing

    def text(self, written, is_key=False):
        """The text behind what is written. No text has two spellings, and no two texts have one."""
        if self.missing is None or written is None:
            return written
        stripped = written.startswith("'") and self.is_marked(written, is_key)
        text = written[1:] if stripped else written
        need(self.is_marked(text, is_key) == stripped, "a text that is not written so:", written)
        return text

    def key(self, written):
        """The key behind what is written; None if it is missing."""
        if self.missing is None:
            return written
        need(written is not None, "a missing key without its name")
        return None if written == self.missing else self.text(written, is_key=True)
