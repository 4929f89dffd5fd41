// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"image/png"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store"
)

func (s *Server) registerClub() {
	answerJSON(s, op(club.Nobody, "me", "GET", "/club", "club", "The caller's name and role, and whether the server has members"), s.me)
	huma.Register(s.api, op(club.Nobody, "login", "POST", "/club/login", "club", "Begin a session"), s.login)
	huma.Register(s.api, op(club.Member, "logout", "POST", "/club/logout", "club", "End this session"), s.logout)
	answerJSON(s, op(club.Nobody, "link", "POST", "/club/link", "club", "The purpose of a link: an invitation, or a new password"), s.clubLink)
	huma.Register(s.api, op(club.Nobody, "join", "POST", "/club/join", "club", "Use a link once: become a member, or set a new password"), s.join)
	answerJSON(s, op(club.Member, "push-key", "GET", "/club/push", "club", "The key with which a browser subscribes to the server's messages"), s.pushKey)
	remove(s, op(club.Member, "subscribe", "POST", "/club/push", "club", "Send this browser a message when it is the caller's turn in a correspondence game, or stop these messages"), s.subscribe)
	answerList(s, op(club.Member, "sessions", "GET", "/club/sessions", "club", "List the caller's sessions"), s.sessions)
	remove(s, op(club.Member, "end-session", "DELETE", "/club/sessions/{id}", "club", "End a session of the caller; if the id is the word others, end all sessions except this one"), s.endSession)
	remove(s, op(club.Member, "prove", "POST", "/club/prove", "club", "Confirm the caller's identity with the password; actions that cannot be undone require this once in ten minutes"), s.prove)
	remove(s, op(club.Member, "change-password", "POST", "/club/password", "club", "Set the caller's password; the caller's other sessions end"), s.changePassword)
	remove(s, with(s.proving, op(club.Member, "rename", "POST", "/club/name", "club", "Change the caller's name")), s.rename)
	huma.Register(s.api, op(club.Member, "export-me", "GET", "/club/export", "club", "All data that the server stores about the caller, as JSON"), s.exportMe)
	remove(s, with(s.proving, op(club.Member, "leave", "POST", "/club/leave", "club", "Leave the club: all data that belongs only to the caller is deleted")), s.leave)

	remove(s, op(club.Member, "lesson-done", "POST", "/lessons", "club", "Record how far the caller is with a lesson"), s.lessonDone)
	answerList(s, op(club.Organiser, "lessons-done", "GET", "/lessons", "club", "For each member the progress in lessons, and the number of tests that each bot passed"), s.progress)

	answerJSON(s, with(s.proving, op(club.Member, "second-begin", "POST", "/club/second/begin", "club", "Make a secret for an authenticator app, the caller's second factor beside the password")), s.newSecond)
	remove(s, with(s.proving, op(club.Member, "set-second", "POST", "/club/second", "club", "Set the caller's second factor, or remove it with an empty secret")), s.setSecond)

	s.registerPasskeys()

	answerList(s, op(club.Member, "members", "GET", "/members", "club", "List the members"), s.members)
	answerJSON(s, op(club.Organiser, "invite", "POST", "/invitations", "club", "Make a link with which one person can become a member"), s.invite)
	answerList(s, op(club.Organiser, "invitations", "GET", "/invitations", "club", "List the links that can still be used"), s.invitations)
	remove(s, op(club.Organiser, "take-back-invitation", "DELETE", "/invitations/{id}", "club", "Delete a link"), s.takeBackInvitation)
	answerJSON(s, with(s.proving, op(club.Owner, "password-link", "POST", "/members/{id}/link", "club", "Make a link with which a member can set a new password")), s.passwordLink)
	remove(s, with(s.proving, op(club.Organiser, "ban", "POST", "/members/{id}/ban", "club", "Ban a member, or lift the ban")), s.ban)
	remove(s, with(s.proving, op(club.Owner, "set-role", "POST", "/members/{id}/role", "club", "Change the role of a member")), s.setRole)
	remove(s, with(s.proving, op(club.Owner, "remove-member", "DELETE", "/members/{id}", "club", "Delete a member")), func(ctx context.Context, in *RunRef) error { return s.club.Remove(club.From(ctx), in.ID) })
	answerList(s, op(club.Organiser, "audit", "GET", "/audit", "club", "The audit log, the latest first: actions of owners and organisers, or changes that members made to their own accounts"), s.audit)
}

