// SPDX-License-Identifier: Apache-2.0

package gomoku

// defended tells the keys of positions in which the defender is to move from the others.
const defended = 0x8ebc6af09c88c6e3

// unseen tells the keys of verdicts on attacks with quiet moves from the others.
const unseen = 0x5bf0a8b1457e3c19

// bucket is how many places a verdict may be in.
const bucket = 4

// verdictKey returns the key of the position with the attacker to move.
func (w *worker) verdictKey() uint64 {
	if w.proof.quiet {
		return w.hash() ^ unseen
	}
	return w.hash()
}

// recall returns what is known of a position, and whether that is anything.
func (w *worker) recall(key uint64) (verdict, bool) {
	t := w.proof.table
	at := key & uint64(len(t)-1)
	for i := range uint64(bucket) {
		if x := &t[at^i]; x.key == key {
			return *x, true
		}
	}
	return verdict{left: -1}, false
}

// learn keeps a verdict: in its own place, or instead of that one which was cheapest to find. Wins stay true for good.
func (w *worker) learn(x verdict) {
	t := w.proof.table
	at := x.key & uint64(len(t)-1)
	place := &t[at]
	for i := range uint64(bucket) {
		y := &t[at^i]
		if y.key == x.key {
			place = y
			break
		}
		if y.worth() < place.worth() {
			place = y
		}
	}
	*place = x
}

// worth is how much it would cost to lose a verdict.
func (x *verdict) worth() int {
	if x.plies > 0 {
		return 2 + maxThreats
	}
	return int(x.left)
}

// follow makes the line in pv[0] as long as what is known of the positions on it allows. Its first move stays.
func (w *worker) follow(attacks bool) {
	line, n := &w.pv[0], 0
	for n < proofPly {
		key := w.verdictKey()
		if !attacks {
			key ^= defended
		}
		x, known := w.recall(key)
		if !known || x.plies == 0 || x.move == 0 || w.stones[x.move&cellMask] != codeEmpty {
			break
		}
		w.play(int(x.move))
		line[n] = x.move
		n++
		attacks = !attacks
	}
	end := n
	if !attacks && n > 0 {
		// That stone may be the first of a win by fours, which is found again.
		w.undo()
		n--
	}
	plies, rest := n, 0
	if attacks || end > n {
		rest = w.fourLine(n)
	}
	for range plies {
		w.undo()
	}
	if n += rest; max(n, end) > 0 {
		line[max(n, end)] = 0
	}
}

// lineNodes is how many nodes the end of a line may cost.
const lineNodes = 2000

// fourLine puts a win by fours into pv[0] from n on, and says how long it is.
func (w *worker) fourLine(n int) int {
	w.proof.budget = w.visited + lineNodes
	if w.byFours(n+1, 0) == 0 {
		return 0
	}
	for i, c := range w.pv[n+1] {
		if c == 0 || n+i == len(w.pv[0])-1 {
			return i
		}
		w.pv[0][n+i] = c
	}
	return 0
}
