// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package ultimate

func pick(children []node, explore float32, need link) uint64 { return pickGo(children, explore, need) }

func gather(children []node) family { return gatherGo(children) }