// Me describes the caller.
type Me struct {
	Club   bool   `json:"club" doc:"whether the server has members; otherwise every caller is the owner of the server"`
	Member int64  `json:"member" doc:"number of the member; 0: not logged in"`
	Name   string `json:"name"`
	Role   string `json:"role" enum:"nobody,watcher,guest,member,organiser,owner"`
	// Passkeys reports whether the browser can use passkeys. They require a host name instead of an address, and TLS unless
	// browser and server run on the same machine.
	Passkeys string `json:"passkeys" enum:"yes,insecure,number" doc:"whether the browser can use passkeys here; insecure: no, because they require HTTPS; number: no, because they require a host name such as localhost in place of the address"`
	Second   bool   `json:"second,omitempty" doc:"whether a login with the password needs a code"`
	Title    string `json:"title,omitempty" doc:"name of the club"`
	Machines bool   `json:"machines,omitempty" doc:"whether other machines can work for the server"`
	Banned   string `json:"banned,omitempty" doc:"why the member who was logged in here is banned"`
}

func (s *Server) meOf(ctx context.Context, who club.Who) Me {
	_, passkeys := visitOf(ctx).site()
	return Me{s.o.Club, who.Member, who.Name, who.Role.String(), passkeys, who.Second, s.o.Name, s.o.Machines != nil, ""}
}

func (s *Server) me(ctx context.Context, _ *struct{}) (m Me, err error) {
	m = s.meOf(ctx, club.From(ctx))
	if m.Member == 0 {
		m.Banned, err = s.club.WhyBanned(visitOf(ctx).token)
	}
	return m, err
}

// meWithCookie is the answer to a request that begins or ends a session: the caller and the cookie to set.
type meWithCookie struct {
	SetCookie string `header:"Set-Cookie"`
	Body      Me
}

func (v visit) sessionCookie(token string) string {
	c := http.Cookie{Name: v.cookie(sessionCookie), Value: token, Path: "/", HttpOnly: true, Secure: v.secure, SameSite: http.SameSiteLaxMode, MaxAge: 90 * 24 * 3600}
	if token == "" {
		c.MaxAge = -1
	}
	return c.String()
}

func (s *Server) entered(ctx context.Context, who club.Who, token string, err error) (*meWithCookie, error) {
	if err != nil {
		return nil, s.fault(err)
	}
	// The previous session of this browser ends. If an attacker has put the token of that session into the browser, the token is
	// then worthless.
	if v := visitOf(ctx); v.token != "" {
		if old := club.From(ctx); old.Member != 0 {
			if err := s.club.Logout(old, v.token); err != nil && !errors.Is(err, store.ErrNoSession) {
				return nil, s.fault(err)
			}
		}
	}
	return &meWithCookie{visitOf(ctx).sessionCookie(token), s.meOf(ctx, who)}, nil
}

// guessKeys returns the keys under which guesses of a password are counted: usually the member's name and the caller's
// address. If that member has logged in in this browser before, the key combines the name and the browser, so that guesses
// from elsewhere do not lock the member out.
func (s *Server) guessKeys(name string, v visit) ([]string, error) {
	known, err := s.club.Knows(name, v.browser())
	name = strings.ToLower(name)
	if known {
		return []string{"device " + v.device + " " + name}, err
	}
	return []string{"name " + name, gate.ByAddress + v.prefix}, err
}

type loginInput struct {
	Body struct {
		Name     string `json:"name" maxLength:"200"`
		Password string `json:"password" maxLength:"1000"`
		Code     string `json:"code,omitempty" maxLength:"20" doc:"current code of the second factor"`
	}
}

func (s *Server) login(ctx context.Context, in *loginInput) (*meWithCookie, error) {
	v := visitOf(ctx)
	keys, err := s.guessKeys(in.Body.Name, v)
	if err != nil {
		return nil, s.fault(err)
	}
	if err := s.shares.Guess(keys, time.Now()); err != nil {
		s.log.Warn("login throttled", "name", s.loggedName(in.Body.Name), "from", v.address)
		return nil, s.fault(err)
	}
	who, token, err := s.club.Login(ctx, in.Body.Name, in.Body.Password, in.Body.Code, v.browser())
	switch {
	case errors.Is(err, club.ErrLogin), errors.Is(err, club.ErrCode), errors.Is(err, club.ErrBanned):
		s.log.Warn("login failed", "name", s.loggedName(in.Body.Name), "from", v.address, "error", err)
	case err == nil:
		s.shares.Guessed(keys)
	}
	return s.entered(ctx, who, token, err)
}

// loggedName returns the text to log for a name. A name that no member has is not logged itself, because it may be a
// password typed into the wrong field.
func (s *Server) loggedName(name string) string {
	m, err := s.club.Find(name)
	if err != nil {
		return "(nobody's)"
	}
	return m.Name
}

func (s *Server) logout(ctx context.Context, _ *struct{}) (*meWithCookie, error) {
	v := visitOf(ctx)
	if v.token != "" {
		if err := s.club.Logout(club.From(ctx), v.token); err != nil {
			return nil, s.fault(err)
		}
	}
	return &meWithCookie{v.sessionCookie(""), s.meOf(ctx, club.Who{Role: s.o.Guests})}, nil
}

