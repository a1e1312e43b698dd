#!/usr/bin/env bash
# Releases every request of this folder and verifies what came of it; prints the first lines of each table.
#   tests/real-data/run.sh DATA_DIR INCROWD
# Everything is written to a temporary folder with a ledger of its own, and removed again.
set -uo pipefail
if [ $# -ne 2 ]; then
  echo "usage: $0 DATA_DIR INCROWD" >&2
  exit 2
fi
here="$(cd "$(dirname "$0")" && pwd)"
data="$(cd "$1" && pwd)" || exit 2
incrowd="$(command -v "$2")" || { echo "error: there is no program $2" >&2; exit 2; }
incrowd="$(cd "$(dirname "$incrowd")" && pwd)/$(basename "$incrowd")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

failed=0
for request in "$here"/*.toml; do
  name="$(basename "$request" .toml)"
  # A request names its data by a file in its own folder.
  source="$(sed -n 's/^source *= *"\(.*\)"$/\1/p' "$request")"
  mkdir "$scratch/$name"
  cp "$request" "$scratch/$name/request.toml"
  cp "$data/$source" "$scratch/$name/"
  printf '\n== %s\n' "$name"
  began="$(date +%s.%N)"
  if (cd "$scratch/$name" && "$incrowd" release request.toml --ledger ledger.sqlite --quiet); then
    printf 'released in %.1f s, copying not counted\n' "$(echo "$(date +%s.%N) $began" | awk '{ print $1 - $2 }')"
    if ! "$incrowd" verify "$scratch/$name/out"; then
      echo "error: $name does not verify" >&2
      failed=1
    fi
    head -n 6 "$scratch/$name/out/counts.csv"
    echo "... $(($(wc -l <"$scratch/$name/out/counts.csv") - 1)) lines"
  else
    echo "error: $name was not released" >&2
    failed=1
  fi
done
exit "$failed"
