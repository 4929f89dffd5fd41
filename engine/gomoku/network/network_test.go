// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/internal/cpu"
)

// random returns a network of random weights, some of them as great as Parse allows.
func random(t testing.TB, seed uint64) *Network {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 20))
	p := new(Parameters)
	for i := range p.Rows {
		for j := range p.Rows[i] {
			p.Rows[i][j] = float32(r.NormFloat64() * 0.4)
			if r.IntN(50) == 0 {
				p.Rows[i][j] = float32(31 - 62*r.IntN(2))
			}
		}
	}
	for i := range p.Hidden {
		for j := range p.Hidden[i] {
			p.Hidden[i][j] = MostHidden * float32(r.IntN(3)-1)
		}
	}
	for i := range p.Masks {
		for j := range p.Masks[i] {
			p.Masks[i][j] = float32(r.NormFloat64() * 30)
		}
	}
	for j := range p.Out {
		p.Out[j] = float32(r.NormFloat64())
	}
	p.Share, p.Offset = 0.9, 0.1
	for i := range p.Query {
		for j := range p.Query[i] {
			p.Query[i][j], p.Base[j] = float32(r.NormFloat64()*8), float32(r.NormFloat64())
		}
	}
	for i := range p.Near {
		p.Near[i] = float32(r.NormFloat64())
	}
	p.Looks = 0.5
	for j := range p.Drawn {
		p.Drawn[j] = float32(r.NormFloat64())
	}
	p.Even, p.Full, p.Room, p.Clear = -2, 3, 2, -4
	n, err := p.Network("gomoku", "drawn", 1)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// plainSum is the reference of Sum.
func plainSum(n *Network, cells []Cell) (s Accumulator) {
	for _, c := range cells {
		first, second := &n.rows[c.First], &n.rows[c.Second]
		for j := range Width {
			s[0][j] += int32(min(max(first[j]+second[Width+j], 0), cellOne))
			s[1][j] += int32(min(max(second[j]+first[Width+j], 0), cellOne))
		}
	}
	return s
}

// FuzzKernels compares the kernels of every level with their versions in Go, and the sums after changes with sums computed from
// the cells.
func FuzzKernels(f *testing.F) {
	n := random(f, 1)
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed*13))
	}
	f.Fuzz(func(t *testing.T, seed uint64, size uint8) {
		defer func() { level = cpu.Best }()
		r := rand.New(rand.NewPCG(seed, 21))
		draw := func() Cell { return Cell{uint16(r.IntN(none)), uint16(r.IntN(none))} }
		board := make([]Cell, 1+int(size)*2%maxCells)
		for i := range board {
			if board[i] = draw(); r.IntN(9) == 0 {
				board[i] = None
			}
		}
		level = cpu.Go
		before := n.Sum(board)
		var changes []Change
		for i := range min(len(board), mostChanges) {
			to := draw()
			changes = append(changes, Change{board[i], to})
			board[i] = to
		}
		want := plainSum(n, board)
		mask, static := r.Uint32N(Masks), int32(r.IntN(2000)-1000)
		value := [2]int32{n.Value(&want, 0, mask, static), n.Value(&want, 1, mask, static)}
		var q PolicyHead
		n.PolicyHead(&q, &want, 1, mask)
		drawn := n.Draw(&want, 1, mask, 70, 155, 0.6)
		judged := make([]int32, len(board))
		n.ScoreCells(judged, &q, board)
		for level = cpu.Go; level <= cpu.Best; level++ {
			var after Accumulator
			if n.Update(&after, &before, changes); after != want {
				t.Errorf("%s: sums after %d changes are %v, want %v", level, len(changes), after, want)
			}
			if got := n.Sum(board); got != want {
				t.Errorf("%s: sums of %d cells are %v, want %v", level, len(board), got, want)
			}
			if got := [2]int32{n.Value(&want, 0, mask, static), n.Value(&want, 1, mask, static)}; got != value {
				t.Errorf("%s: values %v, want %v", level, got, value)
			}
			var gotQ PolicyHead
			if n.PolicyHead(&gotQ, &want, 1, mask); gotQ != q {
				t.Errorf("%s: query %v, want %v", level, gotQ, q)
			}
			if got := n.Draw(&want, 1, mask, 70, 155, 0.6); got != drawn {
				t.Errorf("%s: a draw at %v, want %v", level, got, drawn)
			}
			got := make([]int32, len(board))
			if n.ScoreCells(got, &q, board); !slices.Equal(got, judged) {
				t.Errorf("%s: judged %v, want %v", level, got, judged)
			}
		}
	})
}

