#!/bin/bash
# SPDX-License-Identifier: Apache-2.0

# Checks the certificates of small boards with the proved checker. Then it damages strategies: a strategy without one of its lines
# must be refused; a strategy with another move in one line is refused, unless the other move attains the goal as well.
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd ../.. && go build -trimpath -o "$work/krow" ./cmd/krow)

for game in tictactoe mnk:4,3,3 mnk:5,3,3 mnk:6,5,4 mnk:5,5,4 "$@"; do
	"$work/krow" solve $game --json --certificate $work/proof --force >/dev/null
	node unfold.mjs $work/proof >$work/$game
	./check <$work/$game
done

for game in tictactoe mnk:4,3,3 mnk:5,3,3; do
	lines=$(wc -l <$work/$game) accepted=0 others=0
	for i in $(seq 2 $lines); do
		if sed "${i}d" $work/$game | ./check >/dev/null; then
			echo "$game without line $i: accepted" >&2
			exit 1
		fi
		if awk -v i=$i 'NR == i { $2 = ($2 + 1) % length($1) } { print }' $work/$game | ./check >/dev/null; then
			accepted=$((accepted + 1))
		fi
	done
	echo "$game: refused without each of $((lines - 1)) lines; $accepted of $((lines - 1)) other moves are accepted"
done
