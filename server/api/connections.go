// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// connectionsOfOne is how many connections one address may have open. It is enough for a class behind one router.
const connectionsOfOne = 512

// connections count the open connections of each address. The proxy is not counted: everybody comes through it.
type connections struct {
	proxy netip.Addr
	mu    sync.Mutex
	open  map[string]int // by the prefix of the address
}

func newConnections(proxy netip.Addr) *connections {
	return &connections{proxy: proxy, open: map[string]int{}}
}

// count notes that a connection has begun or ended. It closes one that is too many, so that nothing is read from it.
func (c *connections) count(conn net.Conn, state http.ConnState) {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	address := at.Addr().Unmap().WithZone("")
	if err != nil || address == c.proxy {
		return
	}
	key := prefixOf(address)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		if c.open[key]++; c.open[key] > connectionsOfOne {
			_ = conn.Close() // StateClosed follows
		}
	case http.StateClosed, http.StateHijacked:
		if c.open[key]--; c.open[key] == 0 {
			delete(c.open, key)
		}
	}
}

// prefixOf returns the part of an address that counts: all of it, or the first 64 bits of IPv6, which one home has.
func prefixOf(a netip.Addr) string {
	if a.Is6() {
		p, _ := a.Prefix(64) // it has 128 bits
		return p.Addr().String()
	}
	return a.String()
}

// libraryLog writes what net/http says to the log. Failed handshakes are only debugging: whoever scans ports makes thousands.
type libraryLog struct{ *slog.Logger }

func (l libraryLog) Write(line []byte) (int, error) {
	text := string(bytes.TrimSpace(line))
	if bytes.HasPrefix(line, []byte("http: TLS handshake error")) {
		l.Debug(text)
	} else {
		l.Warn(text)
	}
	return len(line), nil
}