// TestFileIsReadBackAndDamageRefused: a network is the same after it is written and read, and a damaged file is an error of one
// line.
func TestFileIsReadBackAndDamageRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	n := random(t, 2)
	data := n.Append(nil)
	name := filepath.Join(t.TempDir(), "a.net")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Load(name)
	if err != nil || *got != *n {
		t.Fatalf("not the network that was written, %v", err)
	}
	refuse := func(name string, data []byte) {
		if _, err := Parse(data); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want an error in one line", name, err)
		}
	}
	refuse("nothing", nil)
	refuse("another file", []byte("krow ultimate network 1\n"))
	for cut := len(magics[0]); cut < len(data); cut += 1 + len(data)/40 {
		refuse("cut", data[:cut])
		torn := bytes.Clone(data)
		torn[cut] ^= 64
		if got, err := Parse(torn); err == nil && *got != *n {
			t.Errorf("byte %d torn: it was read as another network", cut)
		}
	}
	great := *n
	great.hidden[3][4][0] = math.MaxInt16
	great.masks[5][4] = math.MaxInt32
	refuse("great masks", great.Append(nil))
	great = *n
	great.rows[7][9] = math.MaxInt16
	refuse("great rows", great.Append(nil))
	great = *n
	great.out[3] = math.MaxInt32
	refuse("great out", great.Append(nil))
	great = *n
	great.base[7] = math.MinInt32
	refuse("great query", great.Append(nil))
	great = *n
	great.looks = math.MaxInt32
	refuse("great looks", great.Append(nil))
	// The least number of a type has no positive one.
	least := *n
	for i := range least.hidden {
		least.hidden[i][4][0] = math.MinInt16
	}
	refuse("least hidden", least.Append(nil))
	least = *n
	least.out[3] = math.MinInt32
	refuse("least out", least.Append(nil))
	least = *n
	least.share = math.MinInt32
	refuse("least share", least.Append(nil))
	least = *n
	least.offset = math.MinInt32
	refuse("least offset", least.Append(nil))
	least = *n
	least.rows[7][9] = 1 << 14 // two of them are beyond 16 bits
	refuse("rows a bit too great", least.Append(nil))
}

// TestFileHasVersionOfItsContents: a file has the version of its network's parts, and no version is taken for another.
func TestFileHasVersionOfItsContents(t *testing.T) {
	all := [3]*Network{random(t, 2), random(t, 2), random(t, 2)}
	all[0].policy, all[0].draws, all[1].draws = policy{}, draws{}, draws{}
	for version, n := range all {
		data := n.Append(nil)
		got, err := Parse(data)
		if err != nil || *got != *n || !bytes.HasPrefix(data, []byte(magics[version])) || got.Ordered() != (version > 0) {
			t.Errorf("version %d: not the network that was written, %v", version+1, err)
		}
		for other, magic := range magics {
			if _, err := Parse(append([]byte(magic), data[len(magic):]...)); other != version && err == nil {
				t.Errorf("version %d was read as %d", version+1, other+1)
			}
		}
	}
	told := random(t, 2) // a chance of a draw and no policy
	told.policy = policy{}
	if got, err := Parse(told.Append(nil)); err != nil || *got != *told {
		t.Errorf("without a policy: not the network that was written, %v", err)
	}
}

// TestDraw: the probability of a draw follows from the weights, and is limited by the chance of the side to move.
func TestDraw(t *testing.T) {
	p := new(Parameters)
	p.Masks[9][3], p.Drawn[3], p.Even, p.Full, p.Room, p.Clear = 0.5, 2, -1, 4, -2, -8
	n, err := p.Network("gomoku", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		mask         uint32
		stones, free int
		chance       float64
		want         float64 // odds
	}{
		{0, 0, 225, 0.5, -1 - 2}, {9, 0, 225, 0.5, -2}, {0, 225, 0, 0.5, -1 + 4}, {9, 90, 135, 0.75, 1.6 - 1.2 - 2}, {9, 50, 50, 0.5, 2 - 2*50./225},
	} {
		want := min(1/(1+math.Exp(-tc.want)), 2*min(tc.chance, 1-tc.chance))
		if got := n.Draw(new(Accumulator), 0, tc.mask, tc.stones, tc.free, tc.chance); math.Abs(got-want) > 1e-3 {
			t.Errorf("%+v: a draw at %v, want %v", tc, got, want)
		}
	}
	for _, chance := range []float64{0, 1} {
		if got := n.Draw(new(Accumulator), 0, 9, 225, 0, chance); got != 0 {
			t.Errorf("a draw at %v where the chance is %v", got, chance)
		}
	}
	if n.draws = (draws{}); n.Draw(new(Accumulator), 0, 9, 225, 0, 0.5) != 0 {
		t.Error("a network that does not tell draws tells one")
	}
}

