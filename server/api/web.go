// SPDX-License-Identifier: Apache-2.0

// Package api implements the HTTP server of the web app. It serves JSON under /api/, streams of events, and the built web page.
//
// # Basics
//
//	s, err := api.New(api.Options{Store: db})
//	err = s.Serve(ctx, listener) // until ctx is done
//
// The rules of the games and the players come from package krow. The page knows no rules: the server sends it the legal moves,
// and the cell on which each legal move places its stone.
//
// # The cores
//
// A computer player begins to think about its move at once if only a few players are thinking, and has some seconds for the
// move. Analyses take turns; the number of analyses that run at once is one less than the number of cores: see package gate. An
// analysis ends when its client leaves.
//
// # Who may do what
//
// Each operation names the least role that its callers need: see op. Function club.May decides about rights on a member's games,
// runs and bots. Without Options.Club every caller is the owner of the server.
package api

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/time/rate"

	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/classroom"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/explorer"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/tournament"
)

// Options are the settings of a server.
type Options struct {
	Store   *store.Store
	Log     *slog.Logger // if it is nil, nothing is logged
	Version string
	// Club makes the server require a login. Without it every caller is the owner of the server.
	Club bool
	// Name is the name of the club, which the lobby shows; empty: it has none.
	Name string
	// Guests is the role of visitors who are not logged in, if Club is true: club.Nobody, Watcher or Guest.
	Guests club.Role
	// Proxy is the address of a reverse proxy. The server trusts the X-Forwarded headers of this proxy only.
	Proxy netip.Addr
	// People is for tests, which make the hashing of passwords fast.
	People club.Options
	// Patience is for tests: it multiplies the time limits, so that a slow machine does not reach them. 0 means 1.
	Patience int
	// Hosts are the names of the server in addition to localhost and addresses. Requests under any other host name are refused,
	// so that other sites cannot reach the server under their own names.
	Hosts []string
	// Cores is the number of cores that searches may use; 0 means all cores of the machine.
	Cores int
	// Machines, unless nil, also lets other machines play games of matches, leagues and studies.
	Machines *machines.Organiser
}

// Server serves the web app and its HTTP API. Use New.
type Server struct {
	o           Options
	db          *store.Store
	log         *slog.Logger
	api         huma.API
	handler     http.Handler
	club        *club.Club
	live        *live.Games
	hub         *bots.Hub
	meet        *lobby.Lobby
	tournaments *tournament.Tournaments
	queue       *gate.Gate
	cores       int
	jobs        *gate.Jobs
	leagues     *league.Host
	recent      sync.Map // maps the number of each league to a *recentLeague
	shown       match.Shown
	// Each of these gates limits how many requests do one kind of work at the same time. trees is for trees of moves, solving for
	// solving a position, looks for facts about a position that need no search, such as its threats, cages for checking a bot,
	// and collecting for importing games. memories limits the analyses that keep their player while they wait.
	trees, solving, looks, cages, collecting, memories *gate.Gate
	// The gates in bodies limit the requests with large bodies, and the gates in making limit the players that are made at the
	// same time. Each map contains one gate for members (key true) and one for visitors (key false).
	bodies, making map[bool]*gate.Gate
	spectators     *rate.Limiter // limits the rate of events sent to spectators
	explorer       *explorer.Explorer

	training func() (*training.Training, error)

	calls   *lobby.Calls
	classes *classroom.Rooms
	shares  *gate.Shares
	numbers *numbers

	life context.Context // is cancelled when the server stops, which ends all work except requests
	end  context.CancelFunc
	busy sync.WaitGroup // counts work that continues after its request
}

