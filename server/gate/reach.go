// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/tls"
	"net"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// IsReachable reports whether other machines can reach a server that listens at an address with a port.
func IsReachable(address string) bool {
	host, _, _ := net.SplitHostPort(address) // an invalid address counts as reachable
	ip := net.ParseIP(host)
	return host != "localhost" && (ip == nil || !ip.IsLoopback())
}

// Certificate describes where a server gets its TLS certificate: from the files File and Key, or, for the name Host, from an
// authority by the protocol ACME. If neither is set, the server has no certificate.
type Certificate struct {
	File, Key string
	Host      string
	Authority string // URL of the directory of the authority; empty for Let's Encrypt
	Cache     string // folder for the certificates of the authority
}

// Config returns the TLS configuration of the server, or nil if it has no certificate, and the host names in the certificate.
func (c Certificate) Config() (config *tls.Config, hosts []string, err error) {
	switch {
	case c.File != "":
		pair, err := tls.LoadX509KeyPair(c.File, c.Key)
		if err != nil {
			return nil, nil, err
		}
		if pair.Leaf != nil {
			hosts = pair.Leaf.DNSNames
		}
		return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}, hosts, nil
	case c.Host != "":
		m := autocert.Manager{Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(c.Host), Cache: autocert.DirCache(c.Cache)}
		if c.Authority != "" {
			m.Client = &acme.Client{DirectoryURL: c.Authority}
		}
		config = m.TLSConfig()
		config.MinVersion = tls.VersionTLS12
		return config, []string{c.Host}, nil
	}
	return nil, nil, nil
}
