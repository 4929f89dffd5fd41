#!/usr/bin/env bash
# Plays mics against random and against rules on the 25 boards of system D, once with each side first, and
# prints one line a match. A move has 1 s up to 10 x 10 and 100 ms above; whoever takes 100 ms more forfeits.
set -euo pipefail
krow=${1:-bin/krow}
boards="3,3,3 4,3,3 4,4,3 4,4,4 5,4,4 5,5,4 5,5,5 6,4,4 6,5,4 6,6,4 6,6,5 6,6,6 7,4,4 7,5,4 7,6,4 7,7,4 7,5,5 7,6,5
7,7,5 7,7,6 7,7,7 8,8,4 10,10,5 50,50,10 70,70,10"
for board in $boards; do
	case $board in 50,* | 70,*) time=100ms ;; *) time=1s ;; esac
	for opponent in random rules; do
		"$krow" match "mnk:$board" "mics:time=$time" "$opponent" --games 2 --time "$time" --json 2>/dev/null |
			tail -n 1 | sed -E 's/.*"game":"([^"]*)".*"b":"([^"]*)".*"games":([0-9]+),"a_wins":([0-9]+),"draws":([0-9]+),"b_wins":([0-9]+).*"a_forfeits":([0-9]+),"b_forfeits":([0-9]+).*/\1 \2: games \3, won \4, drawn \5, lost \6, forfeits \7 and \8/'
	done
done
