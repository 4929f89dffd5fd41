// SPDX-License-Identifier: Apache-2.0

package gomoku

import "time"

// Options say how the engine searches. Each No... switches one technique off, so that it can be measured.
type Options struct {
	Threads int           // 0: 1
	Hash    int           // bytes of the transposition table; 0: DefaultHash
	Time    time.Duration // for a search without limits; 0: DefaultTime
	Weights *Weights      // of the evaluation; nil: DefaultWeights

	NoTable, NoAspiration, NoHistory, NoCounter, NoReduction, NoCount bool
	NoFutility, NoRazor, NoNull, NoSingular, NoFourExtension, NoProof bool
	NoIIR                                                             bool
}

// What Options stand for when they are zero.
const (
	DefaultHash = 32 << 20
	DefaultTime = time.Second
	maxThreads  = 256
)
