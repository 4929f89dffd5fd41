// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// ConnectionsOfOne is the maximum number of open connections of one address. It is large enough for a school class behind one
// router.
const ConnectionsOfOne = 512

// Connections counts the open connections of each address. Connections from the proxy are not counted, because behind a proxy the
// connections of all clients come from its address.
type Connections struct {
	proxy netip.Addr
	mu    sync.Mutex
	open  map[string]int // number of open connections by the prefix of the address
}

// NewConnections returns the connection counts of a server. proxy is the address of the proxy in front of it, or the zero Addr.
func NewConnections(proxy netip.Addr) *Connections {
	return &Connections{proxy: proxy, open: map[string]int{}}
}

// Count notes that a connection has begun or ended. If a new connection's address has too many open connections, Count closes
// the new connection before anything is read from it.
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
			_ = conn.Close() // refuses the connection; the HTTP server then calls Count with StateClosed
		}
	case http.StateClosed, http.StateHijacked:
		if c.open[key]--; c.open[key] == 0 {
			delete(c.open, key)
		}
	}
}

// Prefix returns the part of an address by which clients are distinguished: all of an IPv4 address, or the first 64 bits of an
// IPv6 address, because all addresses of a home begin with the same 64 bits.
func Prefix(a netip.Addr) string {
	if a.Is6() {
		p, _ := a.Prefix(64) // no error: 64 is valid for IPv6
		return p.Addr().String()
	}
	return a.String()
}
