// SPDX-License-Identifier: Apache-2.0

package checker

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
)

// planned returns certificates with plans, of starts and of late positions.
func planned(t *testing.T) (files [][]byte) {
	t.Helper()
	for i, name := range []string{"connect4:5x4", "connect4:4x5", "connect4:5x4,k=3", "connect4:5x5", "connect4:6x4"} {
		g, err := krow.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.New(g, solve.Options{Weak: true, Hash: 1 << 18, Plans: true})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range 8 {
			p := g.Start()
			wander(p, rand.New(rand.NewPCG(uint64(i), uint64(seed))), max(len(p.(game.Board).Cells())-16+seed, 0))
			var file bytes.Buffer
			if err := s.Certify(t.Context(), p, &file); err != nil {
				t.Fatal(err)
			}
			if _, body := unpack(t, file.Bytes()); bytes.IndexByte(body, 254) > 0 {
				files = append(files, file.Bytes())
			}
		}
	}
	if len(files) < 10 {
		t.Errorf("only %d certificates have plans", len(files))
	}
	return files
}

// planMutations change one thing in a plan, which is a list of numbers: two numbers for each rule, and the side before them.
var planMutations = map[string]func(rng *rand.Rand, side *int, rules *[][2]int, cells int) bool{
	"other side": func(_ *rand.Rand, side *int, _ *[][2]int, _ int) bool { *side ^= 1; return true },
	"one rule less": func(rng *rand.Rand, _ *int, rules *[][2]int, _ int) bool {
		if len(*rules) > 0 {
			i := rng.IntN(len(*rules))
			*rules = slices.Delete(*rules, i, i+1)
			return true
		}
		return false
	},
	"two rules exchanged": func(rng *rand.Rand, _ *int, rules *[][2]int, _ int) bool {
		r := *rules
		if len(r) > 1 {
			i := rng.IntN(len(r) - 1)
			r[i], r[i+1] = r[i+1], r[i]
		}
		return len(r) > 1
	},
	"another cell": func(rng *rand.Rand, _ *int, rules *[][2]int, cells int) bool {
		if len(*rules) > 0 {
			(*rules)[rng.IntN(len(*rules))][0] = rng.IntN(cells)
		}
		return len(*rules) > 0
	},
	"without condition": func(rng *rand.Rand, _ *int, rules *[][2]int, _ int) bool {
		for i, r := range *rules {
			if r[1] >= 0 {
				(*rules)[i][1] = -1
				return true
			}
		}
		return false
	},
	"with a condition": func(rng *rand.Rand, _ *int, rules *[][2]int, cells int) bool {
		for i, r := range *rules {
			if r[1] < 0 && r[0] < cells {
				(*rules)[i][1] = rng.IntN(cells)
				return true
			}
		}
		return false
	},
}

// mutated changes one plan of a body, all of whose numbers are less than 128, or returns nil if the mutation changes nothing.
func mutated(rng *rand.Rand, body []byte, cells int, mutate func(*rand.Rand, *int, *[][2]int, int) bool) []byte {
	var begins []int
	for i := 1; i < len(body); i++ {
		if body[i] != 254 {
			continue
		}
		begins = append(begins, i+2)
		i += 2
		for n := body[i] / 2; n > 0; n-- {
			if i++; int(body[i]) > cells {
				i++
			}
		}
	}
	at := begins[rng.IntN(len(begins))]
	side, rules, end := int(body[at]%2), [][2]int{}, at+1
	for range body[at] / 2 {
		r := [2]int{int(body[end]), -1}
		if end++; r[0] > cells {
			r = [2]int{int(body[end]), r[0] - cells - 1}
			end++
		}
		rules = append(rules, r)
	}
	if !mutate(rng, &side, &rules, cells) {
		return nil
	}
	plan := []byte{byte(2*len(rules) + side)}
	for _, r := range rules {
		if r[1] >= 0 {
			plan = append(plan, byte(cells+1+r[1]))
		}
		plan = append(plan, byte(r[0]))
	}
	return slices.Replace(slices.Clone(body), at, end, plan...)
}

// TestCheckersAgreeOnPlans: the same for certificates with plans, damaged anywhere, or in one thing of a plan. Each kind of change
// of a plan is caught at least once.
func TestCheckersAgreeOnPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	files, rng := planned(t), rand.New(rand.NewPCG(9, 10))
	all := sampled(files, amount(100, 150, 10_000), func(int) ([]byte, string) {
		return damaged(t, rng, files[rng.IntN(len(files))])
	})
	agree(t, all, 10*most, truth).compares(t)
	for _, name := range slices.Sorted(maps.Keys(planMutations)) {
		rng, mutate := rand.New(rand.NewPCG(11, 12)), planMutations[name]
		var all []sample
		for tries := amount(25, 40, 2_000); tries > 0; tries-- {
			head, body := unpack(t, files[rng.IntN(len(files))])
			cells := bytes.IndexByte([]byte(head[bytes.Index([]byte(head), []byte(`"cells":"`))+9:]), '"')
			if changed := mutated(rng, body, cells, mutate); changed != nil && !bytes.Equal(changed, body) {
				all = append(all, sample{pack(head, changed), name})
			}
		}
		n := agree(t, all, 10*most, truth)
		if t.Logf("%s: %d of %d accepted", name, n.accepted, n.damaged); n.accepted == n.damaged {
			t.Errorf("%s: none of %d changes is refused", name, n.damaged)
		}
	}
}
