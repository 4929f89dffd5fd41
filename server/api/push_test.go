// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
)

// pushed is a message as a push service receives it.
type pushed struct {
	path, topic, authorization string
	body                       []byte
}

// pushService is a push service on this machine. It answers with the next of its answers, or 201.
type pushService struct {
	*httptest.Server
	came    chan pushed
	answers chan int
}

func newPushService(t *testing.T) *pushService {
	s := &pushService{came: make(chan pushed, 20), answers: make(chan int, 20)}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		status := 201
		select {
		case status = <-s.answers:
		default:
		}
		w.WriteHeader(status)
		s.came <- pushed{r.URL.Path, r.Header.Get("Topic"), r.Header.Get("Authorization"), body}
	}))
	t.Cleanup(s.Close)
	return s
}

// pushBrowser is a browser with a subscription.
type pushBrowser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newPushBrowser(t *testing.T) pushBrowser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := pushBrowser{key, make([]byte, 16)}
	_, _ = rand.Read(b.auth)
	return b
}

func (b pushBrowser) subscription(endpoint string) object {
	return object{"endpoint": endpoint, "p256dh": unpadded.EncodeToString(b.key.PublicKey().Bytes()), "auth": unpadded.EncodeToString(b.auth)}
}

var unpadded = base64.RawURLEncoding

// decrypt reads a message as a browser does, by RFC 8291 and RFC 8188: a salt of 16 bytes, the length of a record, the length of the
// sender's key, the key, and one record.
func (b pushBrowser) decrypt(t *testing.T, body []byte) (text map[string]string) {
	t.Helper()
	salt, n := body[:16], int(body[20])
	from, record := body[21:21+n], body[21+n:]
	sender, err := ecdh.P256().NewPublicKey(from)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := b.key.ECDH(sender)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, length int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, length)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	secret := derive(shared, b.auth, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(from), 32)
	block, err := aes.NewCipher(derive(secret, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gcm.Open(nil, derive(secret, salt, "Content-Encoding: nonce\x00", 12), record, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(strings.TrimRight(string(plain), "\x00\x02")), &text); err != nil {
		t.Fatalf("%q: %v", plain, err)
	}
	return text
}

// checkSignature checks that a message comes from the server with this public key, and is for this push service.
func checkSignature(t *testing.T, authorization, key, service string) {
	t.Helper()
	token, ok := strings.CutPrefix(authorization, "vapid t=")
	token, sent, ok2 := strings.Cut(token, ", k=")
	signed, signature, _ := cutAtLast(token, ".")
	_, claims, _ := strings.Cut(signed, ".")
	point, _ := unpadded.DecodeString(key)
	s, _ := unpadded.DecodeString(signature)
	data, _ := unpadded.DecodeString(claims)
	if !ok || !ok2 || sent != key || len(s) != 64 || len(point) != 65 || !strings.Contains(string(data), `"aud":"`+service+`"`) {
		t.Fatalf("%q with the key %q: %s", authorization, key, data)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(signed))
	if !ecdsa.Verify(public, hash[:], new(big.Int).SetBytes(s[:32]), new(big.Int).SetBytes(s[32:])) {
		t.Error("the signature is wrong")
	}
}

func cutAtLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	return s[:max(i, 0)], s[i+1:], i >= 0
}

