#!/usr/bin/env bash
# Takes report.png: the top of the report of the salaries example, as a browser shows it.
#
#     docs/pictures/report.sh target/release/incrowd
#
# Needs chromium. Numbers are drawn anew, so that the picture differs from run to run. `--rehearse` is no way to have
# the same again: such a report is stamped.
set -euo pipefail
incrowd="${1:?usage: docs/pictures/report.sh INCROWD}"
here="$(cd "$(dirname "$0")" && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
"$incrowd" example salaries "$folder/salaries" >/dev/null
"$incrowd" release "$folder/salaries/request.toml" --ledger "$folder/ledger.sqlite" --quiet
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$folder/browser" \
  --window-size=840,925 --screenshot="$here/report.png" "file://$folder/salaries/out/report.html" 2>/dev/null
