// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search/oracle"
)

// gameOf returns the game that a claim is about.
func gameOf(c proof.Claim) (*rules.Game, error) {
	if c.Rule == proof.Renju {
		return renju.NewRect(c.Columns, c.Rows)
	}
	exact := c.Rule == proof.Exact
	return rules.New(rules.Rules{Name: "claimed", Columns: c.Columns, Rows: c.Rows, K: c.K, Gravity: c.Gravity, Exact: [2]bool{exact, exact}, Blocked: c.Rule == proof.Caro})
}

// setUp returns the position of a claim by the rules, not by the checker's copy of them.
func setUp(g *rules.Game, cells []game.Stone, turn game.Side) (game.Position, error) {
	ply := 0
	for _, s := range cells {
		if s != game.Empty {
			ply++
		}
	}
	return g.SetUp(game.Setup{Cells: cells, Turn: turn, Ply: ply})
}

// stones returns the cells of a claim.
func stones(cells string) []game.Stone {
	s := make([]game.Stone, len(cells))
	for i := range s {
		s[i] = game.Stone(strings.IndexByte(".XO", cells[i]))
	}
	return s
}

// truth returns what the oracle says of a claim's position.
func truth(c proof.Claim) (oracle.Result, error) {
	turn := game.First
	if c.Turn == "second" {
		turn = game.Second
	}
	if c.Version == proof.TreeVersion {
		return treeTruth(c, turn)
	}
	g, err := gameOf(c)
	if err != nil {
		return oracle.Result{}, err
	}
	p, err := setUp(g, stones(c.Cells), turn)
	if err != nil {
		return oracle.Result{}, err
	}
	return oracle.Solve(p, 3_000_000)
}

func valueOf(r oracle.Result) string {
	_, sign := r.Best.Score.Distance()
	return [...]string{"loss", "draw", "win"}[sign+1]
}

// teller is a Chooser who asks the oracle.
type teller struct{ g *rules.Game }

func (o teller) Root(proof.Position) (bool, error) { return false, nil }

func (o teller) Move(p proof.Position) (int, error) {
	q, err := setUp(o.g, p.Cells, p.Turn)
	if err != nil {
		return 0, err
	}
	r, err := oracle.Solve(q, 3_000_000)
	if err != nil {
		return 0, err
	}
	return q.(game.Board).Cell(r.Best.Move), nil
}

