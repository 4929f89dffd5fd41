// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package connect4

func hugePages([]uint64) {}