// LinkSecret is the secret of a link, in the body of a request: a secret in its URL would appear in logs.
type LinkSecret struct {
	Link string `json:"link" maxLength:"100" doc:"the part of the link after #"`
}

type linkInput struct{ Body LinkSecret }

type linkBody struct {
	Name string `json:"name" doc:"name of the member whose password it sets; empty for an invitation"`
	New  bool   `json:"new,omitempty" doc:"whether the member has no password and no passkey yet"`
}

func (s *Server) clubLink(_ context.Context, in *linkInput) (out linkBody, err error) {
	m, err := s.club.Link(in.Body.Link)
	return linkBody{m.Name, m.Name != "" && !m.Entered}, err
}

type joinClubInput struct {
	Body struct {
		LinkSecret
		Name     string `json:"name" maxLength:"200" doc:"name of a new member"`
		Password string `json:"password" maxLength:"1000"`
	}
}

func (s *Server) join(ctx context.Context, in *joinClubInput) (*meWithCookie, error) {
	who, token, err := s.club.Join(in.Body.Link, in.Body.Name, in.Body.Password, visitOf(ctx).browser())
	return s.entered(ctx, who, token, err)
}

func (s *Server) sessions(ctx context.Context, _ *struct{}) ([]store.Session, error) {
	all, err := s.db.Sessions(club.From(ctx).Member)
	for i := range all {
		all[i].This = s.club.Is(all[i], visitOf(ctx).token)
	}
	return all, err
}

type sessionRef struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Server) endSession(ctx context.Context, in *sessionRef) error {
	me := club.From(ctx).Member
	if in.ID == "others" {
		return s.club.EndSessions(me, visitOf(ctx).token)
	}
	hash, err := hex.DecodeString(in.ID)
	if err != nil || len(hash) == 0 {
		return noMember.with(store.ErrNoSession.Error(), "")
	}
	return s.club.EndSession(me, hash)
}

type changePasswordInput struct {
	Body struct {
		Old      string `json:"old" maxLength:"1000"`
		Password string `json:"password" maxLength:"1000"`
	}
}

func (s *Server) changePassword(ctx context.Context, in *changePasswordInput) error {
	p, err := s.proof(ctx, in.Body.Old)
	if err != nil {
		return err
	}
	return s.club.ChangePassword(ctx, club.From(ctx), p, in.Body.Password)
}

// proof returns the password and the session token as evidence that the caller is the member. It counts the call as a guess of
// the password, so that a person who has stolen the session cannot try many passwords.
func (s *Server) proof(ctx context.Context, password string) (p club.Proof, err error) {
	v := visitOf(ctx)
	keys, err := s.guessKeys(club.From(ctx).Name, v)
	if err != nil {
		return p, err
	}
	if err := s.shares.Guess(keys, time.Now()); err != nil {
		return club.Proof{}, err
	}
	return club.Proof{Password: password, Token: v.token}, nil
}

type proveInput struct {
	Body struct {
		Password string `json:"password" maxLength:"1000"`
	}
}

func (s *Server) prove(ctx context.Context, in *proveInput) error {
	p, err := s.proof(ctx, in.Body.Password)
	if err != nil {
		return err
	}
	if err := s.club.Prove(ctx, club.From(ctx), p); err != nil {
		return err
	}
	keys, err := s.guessKeys(club.From(ctx).Name, visitOf(ctx))
	s.shares.Guessed(keys)
	return err
}

// proved returns an error unless the caller has recently entered the password or used a passkey again, so that a stolen
// session is not enough. Without Options.Club it returns nil.
func (s *Server) proved(ctx context.Context) error {
	if !s.o.Club {
		return nil
	}
	return s.club.Fresh(club.From(ctx), visitOf(ctx).token)
}

// proving is the middleware of operations that cannot be undone. It answers with an error unless proved allows the request.
func (s *Server) proving(ctx huma.Context, next func(huma.Context)) {
	if err := s.proved(ctx.Context()); err != nil {
		s.refuse(ctx, err)
		return
	}
	next(ctx)
}

type secondBody struct {
	Secret  string `json:"secret" maxLength:"100"`
	Picture []byte `json:"picture" doc:"QR code of the secret, as PNG"`
}

func (s *Server) newSecond(ctx context.Context, _ *struct{}) (out secondBody, err error) {
	key, err := s.club.NewSecond(club.From(ctx))
	if err != nil {
		return out, err
	}
	picture, err := key.Image(240, 240)
	if err != nil {
		return out, err
	}
	var b bytes.Buffer
	err = png.Encode(&b, picture)
	return secondBody{key.Secret(), b.Bytes()}, err
}

