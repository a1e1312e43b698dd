#!/usr/bin/env python3
"""Certificates under their JSON Schema, and entries of the registry under its fields.

    forms.py INCROWD_BINARY

Releases made-up data under requests of several kinds, validates each certificate with a validator that is not ours, sees that
the schema refuses what it should, and reads each registry entry with a YAML reader that is not ours. The names of the
registry's fields and choices are facts of its schema (github.com/opendp/deployments-registry-data,
schemas/deployments-schema.yaml at commit 3e9c812). Needs jsonschema and PyYAML.
"""
import copy
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINS = '[[bins]]\nname = "town"\ncolumn = "town"\n'
LISTED = BINS + 'values = ["Bern", "Chur"]\n'
REQUESTS = {
    "tailored": LISTED + '[promise]\nkind = "simple-outlier-dp"\ngroup = 10\nepsilon = 1\n[output]\nmargins = true\nestimate = "median"\nrounding = 5\n',
    "plain": LISTED + '[promise]\nkind = "differential-privacy"\nepsilon = "1/3"\n[mechanism]\nname = "geometric"\n[output]\nmargins = true\n',
    "found": BINS + '[promise]\nkind = "differential-privacy"\nepsilon = 1\ndelta = "1e-6"\n',
    "exact": LISTED + '[promise]\nkind = "crowd-blending"\ncrowd = 20\nepsilon = 0\n[mechanism]\nname = "suppress-below"\n',
    "general": LISTED + '[promise]\nkind = "simple-outlier-dp"\ngroup = 10\nepsilon = 1\ndelta = "1e-3"\n[mechanism]\nname = "general"\nepsilon-a = "1/20"\n',
    "growing": LISTED + '[promise]\nkind = "linear"\nslope = "1/10"\nfloor = "1/10"\n',
    "series": BINS + '[series]\nperiod = "year"\nfrom = 2001\nup-to = 2002\n[promise]\nkind = "differential-privacy"\nepsilon = 1\ndelta = "1e-6"\n',
    "top": BINS + '[top]\nitems = 1\ncounts = true\nepsilon-stabilise = 1\nepsilon-select = 1\nepsilon-counts = 1\n[promise]\nkind = "differential-privacy"\nepsilon = 3\ndelta = "1e-6"\n',
    "points": '[[axes]]\nname = "x"\ncolumn = "x"\nedges = [0, 2]\nstep = 0.5\n[promise]\nkind = "crowd-blending"\ncrowd = 20\nepsilon = 1\n',
    "dialect": LISTED + '[promise]\nkind = "differential-privacy"\nepsilon = 1\n',
    "rows": '[[columns]]\nname = "town"\ncolumn = "town"\nkeep = true\n[promise]\nkind = "crowd-blending"\ncrowd = 20\nepsilon = 0\n',
}
DATA = {
    "dialect": 'delimiter = ","\nquote = "none"\nencoding = "windows-1252"\non-bad-row = "skip"\ndecimal = ","\nmissing = ["NA"]\ndates = ["%d.%m.%Y"]\n',
}
TEXT, NUMBER = str, (int, float)
FIELDS = {
    "basic": {"name", "data_curators", "intended_use", "data_product_type", "data_product_region", "description",
              "publication_date", "data_product_sector"},
    "dp_variant": {"variant_name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {"privacy_unit", "privacy_unit_details", "privacy_parameters", "privacy_parameters_details"},
    "deployment_model": {"model_name", "model_name_details", "actors", "release_type", "release_type_details",
                         "data_source_type", "data_source_type_details", "access_type", "access_type_details"},
    "accounting": {"post_processing", "composition"},
    "implementation": {"preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"},
    "administrative": {"sources", "notes", "registry_authors"},
}
CHOICES = {
    ("basic", "data_product_type"): {"Summary statistics"},
    ("dp_variant", "variant_name"): {"Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"},
    ("deployment_model", "model_name"): {"Local", "Central", "Shuffle", "Federated", "Varies"},
    ("deployment_model", "release_type"): {"One release", "Many releases"},
    ("deployment_model", "data_source_type"): {"Static", "Dynamic"},
    ("deployment_model", "access_type"): {"Interactive", "Non-interactive"},
}


def released(binary, home, name, text):
    """The folder of a release."""
    kind = f'release = "{name}"\n' if name in ("rows", "series", "top", "points") else ""
    output = "" if "[output]" in text else "[output]\n"
    (home / "d.csv").write_text("town,year,x\n" + "Bern,2001,1.5\n" * 70 + "Chur,2002,0.5\n" * 25)
    request = home / f"{name}.toml"
    request.write_text(f'{kind}[data]\nsource = "d.csv"\n{DATA.get(name, "")}[ledger]\ndataset = "people {name}"\n{text}{output}folder = "{name}"\n')
    run(binary, "release", request, "--ledger", home / "ledger.sqlite", "--open")
    return home / name


def run(binary, *arguments):
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def check_schema(schema, certificate, name):
    validator = jsonschema.Draft202012Validator(schema)
    wrong = [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(certificate)]
    if wrong:
        raise SystemExit(f"{name}: the certificate is not valid under its schema: {wrong}")
    for spoil in (
        lambda c: c.pop("exact"),
        lambda c: c.update(note="trust me"),
        lambda c: c.update(delta=0.1),
        lambda c: c.update(version=1),
        lambda c: c["exact"]["worst"].update(count=0),
        lambda c: c["exact"]["worst"].update({"is": "about"}),
        lambda c: c["curve"][0].update(epsilon="0.5"),
        lambda c: c["ledger"].update(head="abc"),
        lambda c: c["mechanism"].update(name="laplace"),
        lambda c: c["mechanism"]["parameters"].update(luck=3),
        lambda c: c["tables"].clear(),
        lambda c: c.pop("derived_from"),
        lambda c: c.update(derived_from={"certificates": [], "in_words": "x"}),
        lambda c: c["postprocessing"][-1].update(missing=""),
        lambda c: c["postprocessing"][-1].update(keys=["money"]),
    ):
        spoilt = copy.deepcopy(certificate)
        spoil(spoilt)
        if validator.is_valid(spoilt):
            raise SystemExit(f"{name}: the schema accepts a certificate that was spoilt")


def check_entry(text, name):
    entry = yaml.safe_load(text)
    need = lambda condition, what: condition or sys.exit(f"{name}: {what}\n{text}")
    need(set(entry) == {"url_slug", "status", "tier", "deployment"}, "other fields at the top")
    need(entry["status"] == "Draft" and entry["tier"] == 3, "not a draft of tier 3")
    need(all(one.islower() or one.isdigit() or one == "_" for one in entry["url_slug"]), "the slug")
    deployment = entry["deployment"]
    need(set(deployment) <= set(FIELDS), "a section that the registry does not know")
    for section, fields in deployment.items():
        need(set(fields) <= FIELDS[section], f"a field of {section} that the registry does not know")
        for field, value in fields.items():
            kinds = (list,) if field in ("data_curators", "registry_authors") else (dict,) if field == "privacy_parameters" else (TEXT,)
            need(isinstance(value, kinds) and value, f"{section}.{field}")
    # Tier 3: all but what only some publishers have.
    for section, fields in FIELDS.items():
        optional = {"data_product_sector", "sources", "privacy_parameters"}
        need(fields - optional <= set(deployment[section]), f"{section} is not complete")
    for (section, field), choices in CHOICES.items():
        need(deployment[section][field] in choices, f"{section}.{field}")
    datetime.date.fromisoformat(deployment["basic"]["publication_date"])
    for value in deployment["privacy_loss"].get("privacy_parameters", {}).values():
        need(isinstance(value, NUMBER), "a parameter that is not a number")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    schema = json.loads((ROOT / "docs/certificate.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    if json.loads(run(binary, "schema", "certificate")) != schema:
        raise SystemExit("`incrowd schema certificate` is not the published schema")
    with tempfile.TemporaryDirectory() as home:
        for name, text in REQUESTS.items():
            folder = released(binary, pathlib.Path(home), name, text)
            check_schema(schema, json.loads((folder / "certificate.json").read_text()), name)
            new = folder.with_name(name + "-new")
            run(binary, "render", folder, "--to", new, "--formats", "csv,xlsx")
            check_schema(schema, json.loads((new / "certificate.json").read_text()), name + ", rendered")
            check_entry(run(binary, "export", folder, "--as", "registry"), name)
            filled = ("--curator", 'A "quoted": office', "--use", "to\nknow", "--region", ": here #", "--date", "2026-01-31",
                      "--sector", "government", "--author", "somebody")
            check_entry(run(binary, "export", folder, "--as", "registry", *filled), name)
    print(f"{len(REQUESTS)} certificates, and those of renderings, are valid under their schema; registry entries have its fields")


if __name__ == "__main__":
    main()
