// SPDX-License-Identifier: Apache-2.0

// Package players finds the players in the store by their specs: players learned by a run (run:7) and bots (bot:fork). Package
// krow finds all other players.
//
// # Basics
//
//	if players.Kept(text) != "" {
//		text, err = players.Settle(db, g, text)
//		make, err := players.Maker(db, nil, g, spec.Trusted, text)
//		p, err := make(seed)
//	}
package players

import (
	"os"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store"
)

// The kinds of stored players that Kept returns.
const (
	Run = "run"
	Bot = "bot"
)

// Kept returns the kind of stored player that a spec names, even if the spec is invalid: Run, Bot, or "" for neither.
func Kept(text string) string {
	if _, is, _ := bots.ParseRef(text); is {
		return Bot
	}
	if _, is, _ := runs.ParseRef(text); is {
		return Run
	}
	return ""
}

// Settle returns a spec that still names the same player of g later. It adds the step to the spec of a run, and the version to
// the spec of a bot. A spec that names no player in the store is returned unchanged.
func Settle(db *store.Store, g game.Game, text string) (string, error) {
	if ref, is, err := bots.ParseRef(text); is {
		if err == nil {
			ref, err = bots.Settle(db, ref)
		}
		return ref.String(), err
	}
	ref, is, err := runs.ParseRef(text)
	if !is || err != nil {
		return text, err
	}
	ref, err = runs.Settle(db, g, ref)
	return ref.String(), err
}

// Maker returns a function that makes players for g. text is the spec of a player in the store. The returned function does not
// use the store. hub reaches bots on other machines; it is nil without a server.
func Maker(db *store.Store, hub *bots.Hub, g game.Game, by spec.Trust, text string) (func(seed uint64) (player.Player, error), error) {
	if ref, is, err := bots.ParseRef(text); is {
		if err != nil {
			return nil, err
		}
		ref.By = by
		_, players, err := bots.Players(db, hub, g, ref)
		return players, err
	}
	ref, _, err := runs.ParseRef(text)
	if err != nil {
		return nil, err
	}
	l, err := runs.Find(db, ref)
	if err != nil {
		return nil, err
	}
	return l.Players(g, ref.Member)
}

// Expand replaces @FILE by the specs in the file, one on each line. It replaces a spec that names several members of a run, such
// as run:1,members=1-5, by one spec for each member; look calls its argument with the store of the runs.
func Expand(specs []string, look func(func(*store.Store) error) error) (all []string, err error) {
	for _, text := range specs {
		if file, is := strings.CutPrefix(text, "@"); is {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					all = append(all, line)
				}
			}
			continue
		}
		ref, is, err := runs.ParseRef(text)
		if err != nil {
			return nil, err
		}
		if !is || ref.Last == 0 {
			all = append(all, text)
			continue
		}
		err = look(func(s *store.Store) error {
			r, err := runs.Open(s, ref.Run)
			if err != nil {
				return err
			}
			members, err := r.Players(ref)
			for _, m := range members {
				all = append(all, m.String())
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
