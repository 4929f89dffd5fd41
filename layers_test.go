// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/krow-lab/krow"

// layers is the architecture. Each line is a folder of the root, low to high: a package imports only packages of folders above its
// own. Inside a folder the order of the line holds: a package imports packages of its folder that stand to the left.
// "." is package krow itself, the registry. Contracts stand before their implementations. Do not relax the list to make a build pass.
var layers = []string{
	"internal/sitefile internal/buildinfo internal/notices internal/cpu internal/fault internal/rescue internal/rng internal/spec internal/atomicfile internal/inputfile internal/humanize",
	"game/clock game game/mnk game/ultimate game/atarigo game/renju game/gametest game/symmetry game/boarddiff",
	"proof",
	"notation notation/tree notation/sgf notation/psq notation/binpack notation/renlib notation/rif notation/record",
	"eval/threat eval eval/weights eval/generic eval/lines eval/mics eval/indicators eval/shevchenko eval/chua eval/plans",
	"search search/tt search/minimax search/alphabeta search/dfpn search/oracle search/mcts search/greedy search/rules search/widening search/mics search/searchtest",
	"engine/nnue engine/score engine/atarigo engine/connect4 engine/connect6 engine/gomoku/network engine/mnk engine/ultimate/network engine/gomoku engine/pente engine/ultimate/prover engine/ultimate",
	"player player/limited player/proven player/opening player/subprocess player/gomocup player/ugi player/sandbox player/bot/kits/go player/bot",
	"arena/work arena/stats arena arena/pairing",
	"learn learn/target learn/nnue learn/selfplay learn/gomoku learn/genetic learn/qlearning learn/spsa learn/cmaes learn/regression learn/ultimate learn/plans learn/gomoku/network",
	".",
	"research/report research/reports research research/published research/experiments",
	"docs/measurements",
	"app/bench app/diagram app/gamefile app/explorer app/analysis app/export app/puzzles app/solve app/training app/request app/local",
	"docs",
	"page",
	"server/store server/store/storetest server/cluster server/gate server/club server/bots server/explorer server/live server/match server/runs server/league server/machines server/lobby server/classroom server/players server/tournament server/api server/api/browser",
	"cli/tui cli",
	"cmd/krow cmd/krow-wasm cmd/pbrain-krow",
}

// owners names the only folder that may import each of these libraries, so that who imports a package below gets nothing but Go's library.
var owners = map[string]string{
	"github.com/VictoriaMetrics/": "server",
	"charm.land/":                 "cli", "github.com/charmbracelet/": "cli", "github.com/spf13/": "cli", "modernc.org/": "server", "github.com/pressly/": "server",
	"github.com/danielgtaylor/": "server", "github.com/nats-io/": "server", "github.com/go-webauthn/": "server", "net/http": "server cli",
}

// faces hold flags, keys, requests and words. They reach engines, searches, heuristics and learners through package krow and the
// packages of app.
var (
	faces     = []string{"cli", "cli/tui", "server/api"}
	forbidden = []string{"game/mnk", "game/ultimate", "game/renju", "game/atarigo", "engine/", "search/", "eval/", "learn/"}
)

// folder returns the folder of the root that a package lies in.
func folder(dir string) string {
	top, _, _ := strings.Cut(dir, "/")
	return top
}

func TestLayers(t *testing.T) {
	rank, place := map[string]int{}, map[string]int{}
	for i, line := range layers {
		for j, p := range strings.Fields(line) {
			rank[p], place[p] = i, j
		}
	}
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		dir := path.Dir(filepath.ToSlash(file))
		if folder(dir) == "tools" {
			return nil
		}
		seen[dir] = true
		if _, ok := rank[dir]; !ok {
			t.Errorf("%s: package %s is not in the list of layers", file, dir)
			return nil
		}
		// Tests may look anywhere: nothing depends on them.
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
			own, ok := strings.CutPrefix(imp, module)
			if !ok {
				for library, owner := range owners {
					if strings.HasPrefix(imp, library) && !slices.Contains(strings.Fields(owner), folder(dir)) {
						t.Errorf("%s imports %s: only packages of %s may", file, imp, owner)
					}
				}
				continue
			}
			if own = strings.TrimPrefix(own, "/"); own == "" {
				own = "."
			}
			r, known := rank[own]
			if !known || r > rank[dir] || r == rank[dir] && place[own] >= place[dir] {
				t.Errorf("%s imports %s, which does not stand above it in the list", file, own)
			}
			for _, f := range forbidden {
				if slices.Contains(faces, dir) && strings.HasPrefix(own, f) {
					t.Errorf("%s imports %s: a face reaches it through package krow or app", file, own)
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
