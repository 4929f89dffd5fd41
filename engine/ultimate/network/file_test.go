// SPDX-License-Identifier: Apache-2.0

package network_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game/ultimate"
)

// The embedded network is small, holds its recipe, and values the start as about even.
func TestShippedNetwork(t *testing.T) {
	n := network.Default()
	file := n.Append(nil)
	if !bytes.Contains(file, []byte("krow learn network:")) {
		t.Error("no recipe")
	}
	b := ultimate.NewBoard(ultimate.Rules{})
	if v := n.NewEvaluator().Value(&b); v < 0.4 || v > 0.7 {
		t.Errorf("the empty board is worth %f", v)
	}
}

func sample(t *testing.T) []byte {
	t.Helper()
	n, err := random(1).Network("a recipe")
	if err != nil {
		t.Fatal(err)
	}
	return n.Append(nil)
}

func TestFileIsReadBack(t *testing.T) {
	data := sample(t)
	name := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	n, err := network.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(n.Append(nil), data) || !bytes.Contains(data, []byte("a recipe")) {
		t.Error("a file does not write itself again")
	}
}

// TestParameters: a network made from the parameters of another gives positions the same values.
func TestParameters(t *testing.T) {
	n := network.Default()
	again, err := n.Parameters().Network("")
	if err != nil {
		t.Fatal(err)
	}
	a, b := n.NewEvaluator(), again.NewEvaluator()
	board := ultimate.NewBoard(ultimate.Rules{})
	for _, m := range []uint8{40, 36, 0, 4, 44, 76, 41} {
		board.Play(m)
		if x, y := a.Value(&board), b.Value(&board); math.Abs(float64(x-y)) > 1e-3 {
			t.Errorf("after %d plies %f, was %f", board.Ply, y, x)
		}
	}
}

func TestDamagedNetworkIsRefused(t *testing.T) {
	whole := sample(t)
	change := func(at int, b byte) []byte {
		data := bytes.Clone(whole)
		data[at] ^= b
		return data
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a network"},
		{"foreign", []byte("PK\x03\x04 and so on"), "not a network"},
		{"newer", change(len("krow ultimate network 2")-1, 3), "not a network"},
		{"only its beginning", whole[:30], "truncated"},
		{"a byte short", whole[:len(whole)-1], "truncated"},
		{"a byte more", append(bytes.Clone(whole), 0), "has 1 bytes after its end"},
		{"one bit", change(5000, 4), "damaged"},
		{"another size", change(len("krow ultimate network 2\n"), 1), "inputs"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := network.Parse(tc.data)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Parse: %v, want a line with %q", err, tc.want)
			}
			name := filepath.Join(t.TempDir(), "net")
			if err := os.WriteFile(name, tc.data, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := network.Load(name); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("Load: %v", err)
			}
		})
	}
}

// Parameters of any size become a network whose sums fit.
func TestGreatParameters(t *testing.T) {
	for _, factor := range []float32{0, 1e-6, 30, 1e6} {
		p := random(4)
		for i := range p.In {
			for j := range p.In[i] {
				p.In[i][j] *= factor
			}
		}
		for k := range p.Out {
			p.Out[k], p.Bias[k], p.Weights[k][3] = p.Out[k]*factor, p.Bias[k]*factor, p.Weights[k][3]*factor
		}
		if _, err := p.Network(""); err != nil {
			t.Errorf("times %g: %v", factor, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	n, err := random(1).Network("r")
	if err != nil {
		f.Fatal(err)
	}
	whole := n.Append(nil)
	f.Add(whole)
	f.Add(whole[:40])
	f.Add([]byte("krow ultimate network 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := network.Parse(data); err == nil && !bytes.Equal(n.Append(nil), data) {
			t.Error("a file does not write itself again")
		}
	})
}
