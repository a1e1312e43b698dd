"""Requests of every kind, and made-up data for them."""
import random


def data():
    """A deterministic table: one or two rows for each of 900 people."""
    rng = random.Random(20260101)
    rows = ["person,dept,age,day,word,x"]
    words = ["apple"] * 60 + ["pear"] * 25 + ["fig"] * 10 + ["plum"] * 4 + ["kiwi"]
    for p in range(900):
        for _ in range(1 + (p % 3 == 0)):
            dept = rng.choice(["A"] * 12 + ["B"] * 5 + ["C", "D", ""])
            age = "" if rng.randrange(18) == 0 else str(rng.randrange(100))
            day = "2026-%02d-%02d" % (rng.randrange(1, 5), rng.randrange(1, 29))
            rows.append(",".join(["p%d" % p, dept, age, day, rng.choice(words), "%.2f" % (p * 37 % 400 / 100)]))
    return "\n".join(rows) + "\n"


DEPT = '[[bins]]\nname = "dept"\ncolumn = "dept"\nvalues = ["A", "B", "C"]\n'
RICH = ('[[bins]]\nname = "dept"\ncolumn = "dept"\nvalues = ["A", "B", "C"]\nother = true\nnulls = "bin"\n'
        '[[bins]]\nname = "age, \\"in years\\""\ncolumn = "age"\nedges = [0, 17.5, "100/3", 65, 120]\nnulls = "bin"\n')
PERIOD = DEPT + ('[[bins]]\nname = "month"\ncolumn = "day"\ntruncate = "month"\n'
                 'from = "2026-01-01"\nto = "2026-04-01"\nnulls = "bin"\n')
WIDTH = DEPT + '[[bins]]\nname = "age"\ncolumn = "age"\nfrom = 0\nto = 100\nwidth = 12.5\nother = true\n'
WORD = '[[bins]]\nname = "word"\ncolumn = "word"\n'
MIXED = DEPT + '[[bins]]\nname = "week"\ncolumn = "day"\ntruncate = "week"\n'

DP = 'kind = "differential-privacy"\nepsilon = 1\n'
SODP = 'kind = "simple-outlier-dp"\ngroup = 10\nepsilon = 1\n'
SO = 'kind = "simple-outlier"\ngroup = 10\nepsilon = 1\n'
CB = 'kind = "crowd-blending"\ncrowd = 12\nepsilon = "1/5"\n'
GROUP = 'kind = "group"\ngroup = 4\nepsilon = 1\n'
STAIR = 'kind = "staircase"\nthresholds = [49, 9]\nepsilons = [1, "1/5", "1/20"]\n'
STAIR0 = 'kind = "staircase"\nthresholds = [30, 5]\nepsilons = [1, "1/4", 0]\n'
STAIRINF = 'kind = "staircase"\nthresholds = [30, 5]\nepsilons = ["infinite", "1/4", "1/10"]\n'
LINEAR = 'kind = "linear"\nslope = "1/50"\nfloor = "1/10"\ncap = 1\n'
SLOPE = 'kind = "linear"\nslope = "1/50"\n'
FADING = 'kind = "fading"\ngroup = 40\nwidth = 5\nepsilon = 1\nfactor = "1/2"\n'
TABLE = 'kind = "table"\nvalues = [0, 0, "1/10", "1/10", "1/2", 1]\n'
TABLEINF = 'kind = "table"\nvalues = ["1/10", "1/10", "1/2", 1, "infinite"]\n'
TABLE0INF = 'kind = "table"\nvalues = [0, 0, "1/2", 1, "infinite"]\n'
ZERO = 'kind = "table"\nvalues = [0]\n'
D6 = 'delta = "1e-6"\n'


def case(name, bins, promise, mechanism="", quick=False, **more):
    more.update(name=name, bins=bins, promise=promise, mechanism=mechanism, quick=quick)
    return more


def m(name, **k):
    """The section [mechanism]."""
    lines = ['name = "%s"' % name]
    for key, value in k.items():
        value = str(value).lower() if isinstance(value, bool) else value if isinstance(value, (int, list)) else '"%s"' % value
        lines.append("%s = %s" % (key.replace("_", "-"), str(value).replace("'", '"')))
    return "\n".join(lines) + "\n"


