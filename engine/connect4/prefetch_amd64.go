// SPDX-License-Identifier: Apache-2.0

package connect4

// prefetch brings the cache line of p near, and does not wait for it.
//
//go:noescape
func prefetch(p *uint64)
