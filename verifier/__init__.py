"""The parts of `../verify.py`, the second verifier of incrowd's folders.

It is a package, and not one file, because it is meant to be read: one idea a line, the formula above the code that
computes it. Read `numbers.py`, `curve.py`, `noise.py`; then one of `ladder.py`, `relay.py`, `general.py`; then
`account.py`, `tables.py` and `spelling.py`. Everything is written from docs/certificate.md, sections of which are
cited as (C 5.2), and from docs/theory.md; nothing is taken from incrowd's own code.
"""