CASES = [
    case("tailored-dp", RICH, DP, quick=True, output='estimate = "unbiased"\nrounding = 5\nmargins = true\n'),
    case("tailored-group", PERIOD, GROUP, output='estimate = "clamped"\nformats = ["csv", "parquet"]\n'),
    case("tailored-crowd", WIDTH, CB, output='estimate = "median"\nprior = [0, 500]\n'),
    case("tailored-outlier", DEPT, SO, quick=True),
    case("tailored-outlier-dp", DEPT, SODP, per=3, output='estimate = "unbiased"\nmargins = ["dept"]\n'),
    case("tailored-staircase-0", RICH, STAIR0, quick=True),
    case("tailored-at-most", RICH, 'kind = "staircase"\nthresholds = [60, 20]\nepsilons = [1, "1/4", 0]\n', quick=True),
    case("tailored-linear", DEPT, LINEAR),
    case("tailored-slope", DEPT, SLOPE, output="rounding = 10\n"),
    case("tailored-fading", DEPT, FADING),
    case("tailored-table", DEPT, TABLE, per=3),
    case("tailored-table-inf", DEPT, TABLEINF),
    case("tailored-table-0-inf", DEPT, TABLE0INF),
    case("tailored-zero", DEPT, ZERO),
    case("tailored-threshold", RICH, DP, m("tailored-geometric", threshold=5)),
    case("tailored-open", WORD, SODP + D6, m("tailored-geometric", threshold=30), quick=True),
    case("tailored-open-0", WORD, TABLE + D6, m("tailored-geometric", threshold=30)),
    case("relay-dp", MIXED, DP + D6, quick=True, per=3, output='estimate = "clamped"\nrounding = 5\n'),
    case("relay-word", WORD, DP + D6),
    case("relay-staircase-0", WORD, STAIR0 + D6),
    case("relay-outlier-dp", WORD, SODP + D6),
    case("relay-crowd", WORD, CB + D6, quick=True),
    case("relay-outlier", WORD, SO + 'delta = "1e-3"\n'),
    case("relay-slope", WORD, SLOPE + D6),
    case("relay-linear", WORD, LINEAR + D6),
    case("relay-fading", WORD, FADING + D6),
    case("relay-table-0-inf", WORD, TABLE0INF + D6),
    case("relay-zero", WORD, ZERO + 'delta = "1e-2"\n'),
    case("relay-small", WORD, 'kind = "differential-privacy"\nepsilon = "1/20"\n' + D6),
    case("relay-threshold", WORD, DP + D6, m("relay", threshold=20)),
    case("relay-declared", DEPT, DP + D6, m("relay")),
    case("geometric", WIDTH, DP, m("geometric"), quick=True, output="rounding = 3\nmargins = true\n"),
    case("geometric-threshold", PERIOD, DP, m("geometric", threshold=4)),
    case("geometric-open", WORD, DP + D6, m("geometric", threshold=40)),
    case("geometric-strong", DEPT, SODP + 'delta = "1e-1"\n', m("geometric", epsilon="1/5")),
    case("group-geometric", DEPT, GROUP, m("group-geometric"), per=3),
    case("group-geometric-open", MIXED, GROUP + D6, m("group-geometric", threshold=70)),
    case("suppress-below", RICH, 'kind = "crowd-blending"\ncrowd = 12\nepsilon = 0\n', m("suppress-below"), quick=True),
    case("suppress-below-open", WORD, CB, m("suppress-below")),
    case("suppress-up-to", RICH, 'kind = "simple-outlier"\ngroup = 10\nepsilon = 0\n', m("suppress-up-to")),
    case("suppress-up-to-open", MIXED, SO, m("suppress-up-to")),
    case("noise-below", RICH, CB, m("noise-below"), quick=True),
    case("noise-below-open", WORD, CB + D6, m("noise-below", threshold=80)),
    case("noise-up-to", RICH, SO, m("noise-up-to"), per=1),
    case("noisy-suppress", RICH, SODP + D6, m("noisy-suppress"), quick=True),
    case("noisy-suppress-open", WORD, SODP + D6, m("noisy-suppress"), per=3),
    case("noisy-suppress-given", DEPT, SODP + 'delta = "1e-3"\n', m("noisy-suppress", offset=15)),
    case("noisy-noise", RICH, SODP + D6, m("noisy-noise"), quick=True),
    case("noisy-noise-open", WORD, SODP + D6, m("noisy-noise", threshold=200)),
    case("staircase", RICH, STAIR + D6, m("staircase"), quick=True, output='margins = true\n'),
    case("staircase-told", DEPT, STAIR + D6, m("staircase", publish_levels=True)),
    case("staircase-0", DEPT, STAIR0 + D6, m("staircase"), quick=True),
    case("staircase-0-told", DEPT, STAIR0 + D6, m("staircase", publish_levels=True), per=3),
    case("staircase-open", WORD, STAIR0 + D6, m("staircase", threshold=40)),
    case("staircase-threshold", DEPT, STAIR + D6, m("staircase", threshold=3)),
    case("staircase-linear", DEPT, LINEAR + 'delta = "1e-3"\n', m("staircase", epsilons=["1", "1/5", "1/10"], thresholds=[25, 9])),
    case("staircase-endless", DEPT, 'kind = "differential-privacy"\nepsilon = "1/2"\ndelta = "4/10"\n',
         m("staircase", epsilons=["1", "1/5"], thresholds=[10], levels=[20])),
    case("staircase-told-threshold", DEPT, STAIR + D6, m("staircase", publish_levels=True, threshold=10)),
    case("staircase-inf", DEPT, STAIRINF + D6, m("staircase"), output="rounding = 7\n"),
    case("fading", RICH, FADING + 'delta = "3/10"\n', m("fading"), quick=True),
    case("fading-threshold", DEPT, FADING + 'delta = "3/10"\n', m("fading", threshold=5)),
    case("fading-open", WORD, FADING + 'delta = "3/10"\n', m("fading", threshold=70)),
    case("threshold", WORD, DP + D6, m("threshold"), quick=True, per=3),
    case("threshold-given", MIXED, DP + D6, m("threshold", threshold=20)),
    case("threshold-declared", DEPT, DP + D6, m("threshold")),
    case("range", RICH, DP + D6, m("range"), quick=True),
    case("range-given", DEPT, DP + 'delta = "1e-2"\n', m("range", half_width=20), per=3),
]
TWO = 'kind = "staircase"\nthresholds = [20]\nepsilons = [2, 1]\ndelta = "1e-2"\n'
for b in ["noise-on-count", "global-epsilon", "smooth-epsilon", "global-inverse", "smooth-inverse"]:
    for told in (False, True):
        more = {"delta_a": "1e-3"} if "smooth" in b else {}
        CASES.append(case("general-%s%s" % (b, "-told" * told), RICH if told else DEPT, TWO,
                          m("general", bound=b, epsilon_a="1/2", grid="1/10", publish_epsilon=told, **more),
                          quick=told or b == "smooth-inverse"))
