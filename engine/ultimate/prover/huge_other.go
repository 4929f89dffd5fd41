// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package prover

func hugePages([]bucket) {}
