// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/krow-lab/krow"

// layers is the order of the packages, low to high: a package imports only packages that stand above it in
// this list, and of those on its own line none. A parent is the contract of its children and never imports
// them. ARCHITECTURE.md tells what each is for. Do not relax the list to make a build pass.
var layers = []string{
	"clock",
	"player/bot/kits/go",
	"internal/cpu internal/rescue internal/rng internal/spec internal/atomicfile internal/humanize tt stats work",
	"research/report",
	"research/reports docs/measurements",
	"game",
	"game/gametest game/mnk game/ultimate game/atarigo",
	"game/renju",
	"game/symmetry",
	"proof",
	"notation game/boarddiff",
	"notation/tree",
	"notation/playthrough notation/sgf notation/psq notation/binpack notation/renlib notation/rif",
	"threat",
	"eval eval/weights",
	"eval/generic eval/lines eval/mics eval/indicators",
	"eval/shevchenko eval/chua eval/plans",
	"search",
	"search/minimax",
	"search/alphabeta search/dfpn search/oracle search/mcts search/greedy search/rules search/mics",
	"search/searchtest",
	"engine/connect4 engine/gomoku/network engine/mnk engine/ultimate/network",
	"engine/gomoku engine/ultimate/prover",
	"engine/ultimate",
	"player",
	"player/subprocess player/limited player/proven opening",
	"gomocup ugi",
	"player/sandbox",
	"bot",
	"record",
	"arena",
	"learn",
	"learn/target learn/adam learn/selfplay",
	"learn/fiverow learn/genetic learn/qlearning learn/spsa learn/cmaes learn/regression learn/network learn/plans",
	"learn/fiverow/network",
	"catalog",
	"study",
	"research/published",
	"research/experiments",
	"server/store server/cluster",
	"server/store/storetest",
	"app/bench server/club app/diagram app/gamefile arena/pairing",
	"app/analysis server/bots server/explorer server/live server/match app/export app/puzzles server/runs app/solve",
	"server/generations server/league server/machines server/lobby server/players server/training",
	"server/tournament",
	"web",
	"cli/tui server/api",
	"server/api/browser",
	"cli",
	"cmd/krow cmd/pbrain-krow",
	"docs",
}

// heavy may be imported only below internal: whoever imports package game gets nothing but Go's library.
var heavy = []string{"charm.land/", "github.com/charmbracelet/", "github.com/spf13/", "modernc.org/", "github.com/pressly/", "github.com/danielgtaylor/", "github.com/nats-io/"}

// faces hold flags, keys, requests and words. They reach the rules of a game, engines, searches, heuristics and learners
// through the packages of app and through catalog, never by their own packages.
var (
	faces     = []string{"cli", "cli/tui", "server/api"}
	forbidden = []string{"game/", "engine/", "search/", "eval/", "learn/", "learn"}
)

func TestLayers(t *testing.T) {
	rank := map[string]int{}
	for i, line := range layers {
		for p := range strings.FieldsSeq(line) {
			rank[p] = i
		}
	}
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		dir := path.Dir(filepath.ToSlash(file))
		if dir == "." || strings.HasPrefix(dir, "tools") {
			return nil
		}
		seen[dir] = true
		mine, ok := rank[dir]
		if !ok {
			t.Errorf("%s: package %s is not in the list of layers", file, dir)
			return nil
		}
		// Tests may look anywhere: they are nobody's dependency.
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(imp, module+"/"); ok {
				if r, known := rank[own]; !known || r >= mine {
					t.Errorf("%s imports %s, which does not stand below it", file, own)
				}
				for _, f := range forbidden {
					if slices.Contains(faces, dir) && (own == f || strings.HasSuffix(f, "/") && strings.HasPrefix(own, f)) {
						t.Errorf("%s imports %s: a face reaches it through app or catalog", file, own)
					}
				}
				continue
			}
			for _, h := range heavy {
				if strings.HasPrefix(imp, h) && !strings.HasPrefix(dir, "internal/") {
					t.Errorf("%s imports %s: only packages below internal may", file, imp)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for p := range rank {
		if !seen[p] {
			t.Errorf("package %s is in the list of layers, but not in the tree", p)
		}
	}
}

// TestTable: the tables of ARCHITECTURE.md have each package once, and no other.
func TestTable(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for line := range strings.Lines(string(page)) {
		cell, row := strings.CutPrefix(line, "| `")
		if !row {
			continue
		}
		cell, _, _ = strings.Cut(cell, " | ")
		for name := range strings.SplitSeq("`"+cell, ",") {
			if quoted := strings.Split(name, "`"); len(quoted) == 3 {
				rows[quoted[1]]++
			}
		}
	}
	for p := range strings.FieldsSeq(strings.Join(layers, " ")) {
		if rows[p] != 1 {
			t.Errorf("ARCHITECTURE.md has %d rows of %s, want 1", rows[p], p)
		}
		delete(rows, p)
	}
	for p := range rows {
		t.Errorf("ARCHITECTURE.md has a row of %s, which is no package", p)
	}
}