// certificate returns a certificate of the start of a game, or of random moves from it.
func certificate(t testing.TB, c proof.Claim, plies int, seed uint64) []byte {
	t.Helper()
	g, err := gameOf(c)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if c.Cells != "" {
		if p, err = setUp(g, stones(c.Cells), game.First); err != nil {
			t.Fatal(err)
		}
		c.Cells = ""
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	for tries := 0; p.Ply() < plies && tries < 4*plies; tries++ {
		moves := p.AppendMoves(nil)
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing {
			p.Undo()
		}
	}
	for _, s := range p.(game.Board).Cells() {
		c.Cells += string(".XO"[s])
	}
	r, err := oracle.Solve(p, 3_000_000)
	if err != nil {
		t.Fatal(err)
	}
	c.Turn, c.Value = p.Turn().String(), valueOf(r)
	var file bytes.Buffer
	if err := proof.Write(&file, c, teller{g}); err != nil {
		t.Fatalf("%s after %v: %v", g, p.AppendHistory(nil), err)
	}
	return file.Bytes()
}

var claims = []proof.Claim{
	{Columns: 3, Rows: 3, K: 3},
	{Columns: 3, Rows: 4, K: 4},
	{Columns: 4, Rows: 3, K: 3},
	{Columns: 2, Rows: 5, K: 2},
	{Columns: 5, Rows: 1, K: 3},
	{Columns: 4, Rows: 3, K: 3, Gravity: true},
	{Columns: 3, Rows: 4, K: 3, Gravity: true, Search: 9},
	{Columns: 1, Rows: 1, K: 1},
}

// late are certified from positions with few empty cells left, on boards of more than 64 bits.
var late = []struct {
	c     proof.Claim
	empty int
}{
	{proof.Claim{Columns: 9, Rows: 7, K: 4, Gravity: true}, 12},
	{proof.Claim{Columns: 9, Rows: 8, K: 5, Gravity: true, Search: 1}, 12},
	{proof.Claim{Columns: 9, Rows: 8, K: 4, Cells: holed()}, 10},
}

// holed returns 9 columns and 8 rows full of stones, no three in a row, but for 4 columns of the 3 highest rows.
func holed() string {
	var cells strings.Builder
	for c := range 9 * 8 {
		x, y := c%9, c/9
		if y > 4 && x > 1 && x < 6 {
			cells.WriteByte('.')
			continue
		}
		cells.WriteByte("XXOO"[(x+2*y)%4])
	}
	return cells.String()
}

func TestRoundTrip(t *testing.T) {
	for i, c := range claims {
		for plies := range 7 {
			t.Run(fmt.Sprintf("%d/plies=%d", i, plies), func(t *testing.T) {
				file := certificate(t, c, plies, uint64(plies))
				r, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if r.Bytes != int64(len(file)) {
					t.Errorf("%d bytes, not %d", r.Bytes, len(file))
				}
			})
		}
	}
}

// unpack cuts a certificate into its first line and its steps; pack puts them together, with the right checksum.
func unpack(t testing.TB, file []byte) (head, body []byte) {
	t.Helper()
	head, rest, _ := bytes.Cut(file[:len(file)-sha256.Size], []byte("\n"))
	body, err := io.ReadAll(flate.NewReader(bytes.NewReader(rest)))
	if err != nil {
		t.Fatal(err)
	}
	return head, body
}

func pack(head, body []byte) []byte {
	var file bytes.Buffer
	file.Write(head)
	file.WriteByte('\n')
	w, _ := flate.NewWriter(&file, flate.BestSpeed)
	_, _ = w.Write(body)
	_ = w.Close()
	sum := sha256.Sum256(file.Bytes())
	file.Write(sum[:])
	return file.Bytes()
}

// TestChangedByteIsRefused changes one byte of a certificate, its first line or its steps, and makes the checksum right: it is
// refused, or what it states is true.
func TestChangedByteIsRefused(t *testing.T) {
	changes := 1_000
	switch {
	case os.Getenv("KROW_LONG") != "":
		changes = 10_000
	case testing.Short():
		changes = 200
	}
	files := certificates(t)
	accepted, known := 0, map[proof.Claim]string{}
	for i, file := range files {
		head, body := unpack(t, file)
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		n := 0
		for range 1 + changes/len(files) {
			if change(t, rng, head, body, known) {
				n++
			}
		}
		t.Logf("%s, %d steps: %d accepted", head, len(body), n)
		accepted += n
	}
	if accepted == 0 {
		t.Error("no change was accepted: nothing has been tested")
	}
	t.Logf("%d of %d changes were accepted, and true", accepted, changes)
}

// certificates returns some of all kinds.
func certificates(t *testing.T) (files [][]byte) {
	t.Helper()
	for _, c := range claims {
		for seed := range uint64(2) {
			files = append(files, certificate(t, c, int(seed)*2, seed))
		}
	}
	for _, l := range late {
		var best []byte
		for seed := range uint64(6) { // many are over at once
			file := certificate(t, l.c, l.c.Columns*l.c.Rows-l.empty, seed)
			if best == nil || steps(t, file) > steps(t, best) {
				best = file
			}
		}
		files = append(files, best)
	}
	return files
}

func steps(t *testing.T, file []byte) int {
	t.Helper()
	_, body := unpack(t, file)
	return len(body)
}

// TestSwappedClaimIsRefused puts the first line of each certificate before the moves of another one, and makes the checksum right: it
// is refused, or what it states is true.
func TestSwappedClaimIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	files, known, refused := certificates(t), map[proof.Claim]string{}, 0
	for i := range files {
		for j := range files {
			head, _ := unpack(t, files[i])
			_, body := unpack(t, files[j])
			if !sound(t, head, body, known) {
				refused++
			}
		}
		if head, body := unpack(t, files[i]); !sound(t, head, body, known) {
			t.Errorf("%s is refused", head)
		}
	}
	if refused < len(files)*len(files)/2 {
		t.Errorf("only %d of %d pairs were refused", refused, len(files)*len(files))
	}
}

