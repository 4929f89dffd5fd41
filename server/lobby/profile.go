// SPDX-License-Identifier: Apache-2.0

package lobby

import (
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/store"
)

// Profile describes the games of a member.
type Profile struct {
	Member  int64              `json:"member"`
	Name    string             `json:"name"`
	Ratings []store.PoolRating `json:"ratings" nullable:"false" doc:"ratings of the member in each pool; a pool is a game and a class of speed"`
	Games   []Listed           `json:"games" nullable:"false" doc:"the latest games; you is the side of this member"`
	More    bool               `json:"more" doc:"whether there are earlier games"`
	// The results of the caller's games against this member.
	Won   int `json:"won" doc:"number of games that the caller has won against this member"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

const (
	profileGames = 30     // number of games on one page of a profile
	mostMet      = 10_000 // maximum number of games, the latest ones, that are counted for the results
)

// Profile returns the games of a member, the latest first, and the results of the given person against the member. It leaves
// out the first games of the list; skip is their number. Private games of the member are included only if by is the member.
// For a member who was removed, or never existed, the error is store.ErrNoPerson.
func (m *Lobby) Profile(by live.Seat, member int64, skip int) (p Profile, err error) {
	p = Profile{Member: member, Name: m.o.Name(member), Ratings: []store.PoolRating{}}
	if p.Name == "" {
		return p, store.ErrNoPerson
	}
	ratings, err := m.o.Store.Ratings(member, "")
	if err != nil {
		return p, err
	}
	p.Ratings = append(p.Ratings, ratings...)
	them := live.Seat{Member: member}
	games, err := m.o.Store.Games(store.GameFilter{By: them, Shown: !by.Same(them), Count: profileGames + 1, Skip: skip})
	if err != nil {
		return p, err
	}
	p.More = len(games) > profileGames
	p.Games = m.List(by, them, games[:min(len(games), profileGames)])
	if by.Taken() && !by.Same(them) {
		err = m.scoreAgainst(&p, by, them)
	}
	return p, err
}

// scoreAgainst adds to p the results of the games between two people. Won counts the games that the first of them, by, has won.
func (m *Lobby) scoreAgainst(p *Profile, by, them live.Seat) error {
	met, err := m.o.Store.Games(store.GameFilter{By: by, Against: them, Count: mostMet})
	for _, g := range met {
		me := 0
		if g.Seats[1].Same(by) {
			me = 1
		}
		switch g.Outcome {
		case game.Draw.String():
			p.Drawn++
		case game.WinFor(game.Side(me)).String():
			p.Won++
		case game.WinFor(game.Side(1 - me)).String():
			p.Lost++
		}
	}
	return err
}

// News contains the challenges and games in which a person is to act. Every page shows their number.
type News struct {
	Challenges []Challenge `json:"challenges" nullable:"false" doc:"challenges only for the caller"`
	Turns      []Listed    `json:"turns" nullable:"false" doc:"games in which the caller is to move"`
	Called     string      `json:"called,omitempty" doc:"ID of a tournament game in progress that is not a correspondence game"`
}

// News returns the challenges to a person, and the games in which that person is to move.
func (m *Lobby) News(by live.Seat) (n News, err error) {
	n = News{Challenges: []Challenge{}, Turns: []Listed{}}
	if !by.Taken() {
		return n, nil
	}
	going, err := m.ongoingGames(by)
	for _, p := range going {
		if p.Turn {
			n.Turns = append(n.Turns, p)
		}
		if p.Tournament != 0 && p.Speed != request.Correspondence {
			n.Called = p.ID
		}
	}
	if err != nil || by.Member == 0 {
		return n, err
	}
	standing, err := m.standingChallenges()
	for _, c := range standing {
		if err != nil || c.Invited != by.Member {
			continue
		}
		var v Challenge
		v, err = m.showChallenge(by, c)
		n.Challenges = append(n.Challenges, v)
	}
	return n, err
}

// ongoingGames returns a person's games that are in progress.
func (m *Lobby) ongoingGames(by live.Seat) ([]Listed, error) {
	games, err := m.o.Store.Games(store.GameFilter{By: by, Going: true, Count: maxGoing})
	if err != nil {
		return nil, err
	}
	list := m.List(by, by, games)
	for i := range list {
		if list[i].Turn, err = m.isTurn(by, list[i].ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}
