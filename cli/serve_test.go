// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serving starts a server and returns it with its address.
func serving(t *testing.T, db string) (*process, string) {
	t.Helper()
	p := start(t, "serve", "--addr", "127.0.0.1:0", "--db", db)
	line, err := p.stdout.ReadString('\n')
	m := regexp.MustCompile(`^serving (http://127\.0\.0\.1:\d+)/ `).FindStringSubmatch(line)
	if err != nil || m == nil {
		t.Fatalf("%q, %v, %s", line, err, p.stderr.String())
	}
	return p, m[1]
}

// TestServe plays a move, stops the server by SIGTERM, and finds the game again at the next.
func TestServe(t *testing.T) {
	db := filepath.Join(t.TempDir(), "krow.db")
	p, url := serving(t, db)
	var g struct {
		ID    string
		Moves []string
	}
	ask(t, &g, func() (*http.Response, error) {
		return http.Post(url+"/api/games", "application/json", strings.NewReader(`{"game":"gomoku","first":"human","second":"human"}`))
	})
	ask(t, &g, func() (*http.Response, error) {
		return http.Post(url+"/api/games/"+g.ID+"/moves", "application/json", strings.NewReader(`{"move":"h8","ply":0}`))
	})
	// A stream that is open does not keep the server.
	stream, err := http.Get(url + "/api/games/" + g.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	finish(t, p)
	p, url = serving(t, db)
	ask(t, &g, func() (*http.Response, error) { return http.Get(url + "/api/games/" + g.ID) })
	if len(g.Moves) != 1 || g.Moves[0] != "h8" {
		t.Errorf("after the restart: %v", g.Moves)
	}
	finish(t, p)
}

// TestServeTaken serves at a port that another has: that is told, and no database is made.
func TestServeTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	db := filepath.Join(t.TempDir(), "krow.db")
	p := start(t, "serve", "--addr", l.Addr().String(), "--db", db)
	if _, status := p.end(t); status != 1 || !strings.Contains(p.stderr.String(), "address already in use") {
		t.Errorf("exit status %d, %s", status, p.stderr.String())
	}
	if _, err := os.Stat(db); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the database: %v", err)
	}
}

// TestServeTLS serves by a certificate in a file: browsers reach the server by the certificate's name, its cookies are theirs
// over TLS alone, and there are passkeys.
func TestServeTLS(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"club.example"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err1 := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	secret, err2 := x509.MarshalPKCS8PrivateKey(key)
	file := func(name, kind string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	db, word := filepath.Join(dir, "krow.db"), filepath.Join(dir, "word")
	if err := os.WriteFile(word, []byte("correct horse"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, status := start(t, "club", "add", "ann", "--owner", "--password-file", word, "--db", db).end(t); status != 0 {
		t.Fatalf("krow club add: exit status %d", status)
	}
	p := start(t, "serve", "--addr", "127.0.0.1:0", "--db", db, "--tls-cert", file("cert", "CERTIFICATE", der), "--tls-key", file("key", "PRIVATE KEY", secret))
	line, err := p.stdout.ReadString('\n')
	m := regexp.MustCompile(`^serving https://(127\.0\.0\.1:\d+)/ `).FindStringSubmatch(line)
	if err != nil || m == nil {
		t.Fatalf("%q, %v, %s", line, err, p.stderr.String())
	}
	roots := x509.NewCertPool()
	if parsed, err := x509.ParseCertificate(der); err == nil {
		roots.AddCert(parsed)
	}
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots},
		ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, m[1])
		},
	}}
	defer client.CloseIdleConnections()
	a, err := client.Post("https://club.example/api/club/login", "application/json", strings.NewReader(`{"name":"ann","password":"correct horse"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var me struct{ Name, Passkeys string }
	if err := json.NewDecoder(a.Body).Decode(&me); err != nil || a.StatusCode != 200 || me.Name != "ann" || me.Passkeys != "yes" {
		t.Errorf("login: %s, %+v, %v", a.Status, me, err)
	}
	if cookie := a.Header.Get("Set-Cookie"); !strings.Contains(cookie, "Secure") || a.Header.Get("Strict-Transport-Security") == "" || a.ProtoMajor != 2 {
		t.Errorf("%s with the cookie %q and %v", a.Proto, cookie, a.Header)
	}
	finish(t, p)
}

// ask decodes the answer to a request, which must succeed.
func ask(t *testing.T, v any, f func() (*http.Response, error)) {
	t.Helper()
	a, err := f()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", a.Status, data, err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// finish stops a server as a supervisor does.
func finish(t *testing.T, p *process) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, status := p.end(t); status != 0 {
		t.Errorf("exit status %d, %s", status, p.stderr.String())
	}
}