// change changes copies of a certificate's parts and says whether the result is accepted.
func change(t *testing.T, rng *rand.Rand, head, body []byte, known map[proof.Claim]string) bool {
	t.Helper()
	head, body = bytes.Clone(head), bytes.Clone(body)
	part := &body
	if rng.IntN(3) == 0 {
		part = &head
	}
	switch at := rng.IntN(len(*part)); rng.IntN(4) {
	case 0: // another byte
		(*part)[at] = byte(rng.Uint32())
	case 1: // a likely one
		(*part)[at] = []byte{'.', 'X', 'O', '0', '1', '2', '3', '4', '5', 0, 1, 2, 3, 4, 5, 255}[rng.IntN(16)]
	case 2: // one less
		*part = append((*part)[:at], (*part)[at+1:]...)
	default: // one more
		*part = append((*part)[:at], append([]byte{byte(rng.IntN(16))}, (*part)[at:]...)...)
	}
	return sound(t, head, body, known)
}

// sound says whether a certificate is accepted. What it states then must be true, and otherwise the error one line.
func sound(t *testing.T, head, body []byte, known map[proof.Claim]string) bool {
	t.Helper()
	r, err := proof.Verify(t.Context(), bytes.NewReader(pack(head, body)), proof.Limits{})
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of more than one line: %q", err)
		}
		return false
	}
	c := r.Claim
	c.Value, c.Search = "", 0
	if known[c] == "" {
		want, err := truth(c)
		if err != nil {
			t.Fatalf("%s: %v", head, err)
		}
		known[c] = valueOf(want)
	}
	if known[c] != r.Claim.Value {
		t.Errorf("accepted, though it is a %s:\n%s\n%v", known[c], head, body)
	}
	return true
}

