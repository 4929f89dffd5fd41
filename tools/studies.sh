#!/usr/bin/env bash
# Runs the studies that are named, or all of them, and writes their reports to research/reports. What the database
# has is not computed again; without one, all of them take hours.
#
#   tools/studies.sh ["STUDY [--variant NAME]"...]      DB=file, studies.db by default; JOBS=games at once, 2
set -euo pipefail
cd "$(dirname "$0")/.."
db=${DB:-studies.db}
make build
names=("$@")
if [ $# -eq 0 ]; then
	# Readings stand below their study, indented; the first is the default.
	mapfile -t names < <(bin/krow experiment list | awk '/^[^ ]/ { study = $1; first = 1; print study; next } first { first = 0; next } { print study " --variant " $1 }')
fi
for name in "${names[@]}"; do
	read -ra words <<<"$name"
	bin/krow experiment run "${words[@]}" --db "$db" --jobs "${JOBS:-2}"
	bin/krow experiment report "${words[@]}" --db "$db" --out "research/reports/${name/ --variant /-}"
done
