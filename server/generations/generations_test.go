// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	games "github.com/krow-lab/krow/learn/gomoku"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/player"
)

// small is a run of a second or so.
func small(dir, kind, from string) Options {
	return Options{Kinds: []string{kind}, Dir: dir, From: from, Games: 20, Nodes: 10, Passes: 1, Match: 4, MatchNodes: 10, Seed: 7}
}

// makeAll makes generations and returns the record.
func makeAll(t *testing.T, o Options, n int, told func(Progress)) []Generation {
	t.Helper()
	r, err := Begin(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Jobs = 2
	if err := r.Make(t.Context(), n, told); err != nil {
		t.Fatal(err)
	}
	return r.Generations()
}

// untimed leaves out what differs from run to run.
var untimed = cmpopts.IgnoreFields(Generation{}, "Hours")

// TestKilledRunGoesOn copies the folder of a run whenever it tells something, as a kill would leave it. Each copy goes on to the same
// record and the same files.
func TestKilledRunGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	type copied struct {
		Progress
		dir string
	}
	var all []copied
	var told []Doing
	want := makeAll(t, small(dir, "gomoku:9", none), 2, func(p Progress) {
		if n := len(told); n > 0 && told[n-1] == p.Doing && p.Match.Games != 2 {
			return
		}
		c := copied{p, t.TempDir()}
		if err := os.CopyFS(c.dir, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		all, told = append(all, c), append(told, p.Doing)
	})
	parts := []Doing{doingGames, doingPasses, doingOpenings, doingMatch, doingMatch, doingGames, doingPasses, doingMatch, doingMatch}
	if !slices.Equal(told, parts) {
		t.Errorf("told of %q, want %q", told, parts)
	}
	for i, c := range all {
		if os.Getenv("KROW_LONG") == "" && i%3 != 0 {
			continue
		}
		got := makeAll(t, small(c.dir, "gomoku:9", none), 2, nil)
		if d := cmp.Diff(want, got, untimed); d != "" {
			t.Errorf("killed in generation %d after %d %s: %s", c.Generation, c.Done, c.Doing, d)
		}
		if d := cmp.Diff(files(t, dir), files(t, c.dir)); d != "" {
			t.Errorf("killed in generation %d after %d %s, the folder differs: %s", c.Generation, c.Done, c.Doing, d)
		}
	}
}

// files returns checksums of the files of a folder, of the record none.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if all[f.Name()] = checksum(data); f.Name() == recordName {
			all[f.Name()] = ""
		}
	}
	return all
}

