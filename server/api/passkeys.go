// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

func (s *Server) registerPasskeys() {
	answerJSON(s, op(club.Nobody, "passkey-login-begin", "POST", "/club/login/passkey/begin", "club", "Begin a login with a passkey"), s.beginLogin)
	huma.Register(s.api, op(club.Nobody, "passkey-login", "POST", "/club/login/passkey", "club", "Begin a session with a passkey"), s.loginByPasskey)
	answerJSON(s, op(club.Nobody, "passkey-join-begin", "POST", "/club/join/passkey/begin", "club", "Begin to make a passkey for the person who opened a link from an organiser"), s.beginJoin)
	huma.Register(s.api, op(club.Nobody, "passkey-join", "POST", "/club/join/passkey", "club", "Use a link once, with a passkey in place of a password"), s.joinByPasskey)
	answerList(s, op(club.Member, "passkeys", "GET", "/club/passkeys", "club", "List the caller's passkeys"), s.passkeys)
	answerJSON(s, op(club.Member, "passkey-begin", "POST", "/club/passkeys/begin", "club", "Begin to make another passkey of the caller; requires the password or a recent login"), s.beginPasskey)
	remove(s, op(club.Member, "add-passkey", "POST", "/club/passkeys", "club", "Store a passkey that the browser has made"), s.addPasskey)
	remove(s, with(s.proving, op(club.Member, "remove-passkey", "DELETE", "/club/passkeys/{id}", "club", "Delete a passkey of the caller")), s.removePasskey)
}

// Each value reports whether a browser can use passkeys for the server under the host name of the request, or the reason why
// not.
const (
	passkeysYes      = "yes"
	passkeysInsecure = "insecure" // the browser is on another machine, and the connection has no TLS
	passkeysNumber   = "number"   // the server's host is an IP address, but passkeys need a name
)

// site returns the name and origin under which the browser reaches the server, and whether the browser can use passkeys there.
func (v visit) site() (club.Site, string) {
	name := strings.ToLower(v.host)
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	switch {
	case err == nil && (v.secure || v.address.IsLoopback()):
		return club.Site{}, passkeysNumber
	case !v.secure && name != "localhost":
		return club.Site{}, passkeysInsecure
	}
	scheme := "http://"
	if v.secure {
		scheme = "https://"
	}
	return club.Site{Name: name, Origin: scheme + strings.ToLower(v.host)}, passkeysYes
}

func siteOf(ctx context.Context) club.Site {
	site, _ := visitOf(ctx).site()
	return site
}

// PasskeyAnswer is the answer of the browser's WebAuthn interface.
type PasskeyAnswer struct {
	State  string          `json:"state" maxLength:"4000" doc:"state of the ceremony, as its first answer contains it"`
	Answer json.RawMessage `json:"answer" doc:"a PublicKeyCredential as JSON"`
}

func (s *Server) beginLogin(ctx context.Context, _ *struct{}) (club.Ceremony, error) {
	return s.club.BeginLogin(siteOf(ctx))
}

func (s *Server) loginByPasskey(ctx context.Context, in *struct{ Body PasskeyAnswer }) (*meWithCookie, error) {
	v := visitOf(ctx)
	who, token, err := s.club.LoginByPasskey(siteOf(ctx), in.Body.State, in.Body.Answer, v.browser())
	if errors.Is(err, club.ErrPasskey) || errors.Is(err, club.ErrBanned) {
		s.log.Warn("login by passkey failed", "from", v.address, "error", oneLine(err.Error()))
	}
	return s.entered(ctx, who, token, err)
}

type beginJoinInput struct {
	Body struct {
		LinkSecret
		Name string `json:"name" maxLength:"200" doc:"name of the new member"`
	}
}

func (s *Server) beginJoin(ctx context.Context, in *beginJoinInput) (club.Ceremony, error) {
	return s.club.BeginJoin(in.Body.Link, in.Body.Name, siteOf(ctx))
}

type passkeyJoinInput struct {
	Body struct {
		LinkSecret
		PasskeyAnswer
		Name string `json:"name" maxLength:"200" doc:"name of the new member"`
		Key  string `json:"key" maxLength:"100" doc:"name of the passkey"`
	}
}

func (s *Server) joinByPasskey(ctx context.Context, in *passkeyJoinInput) (*meWithCookie, error) {
	b := &in.Body
	who, token, err := s.club.JoinByPasskey(b.Link, b.Name, siteOf(ctx), b.State, b.Answer, oneLine(b.Key), visitOf(ctx).browser())
	return s.entered(ctx, who, token, err)
}

func (s *Server) passkeys(ctx context.Context, _ *struct{}) ([]store.Passkey, error) {
	return s.db.Passkeys(club.From(ctx).Member)
}

type beginPasskeyInput struct {
	Body struct {
		Password string `json:"password" maxLength:"1000" doc:"password of the caller; empty if the caller has none"`
	}
}

func (s *Server) beginPasskey(ctx context.Context, in *beginPasskeyInput) (x club.Ceremony, err error) {
	p, err := s.proof(ctx, in.Body.Password)
	if err == nil {
		x, err = s.club.BeginPasskey(ctx, club.From(ctx), p, siteOf(ctx))
	}
	return x, err
}

type addPasskeyInput struct {
	Body struct {
		PasskeyAnswer
		Key string `json:"key" maxLength:"100" doc:"name of the passkey"`
	}
}

func (s *Server) addPasskey(ctx context.Context, in *addPasskeyInput) error {
	return s.club.AddPasskey(club.From(ctx), siteOf(ctx), in.Body.State, in.Body.Answer, oneLine(in.Body.Key))
}

type passkeyRef struct {
	ID string `path:"id" maxLength:"2046"`
}

func (s *Server) removePasskey(ctx context.Context, in *passkeyRef) error {
	id, err := hex.DecodeString(in.ID)
	if err != nil {
		return noMember.with(store.ErrNoPasskey.Error(), "")
	}
	return s.club.RemovePasskey(club.From(ctx), id)
}
