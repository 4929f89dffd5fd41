// SPDX-License-Identifier: Apache-2.0

package prover

// prefetch brings the cache line of b near, and does not wait for it.
//
//go:noescape
func prefetch(b *bucket)