// TestFinishedWorkIsNotRepeated: a run that was killed after the last game of a match, or after the line of a generation, does neither again.
func TestFinishedWorkIsNotRepeated(t *testing.T) {
	o := small(t.TempDir(), "gomoku:9", "default")
	want := makeAll(t, o, 1, nil)
	r, err := Begin(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.done = nil; r.write() != nil {
		t.Fatal(err)
	}
	games := 0
	if err := r.Make(t.Context(), 1, func(p Progress) { games += p.Match.Games }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, r.Generations(), untimed); d != "" || games > 0 {
		t.Errorf("%d games were told of, and the record differs: %s", games, d)
	}
	if err := os.WriteFile(r.state(1), []byte("left over"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if r, err = Begin(o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.state(1)); err == nil {
		t.Error("the state of a finished generation stays")
	}
}

// TestGenerationOfEveryRule makes a generation of every rule, from nothing and from a network.
func TestGenerationOfEveryRule(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, tc := range []struct{ kind, from string }{
		{"gomoku:9", "default"},
		{"standard:9", none},
		{"standard:9", "default"},
		{"renju:9", "default"},
		{"caro:9", "default"},
		{"ultimate", none},
		{"ultimate:draw=boards", "default"},
	} {
		t.Run(tc.kind+" from "+tc.from, func(t *testing.T) {
			o := small(t.TempDir(), tc.kind, tc.from)
			o.Games, o.Match = 10, 2
			all := makeAll(t, o, 1, nil)
			g := all[0]
			if g.Games != 10 || g.Positions < 50 || !(g.Loss > 0) || g.Won+g.Drawn+g.Lost != 2 || g.Seed != 7001 || g.Network == g.Played || (g.Played == none) != (tc.from == none) {
				t.Errorf("the record is %+v", g)
			}
			if five := !strings.HasPrefix(tc.kind, "ultimate"); (g.HeldOut != nil) != five {
				t.Errorf("a loss held out: %v, want one: %v", g.HeldOut, five)
			}
			r, err := Begin(o)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			r.done[0].Accepted = true
			out := filepath.Join(t.TempDir(), "net")
			data, err := r.Best()
			if err == nil {
				err = os.WriteFile(out, data, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := krow.Player(r.game, r.engine.player+out, 1); err != nil {
				t.Error(err)
			}
			if r.done[0].Accepted = false; tc.from == none {
				if _, err := r.Best(); !errors.Is(err, errNone) {
					t.Errorf("the best of none: %v", err)
				}
				return
			}
			if data, err = r.Best(); err != nil || checksum(data) != g.Played {
				t.Errorf("%v, best of checksum %s, want %s", err, checksum(data), g.Played)
			}
		})
	}
}

// TestBest: the games of a generation are those of the last network that was accepted.
func TestBest(t *testing.T) {
	o := small(t.TempDir(), "gomoku:9", none)
	makeAll(t, o, 1, nil)
	r, err := Begin(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.done[0].Accepted = true
	if err := r.Make(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := r.done[1].Played, r.done[0].Network; got != want {
		t.Errorf("%s played, want %s", got, want)
	}
	f, err := selfplay.Open(r.path("gomoku-9-seed-7002-00000.games.gz"), games.Format)
	net, failed := os.ReadFile(r.net(1))
	if err != nil || failed != nil || f.Net != fmt.Sprintf("%08x", crc32.ChecksumIEEE(net)) {
		t.Errorf("the file of games says %v, %v, %+v", err, failed, f)
	}
}

func TestAccepted(t *testing.T) {
	for _, tc := range []struct {
		name string
		llr  float64
		test string
		want bool
	}{
		{"accepted", 3, stats.AcceptedH1, true},
		{"refused", -3, stats.AcceptedH0, false},
		{"over, 15 Elo likelier", 0.1, "", true},
		{"over, 0 Elo likelier", -0.1, "", false},
		{"over, both as likely", 0, "", false},
	} {
		if got := accepted(arena.Summary{LLR: &tc.llr, SPRT: tc.test}); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestQueueGivesSameRecord: a queue of other machines, where players are guarded and files go by their hash, comes to the same record.
func TestQueueGivesSameRecord(t *testing.T) {
	o := small(t.TempDir(), "gomoku:9", "default")
	want := makeAll(t, o, 1, nil)
	o.Dir = t.TempDir()
	r, err := Begin(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sent := t.TempDir()
	spec.Inputs(sent)
	untrusted := func(g game.Game, text string, seed uint64) (player.Player, error) {
		return krow.PlayerBy(spec.Untrusted, g, text, seed)
	}
	kinds := arena.Kinds(krow.Game, untrusted, nil)
	maps.Copy(kinds, selfplay.Kinds(krow.Game, func(g game.Game, net string) (selfplay.Engine, error) {
		file, _ := spec.Input(net)
		return krow.SelfPlay(g, file)
	}))
	r.Queue = work.Pool{Jobs: 2, Kinds: kinds}
	r.Away = func(file string) (string, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		dir, name := filepath.Join(sent, work.Hash(data)), filepath.Base(file)
		return "@" + filepath.Base(dir) + "/" + name, errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	if err := r.Make(t.Context(), 1, nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, r.Generations(), untimed); d != "" {
		t.Error(d)
	}
}

// TestMixOfSizes: a game without a size stands for a mix, and what is said holds.
func TestMixOfSizes(t *testing.T) {
	for _, tc := range []struct{ kinds, want, learner string }{
		{"renju", "renju renju renju:20 renju renju renju:9 renju renju renju:12 renju", "network:passes=3,rate=0.001"},
		{"gomoku gomoku", "gomoku gomoku", "network:passes=6"},
		{"gomoku:15", "gomoku gomoku gomoku:20 gomoku gomoku gomoku:9 gomoku gomoku gomoku:12 gomoku", "network:passes=6"},
		{"standard:20 standard", "standard:20 standard", "network:passes=3,rate=0.001"},
		{"ultimate", "ultimate ultimate:draw=boards", "network:passes=3,rate=0.0005"},
		{"ultimate:draw=boards", "ultimate:draw=boards", "network:passes=3,rate=0.0005"},
	} {
		e, kinds, err := engineOf(strings.Fields(tc.kinds))
		if err != nil {
			t.Fatal(err)
		}
		s := e.settings(Options{}, kinds, []byte("a network"))
		if got := strings.Join(s.Kinds, " "); got != tc.want || s.Learner != tc.learner {
			t.Errorf("%s: %s by %s, want %s by %s", tc.kinds, got, s.Learner, tc.want, tc.learner)
		}
	}
}

func TestBadRunsAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	o := small(dir, "gomoku:9", "default")
	makeAll(t, o, 1, nil)
	tests := []struct {
		name   string
		change func(t *testing.T, o *Options)
		want   string // DIR stands for the folder
	}{
		{"other games", func(_ *testing.T, o *Options) { o.Games = 30 }, "DIR contains another run, with .* Games:20 .* instead of .* Games:30 .*: choose another folder"},
		{"another seed", func(_ *testing.T, o *Options) { o.Seed = 8 }, "DIR contains another run, with .* Seed:7. instead of .* Seed:8.: choose another folder"},
		{"another match", func(_ *testing.T, o *Options) { o.MatchNodes = 11 }, "DIR contains another run, with .* MatchNodes:10 .* instead of .* MatchNodes:11 .*"},
		{"another rule", func(_ *testing.T, o *Options) { o.Kinds = []string{"renju:9"} }, "DIR contains another run, with .*gomoku:9.* instead of .*renju:9.*: choose another folder"},
		{"another beginning", func(_ *testing.T, o *Options) { o.From = none }, "with .* From:[0-9a-f]{8} .* instead of .* From:none "},
		{"a stranger's games", func(t *testing.T, o *Options) {
			put(t, o.Dir, "gomoku-seed-7-00000.games.gz", "")
		}, "generation 2: DIR has 3 files of games, but this run played 2"},
		{"no record", func(t *testing.T, o *Options) { os.Remove(filepath.Join(o.Dir, recordName)) }, "DIR contains games of another run, .gomoku-9-seed-7001-00000.games.gz.: choose another folder"},
		{"an empty record", func(t *testing.T, o *Options) { put(t, o.Dir, recordName, "") }, "DIR/generations.jsonl is empty"},
		{"a foreign record", func(t *testing.T, o *Options) { put(t, o.Dir, recordName, "{}\n") }, "DIR/generations.jsonl: line 1: not the record of generations"},
		{"a newer record", func(t *testing.T, o *Options) {
			put(t, o.Dir, recordName, `{"krow":"generations","version":2}`)
		}, "line 1: the record has version 2; this krow reads version 1"},
		{"a damaged line", func(t *testing.T, o *Options) {
			put(t, o.Dir, recordName, head(t, o.Dir)+"{")
		}, "DIR/generations.jsonl: line 2: unexpected end of JSON input"},
		{"a missing line", func(t *testing.T, o *Options) {
			put(t, o.Dir, recordName, head(t, o.Dir)+`{"generation":2}`)
		}, "DIR/generations.jsonl: line 2: found generation 2 instead of 1"},
		{"another network", func(t *testing.T, o *Options) {
			put(t, o.Dir, "generation-000.net", "x")
		}, "generation 2: DIR/generation-000.net is not the network of the record, whose checksum is [0-9a-f]{8}"},
		{"a damaged file of games", func(t *testing.T, o *Options) {
			put(t, o.Dir, "gomoku-9-seed-7001-00000.games.gz", "x")
		}, "generation 2: DIR/gomoku-9-seed-7001-00000.games.gz: not a file of games of five in a row, or a damaged one"},
		{"one file too many", func(t *testing.T, o *Options) {
			put(t, o.Dir, "gomoku-9-seed-7001-00001.games.gz", "x")
		}, "generation 2: DIR has 3 files of games, but this run played 2"},
		{"a damaged state", func(t *testing.T, o *Options) {
			put(t, o.Dir, "generation-002.state", "{")
		}, "generation 2: DIR/generation-002.state: unexpected end of JSON input; without the file training begins again"},
		{"a state of another learner", func(t *testing.T, o *Options) {
			put(t, o.Dir, "generation-002.state", `{"state":{}}`)
		}, "generation 2: DIR/generation-002.state: not the state of a learner; without the file training begins again"},
		{"other openings", func(t *testing.T, o *Options) {
			put(t, o.Dir, openingsName, "e5\n")
		}, "generation 2: DIR/openings.txt has 1 openings, not 2; without the file they are found again"},
		{"another match's games", func(t *testing.T, o *Options) {
			data, err := os.ReadFile(filepath.Join(o.Dir, "generation-001.match.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			put(t, o.Dir, "generation-002.match.jsonl", string(data))
		}, "generation 2: DIR/generation-002.match.jsonl is not of this match .*"},
		{"a game without a network", func(_ *testing.T, o *Options) { o.Kinds = []string{"connect4"} }, "networks are learned of .*, not of connect4"},
		{"won boards open", func(_ *testing.T, o *Options) { o.Kinds = []string{"ultimate:won=open"} }, "networks are learned of .*, not of ultimate:won=open"},
		{"a board that is not square", func(_ *testing.T, o *Options) { o.Kinds = []string{"gomoku:9x10"} }, "networks are learned of .*, not of gomoku:9x10"},
		{"two rules", func(_ *testing.T, o *Options) { o.Kinds = []string{"gomoku", "renju"} }, "the games of a network are all of one rule: gomoku and renju are not"},
		{"no such network", func(_ *testing.T, o *Options) { o.From = "nothing.net" }, "the network to begin with: .*nothing.net: no such file or directory"},
		{"a comma", func(_ *testing.T, o *Options) { o.Dir += ",x" }, "the name of a folder for games has no comma .*"},
		{"few games", func(_ *testing.T, o *Options) { o.Games = 9 }, "a generation has 10 to 10000000 games, not 9"},
		{"half a pair", func(_ *testing.T, o *Options) { o.Match = 3 }, "a match has an even number of games, 2 to 1000000, not 3"},
		{"no nodes", func(_ *testing.T, o *Options) { o.MatchNodes = 0 }, "a match has at least 1 node for each move"},
		{"a great seed", func(_ *testing.T, o *Options) { o.Seed = 1e10 }, "the seed is at most 1000000000, not 10000000000"},
		{"many passes", func(_ *testing.T, o *Options) { o.Passes = 1001 }, "training takes 1 to 1000 passes, not 1001"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			o := o
			o.Dir = t.TempDir()
			if err := os.CopyFS(o.Dir, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			tc.change(t, &o)
			r, err := Begin(o)
			if err == nil {
				err = r.Make(t.Context(), 2, nil)
				r.Close()
			}
			if err == nil || !matches(strings.ReplaceAll(tc.want, "DIR", o.Dir), err.Error()) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

// matches says whether a message is, or begins or ends, as a pattern says.
func matches(pattern, text string) bool {
	return regexp.MustCompile(pattern).MatchString(text)
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// head returns the first line of the record.
func head(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, recordName))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(line) + "\n"
}

// TestProcessesShareNoFolder: two processes do not share a folder, and one that is stopped gives it back.
func TestProcessesShareNoFolder(t *testing.T) {
	o := small(t.TempDir(), "gomoku:9", none)
	r, err := Begin(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(o); err == nil || err.Error() != o.Dir+": another process is making generations in this folder" {
		t.Errorf("the second one got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := r.Make(ctx, 1, func(Progress) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	makeAll(t, o, 1, nil)
}
