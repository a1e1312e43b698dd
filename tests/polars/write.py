"""Writes one small table in every way that Polars writes Arrow files and streams. Needs: pip install polars.

    python3 tests/polars/write.py tests/polars

The files are kept, so that tests need no Polars; `counts.json` is what plain Python counts in the table.
"""

import json
import pathlib
import sys

import polars

FOLDER = pathlib.Path(sys.argv[1])
TOWNS = ["Bern", "Zürich", None, "a town with a rather long name", ""]
KINDS = ["x", "y", "zz"]
ROWS = 40


def table():
    rows = range(ROWS)
    towns = [TOWNS[row * 7 % len(TOWNS)] for row in rows]
    kinds = [KINDS[row % len(KINDS)] for row in rows]
    frame = polars.DataFrame({"id": list(rows), "town": towns, "kind": kinds})
    words = polars.col("town").cast(polars.Categorical).alias("category")
    listed = polars.col("kind").cast(polars.Enum(KINDS)).alias("listed")
    return frame.with_columns(words, listed)


def main():
    frame = table()
    levels = {"oldest": polars.CompatLevel.oldest(), "newest": polars.CompatLevel.newest()}
    for packing in ["uncompressed", "lz4", "zstd"]:
        for name, level in levels.items():
            to = FOLDER / f"file-{packing}-{name}.arrow"
            frame.write_ipc(to, compression=packing, compat_level=level, record_batch_size=15)
            to = FOLDER / f"stream-{packing}-{name}.arrow"
            frame.write_ipc_stream(to, compression=packing, compat_level=level)
    parts = [frame[:10], frame[10:25], frame[25:]]
    polars.concat(parts, rechunk=False).lazy().sink_ipc(FOLDER / "file-sink.arrow")
    counts = {}
    for column in ["town", "kind", "category", "listed"]:
        counts[column] = {}
        for value in frame[column].to_list():
            if value:
                counts[column][value] = counts[column].get(value, 0) + 1
    (FOLDER / "counts.json").write_text(json.dumps(counts, ensure_ascii=False, indent=1) + "\n")


main()
