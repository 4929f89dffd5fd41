// SPDX-License-Identifier: Apache-2.0

package tt

import "sync/atomic"

// Claims are what threads are working on, by numbers of the callers' choice but 0, so that others look at something else
// in the meantime. It forgets: a number that falls into the place of another takes it.
//
// CITE: Weill, The ABDADA distributed minimax search algorithm, 1996; Kerrigan, Simplified ABDADA, 2018.
type Claims [1 << 10]atomic.Uint64

func (c *Claims) place(n uint64) *atomic.Uint64 { return &c[n*0x9e3779b97f4a7c15>>54] }

// Has says whether somebody is known to work on n.
func (c *Claims) Has(n uint64) bool { return c.place(n).Load() == n }

// Add tells the others to leave n alone, and Drop that it is done.
func (c *Claims) Add(n uint64)  { c.place(n).Store(n) }
func (c *Claims) Drop(n uint64) { c.place(n).CompareAndSwap(n, 0) }
