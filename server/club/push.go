// SPDX-License-Identifier: Apache-2.0

package club

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/store"
)

// Subscription says where and how a browser receives messages while no page is open. See [Club.Push].
type Subscription struct {
	Endpoint string `json:"endpoint" maxLength:"1000" doc:"address of the browser at its push service; empty: the browser receives no messages"`
	P256dh   string `json:"p256dh,omitempty" maxLength:"200" doc:"public key of the browser"`
	Auth     string `json:"auth,omitempty" maxLength:"50" doc:"secret of the browser"`
}

var errSubscription = fault.New("bad-request", "a subscription needs an address that begins with https://, and both keys of the browser")

// Subscribe stores the subscription of the session with this token. It replaces the session's previous subscription.
func (c *Club) Subscribe(token string, s Subscription) error {
	if s.Endpoint != "" {
		point, err := base64.RawURLEncoding.DecodeString(s.P256dh)
		if err == nil {
			_, err = ecdh.P256().NewPublicKey(point)
		}
		auth, _ := base64.RawURLEncoding.DecodeString(s.Auth)
		if err != nil || len(auth) != 16 || !strings.HasPrefix(s.Endpoint, "https://") {
			return errSubscription
		}
	}
	return c.db.Subscribe(store.Subscription{Session: digest(token), Endpoint: s.Endpoint, P256dh: s.P256dh, Auth: s.Auth})
}

// pushKeys are the keys that identify the server to push services. A browser accepts messages only from the server whose public
// key it has received.
//
// CITE: Thomson and Beverloo, Voluntary Application Server Identification (VAPID) for Web Push, RFC 8292, 2017.
type pushKeys struct{ Public, Private string }

// makePushKeys returns the server's keys. At the first call it makes them and keeps them in the store.
func makePushKeys(db *store.Store) (k pushKeys, err error) {
	const piece = "push keys"
	data, err := db.Piece(piece)
	if err != nil || data != nil {
		return k, errors.Join(err, json.Unmarshal(data, &k))
	}
	if k.Private, k.Public, err = webpush.GenerateVAPIDKeys(); err != nil {
		return k, err
	}
	data, _ = json.Marshal(k) // two texts
	return k, db.PutPiece(piece, data)
}

// PushKey returns the server's public key, which browsers need to subscribe.
func (c *Club) PushKey() (string, error) {
	k, err := c.pushKeys()
	return k.Public, err
}

// Push sends a message to all subscribed browsers of a member. topic names what the message is about: a push service keeps only
// the last message of a topic for a browser that is offline. A subscription that the push service no longer knows is deleted.
//
// CITE: Thomson, Message Encryption for Web Push, RFC 8291, 2017.
func (c *Club) Push(ctx context.Context, member int64, topic string, message []byte) error {
	all, err := c.db.Subscriptions(member)
	if err != nil || len(all) == 0 {
		return err
	}
	keys, err := c.pushKeys()
	if err != nil {
		return err
	}
	for _, s := range all {
		to := webpush.Subscription{Endpoint: s.Endpoint, Keys: webpush.Keys{Auth: s.Auth, P256dh: s.P256dh}}
		answer, failed := webpush.SendNotificationWithContext(ctx, message, &to, &webpush.Options{
			HTTPClient: c.push, Subscriber: c.site, Topic: topic, TTL: pushLife, VAPIDPublicKey: keys.Public, VAPIDPrivateKey: keys.Private,
		})
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		_ = answer.Body.Close()
		switch code := answer.StatusCode; {
		case code == http.StatusNotFound || code == http.StatusGone:
			err = errors.Join(err, c.db.Subscribe(store.Subscription{Session: s.Session}))
		case code >= 300:
			err = errors.Join(err, fmt.Errorf("a push service answers %s", answer.Status))
		}
	}
	return err
}

const (
	pushLife = 24 * 60 * 60     // seconds for which a push service keeps a message for a browser that is offline
	pushTime = 10 * time.Second // time limit for one message
)

// newPushClient returns a client that sends only to public addresses. Members choose the addresses, and without this limit a
// member could make the server send requests to machines that the member cannot reach.
func newPushClient() *http.Client {
	dialer := net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		a, err := netip.ParseAddrPort(address)
		if ip := a.Addr().Unmap(); err != nil || !ip.IsGlobalUnicast() || ip.IsPrivate() {
			return fmt.Errorf("%s is not a public address", address)
		}
		return nil
	}}
	return &http.Client{
		Timeout:       pushTime,
		Transport:     &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute, MaxIdleConns: 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
