#!/usr/bin/env bash
# Runs every fuzz target of the module for the time given, one after the other.
set -euo pipefail
time=${1:-30s}
git ls-files '*_test.go' | xargs grep -oE '^func Fuzz[A-Za-z0-9_]+' | while IFS=: read -r file func; do
	name=${func#func }
	echo "== $(dirname "$file") $name"
	go test "./$(dirname "$file")" -run '^$' -fuzz "^$name\$" -fuzztime "$time"
done