CASES += [
    case("seeded", RICH, DP, seed=7, quick=True, data="synthetic = true\n"),
    case("seeded-relay", WORD, DP + D6, seed=8, data="synthetic = true\n"),
    case("dialect", PERIOD, SODP, quick=True, data='missing = ["D", "ä\\""]\ndates = ["%d.%m.%Y"]\nencoding = "windows-1252"\non-bad-row = "skip"\n'),
    case("policy", RICH, "", quick=True, policy='policy = "fewer-than-6"\n'),
    case("policy-rounded", DEPT, "", policy='policy = "rounded-to-5"\n', per=2),
    case("policy-open", WORD, D6, policy='policy = "k-10"\n'),
    case("by-odds", DEPT, 'small = [6, 20]\nsmall-odds = ["55 %", "65 %"]\nodds = "75 %"\n'),
    case("split", PERIOD, SODP, data='where = "age > 30"\n[data.split]\ncolumn = "word"\npart = "apple"\n'),
    case("weeks", DEPT + '[[bins]]\nname = "w"\ncolumn = "day"\ntruncate = "week"\nfrom = "2026-01-05"\nto = "2026-02-02"\n',
         SODP, output='margins = true\nestimate = "unbiased"\n', quick=True),
    case("totals", RICH + DEPT.replace('"dept"', '"again"', 1), DP, quick=True, output='margins = [["dept"], ["again"], ["dept", "again"]]\n'),
    case("suppressed-margins", RICH, 'kind = "crowd-blending"\ncrowd = 12\nepsilon = 0\n', m("suppress-below"),
         output="margins = true\nrounding = 4\n"),
    case("no-person", RICH, SODP, person=""),
    case("general-crowd", DEPT, 'kind = "crowd-blending"\ncrowd = 30\nepsilon = "1/5"\n' + D6, m("general", epsilon_a="1/20")),
    case("general-slope", DEPT, 'kind = "linear"\nslope = "1/50"\nfloor = "1/10"\ncap = 1\ndelta = "1e-3"\n', m("general", epsilon_a="1/20")),
    case("general-open", WORD, SODP + 'delta = "1e-3"\n', m("general", epsilon_a="1/20", threshold=300)),
]
# Keys that a spreadsheet would run, that read as missing, and that are missing; `''''` is an apostrophe to SQL.
HOSTILE = '[[bins]]\nname = "=word"\nexpression = "%s"\nnulls = "bin"\n' % (
    "CASE WHEN word = 'apple' THEN '=1' WHEN word = 'pear' THEN '''=1' WHEN word = 'fig' THEN '(missing)'"
    " WHEN word = 'plum' THEN NULL ELSE '-3' END")
