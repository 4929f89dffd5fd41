// SPDX-License-Identifier: Apache-2.0

package connect4

import "sync/atomic"

// busy is what threads are searching, so that others look at something else in the meantime. It forgets: a position
// that falls into the place of another takes it.
//
// CITE: Weill, The ABDADA distributed minimax search algorithm, 1996; Kerrigan, Simplified ABDADA, 2018.
type busy [1 << 10]atomic.Uint64

func (b *busy) place(name uint64) *atomic.Uint64 { return &b[name*spread>>54] }

func (b *busy) has(name uint64) bool { return b.place(name).Load() == name }

func (b *busy) add(name uint64) { b.place(name).Store(name) }

func (b *busy) drop(name uint64) { b.place(name).CompareAndSwap(name, 0) }
