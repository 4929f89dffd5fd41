// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package ultimate

func pick(kids []node, explore float32, need link) uint64 { return pickGo(kids, explore, need) }

func gather(kids []node) family { return gatherGo(kids) }