EXACT = 'kind = "crowd-blending"\ncrowd = 5\nepsilon = 0\n'
CASES += [
    case("hostile", HOSTILE, EXACT, m("suppress-below"), quick=True),
    case("hostile-mark", HOSTILE, EXACT, m("suppress-below"), quick=True,
         output='csv-bom = true\nmissing = "nothing"\n'),
    case("sheet", PERIOD, DP, quick=True, output='formats = ["csv", "parquet", "arrow", "xlsx"]\nmargins = true\n'),
    case("sheet-open", MIXED, DP + D6, output='formats = ["csv", "xlsx"]\n'),
    case("rendered", RICH, DP, quick=True,
         render=["--formats", "csv,xlsx", "--estimate", "unbiased", "--rounding", "5"]),
    case("rendered-found", WORD, DP + D6, quick=True, render=["--csv-bom", "--missing", "nobody said"]),
]
# What is shown to readers: small values by their name, of every status and kind that has counts.
CASES += [
    case("small", RICH, DP, m("geometric"), quick=True, output='small = "fewer than 6"\n'),
    case("small-rounded", RICH, DP, quick=True, output='small = 8\nrounding = 5\nestimate = "median"\n'),
    case("small-at-most", RICH, STAIR0, quick=True, output="small = 6\n"),
    case("small-at-most-more", RICH, STAIR0, output="small = 4\n"),
    case("small-suppressed", RICH, EXACT, m("suppress-below"), output="small = 20\n"),
    case("small-found", WORD, DP + D6, quick=True, output="small = 50\n"),
    case("small-range", RICH, DP + 'delta = "1e-2"\n', m("range"), output="small = 12\n"),
    case("unjudged", RICH, DP, quick=True, output="quality = false\n"),
    case("whole-people", DEPT, DP, per=3, quick=True),
    case("quality-rendered", RICH, DP, render=["--quality", "false", "--formats", "csv,xlsx"]),
    case("small-rendered", RICH, DP, quick=True, render=["--small", "fewer than 6", "--formats", "csv,xlsx"]),
]
TENTH, CB20 = 'sample = "1/10"\n', 'kind = "crowd-blending"\ncrowd = 20\nepsilon = 1\n'
COLLECTED = '[data.sampled]\nprobability = ["1/10", "3/20"]\nknown = 2\n'
FIFTH = 'sampled-epsilon = "1/5"\n'
CASES += [
    case("sample-noise", RICH, CB20 + FIFTH, m("noise-below"), data=TENTH, quick=True),
    case("sample-suppress", RICH, CB20 + FIFTH + 'delta = "1e-6"\n', m("suppress-below"), data=TENTH, person=""),
    case("sample-open", WORD, 'kind = "crowd-blending"\ncrowd = 12\nepsilon = 0\nsampled-epsilon = 1\n', m("suppress-below"), data='sample = "1/2"\n'),
    case("sample-tailored", DEPT, CB20, data=TENTH),
    case("sample-outlier", DEPT, SO + 'sampled-epsilon = "1/2"\n', m("noise-up-to"), data='sample = "1/4"\n'),
    case("sample-geometric", DEPT, DP + FIFTH, m("geometric"), data=TENTH, quick=True),
    case("sample-range", DEPT, DP + D6 + FIFTH, m("range"), data=TENTH),
    case("sample-relay", WORD, DP + D6 + FIFTH, data=TENTH),
    case("collected-crowd", DEPT, CB20, m("noise-below"), data=COLLECTED),
    case("collected-outlier", DEPT, SO, m("suppress-up-to"), data=COLLECTED, quick=True),
]