type setSecondInput struct {
	Body struct {
		Secret string `json:"secret" maxLength:"100" doc:"empty: remove the second factor"`
		Code   string `json:"code,omitempty" maxLength:"20"`
	}
}

func (s *Server) setSecond(ctx context.Context, in *setSecondInput) error {
	return s.club.SetSecond(club.From(ctx), in.Body.Secret, in.Body.Code)
}

type nameInput struct {
	Body struct {
		Name string `json:"name" maxLength:"200"`
	}
}

func (s *Server) rename(ctx context.Context, in *nameInput) error {
	who := club.From(ctx)
	return s.club.Rename(who, who.Member, in.Body.Name)
}

// exportMe answers with all stored data about the caller. It writes them to a temporary file first, so that a slow client
// occupies neither the database nor memory.
func (s *Server) exportMe(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	f, err := os.CreateTemp("", "krow-export-")
	if err != nil {
		return nil, s.fault(err)
	}
	done := func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	err = s.db.ExportMember(f, club.From(ctx).Member)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, s.fault(errors.Join(err, done()))
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "application/json")
		hc.SetHeader("Content-Disposition", `attachment; filename="krow-me.json"`)
		_, err := io.Copy(hc.BodyWriter(), f)
		if err := errors.Join(err, done()); err != nil {
			s.log.Warn("export", "error", err)
		}
	}}, nil
}

type leaveClubInput struct {
	Body struct {
		Name string `json:"name" maxLength:"200" doc:"the caller's own name, so that nobody leaves by mistake"`
	}
}

func (s *Server) leave(ctx context.Context, in *leaveClubInput) error {
	who := club.From(ctx)
	if in.Body.Name != who.Name {
		return badName.with("write your own name to leave", in.Body.Name)
	}
	return s.club.Remove(who, who.Member)
}

// members lists the members. Organisers see more fields.
func (s *Server) members(ctx context.Context, _ *struct{}) ([]store.Member, error) {
	all, err := s.db.ClubMembers()
	for i, m := range all {
		if club.From(ctx).Role < club.Organiser {
			all[i] = store.Member{ID: m.ID, Name: m.Name, Role: m.Role, Created: m.Created}
		}
	}
	return all, err
}

type inviteInput struct {
	Body struct {
		Role string `json:"role" enum:"member,organiser,owner" default:"member"`
		Note string `json:"note,omitempty" maxLength:"100" doc:"the person for whom the invitation is"`
	}
}

func (s *Server) invite(ctx context.Context, in *inviteInput) (out LinkSecret, err error) {
	role, _ := club.ParseRole(cmp.Or(in.Body.Role, "member"))
	if role > club.Member {
		if err := s.proved(ctx); err != nil {
			return out, err
		}
	}
	out.Link, err = s.club.Invite(club.From(ctx), role, oneLine(in.Body.Note))
	return out, err
}

func (s *Server) invitations(context.Context, *struct{}) ([]store.MemberLink, error) {
	return s.db.MemberLinks()
}

func (s *Server) takeBackInvitation(ctx context.Context, in *sessionRef) error {
	hash, err := hex.DecodeString(in.ID)
	if err != nil {
		return noLink.new()
	}
	return s.club.TakeBack(club.From(ctx), hash)
}

func (s *Server) passwordLink(ctx context.Context, in *RunRef) (out LinkSecret, err error) {
	if in.ID == club.From(ctx).Member {
		return out, notAllowed.with("you change your own password where you are logged in", "")
	}
	out.Link, err = s.club.NewPassword(club.From(ctx), in.ID)
	return out, err
}

type banInput struct {
	RunRef
	Body struct {
		Reason string `json:"reason" maxLength:"100" doc:"reason of the ban; if it is empty, the ban is lifted"`
	}
}

func (s *Server) ban(ctx context.Context, in *banInput) error {
	if err := s.club.Ban(club.From(ctx), in.ID, oneLine(in.Body.Reason)); err != nil || in.Body.Reason == "" {
		return err
	}
	return s.botsOf(in.ID).Part()
}

type roleInput struct {
	RunRef
	Body struct {
		Role string `json:"role" enum:"member,organiser,owner"`
	}
}

func (s *Server) setRole(ctx context.Context, in *roleInput) error {
	role, _ := club.ParseRole(in.Body.Role)
	return s.club.SetRole(club.From(ctx), in.ID, role)
}

type auditInput struct {
	Own    bool  `query:"own" doc:"only changes that members made to their own accounts"`
	Before int64 `query:"before" minimum:"0" doc:"ID of an entry: only earlier entries are returned"`
}

func (s *Server) audit(_ context.Context, in *auditInput) ([]store.Deed, error) {
	return s.db.Deeds(200, in.Before, in.Own)
}
