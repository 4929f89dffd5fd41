// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"slices"
	"time"
)

// Options say how the engine searches.
type Options struct {
	Threads int           // 0: 1
	Hash    int           // bytes of the transposition table; 0: DefaultHash
	Time    time.Duration // for a search without limits; 0: DefaultTime
	Weights *Weights      // of the evaluation and the order of moves; nil: DefaultWeights

	off technique // what Switch has switched off
}

// What Options stand for when they are zero.
const (
	DefaultHash = 32 << 20
	DefaultTime = time.Second
	maxThreads  = 256
)

// technique is a set of techniques of the search. Each can be switched off, so that a study can measure it.
type technique uint16

const (
	techTable technique = 1 << iota
	techAspiration
	techHistory
	techCounter
	techReduction
	techCount
	techFutility
	techRazor
	techNull
	techSingular
	techFour
	techIIR
	techDefence
	techProof
)

var techniques = []string{
	"table", "aspiration", "history", "counter", "reduction", "count", "futility", "razor", "null", "singular", "four", "iir",
	"defence", "proof",
}

// Techniques lists the names of the techniques that can be switched off.
func Techniques() []string { return slices.Clone(techniques) }

// Switch turns the technique of that name on or off, and says whether there is one.
func (o *Options) Switch(name string, on bool) bool {
	i := slices.Index(techniques, name)
	if i < 0 {
		return false
	}
	if o.off |= 1 << i; on {
		o.off &^= 1 << i
	}
	return true
}

// uses says whether a technique is on.
func (o *Options) uses(t technique) bool { return o.off&t == 0 }
