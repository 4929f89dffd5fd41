#!/usr/bin/env bash
# Runs the studies that are named, or all of them, and writes their reports to docs/studies. What the database
# has is not computed again; without one, all of them take hours.
#
#   tools/studies.sh [STUDY...]      DB=file, studies.db by default; JOBS=games at once, 2
set -euo pipefail
cd "$(dirname "$0")/.."
db=${DB:-studies.db}
make build
names=("$@")
if [ $# -eq 0 ]; then
	mapfile -t names < <(bin/krow study list | cut -d ' ' -f 1)
fi
for name in "${names[@]}"; do
	bin/krow study run "$name" --db "$db" --jobs "${JOBS:-2}"
	bin/krow study report "$name" --db "$db" --out "docs/studies/$name"
done
