// SPDX-License-Identifier: Apache-2.0

package research

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/search"
)

// memory is a Store that fails once it has taken as many values as there is room for; a negative room has no end.
type memory struct {
	mu   sync.Mutex
	data map[string][]byte
	room int
	puts int
}

var errFull = errors.New("full")

func newMemory() *memory { return &memory{data: map[string][]byte{}, room: -1} }

func (m *memory) Piece(key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data[key], nil
}

func (m *memory) PutPiece(key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.room == 0 {
		return errFull
	}
	m.room--
	m.puts++
	m.data[key] = value
	return nil
}

// some is a match of games that differ.
func some(games int) Match {
	return Match{Game: "connect4", A: Named("mcts:sims=20"), B: Named("random"), Games: games, Seed: 3, Plies: 2}
}

func TestMatchGoesOn(t *testing.T) {
	whole := &Session{Store: newMemory()}
	want, err := whole.Match(t.Context(), some(8))
	if err != nil {
		t.Fatal(err)
	}
	if want.Games != 8 || len(want.Results) != 8 {
		t.Fatalf("%d games, %d results, want 8", want.Games, len(want.Results))
	}
	for _, jobs := range []int{1, 2} {
		st := newMemory()
		st.room = 3
		s := &Session{Store: st, Jobs: jobs}
		if _, err := s.Match(t.Context(), some(8)); !errors.Is(err, errFull) {
			t.Fatalf("jobs=%d: a full store gives %v", jobs, err)
		}
		st.room = -1
		got, err := s.Match(t.Context(), some(8))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.Summary, got.Summary); d != "" {
			t.Errorf("jobs=%d: (-whole +resumed):\n%s", jobs, d)
		}
		if st.puts != 8 {
			t.Errorf("jobs=%d: %d games were kept, want 8, each once", jobs, st.puts)
		}
		if d := cmp.Diff(whole.Store.(*memory).data, st.data); d != "" {
			t.Errorf("jobs=%d: the store (-whole +resumed):\n%s", jobs, d)
		}
	}
}

func TestMatchReadOnly(t *testing.T) {
	st := newMemory()
	s := &Session{Store: st}
	if _, err := s.Match(t.Context(), some(4)); err != nil {
		t.Fatal(err)
	}
	reader := &Session{Store: st, ReadOnly: true}
	if s, err := reader.Match(t.Context(), some(4)); err != nil || s.Games != 4 {
		t.Errorf("read back: %d games, %v", s.Games, err)
	}
	if _, err := reader.Match(t.Context(), some(6)); !errors.Is(err, ErrMissing) {
		t.Errorf("two games more than there are: %v, want %v", err, ErrMissing)
	}
	if st.puts != 4 {
		t.Errorf("%d values were put, want 4: reading writes nothing", st.puts)
	}
}

// TestKeysFollowGames: whatever changes the games changes the key.
func TestKeysFollowGames(t *testing.T) {
	keys := map[string]string{}
	for name, change := range map[string]func(*Match){
		"nothing": func(*Match) {},
		"game":    func(m *Match) { m.Game = "connect4:6x5" },
		"a":       func(m *Match) { m.A = Named("rules") },
		"b":       func(m *Match) { m.B = Named("rules") },
		"seed":    func(m *Match) { m.Seed++ },
		"plies":   func(m *Match) { m.Plies++ },
		"suite":   func(m *Match) { m.Suite = Suite{Game: m.Game, Count: 2, Plies: 4, Judge: "rules", Seed: 1} },
		"depth":   func(m *Match) { m.Limits = search.Limits{Depth: 2} },
		"nodes":   func(m *Match) { m.Limits = search.Limits{Nodes: 2} },
	} {
		m := some(2)
		change(&m)
		if other, ok := keys[m.key()]; ok {
			t.Errorf("%s and %s have the key %s", name, other, m.key())
		}
		keys[m.key()] = name
	}
	// What is kept stays found, whatever becomes of search.Limits.
	m := Match{Game: "gomoku", A: Named("a"), B: Named("b"), Seed: 1, Limits: search.Limits{Depth: 1, Nodes: 2, Time: 3 * time.Second}}
	if got, want := m.key(), "match/1/gomoku/a/b/seed=1,plies=0,suite=none,limits={Depth:1 Nodes:2 Time:3s Lines:0}"; got != want {
		t.Errorf("key %s, want %s", got, want)
	}
}

func TestOpenings(t *testing.T) {
	u := Suite{Game: "mnk:5,5,4", Count: 12, Plies: 4, Judge: "alphabeta:depth=3,eval=none", Seed: 1}
	s := &Session{Store: newMemory()}
	got, err := s.Openings(t.Context(), u)
	if err != nil || len(got) != u.Count {
		t.Fatalf("%d openings, %v", len(got), err)
	}
	g, err := krow.Game(u.Game)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, text := range got {
		p := g.Start()
		if err := notation.Play(p, text); err != nil || p.Ply() != u.Plies {
			t.Errorf("%q: %d moves, %v", text, p.Ply(), err)
		}
		if seen[text] {
			t.Errorf("%q comes twice", text)
		}
		seen[text] = true
	}
	again, err := (&Session{Store: newMemory()}).Openings(t.Context(), u)
	if d := cmp.Diff(got, again); err != nil || d != "" {
		t.Errorf("same seed, other openings (%v):\n%s", err, d)
	}
	u.Seed = 2
	if other, err := s.Openings(t.Context(), u); err != nil || cmp.Equal(got, other) {
		t.Errorf("another seed, same openings (%v)", err)
	}
}