CROWD = 'kind = "crowd-blending"\ncrowd = 12\n'
KEPT = '[[columns]]\nname = "dept"\ncolumn = "dept"\nkeep = true\n'
BANDS = '[[columns]]\nname = "age, coarse"\ncolumn = "age"\nedges = [0, 30, 60, 100]\n'
LISTED = '[[columns]]\nname = "word"\ncolumn = "word"\nvalues = ["pear", "apple"]\nother = true\n'
AXIS = '[[axes]]\nname = "x"\ncolumn = "x"\nedges = [0, 2, 4]\nstep = 0.25\n'
AGES = '[[axes]]\nname = "age"\ncolumn = "age"\nedges = [0, 50, 101]\nstep = 5\n'
BOXES = ('[[axes]]\nname = "x"\ncolumn = "x"\nboxes = [[0, 1], [1, 4]]\nstep = 0.5\n'
         '[[axes]]\nname = "age"\ncolumn = "age"\nboxes = [[0, 100], [20, 80]]\nstep = 2\n')


def top(items, counts, always="", spent=3):
    """The section [top], and a promise that pays for it."""
    lines = "items = %d\ncounts = %s\nepsilon-stabilise = 1\nepsilon-select = 1\n" % (items, str(bool(counts)).lower())
    lines += ('epsilon-counts = "%s"\n' % counts if counts else "") + ("always = [%s]\n" % always if always else "")
    return "[top]\n" + lines, 'kind = "differential-privacy"\nepsilon = %d\n' % spent + D6


def kind_case(name, release, bins, promise, **more):
    return case(name, bins, promise, release=release, **more)


CASES += [
    kind_case("rows", "rows", KEPT + BANDS, CROWD + "epsilon = 0\n", quick=True),
    kind_case("rows-listed", "rows", LISTED + KEPT, CROWD + "epsilon = 0\n", person=""),
    kind_case("rows-periods", "rows", '[[columns]]\nname = "m"\ncolumn = "day"\ntruncate = "month"\n', CROWD + "epsilon = 0\n"),
    kind_case("rows-prefix", "rows", '[[columns]]\nname = "w"\ncolumn = "word"\nprefix = 2\n', CROWD + "epsilon = 0\n",
              output='formats = ["csv", "parquet"]\n'),
    kind_case("rows-sheet", "rows", KEPT + BANDS, CROWD + "epsilon = 0\n",
              output='formats = ["csv", "xlsx"]\ncsv-bom = true\nmissing = "n/a"\n'),
    kind_case("points", "points", AXIS + AGES, CROWD + "epsilon = 1\n", quick=True),
    kind_case("points-line", "points", AXIS, CROWD + 'epsilon = "1/2"\n', person=""),
    kind_case("points-boxes", "points", BOXES, CROWD + "epsilon = 2\n"),
]
for name, bins, given, more in [
    ("top", WORD, top(3, "1/2"), {"quick": True, "per": 2}),
    ("top-chosen", WORD, top(2, None), {"quick": True}),
    ("top-always", WORD, top(2, None, '"fig", "nobody has it"'), {}),
    ("top-declared", DEPT, top(3, 1), {"person": ""}),
    ("top-small", DEPT, top(3, 1), {"output": "small = 100\n"}),
]:
    CASES.append(kind_case(name, "top", bins + given[0], given[1], **more))


def toml(c, folder):
    """The request of a case."""
    types = 'age = "number"\nday = "date"\nx = "number"\n'
    return ('release = "%s"\n%s[data]\nsource = "people.csv"\n%sbins-per-person = %d\n%s'
            '[data.types]\n%s%s[promise]\n%s%s[ledger]\ndataset = "people"\n'
            '[output]\nfolder = "%s"\n%s' % (c.get("release", "histogram"), c.get("policy", ""), c.get("person", 'person = "person"\n'), c.get("per", 1), c.get("data", ""),
            types, c["bins"], c["promise"],
            "[mechanism]\n" + c["mechanism"] if c["mechanism"] else "", folder, c.get("output", "")))
