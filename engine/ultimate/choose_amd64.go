// SPDX-License-Identifier: Apache-2.0

package ultimate

import "github.com/krow-lab/krow/internal/cpu"

var vectors = cpu.Best >= cpu.AVX512

func pick(kids []node, explore float32, need link) uint64 {
	if !vectors || len(kids) == 0 {
		return pickGo(kids, explore, need)
	}
	return pickAVX512(&kids[0], len(kids), explore, uint64(need))
}

func gather(kids []node) (f family) {
	if !vectors || len(kids) == 0 {
		return gatherGo(kids)
	}
	gatherAVX512(&kids[0], len(kids), &f)
	return f
}

//go:noescape
func pickAVX512(kids *node, n int, explore float32, need uint64) uint64

//go:noescape
func gatherAVX512(kids *node, n int, f *family)
