// SPDX-License-Identifier: Apache-2.0

package network

import "github.com/krow-lab/krow/internal/cpu"

func update(dst, src *Sums, rows *[numRows]row, changes []Change) {
	if level >= cpu.AVX2 {
		updateAVX2(dst, src, rows, &changes[0], len(changes))
		return
	}
	updateGo(dst, src, rows, changes)
}

func head(own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) int32 {
	if level >= cpu.AVX2 {
		return headAVX2(own, enemy, &n.hidden, mask, &n.out)
	}
	return headGo(own, enemy, n, mask)
}

// The kernels in assembly trust that every pattern has a row, and that there is a change.
//
//go:noescape
func updateAVX2(dst, src *Sums, rows *[numRows]row, changes *Change, n int)

//go:noescape
func headAVX2(own, enemy *[Width]int32, hidden *[Width][Hidden][2]int16, mask, out *[Hidden]int32) int32
