"""Made-up data for every example of the repository, the same on every machine."""
import random


def rows(head, lines):
    return (head + "\n" + "".join(line + "\n" for line in lines)).encode()


def employees(rng):
    departments = ["Sales"] * 30 + ["Research"] * 25 + ["Production"] * 25 + ["Logistics"] * 12 + ["Administration"] * 8
    for person in range(5000):
        if person % 50 == 0:
            yield "E%05d,Administration,%d" % (person, 180000 + rng.randrange(20000))
        else:
            yield "E%05d,%s,%d" % (person, rng.choice(departments), sum(rng.randrange(40000) for _ in range(4)))


def patients(rng):
    chapters = ["I"] * 40 + ["II"] * 25 + ["III"] * 12 + ["IV"] * 8 + ["V"] * 6 + ["IX"] * 5 + ["X"] * 3 + ["XXI"]
    for person in range(3000):
        for _ in range(1 + person % 2):
            yield "p%d,%s,%s" % (person, rng.choice(chapters), rng.choice(["North", "East", "South", "South", "West"]))


def searches(rng):
    words = ["tax"] * 50 + ["garden"] * 30 + ["history"] * 12 + ["chess"] * 5 + ["opera"] * 2 + ["falconry"]
    for reader in range(2500):
        for _ in range(rng.randrange(1, 8)):
            yield "r%d,%s,2026-01-%02d" % (reader, rng.choice(words), rng.randrange(1, 29))


def purchases(rng):
    articles = ["article %d" % (1 + int(rng.paretovariate(0.8))) for _ in range(4000)]
    for customer in range(3000):
        for _ in range(rng.randrange(1, 9)):
            yield "c%d,%s" % (customer, rng.choice(articles))


def accidents(rng):
    for _ in range(3000):
        yield "%.4f,%.4f" % (rng.gauss(8.52, 0.04), rng.gauss(47.38, 0.03))


def people(rng):
    illnesses = ["none"] * 60 + ["asthma"] * 16 + ["diabetes"] * 12 + ["migraine"] * 8 + ["gout"] * 3 + ["lupus"]
    for person in range(4000):
        yield "%d,%s,%s" % (person, rng.choice(["north", "south"]), rng.choice(illnesses))


def births(rng):
    names = ["Mary", "John", "Anna", "Emma", "Noah", "Ida", "Zoe", "Levi"]
    for year in range(1880, 2021):
        for rank, name in enumerate(names):
            yield "%d,%s,%d" % (year, name, rng.randrange(1, 2000 // (1 + rank * rank)))


DATA = {
    "employees.csv": ("employee_id,department,salary", employees),
    "patients.csv": ("patient,icd_chapter,region", patients),
    "searches.csv": ("reader,keyword,day", searches),
    "purchases.csv": ("customer,article", purchases),
    "accidents.csv": ("lng,lat", accidents),
    "births.csv": ("year,name,births", births),
    "people.csv": ("id,region,illness", people),
}


def examples(folder):
    """Name, request and files of every request of the examples."""
    made = {name: rows(head, lines(random.Random(20261118))) for name, (head, lines) in DATA.items()}
    for path in sorted(folder.glob("*/*.toml")):
        beside = {other.name: other.read_bytes() for other in path.parent.glob("*.csv")}
        request = path.read_text(encoding="utf-8")
        source = request.split('source = "', 1)[1].split('"', 1)[0]
        files = dict(beside, **({source: made[source]} if source in made else {}))
        assert source in files, "%s has no made-up data in tests/unchanged/examples.py" % path
        name = path.parent.name if path.stem == "request" else "%s-%s" % (path.parent.name, path.stem)
        yield name, request, files
