// SPDX-License-Identifier: Apache-2.0

package gomoku

import "time"

// Options say how the engine searches.
type Options struct {
	Threads int           // 0: 1
	Hash    int           // bytes of the transposition table; 0: DefaultHash
	Time    time.Duration // for a search without limits; 0: DefaultTime
	Weights *Weights      // of the evaluation and the order of moves; nil: DefaultWeights

	// Each No... switches one technique off, so that it can be measured.
	NoTable, NoAspiration, NoHistory, NoCounter, NoReduction, NoCount, NoFutility,
	NoRazor, NoNull, NoSingular, NoFourExtension, NoIIR, NoProof, NoDefence bool
}

// What Options stand for when they are zero.
const (
	DefaultHash = 32 << 20
	DefaultTime = time.Second
	maxThreads  = 256
)

// switches are the techniques by name.
var switches = []struct {
	name string
	off  func(o *Options) *bool
}{
	{"table", func(o *Options) *bool { return &o.NoTable }},
	{"aspiration", func(o *Options) *bool { return &o.NoAspiration }},
	{"history", func(o *Options) *bool { return &o.NoHistory }},
	{"counter", func(o *Options) *bool { return &o.NoCounter }},
	{"reduction", func(o *Options) *bool { return &o.NoReduction }},
	{"count", func(o *Options) *bool { return &o.NoCount }},
	{"futility", func(o *Options) *bool { return &o.NoFutility }},
	{"razor", func(o *Options) *bool { return &o.NoRazor }},
	{"null", func(o *Options) *bool { return &o.NoNull }},
	{"singular", func(o *Options) *bool { return &o.NoSingular }},
	{"four", func(o *Options) *bool { return &o.NoFourExtension }},
	{"iir", func(o *Options) *bool { return &o.NoIIR }},
	{"defence", func(o *Options) *bool { return &o.NoDefence }},
	{"proof", func(o *Options) *bool { return &o.NoProof }},
}

// Techniques lists the names of the techniques that can be switched off.
func Techniques() (names []string) {
	for _, s := range switches {
		names = append(names, s.name)
	}
	return names
}

// Switch turns the technique of that name on or off, and says whether there is one.
func (o *Options) Switch(name string, on bool) bool {
	for _, s := range switches {
		if s.name == name {
			*s.off(o) = !on
			return true
		}
	}
	return false
}
