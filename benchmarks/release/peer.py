"""One query by one peer in a process of its own, started by `run.py`.

The clock runs around the query only: the interpreter has started, libraries are loaded, the connection is open and tables
of labels are made before. Prints one line of JSON.
"""
import json, resource, sys, time

THREADS = 2
DEPARTMENTS = [f"Department {number:02}" for number in range(1, 41)]
REGIONS = [f"Region {number:02}" for number in range(1, 26)]
# Any text of the length of a bounding key will do: it decides which bins are chosen, not how long that takes.
BOUNDING_KEY = "5f" * 32


def text(value):
    return "'" + value.replace("'", "''") + "'"


def texts(values):
    return ", ".join(map(text, values))


def closed(data):
    return f"SELECT department, region, count(*) AS count FROM {data} GROUP BY 1, 2 ORDER BY 1, 2"


def found(data):
    return f"SELECT keyword, count(*) AS count FROM {data} GROUP BY 1 ORDER BY 1"


# The number of a bin; values that are not listed find no partner and are not counted.
CELLS = """
    SELECT person, (departments.code * 25 + regions.code)::INTEGER AS cell
    FROM {data} AS rows JOIN departments ON departments.value = rows.department JOIN regions ON regions.value = rows.region
    WHERE person IS NOT NULL
"""
# Each part is a letter, the length of its digits, a colon and the digits.
HASH = f"""sha256('{BOUNDING_KEY}i' || length(person::VARCHAR) || ':' || person || 'c' || length(cell::VARCHAR) || ':' || cell)"""
# Three ways to the same counts; `run.py` takes the fastest.
PERSON = {
    # A repeated (person, cell) has the same hash, so the minimum does not need distinct pairs.
    "rows": "SELECT arg_min(cell, {hash}) AS cell FROM ({cells}) GROUP BY person",
    "distinct": "SELECT arg_min(cell, {hash}) AS cell FROM (SELECT DISTINCT person, cell FROM ({cells})) GROUP BY person",
    "window": "SELECT cell FROM (SELECT DISTINCT person, cell FROM ({cells}))"
    " QUALIFY row_number() OVER (PARTITION BY person ORDER BY {hash}) = 1",
}


def person(data, way):
    chosen = PERSON[way].format(hash=HASH, cells=CELLS.format(data=data))
    counted = f"SELECT cell, count(*) AS count FROM ({chosen}) GROUP BY cell"
    return f"""
        SELECT departments.value AS department, regions.value AS region, counted.count
        FROM ({counted}) AS counted JOIN departments ON departments.code = cell // 25 JOIN regions ON regions.code = cell % 25
        ORDER BY cell"""


def duckdb_query(measure, way, data, target, scratch, memory):
    import duckdb

    database = duckdb.connect()
    database.execute(f"SET threads = {THREADS}")
    database.execute(f"SET temp_directory = {text(scratch)}")
    # Nobody asks for rows in the order of the file, and keeping it costs memory.
    database.execute("SET preserve_insertion_order = false")
    if memory:
        database.execute(f"SET memory_limit = {text(memory)}")
    for name, values in (("departments", DEPARTMENTS), ("regions", REGIONS)):
        database.execute(f"CREATE TABLE {name} AS SELECT unnest(range({len(values)})) AS code, unnest([{texts(values)}]) AS value")
    data = f"read_parquet({text(data)})"
    query = {"closed": closed, "open": found}[measure](data) if measure != "person" else person(data, way)
    copy = f"COPY ({query}) TO {text(target)} (FORMAT csv, HEADER true)"
    return duckdb.__version__, lambda: database.execute(copy).fetchall()


def datafusion_query(measure, way, data, target, scratch, memory):
    import datafusion

    runtime = datafusion.RuntimeEnvBuilder().with_disk_manager_specified(scratch)
    if memory:
        runtime = runtime.with_fair_spill_pool(size_of(memory))
    config = datafusion.SessionConfig().with_target_partitions(THREADS)
    context = datafusion.SessionContext(config, runtime)
    context.register_parquet("people", data)
    if measure == "closed":
        return datafusion.__version__, lambda: context.sql(closed("people")).collect()
    copy = f"COPY ({found('people')}) TO {text(target)} STORED AS CSV OPTIONS ('format.has_header' 'true')"
    return datafusion.__version__, lambda: context.sql(copy).collect()


def size_of(memory):
    digits = memory.rstrip("BKMGTibkmgt")
    unit = memory[len(digits):].upper()
    powers = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
    return int(float(digits) * powers[unit])


def peak():
    # Kilobytes on Linux.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main():
    engine, measure, way, data, target, scratch, memory = sys.argv[1:]
    prepare = {"duckdb": duckdb_query, "datafusion": datafusion_query}[engine]
    version, run = prepare(measure, way, data, target, scratch, memory)
    before = peak()
    started = time.perf_counter()
    run()
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "peak_before": before, "version": version}))


if __name__ == "__main__":
    main()
