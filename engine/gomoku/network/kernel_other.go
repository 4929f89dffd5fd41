// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package network

func update(dst, src *Sums, rows *[numRows]row, changes []Change) { updateGo(dst, src, rows, changes) }

func head(own, enemy *[Width]int32, n *Network, mask *[Hidden]int32) int32 {
	return headGo(own, enemy, n, mask)
}