// TestDamagedFileIsRefused refuses every file that differs from what was written.
func TestDamagedFileIsRefused(t *testing.T) {
	file := certificate(t, proof.Claim{Columns: 4, Rows: 3, K: 3}, 0, 0)
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 1
		if _, err := proof.Verify(t.Context(), bytes.NewReader(bad), proof.Limits{}); !errors.Is(err, proof.ErrDamaged) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := proof.Verify(t.Context(), bytes.NewReader(file[:i]), proof.Limits{}); !errors.Is(err, proof.ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
	head, body := unpack(t, file)
	for i := range head {
		if _, err := proof.Verify(t.Context(), bytes.NewReader(pack(head[:i], body)), proof.Limits{}); err == nil {
			t.Fatalf("accepted with the first line cut to %d bytes", i)
		}
	}
	for i := range body {
		if _, err := proof.Verify(t.Context(), bytes.NewReader(pack(head, body[:i])), proof.Limits{}); !errors.Is(err, proof.ErrShort) {
			t.Fatalf("with %d of %d steps: %v", i, len(body), err)
		}
	}
	for i := len(head) + 1; i < len(file)-sha256.Size; i++ { // what is packed is cut short, with the right checksum
		sum := sha256.Sum256(file[:i])
		_, err := proof.Verify(t.Context(), bytes.NewReader(append(bytes.Clone(file[:i]), sum[:]...)), proof.Limits{})
		if err == nil || !strings.Contains(err.Error(), " end") && !errors.Is(err, proof.ErrShort) {
			t.Fatalf("packed moves cut to %d bytes: %v", i, err)
		}
	}
}

// TestFirstLine refuses a first line that says the same in other words, or more.
func TestFirstLine(t *testing.T) {
	head, body := unpack(t, certificate(t, proof.Claim{Columns: 4, Rows: 3, K: 3}, 0, 0))
	changes := map[string][2]string{
		"text after it":     {"}", "} and more"},
		"a second object":   {"}", "}{}"},
		"another case":      {`"rows"`, `"Rows"`},
		"a space":           {`"rows":3`, `"rows": 3`},
		"a key given twice": {`"rows":3`, `"rows":9,"rows":3`},
		"an unknown key":    {`"rows":3`, `"rows":3,"hash":65537`},
		"a key left out":    {`,"search":0`, ``},
		"another number":    {`"rows":3`, `"rows":3.0`},
		"a mark before it":  {"{", "\ufeff{"},
	}
	for name, c := range changes {
		changed := strings.Replace(string(head), c[0], c[1], 1)
		if changed == string(head) {
			t.Fatalf("%s: nothing is changed", name)
		}
		if _, err := proof.Verify(t.Context(), bytes.NewReader(pack([]byte(changed), body)), proof.Limits{}); err == nil {
			t.Errorf("%s: accepted: %s", name, changed)
		}
	}
}

// TestCheckerStaysSmall: who wants to trust the checker can read it.
func TestCheckerStaysSmall(t *testing.T) {
	testSize(t, 620, "board.go", "walk.go", "certificate.go", "plan.go")
	testSize(t, 420, "hold.go")
	testSize(t, 380, "zone.go", "renju.go")
	testSize(t, 280, "ultimate.go")
}

func testSize(t *testing.T, most int, files ...string) {
	t.Helper()
	lines := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("krow-lab/")) {
			t.Errorf("%s imports a package of krow", name)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	if lines >= most {
		t.Errorf("%v have %d lines of code: it was to be less than %d", files, lines, most)
	}
}

func TestBadClaimIsRefused(t *testing.T) {
	ok := proof.Claim{
		Krow: "certificate", Version: 2, Columns: 3, Rows: 3, K: 3, Cells: ".........", Turn: "first", Value: "draw",
	}
	falling := func(c *proof.Claim) { c.Version, c.Gravity = 8, true }
	tests := []struct {
		name   string
		change func(*proof.Claim)
		body   []byte
		want   string
	}{
		{"newer", func(c *proof.Claim) { c.Version = 10 }, nil, `the file has version 10 of "certificate"; this krow reads versions 2 to 9 of certificates`},
		{"another file", func(c *proof.Claim) { c.Krow = "weights" }, nil, `the file has version 2 of "weights"; this krow reads versions 2 to 9 of certificates`},
		{"rule of another version", func(c *proof.Claim) { c.Rule = proof.Exact }, nil, `version 2 does not support draw by the rule "exact"`},
		{"no rule", func(c *proof.Claim) { c.Version = 7 }, nil, `version 7 does not support draw by the rule ""`},
		{"free", func(c *proof.Claim) { c.Version, c.Rule = 7, proof.Free }, nil, `version 7 does not support draw by the rule "free"`},
		{"win by a rule", func(c *proof.Claim) { c.Version, c.Rule, c.Value = 7, proof.Caro, "win" }, nil, `version 7 does not support win by the rule "caro"`},
		{"falls by a rule", func(c *proof.Claim) { c.Version, c.Rule, c.Gravity = 7, proof.Caro, true }, nil, `version 7 does not support draw by the rule "caro"`},
		{"moves by a rule", func(c *proof.Claim) { c.Version, c.Rule = 7, proof.Exact }, []byte{0}, "position 0: a part of kind 0 is not allowed here"},
		{"stolen by a rule", func(c *proof.Claim) { c.Version, c.Rule, c.Columns, c.Rows, c.Cells = 7, proof.Exact, 2, 2, "...." }, []byte{1, 2}, "position 0: a part of kind 2 is not allowed here"},
		{"huge", func(c *proof.Claim) { c.Columns, c.Rows = 1<<32, 1<<32 }, nil, "invalid board: 4294967296,4294967296,3 with 9 cells"},
		{"no board", func(c *proof.Claim) { c.Rows = 0 }, nil, "invalid board: 3,0,3 with 9 cells"},
		{"cells", func(c *proof.Claim) { c.Cells = "." }, nil, "invalid board: 3,3,3 with 1 cells"},
		{"stone", func(c *proof.Claim) { c.Cells = "....Z...." }, nil, "cell 4 has the invalid value 'Z'"},
		{"turn", func(c *proof.Claim) { c.Turn = "third" }, nil, `the value must be win, draw or loss for first or second, not "draw" for "third"`},
		{"owners", func(c *proof.Claim) { c.Owners = "." }, nil, "only ultimate tic-tac-toe has owners of small boards and a small board to play in"},
		{"forced", func(c *proof.Claim) { c.Forced = "any" }, nil, "only ultimate tic-tac-toe has owners of small boards and a small board to play in"},
		{"value", func(c *proof.Claim) { c.Value = "fun" }, nil, `the value must be win, draw or loss for first or second, not "fun" for "first"`},
		{"over", func(c *proof.Claim) { c.Cells = "XXXOO...." }, nil, "certificates do not support a position with a line of 3 or without an empty cell"},
		{"floats", func(c *proof.Claim) { c.Cells, c.Gravity = "....X....", true }, nil, "cell 4 has the invalid value 'X'"},
		{"search", func(c *proof.Claim) { c.Search = 1 << 30 }, nil, "a search must try 0 to 100000 moves, not 1073741824"},
		{"empty", nil, nil, "position 0: the certificate is truncated"},
		{"kind", nil, []byte{9}, "position 0: a part of kind 9 is not allowed here"},
		{"stolen by the second", nil, []byte{2}, "position 0: a part of kind 2 is not allowed here"},
		{"win by breaking", func(c *proof.Claim) { c.Value = "win" }, []byte{1}, "position 0: a part of kind 1 is not allowed here"},
		{"short", nil, []byte{0}, "position 1: the certificate is truncated"},
		{"taken", nil, []byte{0, 0}, "position 1: a move of the proof cannot be played"},
		{"no cell", nil, []byte{0, 77}, "position 1: a move of the proof cannot be played"},
		{"no win", func(c *proof.Claim) { c.Value = "win" }, bytes.Repeat([]byte{0}, 9), "position 2: a move of the proof cannot be played"},
		{"search", nil, []byte{0, 255}, "position 1: a move of the proof cannot be played"},
		{"plan", nil, []byte{0, 254, 0, 0}, "position 1: a move of the proof cannot be played"},
		{"plan without falling stones", func(c *proof.Claim) { c.Version = 8 }, nil, `version 8 does not support draw by the rule ""`},
		{"plan with a rule", func(c *proof.Claim) { c.Version, c.Gravity, c.Rule = 8, true, proof.Exact }, nil, `version 8 does not support draw by the rule "exact"`},
		{"plan of the air", func(c *proof.Claim) { falling(c); c.Value = "win" }, []byte{0, 254, 3, 0}, "position 1: a move of the proof cannot be played"},
		{"plan that ends", falling, []byte{0, 254, 0, 2}, "position 1: the certificate is truncated"},
		{"plan that ends in a rule", falling, []byte{0, 254, 0, 2, 10}, "position 1: the certificate is truncated"},
		{"plan on no cell", falling, []byte{0, 254, 0, 2, 10, 9}, "position 1: a plan has a rule that does not exist, or too many rules"},
		{"plan after no cell", falling, []byte{0, 254, 0, 2, 19, 0}, "position 1: a plan has a rule that does not exist, or too many rules"},
		{"plan too long", falling, []byte{0, 254, 0, 130, 4}, "position 1: a plan has a rule that does not exist, or too many rules"},
		{"plan that fails", func(c *proof.Claim) { falling(c); c.Value = "loss" }, []byte{0, 254, 1, 0}, "position 1: the side that must reach its goal does not reach it"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := ok
			if tc.change != nil {
				tc.change(&c)
			}
			head, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			_, err = proof.Verify(t.Context(), bytes.NewReader(pack(head, tc.body)), proof.Limits{})
			if err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// FuzzVerify refuses whatever is no proof, in one line, and follows each proof with zones.
func FuzzVerify(f *testing.F) {
	for _, c := range claims[:6] {
		head, body := unpack(f, certificate(f, c, 1, 1))
		f.Add(head, body)
	}
	for _, rule := range []string{proof.Free, proof.Exact, proof.Caro, proof.Renju} {
		f.Add([]byte(`{"krow":"certificate","version":3,"columns":9,"rows":1,"k":3,"gravity":false,"cells":".XX...O..","turn":"second","value":"loss","search":0,"rule":"`+rule+`"}`),
			[]byte("\x03\x00\x02\x08\x05"))
	}
	for _, rule := range []string{`connect","each":2,"left":1}`, `pente","captures":2,"taken":"1,0"}`, `keryo","captures":3,"taken":"1,0"}`} {
		f.Add([]byte(`{"krow":"certificate","version":9,"columns":4,"rows":3,"k":3,"gravity":false,"cells":"O....XO.....","turn":"first","value":"win","search":0,"rule":"`+rule),
			[]byte("\x02\x09"))
	}
	names, err := filepath.Glob(filepath.Join("testdata", "*.proof"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(file) < 500 {
			head, body := unpack(f, file)
			f.Add(head, body)
		}
	}
	limits := proof.Limits{Entered: 20_000}
	f.Fuzz(func(t *testing.T, head, body []byte) {
		file := pack(head, body)
		r, err := proof.Verify(t.Context(), bytes.NewReader(file), limits)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		if s, err := proof.ReadStrategy(t.Context(), bytes.NewReader(file), limits); err == nil {
			_, _ = s.Move(nil)
			_, _ = s.Move([]int{0, 1})
		} else if r.Claim.Version == proof.ZoneVersion {
			t.Errorf("%s is accepted, and cannot be followed: %v", head, err)
		}
		if len(r.Claim.Cells) > 12 {
			return
		}
		if r.Claim.Version == proof.TreeVersion && r.Claim.Each == 1 && r.Claim.Left > 1 {
			return // package mnk cannot set up a turn of several stones if all later turns have one stone
		}
		want, err := truth(r.Claim)
		if err != nil || valueOf(want) != r.Claim.Value {
			t.Errorf("%s is accepted: %v", head, err)
		}
	})
}

// TestLimits: a walk ends at its limits, inside a search of the checker too, and tells how far it is.
func TestLimits(t *testing.T) {
	for name, c := range map[string]proof.Claim{
		"placed":  {Columns: 4, Rows: 3, K: 3},
		"falling": {Columns: 4, Rows: 3, K: 3, Gravity: true, Search: 100_000},
	} {
		t.Run(name, func(t *testing.T) {
			file := certificate(t, c, 0, 1)
			all, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{})
			if err != nil || all.Entered < all.Positions || len(all.Parts) == 0 {
				t.Fatalf("%+v, %v", all, err)
			}
			sum := uint64(0)
			for _, p := range all.Parts {
				sum += p.Positions
			}
			if sum != all.Positions {
				t.Errorf("the parts have %d positions, the proof %d", sum, all.Positions)
			}
			for entered := uint64(1); entered <= all.Entered; entered += 1 + all.Entered/50 {
				_, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{Entered: entered})
				if enough := entered >= all.Entered; enough != (err == nil) || !enough && !errors.Is(err, proof.ErrWork) {
					t.Errorf("%d of %d positions: %v", entered, all.Entered, err)
				}
			}
			if _, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{Memory: 1}); !errors.Is(err, proof.ErrMemory) {
				t.Errorf("a byte of memory: %v", err)
			}
			ctx, stop := context.WithCancel(t.Context())
			stop()
			if _, err := proof.Verify(ctx, bytes.NewReader(file), proof.Limits{}); !errors.Is(err, context.Canceled) {
				t.Errorf("stopped: %v", err)
			}
		})
	}
}
