#!/usr/bin/env bash
# Measures totals that add up: 200 draws of 20 made-up tables, and of three real ones where their data is given.
#   tests/totals/run.sh [DATA_DIR INCROWD]
# Real tables are counted exactly, into a temporary folder that is removed again; nothing of them is kept but errors.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
if [ $# -eq 2 ]; then
  data="$(cd "$1" && pwd)"
  incrowd="$(cd "$(dirname "$2")" && pwd)/$(basename "$2")"
  mkdir "$scratch/tables"
  for request in "$here"/*.toml; do
    name="$(basename "$request" .toml)"
    source="$(sed -n 's/^source *= *"\(.*\)"$/\1/p' "$request")"
    mkdir "$scratch/$name"
    cp "$data/$source" "$scratch/$name/"
    # The same bins with exact counts; those of a single person are hidden, and taken as 0 for the truth.
    sed -e '/^\[promise\]/,/^$/d' -e '/^\[mechanism\]/,/^$/d' -e '/^\[output\]/,$d' "$request" >"$scratch/$name/request.toml"
    cat >>"$scratch/$name/request.toml" <<'EXACT'
[promise]
kind    = "crowd-blending"
crowd   = 2
epsilon = 0
[mechanism]
name = "suppress-below"
[output]
folder = "out"
EXACT
    (cd "$scratch/$name" && "$incrowd" release request.toml --ledger ledger.sqlite --quiet --yes >&2)
    python3 -c 'import csv, sys; [print(row.get("count") or row.get("counted") or 0) for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"))]' \
      "$scratch/$name/out/counts.csv" >"$scratch/tables/$name.counts"
    cp "$request" "$scratch/tables/$name.toml"
    rm -r "${scratch:?}/$name"
  done
  export INCROWD_KNOWN_TABLES="$scratch/tables"
fi
cd "$here/../.."
cargo test --release --workspace --locked --test totals -- --ignored --nocapture measured_over_200_draws --test-threads 1
