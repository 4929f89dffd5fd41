// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// ConnectionsOfOne is the maximum number of open connections of one address. It is enough for a class behind one router.
const ConnectionsOfOne = 512

// Connections count the open connections of each address. The proxy is not counted: everybody comes through it.
type Connections struct {
	proxy netip.Addr
	mu    sync.Mutex
	open  map[string]int // by the prefix of the address
}

// NewConnections counts the connections of a server with a proxy in front, or with none.
func NewConnections(proxy netip.Addr) *Connections {
	return &Connections{proxy: proxy, open: map[string]int{}}
}

// Count notes that a connection has begun or ended. It closes one that is too many, so that nothing is read from it.
func (c *Connections) Count(conn net.Conn, state http.ConnState) {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	address := at.Addr().Unmap().WithZone("")
	if err != nil || address == c.proxy {
		return
	}
	key := Prefix(address)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		if c.open[key]++; c.open[key] > ConnectionsOfOne {
			_ = conn.Close() // StateClosed follows
		}
	case http.StateClosed, http.StateHijacked:
		if c.open[key]--; c.open[key] == 0 {
			delete(c.open, key)
		}
	}
}

// Prefix returns the part of an address that counts: all of it, or the first 64 bits of IPv6, which one home has.
func Prefix(a netip.Addr) string {
	if a.Is6() {
		p, _ := a.Prefix(64) // it has 128 bits
		return p.Addr().String()
	}
	return a.String()
}