// TestOpeningsUndecided: on a board whose first player wins at once from everywhere there are none.
func TestOpeningsUndecided(t *testing.T) {
	s := &Session{Store: newMemory()}
	got, err := s.Openings(t.Context(), Suite{Game: "mnk:5,5,2", Count: 3, Plies: 1, Judge: "alphabeta:depth=4,eval=none", Seed: 1})
	if err != nil || len(got) != 0 {
		t.Errorf("%q, %v: every opening of 5,5,2 is decided", got, err)
	}
}

func TestLearnGoesOn(t *testing.T) {
	const game, learner = "mnk:4,4,3", "qlearning:episodes=4,depth=1"
	weights := func(l *Session) string {
		t.Helper()
		got, err := l.Learn(t.Context(), game, learner, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Curve) != 4 || got.Curve[3].Step != 4 {
			t.Fatalf("a curve of %d points, want 4", len(got.Curve))
		}
		data, err := os.ReadFile(got.File)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	want := weights(&Session{Store: newMemory(), Dir: t.TempDir()})
	st := newMemory()
	st.room = 5 // two steps, and the point of the third
	cut := &Session{Store: st, Dir: t.TempDir()}
	if _, err := cut.Learn(t.Context(), game, learner, 1); !errors.Is(err, errFull) {
		t.Fatalf("a full store gives %v", err)
	}
	reader := &Session{Store: st, Dir: t.TempDir(), ReadOnly: true}
	if _, err := reader.Learn(t.Context(), game, learner, 1); !errors.Is(err, ErrMissing) {
		t.Errorf("half a run read: %v, want %v", err, ErrMissing)
	}
	st.room = -1
	if got := weights(cut); got != want {
		t.Errorf("resumed %s\nwhole %s", got, want)
	}
	if got := weights(reader); got != want {
		t.Errorf("read %s\nwhole %s", got, want)
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	s := &Session{Store: newMemory(), Dir: t.TempDir()}
	bad := some(2)
	bad.B = Named("nobody")
	_, first := s.Match(t.Context(), bad)
	bad = some(2)
	bad.Game = "chess"
	_, second := s.Match(t.Context(), bad)
	_, third := s.Learn(t.Context(), "connect4", "nobody", 1)
	_, fourth := s.Openings(t.Context(), Suite{Game: "connect4", Count: 1, Judge: "random"})
	for _, err := range []error{first, second, third, fourth} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("want one line, got %v", err)
		}
	}
	broken := newMemory()
	broken.data[some(2).gameKey(0)] = []byte("{")
	if _, err := (&Session{Store: broken}).Match(t.Context(), some(2)); err == nil {
		t.Error("a broken piece is taken")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Match(ctx, some(2)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestReport gives a study its reading and a directory that is gone afterwards.
func TestReport(t *testing.T) {
	dir, reading := "", ""
	st := Study{Name: "st", Readings: []Reading{{Name: "text"}, {Name: "exact"}}, Run: func(_ context.Context, s *Session) (*report.Document, error) {
		dir, reading = s.Dir, s.Reading
		return &report.Document{Title: reading}, os.WriteFile(dir+"/weights", nil, 0o600)
	}}
	for asked, want := range map[string]string{"": "", "text": "", "exact": "exact"} {
		d, err := st.Report(t.Context(), &Session{Reading: asked})
		if err != nil || d.Title != want || reading != want {
			t.Errorf("the reading %q is %q, %v, want %s", asked, reading, err, want)
		}
		if _, err := os.Stat(dir); dir == "" || err == nil {
			t.Errorf("the directory %q is left", dir)
		}
	}
	for _, tc := range []struct {
		study        Study
		asked, error string
	}{{st, "exakt", `unknown reading "exakt"`}, {Study{Name: "other"}, "exact", "other has one reading and no other"}} {
		_, err := tc.study.Report(t.Context(), &Session{Reading: tc.asked})
		if _, ok := errors.AsType[*spec.Error](err); !ok || err.Error() != tc.error {
			t.Errorf("the reading %s of %s: %v, want %s", tc.asked, tc.study.Name, err, tc.error)
		}
	}
}

// TestCost stops a study by an error and goes on: the report knows what both runs took, and a run that has nothing to do adds
// next to nothing.
func TestCost(t *testing.T) {
	fail := true
	st := Study{Name: "busy", Run: func(ctx context.Context, s *Session) (*report.Document, error) {
		_, err := Piece(s, "piece", func() (int, error) {
			for from := cpu.Time(); cpu.Time()-from < 20*time.Millisecond; {
			}
			if fail {
				return 0, errFull
			}
			return 1, nil
		})
		return &report.Document{Title: "busy"}, err
	}}
	if cpu.Time() == 0 {
		t.Skip("the processor time is not known on this system")
	}
	store := newMemory()
	if _, err := st.Report(t.Context(), &Session{Store: store, Metered: true}); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	fail = false
	d, err := st.Report(t.Context(), &Session{Store: store, Metered: true})
	if err != nil || d.Cost.Seconds < 0.04 || d.Cost.Machine == "" {
		t.Errorf("twice 20 ms: %+v, %v", d.Cost, err)
	}
	again, err := st.Report(t.Context(), &Session{Store: store, ReadOnly: true})
	if err != nil || again.Cost != d.Cost {
		t.Errorf("read: %+v, want %+v; %v", again.Cost, d.Cost, err)
	}
	other, err := st.Report(t.Context(), &Session{Store: store})
	if err != nil || other.Cost != d.Cost {
		t.Errorf("not metered: %+v, want %+v; %v", other.Cost, d.Cost, err)
	}
}
