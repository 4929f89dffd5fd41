// SPDX-License-Identifier: Apache-2.0

package gomoku

// A table entry, the data of package tt:
//
//	bit    0          8      18            34                 50      52
//	       | depth+1  | move | score+2^15  | static+2^15      | bound | on a principal variation
//
// The move is a cell; score and static are 16 bits each, static being the evaluation.
type entry struct {
	score, static int32
	move          uint16
	depth         int
	bound         uint8
	pv            bool
}

// What an entry's score bounds.
const (
	noBound = iota
	lower
	upper
	exact
)

// noStatic stands for an evaluation that was not asked for.
const noStatic = -1 << 15

func (e *entry) pack() uint64 {
	x := uint64(max(0, min(e.depth, 250))+1) | uint64(e.move)<<8 | uint64(uint16(e.score+1<<15))<<18 |
		uint64(uint16(e.static+1<<15))<<34 | uint64(e.bound)<<50
	if e.pv {
		x |= 1 << 52
	}
	return x
}

func unpack(x uint64) entry {
	return entry{
		score: int32(x>>18&0xffff) - 1<<15, static: int32(x>>34&0xffff) - 1<<15,
		move: uint16(x >> 8 & cellMask), depth: int(x&0xff) - 1, bound: uint8(x >> 50 & 3), pv: x>>52&1 == 1,
	}
}

// probe looks the position up. The move is 0 unless it can be played here, since two positions may share a key.
func (w *worker) probe(key uint64, ply int) (e entry, ok bool) {
	if w.o.NoTable {
		return entry{static: noStatic}, false
	}
	x, ok := w.table.Probe(key)
	if !ok {
		return entry{static: noStatic}, false
	}
	e = unpack(x)
	if w.stones[e.move&cellMask] != codeEmpty {
		e.move = 0
	}
	// Wins are kept as their distance from the node.
	switch {
	case e.score > mateBound:
		e.score -= int32(ply)
	case e.score < -mateBound:
		e.score += int32(ply)
	}
	return e, true
}

// keep stores what was found.
func (w *worker) keep(key uint64, ply int, e entry) {
	if w.o.NoTable {
		return
	}
	switch {
	case e.score > mateBound:
		e.score += int32(ply)
	case e.score < -mateBound:
		e.score -= int32(ply)
	}
	w.table.Store(key, e.pack())
}
