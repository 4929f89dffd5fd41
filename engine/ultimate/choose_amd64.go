// SPDX-License-Identifier: Apache-2.0

package ultimate

import "github.com/krow-lab/krow/internal/cpu"

var vectors = cpu.Best >= cpu.AVX512

func pick(children []node, explore float32, need link) uint64 {
	if !vectors || len(children) == 0 {
		return pickGo(children, explore, need)
	}
	return pickAVX512(&children[0], len(children), explore, uint64(need))
}

func gather(children []node) (f family) {
	if !vectors || len(children) == 0 {
		return gatherGo(children)
	}
	gatherAVX512(&children[0], len(children), &f)
	return f
}

//go:noescape
func pickAVX512(children *node, n int, explore float32, need uint64) uint64

//go:noescape
func gatherAVX512(children *node, n int, f *family)