// New returns a server for the store of o, which the server does not close.
func New(o Options) (*Server, error) {
	if o.Store == nil {
		return nil, errors.New("web: no store")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Cores == 0 {
		o.Cores = runtime.GOMAXPROCS(0)
	}
	s := &Server{o: o, db: o.Store, log: o.Log, shares: gate.NewShares(max(o.Patience, 1)), classes: classroom.New()}
	o.People.Leaving = func(member int64) error {
		by := live.Seat{Member: member}
		return errors.Join(s.tournaments.LeaveAll(by), s.live.Leave(by), s.botsOf(member).Part())
	}
	o.People.Log = o.Log
	if len(o.Hosts) > 0 {
		o.People.Site = "https://" + o.Hosts[0]
	}
	s.club = club.New(s.db, o.People)
	s.life, s.end = context.WithCancel(context.Background())
	s.queue, s.cores, s.memories = gate.NewQueue(max(o.Cores-1, 1)), o.Cores, gate.New(maxMemories)
	s.numbers = newNumbers(s.queue)
	s.jobs, s.leagues = s.newJobs(1), newLeagues(s)
	s.live = live.New(s.life, live.Options{
		Longest: s.within(live.Longest), Store: s.db, Player: s.player, Position: request.PositionOf, Moved: s.numbers.countMove,
		Failed: func(id string, err error) { s.log.Warn("player failed", "game", id, "error", err) },
		Changed: func(g live.Game) {
			s.meet.Ring(g.Seats[:]...)
			s.tournaments.Changed(g)
			if o.Club {
				s.calls.Mover(g)
			}
		},
	})
	s.hub = bots.NewHub(s.db, s.live.Retry)
	s.meet = lobby.New(lobby.Options{Store: s.db, Games: s.live, Name: s.memberName, Members: o.Club})
	s.tournaments = tournament.New(tournament.Options{
		Life: s.life, Store: s.db, Games: s.live, Meet: s.meet, Failed: func(id int64, err error) { s.log.Error("a tournament does not go on", "tournament", id, "error", err) },
	})
	s.calls = lobby.NewCalls(s.meet, func(game string, err error) { s.log.Warn("a call was not sent", "game", game, "error", err) })
	s.busy.Go(func() { s.calls.Send(s.life, s.club.Push) })
	if err := errors.Join(s.live.Resume(), s.tournaments.Resume()); err != nil {
		return nil, err
	}
	s.training = sync.OnceValues(func() (*training.Training, error) {
		all, err := puzzles.Load("")
		return training.New(s.db, all), err
	})
	s.explorer, s.collecting = explorer.New(s.db), gate.New(1)
	s.trees, s.cages, s.looks, s.solving = gate.New(max(o.Cores-1, 1)), gate.New(max(o.Cores-1, 1)), gate.New(o.Cores), gate.New(maxSolving)
	s.bodies = map[bool]*gate.Gate{true: gate.NewBodies(largeBodies), false: gate.NewBodies(largeBodies)}
	s.making = map[bool]*gate.Gate{true: gate.New(makingAtOnce), false: gate.New(makingAtOnce)}
	s.spectators = rate.NewLimiter(rate.Every(time.Millisecond/time.Duration(spectatorsAtOnce*o.Cores)), spectatorsAtOnce*o.Cores)
	mux := http.NewServeMux()
	config := huma.DefaultConfig("krow", o.Version)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "/openapi", "", ""
	config.CreateHooks = nil // without these hooks, answers contain no field $schema
	config.Formats = jsonFormats
	s.api = humago.New(mux, config)
	s.api.UseMiddleware(s.allowed, s.sized)
	s.register()
	describeLists(s.api.OpenAPI())
	s.pages(mux)
	s.handler = s.guard(mux)
	if err := s.leagues.Resume(); err != nil {
		s.log.Warn("leagues do not go on", "error", err)
	}
	return s, nil
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// OpenAPI returns the OpenAPI description of the HTTP API as JSON.
func (s *Server) OpenAPI() ([]byte, error) { return s.api.OpenAPI().MarshalJSON() }

// within returns a time limit, multiplied by Options.Patience.
func (s *Server) within(limit time.Duration) time.Duration {
	return limit * time.Duration(max(s.o.Patience, 1))
}

// spectatorsAtOnce is the maximum number of events that the server sends to spectators in a millisecond, for each core. An
// event takes about 30 µs, so these events take a quarter of the time of the cores.
const spectatorsAtOnce = 8

const (
	// largeBodies is the number of requests with large bodies that are served at the same time, and makingAtOnce the number of
	// players that are made at the same time. Each applies to members, and separately to visitors.
	largeBodies  = 8
	makingAtOnce = 2
	stopTime     = 3 * time.Second // time for which a request waits until the job that it stops has ended
)

const (
	headerTime = 5 * time.Second
	bodyTime   = 30 * time.Second
	idleTime   = 2 * time.Minute
	// farewell is the time that requests have to end when the server stops; then their connections are cut. Streams end at once.
	// farewell is longer than the 5 s after which net/http closes connections that browsers opened in advance.
	farewell = 7 * time.Second
)

// Serve answers requests until ctx is done, and then lets requests finish. When it returns, all moves are in the store.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: s.within(headerTime), ReadTimeout: s.within(bodyTime), IdleTimeout: idleTime, MaxHeaderBytes: 1 << 16,
		ErrorLog: log.New(libraryLog{s.log}, "", 0), ConnState: gate.NewConnections(s.o.Proxy).Count,
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }()
	select {
	case err := <-failed:
		s.Close()
		return err
	case <-ctx.Done():
	}
	s.quit() // ends all streams and searches
	wait, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	err := h.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests that did not end were cut")
		err = h.Close()
	}
	s.Close()
	return err
}

// Close stops all searches and waits until they have ended. The store may be closed after Close returns.
func (s *Server) Close() {
	s.quit()
	s.tournaments.Close()
	s.live.Close()
	s.busy.Wait()
}

// quit ends all work except requests. Work begins only under a lock and only before the context life ends, so no work begins
// after quit.
func (s *Server) quit() {
	s.live.Stop()
	s.jobs.Quit(func() { s.leagues.Quit(s.end) })
}

// newJobs returns a queue of jobs for the server, of which at most slots run at once.
func (s *Server) newJobs(slots int) *gate.Jobs {
	return gate.NewJobs(gate.JobOptions{
		Slots: slots, Life: s.life, Busy: &s.busy, Wait: s.within(stopTime),
		Failed: func(key string, err error) string {
			s.log.Warn("job failed", "job", key, "error", err)
			return problemOf(err).Detail
		},
		Panicked: func(why any) { s.panicked("a job", why) },
	})
}