// TestParametersMakeTheNetworkAgain: the parameters of a network make it again.
func TestParametersMakeTheNetworkAgain(t *testing.T) {
	n := random(t, 4)
	again, err := n.Parameters().Network(n.game, n.recipe, 1)
	if err != nil {
		t.Fatal(err)
	}
	if *again != *n {
		t.Error("another network")
	}
}

// TestIntegersComputeWhatParametersSay: the network in integers computes the values of its parameters.
func TestIntegersComputeWhatParametersSay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 22))
	p := new(Parameters)
	for i := range p.Rows {
		for j := range p.Rows[i] {
			p.Rows[i][j] = float32(r.NormFloat64() * 0.3)
		}
	}
	for i := range p.Hidden {
		for j := range p.Hidden[i] {
			p.Hidden[i][j] = float32(r.NormFloat64() * 0.02 * SumUnit)
		}
	}
	for j := range p.Out {
		p.Out[j], p.Masks[9][j] = float32(r.NormFloat64()*0.3), 0.3
	}
	p.Share, p.Offset = 0.75, -0.2
	for i := range p.Query {
		for j := range p.Query[i] {
			p.Query[i][j], p.Base[j] = float32(r.NormFloat64()*0.2), float32(r.NormFloat64()*0.2)
		}
	}
	p.Looks, p.Near[40] = 0.7, 0.3
	n, err := p.Network("gomoku", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		var board []Cell
		x, h := [2 * Width]float64{}, [Hidden]float64{}
		for range 60 {
			c := Cell{uint16(r.IntN(Patterns)), uint16(r.IntN(Patterns))}
			board = append(board, c)
			for j := range Width {
				x[j] += float64(min(max(p.Rows[c.First][j]+p.Rows[c.Second][Width+j], 0), 1))
				x[Width+j] += float64(min(max(p.Rows[c.Second][j]+p.Rows[c.First][Width+j], 0), 1))
			}
		}
		want := 0.75*300 - 0.2*LogitUnit
		for j := range h {
			h[j] = float64(p.Masks[9][j])
			for i := range x {
				h[j] += x[i] / SumUnit * float64(p.Hidden[i][j])
			}
			want += LogitUnit * float64(p.Out[j]) * min(max(h[j], 0), 1)
		}
		s := n.Sum(board)
		if got := float64(n.Value(&s, 0, 9, 300)); math.Abs(got-want) > 4 {
			t.Errorf("value %v, want %.1f", got, want)
		}
		var q PolicyHead
		n.PolicyHead(&q, &s, 0, 9)
		var judged [1]int32
		n.ScoreCells(judged[:], &q, board[:1])
		want = 0.7*100 + 0.3*LooksUnit
		for j, x := range p.Base {
			for i := range h {
				x += p.Query[i][j] * float32(min(max(h[i], 0), 1))
			}
			c := board[0]
			want += LooksUnit * float64(x*min(max(p.Rows[c.First][j]+p.Rows[c.Second][Width+j], 0), 1))
		}
		if got := float64(n.Score(judged[0], 100, 40)); math.Abs(got-want) > 6 {
			t.Errorf("score of a move %v, want %.1f", got, want)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	n := random(b, 1)
	changes := make([]Change, 16)
	for i := range changes {
		changes[i] = Change{Cell{uint16(i), uint16(2 * i)}, Cell{uint16(3 * i), uint16(i)}}
	}
	defer func() { level = cpu.Best }()
	for level = cpu.Go; level <= cpu.Best; level++ {
		b.Run("kernel="+level.String(), func(b *testing.B) {
			var s Accumulator
			for b.Loop() {
				n.Update(&s, &s, changes)
			}
		})
	}
}

func BenchmarkValue(b *testing.B) {
	n := random(b, 1)
	var s Accumulator
	defer func() { level = cpu.Best }()
	for level = cpu.Go; level <= cpu.Best; level++ {
		b.Run("kernel="+level.String(), func(b *testing.B) {
			for b.Loop() {
				n.Value(&s, 0, 3, 50)
			}
		})
	}
}

func BenchmarkPolicy(b *testing.B) {
	n := random(b, 1)
	var s Accumulator
	cells, judged := make([]Cell, 50), make([]int32, 50)
	for i := range cells {
		cells[i] = Cell{uint16(40 * i), uint16(31 * i)}
	}
	defer func() { level = cpu.Best }()
	for level = cpu.Go; level <= cpu.Best; level++ {
		b.Run("kernel="+level.String(), func(b *testing.B) {
			var q PolicyHead
			for b.Loop() {
				n.PolicyHead(&q, &s, 0, 3)
				n.ScoreCells(judged, &q, cells)
			}
		})
	}
}