// TestPush: a member who has subscribed is called once for each turn in a correspondence game, and reads who has moved. A browser
// that its push service no longer knows, and one that has logged out or switched the calls off, receives nothing.
func TestPush(t *testing.T) {
	service := newPushService(t)
	s := newClubSite(t, club.Guest, func(o *api.Options) { o.People.Push = service.Client() })
	key := said[api.PushKey](s, "bob", "GET", "/club/push", nil).Key
	bob, cyd, otto := newPushBrowser(t), newPushBrowser(t), newPushBrowser(t)
	for _, bad := range []object{
		bob.subscription(strings.Replace(service.URL, "https:", "http:", 1)),
		{"endpoint": service.URL + "/bob", "p256dh": "AAAA", "auth": unpadded.EncodeToString(bob.auth)},
		{"endpoint": service.URL + "/bob", "p256dh": unpadded.EncodeToString(bob.key.PublicKey().Bytes()), "auth": "AAAA"},
	} {
		if code, _ := s.answered("bob", "POST", "/api/club/push", bad); code != 422 {
			t.Errorf("%v: %d", bad, code)
		}
	}
	if code, _ := s.answered("guest", "POST", "/api/club/push", bob.subscription(service.URL+"/guest")); code != 401 && code != 403 {
		t.Errorf("a guest subscribes: %d", code)
	}
	s.done("bob", "POST", "/club/push", bob.subscription(service.URL+"/bob"))
	s.done("cyd", "POST", "/club/push", cyd.subscription(service.URL+"/cyd"))

	begin := func(opponent string, clock object) string {
		c := said[lobby.Challenge](s, "bob", "POST", "/challenges", object{"terms": object{"game": "tictactoe", "colour": "second", "clock": clock}, "listed": true})
		return said[api.Game](s, opponent, "POST", "/challenges/"+c.ID+"/accept", object{}).ID
	}
	begin("cyd", object{"seconds": 300}) // no correspondence game: nobody is called
	game := begin("cyd", object{"turn": 3 * 86400})
	expect := func(to string, b pushBrowser, by string) {
		t.Helper()
		m := <-service.came
		if text := b.decrypt(t, m.body); m.path != "/"+to || m.topic != game || text["game"] != game || text["by"] != by {
			t.Fatalf("%s receives %v, topic %s, want %s by %s", m.path, text, m.topic, to, by)
		}
		checkSignature(t, m.authorization, key, service.URL)
	}
	expect("cyd", cyd, "bob")
	said[api.Game](s, "cyd", "POST", "/games/"+game+"/moves", object{"move": "b2", "ply": 0})
	expect("bob", bob, "cyd")
	said[api.Game](s, "cyd", "POST", "/games/"+game+"/say", object{"phrase": "hello", "ply": 1}) // no new turn: no call
	service.answers <- 410
	said[api.Game](s, "bob", "POST", "/games/"+game+"/moves", object{"move": "a1", "ply": 1})
	expect("cyd", cyd, "bob")  // the service no longer knows cyd's browser
	for left := 1; left > 0; { // the server deletes the subscription after the answer
		all, err := s.db.Subscriptions(s.memberID("cyd"))
		if left = len(all); err != nil {
			t.Fatal(err)
		}
	}
	said[api.Game](s, "cyd", "POST", "/games/"+game+"/moves", object{"move": "a2", "ply": 2})
	expect("bob", bob, "cyd")
	// Nobody who may still have a call waiting subscribes again, because the call would then be sent.
	said[api.Game](s, "bob", "POST", "/games/"+game+"/moves", object{"move": "c2", "ply": 3}) // nobody is called
	said[api.Game](s, "cyd", "POST", "/games/"+game+"/moves", object{"move": "c1", "ply": 4})
	expect("bob", bob, "cyd")

	s.done("bob", "POST", "/club/push", object{"endpoint": ""})
	s.done("otto", "POST", "/club/push", otto.subscription(service.URL+"/otto"))
	game = begin("otto", object{"turn": 3 * 86400})
	expect("otto", otto, "bob")
	said[api.Game](s, "otto", "POST", "/games/"+game+"/moves", object{"move": "b2", "ply": 0}) // bob has switched the calls off
	if code, _ := s.answered("otto", "POST", "/api/club/logout", nil); code != 200 {
		t.Errorf("otto logs out: %d", code)
	}
	said[api.Game](s, "bob", "POST", "/games/"+game+"/moves", object{"move": "a1", "ply": 1}) // otto has no session
	if again, err := club.New(s.db, club.Options{Cheap: true}).PushKey(); again != key || err != nil {
		t.Errorf("after a restart the key is %s, want %s; %v", again, key, err)
	}
	for n := len(service.came); n > 0; n-- {
		m := <-service.came
		t.Errorf("a call too many, of %s about %s", m.path, m.topic)
	}
}

// TestPushForgets: the server deletes the subscription of a browser that its push service no longer knows, which the service says by
// 404 or 410, and keeps it after any other failure.
func TestPushForgets(t *testing.T) {
	service := newPushService(t)
	s := newClubSite(t, club.Guest)
	c := club.New(s.db, club.Options{Cheap: true, Push: service.Client()})
	for _, tc := range []struct {
		status, left int
		fails        bool
	}{{404, 0, false}, {410, 0, false}, {429, 1, true}, {500, 1, true}, {201, 1, false}} {
		s.done("bob", "POST", "/club/push", newPushBrowser(t).subscription(service.URL+"/bob"))
		service.answers <- tc.status
		err := c.Push(t.Context(), s.memberID("bob"), "game", []byte("{}"))
		<-service.came
		all, failed := s.db.Subscriptions(s.memberID("bob"))
		if len(all) != tc.left || failed != nil || (err != nil) != tc.fails {
			t.Errorf("after %d there are %d subscriptions, want %d; %v, %v", tc.status, len(all), tc.left, err, failed)
		}
	}
}

// TestPushGoesToPublicAddresses: a member cannot make the server send requests to its own network.
func TestPushGoesToPublicAddresses(t *testing.T) {
	service := newPushService(t)
	s := newClubSite(t, club.Guest)
	c := club.New(s.db, club.Options{Cheap: true})
	s.done("bob", "POST", "/club/push", newPushBrowser(t).subscription(service.URL+"/bob"))
	err := c.Push(t.Context(), s.memberID("bob"), "game", []byte("{}"))
	if err == nil || !strings.Contains(err.Error(), "is not a public address") {
		t.Errorf("the error is %v", err)
	}
}
