#!/usr/bin/env bash
# Runs every fuzz target of the module for the time given, one after the other. A target that fails does not end the others.
set -euo pipefail
time=${1:-30s}
failed=0
while IFS=: read -r file func; do
	dir=./$(dirname "$file") name=${func#func }
	echo "== $dir $name"
	# To make an input smaller takes longer than to find the next one, so each is tried once.
	go test "$dir" -vet=off -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 1x </dev/null || failed=1
done < <(git ls-files '*_test.go' | xargs grep -oE '^func Fuzz[A-Za-z0-9_]+')
exit $failed
