// SPDX-License-Identifier: Apache-2.0

// Package checker holds the second checker of certificates, check.mjs, to package proof.
package checker

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// most is how many positions both checkers may enter.
const most = 20_000

// verdict is what a checker says of a file.
type verdict struct {
	accepted bool
	tooLong  bool   // refused at the limit of positions
	position string // where a walk was refused: after so many different positions
	text     string
}

// refused reads the reason of a checker, "position N: reason" for a walk.
func refused(reason, limit string) verdict {
	v := verdict{text: reason}
	if rest, found := strings.CutPrefix(reason, "position "); found {
		v.position, reason, _ = strings.Cut(rest, ": ")
	}
	if v.position == "" {
		v.position = "0"
	}
	v.tooLong = strings.HasPrefix(reason, limit)
	return v
}

// node runs the second checker once for all files, or skips the test.
func node(t *testing.T, args []string, files [][]byte) []verdict {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH: the second checker cannot run")
	}
	script, err := filepath.Abs("check.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil { // tells go test that its results depend on that file
		t.Fatal(err)
	}
	dir := t.TempDir()
	args = append([]string{script}, args...)
	for i, file := range files {
		args = append(args, strconv.Itoa(i))
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir, c.Stderr = dir, &stderr
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(files) {
		t.Fatalf("%d answers for %d files: %v", len(lines), len(files), err)
	}
	verdicts, status := make([]verdict, len(files)), 0
	for i, line := range lines {
		text, found := strings.CutPrefix(line, strconv.Itoa(i)+": ")
		if !found {
			t.Fatalf("file %d: %s", i, line)
		}
		verdicts[i].accepted, verdicts[i].text = true, text
		if reason, no := strings.CutPrefix(text, "refused: "); no {
			verdicts[i], status = refused(reason, "its walk enters more than"), 1
		}
	}
	if got := c.ProcessState.ExitCode(); got != status {
		t.Errorf("exit status %d, want %d", got, status)
	}
	return verdicts
}

// goChecker runs package proof, and says what it says in the words of the other one.
func goChecker(t *testing.T, file []byte, limit uint64) (proof.Claim, verdict) {
	t.Helper()
	r, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{Entered: limit})
	if err != nil {
		return r.Claim, refused(err.Error(), proof.ErrWork.Error())
	}
	c := r.Claim
	return c, verdict{accepted: true, text: fmt.Sprintf("%s, %s to move: %s for %s, %d positions", position(c), c.Turn, c.Value, c.Turn, r.Positions)}
}

// position names the position of a claim in the words of the second checker.
func position(c proof.Claim) string {
	stones := "empty board"
	if x, o := strings.Count(c.Cells, "X"), strings.Count(c.Cells, "O"); x+o > 0 {
		stones = fmt.Sprintf("stones X %d, O %d", x, o)
	}
	if c.Version == proof.UltimateVersion {
		return fmt.Sprintf("ultimate, %s, %s, small board %s", c.Rule, stones, c.Forced)
	}
	row := fmt.Sprintf("%d or more in a row", c.K)
	switch {
	case c.Gravity:
		row += ", falling stones"
	case c.Rule == proof.Exact:
		row = fmt.Sprintf("exactly %d in a row", c.K)
	case c.Rule == proof.Renju:
		row = "renju"
	case c.Rule == proof.Caro:
		row += ", not between two stones of the other side"
	case c.Rule == proof.AtariGo:
		row = "first capture"
	case c.Rule == proof.Connect:
		row += fmt.Sprintf(", %d in a turn, %d left", c.Each, c.Left)
	case c.Rule == proof.Pente:
		row += fmt.Sprintf(" or %d pairs, captured %s", c.Captures, c.Taken)
	case c.Rule == proof.Keryo:
		row += fmt.Sprintf(" or %d stones, captured %s", c.Captures, c.Taken)
	}
	return fmt.Sprintf("%d x %d, %s, %s", c.Columns, c.Rows, row, stones)
}

// boards are certified from the start and after some random moves, or after certain ones.
var boards = []struct {
	game  string
	plies []int
	moves string
}{
	{game: "mnk:3,3,3", plies: []int{0, 1, 2, 3, 4, 5}},
	{game: "mnk:4,3,3", plies: []int{0, 1, 2, 3, 4}},
	{game: "mnk:4,4,3", plies: []int{0, 2}},
	{game: "mnk:4,4,4", plies: []int{0, 1, 3, 5, 7, 9}},
	{game: "mnk:5,4,4", plies: []int{0, 5, 8}},
	{game: "mnk:3,7,3", plies: []int{0, 1}},
	{game: "mnk:1,8,2", plies: []int{0, 1}},
	{game: "mnk:9,1,3", plies: []int{0, 2, 3}},
	{game: "mnk:2,6,2", plies: []int{0, 1}},
	{game: "mnk:3,3,5", plies: []int{0, 1}},
	{game: "mnk:1,1,1", plies: []int{0}},
	{game: "mnk:6,4,4", plies: []int{0}},
	{game: "mnk:6,6,5", plies: []int{0, 14, 18}},
	{game: "mnk:7,6,5", plies: []int{0, 18, 24}},
	{game: "mnk:7,7,5", plies: []int{24, 28, 32}},
	{game: "mnk:5,5,4", plies: []int{0, 8, 12}},
	{game: "standard:5,k=5", plies: []int{0, 6, 11}},
	{game: "caro:6", plies: []int{0, 9, 18}},
	{game: "caro:5x4,k=4", plies: []int{0, 8, 11}},
	{game: "standard:4,k=4", plies: []int{0, 3, 6}},
	{game: "mnk:11,11,3", plies: []int{0, 1}},
	{game: "mnk:16,8,3", plies: []int{0, 3}},
	{game: "connect4:3x3,k=3", plies: []int{0, 1, 2}},
	{game: "connect4:4x4", plies: []int{0, 1, 4, 6}},
	{game: "connect4:4x4,k=3", plies: []int{0, 1, 2}},
	{game: "connect4:5x3,k=3", plies: []int{0, 1, 2, 3}},
	{game: "connect4:2x6,k=2", plies: []int{0, 1}},
	{game: "connect4:4x4,k=5", plies: []int{0}},
	{game: "connect4:6x4", plies: []int{8, 10, 12}},
	{game: "connect4:9x7,k=3", plies: []int{0, 1}},
	{game: "connect4:7x6", plies: []int{26, 28, 30}},
	{"mnk:7,7,5", []int{8}, "f4 f3 a1 g7 g2 d1 a5 c6"}, // positions that differ on cells without an open line are met
}

// certificates returns what the solvers write for boards.
func certificates(t *testing.T) (files [][]byte) {
	t.Helper()
	values, byRule := map[string]int{}, 0
	for i, b := range boards {
		g, err := krow.Game(b.game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.New(g, solve.Options{Weak: true, Hash: 1 << 18})
		if err != nil {
			t.Fatal(err)
		}
		for _, plies := range b.plies {
			p := g.Start()
			if err := notation.Play(p, b.moves); err != nil {
				t.Fatal(err)
			}
			wander(p, rand.New(rand.NewPCG(uint64(i), uint64(plies))), plies)
			v, err := s.Solve(t.Context(), p, func(solve.Solution) {})
			if ruled := strings.HasPrefix(b.game, "standard") || strings.HasPrefix(b.game, "caro"); ruled && err != nil {
				continue // no draw by breaking lines
			} else if ruled {
				byRule++
			}
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := s.Certify(t.Context(), p, &file); err != nil {
				t.Fatalf("%s after %d plies: %v", b.game, plies, err)
			}
			values[v.Value]++
			files = append(files, file.Bytes())
		}
	}
	if len(values) != 3 || byRule < 6 {
		t.Errorf("certificates of %v, %d of standard gomoku and caro, want wins, draws and losses, and 6", values, byRule)
	}
	// A draw of 7,6,5 with parts of kind 1, and with parts of kind 3 in version 5, which the writer no longer makes.
	for name, how := range map[string]proof.How{"v2-breaks.proof": proof.Breaks, "v5-holds.proof": proof.Holds} {
		old := written(t, name)[0]
		if r, err := proof.Verify(t.Context(), bytes.NewReader(old), proof.Limits{}); err != nil || r.Parts[0].How != how {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		files = append(files, old)
	}
	return files
}

// written returns the certificates of earlier builds whose names match a pattern.
func written(t *testing.T, pattern string) (files [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "proof", "testdata", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no certificate %s: %v", pattern, err)
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// TestEarlierCertificatesAreAccepted: both checkers accept certificates of every version and rule that earlier builds wrote.
func TestEarlierCertificatesAreAccepted(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	agree(t, sampled(written(t, "*.proof"), 0, nil), 0, func(*testing.T, proof.Claim) string { return "" })
}

// TestZoneNumbers: both checkers refuse longer forms of numbers, and cells that join a zone which has them.
func TestZoneNumbers(t *testing.T) {
	const head = `{"krow":"certificate","version":3,"columns":9,"rows":1,"k":3,"gravity":false,"cells":".XX...O..","turn":"second","value":"loss","search":0,"rule":"free"}`
	tails := []string{"\x01\x05", "\x02\x08\x05", "\x02\x05\x05", string(binary.AppendUvarint(nil, 1e9)) + "\x05\x05", "\x01\x03", "\x01\x01", "\x01\x09", "\x80\x00", "\x01\x85\x80\x80\x80\x00"}
	var files [][]byte
	for _, tail := range tails {
		files = append(files, pack(head, []byte("\x03\x00"+tail)))
	}
	for i, got := range node(t, nil, files) {
		_, want := goChecker(t, files[i], 0)
		if accepted := i < 2; got.accepted != accepted || want.accepted != accepted || got.position != want.position {
			t.Errorf("%q: the second checker says %q, the first %q", tails[i], got.text, want.text)
		}
	}
}

// anyStep returns a number that may stand in a file: a low cell, or up to that of a plan on a board of 9 to 56 cells.
func anyStep(rng *rand.Rand) byte { return byte(rng.IntN(16 + 48*rng.IntN(2))) }

// wander plays random moves, up to so many plies, that end no game.
func wander(p game.Position, rng *rand.Rand, plies int) {
	for tries := 0; p.Ply() < plies && tries < 4*plies; tries++ {
		moves := p.AppendMoves(nil)
		p.Play(moves[rng.IntN(len(moves))])
		if p.Outcome() != game.Ongoing {
			p.Undo()
		}
	}
}

// unpack cuts a certificate into its first line and the inflated rest; pack puts them together, with the right checksum.
func unpack(t *testing.T, file []byte) (head string, body []byte) {
	t.Helper()
	line, rest, _ := bytes.Cut(file[:len(file)-sha256.Size], []byte("\n"))
	body, err := io.ReadAll(flate.NewReader(bytes.NewReader(rest)))
	if err != nil {
		t.Fatal(err)
	}
	return string(line), body
}

func pack(head string, body []byte) []byte { return sign(append([]byte(head+"\n"), deflate(body)...)) }

func deflate(body []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

func sign(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// damages change a certificate. The checksum is made right afterwards, unless that is what they change.
var damages = map[string]func(rng *rand.Rand, head *string, body *[]byte){
	"size": func(rng *rand.Rand, head *string, _ *[]byte) {
		var columns, rows int
		_, after, _ := strings.Cut(*head, `"columns":`)
		_, _ = fmt.Sscanf(after, `%d,"rows":%d`, &columns, &rows)
		n := min(max(1, columns*rows), 128)
		for columns = 1 + rng.IntN(n); n%columns != 0; columns = 1 + rng.IntN(n) {
		}
		field(head, "columns", strconv.Itoa(columns))
		field(head, "rows", strconv.Itoa(n/columns))
	},
	"k":       func(rng *rand.Rand, head *string, _ *[]byte) { field(head, "k", strconv.Itoa(1+rng.IntN(6))) },
	"gravity": func(rng *rand.Rand, head *string, _ *[]byte) { field(head, "gravity", one(rng, "true", "false")) },
	"cell": func(rng *rand.Rand, head *string, _ *[]byte) {
		before, after, _ := strings.Cut(*head, `"cells":"`)
		cells, after, _ := strings.Cut(after, `"`)
		if i := rng.IntN(max(1, len(cells))); i < len(cells) {
			*head = before + `"cells":"` + cells[:i] + one(rng, ".", "X", "O", "XO", "") + cells[i+1:] + `"` + after
		}
	},
	"turn": func(rng *rand.Rand, head *string, _ *[]byte) { field(head, "turn", one(rng, `"first"`, `"second"`)) },
	"value": func(rng *rand.Rand, head *string, _ *[]byte) {
		field(head, "value", one(rng, `"win"`, `"draw"`, `"loss"`))
	},
	"search": func(rng *rand.Rand, head *string, _ *[]byte) { field(head, "search", strconv.Itoa(1<<rng.IntN(18)-1)) },
	"number": func(rng *rand.Rand, head *string, _ *[]byte) {
		field(head, one(rng, "columns", "rows", "k", "search", "version", "turn"),
			one(rng, "0", "-1", "01", "1.0", "3e0", "NaN", "null", "129", "9007199254740993", "18446744073709551617", strings.Repeat("9", 400)))
	},
	"line": func(rng *rand.Rand, head *string, _ *[]byte) {
		b := []byte(*head)
		b[rng.IntN(len(b))] = byte(rng.Uint32())
		*head = string(b)
	},
	"byte": func(rng *rand.Rand, _ *string, body *[]byte) {
		(*body)[rng.IntN(len(*body))] = byte(rng.Uint32())
	},
	"step": func(rng *rand.Rand, _ *string, body *[]byte) {
		(*body)[rng.IntN(len(*body))] = anyStep(rng)
	},
	"left to the checker": func(rng *rand.Rand, _ *string, body *[]byte) {
		(*body)[rng.IntN(len(*body))] = 255
	},
	"kind": func(rng *rand.Rand, _ *string, body *[]byte) { (*body)[0] = byte(rng.IntN(4)) },
	"rule": func(rng *rand.Rand, head *string, _ *[]byte) {
		plain, _, _ := strings.Cut(strings.TrimSuffix(*head, "}"), `,"rule"`)
		*head = plain + one(rng, `,"rule":"exact"}`, `,"rule":"caro"}`, `,"rule":"free"}`, "}")
		field(head, "version", one(rng, "2", "5", "6", "7", "7", "7"))
	},
	"cut": func(rng *rand.Rand, _ *string, body *[]byte) { *body = (*body)[:rng.IntN(len(*body))] },
	"insert": func(rng *rand.Rand, _ *string, body *[]byte) {
		*body = slices.Insert(*body, rng.IntN(len(*body)+1), anyStep(rng))
	},
	"append": func(rng *rand.Rand, _ *string, body *[]byte) {
		for range 1 + rng.IntN(3) {
			*body = append(*body, anyStep(rng))
		}
	},
	"delete": func(rng *rand.Rand, _ *string, body *[]byte) {
		i := rng.IntN(len(*body))
		*body = slices.Delete(*body, i, i+1)
	},
	"random steps": func(rng *rand.Rand, head *string, body *[]byte) {
		for i := 1; i < len(*body); i++ {
			(*body)[i] = anyStep(rng)
		}
	},
}

func one(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

// field gives a field of the first line another value.
func field(head *string, name, value string) {
	before, after, found := strings.Cut(*head, `"`+name+`":`)
	if end := strings.IndexAny(after, ",}"); found && end >= 0 {
		*head = before + `"` + name + `":` + value + after[end:]
	}
}

// damaged returns a changed copy of a file, and how it was changed.
func damaged(t *testing.T, rng *rand.Rand, file []byte) ([]byte, string) {
	t.Helper()
	b := bytes.Clone(file[:len(file)-sha256.Size])
	start := bytes.IndexByte(b, '\n') + 1
	switch rng.IntN(20) {
	case 0:
		b[start+rng.IntN(len(b)-start)] ^= byte(1 << rng.IntN(8))
		return sign(b), "a deflated bit"
	case 1:
		return sign(b[:start+rng.IntN(len(b)-start)]), "cut while deflated"
	case 2:
		return sign(append(b, byte(rng.Uint32()))), "a byte after the deflated ones"
	case 3:
		b = bytes.Clone(file)
		b[rng.IntN(len(b))] ^= byte(1 << rng.IntN(8))
		return b, "a wrong checksum"
	}
	names := slices.Sorted(maps.Keys(damages))
	head, body := unpack(t, file)
	var how []string
	for range 1 + rng.IntN(2) {
		name := names[rng.IntN(len(names))]
		if len(body) > 0 {
			damages[name](rng, &head, &body)
			how = append(how, name)
		}
	}
	return pack(head, body), strings.Join(how, ", ")
}

// madeUp returns a claim about random stones on a board of any size, and steps that a guesser finds.
func madeUp(rng *rand.Rand) []byte {
	c := proof.Claim{Columns: 1 + rng.IntN(12), K: 2 + rng.IntN(6), Gravity: rng.IntN(3) == 0, Search: rng.IntN(200)}
	c.Rows = 1 + rng.IntN(min(12, 128/c.Columns))
	density := rng.Float64()
	for i := range c.Columns * c.Rows {
		stone := one(rng, "X", "O")
		if rng.Float64() > density || c.Gravity && i >= c.Columns && c.Cells[i-c.Columns] == '.' {
			stone = "."
		}
		c.Cells += stone
	}
	c.Turn, c.Value = one(rng, "first", "second"), one(rng, "win", "draw", "loss")
	g := &guesser{c: c, rng: rng}
	if c.Value != "draw" || c.Gravity {
		g.body = []byte{0}
	}
	_ = proof.Write(io.Discard, proof.Claim{
		Columns: c.Columns, Rows: c.Rows, K: c.K, Gravity: c.Gravity,
		Cells: c.Cells, Turn: c.Turn, Value: c.Value,
	}, g) // often his moves do not reach the goal
	if rng.IntN(3) == 0 {
		g.body = append(g.body, byte(rng.IntN(3)))
	}
	if c.Gravity && len(g.body) > 1 && rng.IntN(2) == 0 {
		g.body[1+rng.IntN(len(g.body)-1)] = 255
	}
	return pack(fmt.Sprintf(`{"krow":"certificate","version":2,"columns":%d,"rows":%d,"k":%d,"gravity":%t,"cells":"%s","turn":"%s","value":"%s","search":%d}`,
		c.Columns, c.Rows, c.K, c.Gravity, c.Cells, c.Turn, c.Value, c.Search), g.body)
}

// guesser is a Chooser who takes the cell around which most stones lie, and keeps what it has said.
type guesser struct {
	c      proof.Claim
	rng    *rand.Rand
	body   []byte
	second bool // the second part has begun, where Root is not asked
}

func (g *guesser) Root(proof.Position) (bool, error) {
	weak := g.rng.IntN(2) == 0
	g.body = append(g.body, 0)
	if weak {
		g.body[len(g.body)-1] = 1
	}
	return weak, nil
}

func (g *guesser) Move(p proof.Position) (int, error) {
	if g.c.Gravity && g.c.Value == "draw" && p.Prover.String() == g.c.Turn && !g.second {
		g.body, g.second = append(g.body, 0), true
	}
	best, most := 0, -1.0
	for cell, stone := range p.Cells {
		if stone != game.Empty || g.c.Gravity && cell >= g.c.Columns && p.Cells[cell-g.c.Columns] == game.Empty {
			continue
		}
		worth := g.rng.Float64()
		for other, stone := range p.Cells {
			dx, dy := other%g.c.Columns-cell%g.c.Columns, other/g.c.Columns-cell/g.c.Columns
			if stone != game.Empty && max(dx, -dx, dy, -dy) < g.c.K && (dx == 0 || dy == 0 || dx == dy || dx == -dy) {
				worth++
			}
		}
		if worth > most {
			best, most = cell, worth
		}
	}
	if g.body = append(g.body, byte(best)); len(g.body) > 1_000 {
		return 0, errors.New("enough")
	}
	return best, nil
}

// sample is a file that both checkers get.
type sample struct {
	file []byte
	how  string // it was damaged; empty where it is as it was written
}

// count is how many samples of each kind there were.
type count struct {
	whole, damaged int
	accepted       int // damaged ones
	deep           int // refused after 10 positions or more
	tooLong        int // for a checker
	checked        int // accepted ones that are true by other solvers
}

// sampled returns files, and n damaged ones.
func sampled(files [][]byte, n int, damaged func(i int) (file []byte, how string)) (all []sample) {
	for _, file := range files {
		all = append(all, sample{file: file})
	}
	for i := range n {
		file, how := damaged(i)
		all = append(all, sample{file, how})
	}
	return all
}

// agree holds that both checkers, which may enter so many positions (0 is no limit), say the same of each sample, that they
// accept those that are whole, and that what they accept is true: truth returns the value of a claim's position, or "" where
// that is too much work.
func agree(t *testing.T, all []sample, limit uint64, truth func(*testing.T, proof.Claim) string) (n count) {
	t.Helper()
	var args []string
	if limit > 0 {
		args = []string{"--max-positions", strconv.FormatUint(limit, 10)}
	}
	var files [][]byte
	for _, s := range all {
		files = append(files, s.file)
	}
	known := map[proof.Claim]string{}
	for i, got := range node(t, args, files) {
		s := all[i]
		c, want := goChecker(t, s.file, limit)
		if s.how == "" {
			n.whole++
		} else {
			n.damaged++
		}
		switch {
		case got.accepted != want.accepted, got.tooLong != want.tooLong, got.accepted && got.text != want.text,
			got.position != want.position && !strings.Contains(s.how, "deflated"):
			t.Errorf("%s (%s): the second checker says %q, the first %q\n%x", head(s.file), s.how, got.text, want.text, s.file)
		case s.how == "" && !got.accepted:
			t.Errorf("%s: refused: %s", head(s.file), got.text)
		case got.tooLong:
			n.tooLong++
		case got.accepted:
			if s.how != "" {
				n.accepted++
			}
			value := c.Value
			c.Value, c.Search = "", 0
			if _, ok := known[c]; !ok {
				known[c] = truth(t, c)
			}
			if v := known[c]; v == value {
				n.checked++
			} else if v != "" {
				t.Errorf("%s (%s) is accepted, and false: %s", head(s.file), s.how, v)
			}
		case len(got.position) > 1:
			n.deep++
		}
	}
	t.Logf("%d certificates; %d damaged or made up: %d accepted, %d refused after 10 positions or more, %d too long; %d true by other solvers",
		n.whole, n.damaged, n.accepted, n.deep, n.tooLong, n.checked)
	return n
}

// compares holds that enough damaged samples were accepted to compare what is counted of them.
func (n count) compares(t *testing.T) {
	t.Helper()
	if n.accepted < n.damaged/100 {
		t.Error("nearly no damaged certificate was accepted: the counts have not been compared")
	}
}

// amount returns how many damaged files a test makes: a few with -short, and many with KROW_LONG=1.
func amount(few, usual, many int) int {
	switch {
	case os.Getenv("KROW_LONG") != "":
		return many
	case testing.Short():
		return few
	}
	return usual
}

// valueNames are the words for -1, 0 and 1.
var valueNames = [...]string{"loss", "draw", "win"}

// setUp returns the position of a claim, whose stones stand in the order of the board.
func setUp(t *testing.T, c proof.Claim, g *rules.Game) game.Position {
	t.Helper()
	s := game.Setup{Cells: make([]game.Stone, len(c.Cells)), Turn: turn(c)}
	for i := range c.Cells {
		s.Cells[i] = game.Stone(strings.IndexByte(".XO", c.Cells[i]))
		s.Ply += int(min(s.Cells[i], 1))
	}
	p, err := g.SetUp(s)
	if err != nil {
		t.Errorf("%+v is not a position of %s: %v", c, g, err)
		return nil
	}
	return p
}

func turn(c proof.Claim) game.Side {
	if c.Turn == game.Second.String() {
		return game.Second
	}
	return game.First
}

// byOracle returns the value of a position, or "" where it takes more than so many positions.
func byOracle(t *testing.T, p game.Position, most int) string {
	t.Helper()
	r, err := oracle.Solve(p, most)
	if err != nil {
		if !errors.Is(err, oracle.ErrTooBig) {
			t.Errorf("%s: %v", notation.FormatPosition(p), err)
		}
		return ""
	}
	_, sign := r.Best.Score.Distance()
	return valueNames[sign+1]
}

// gameOf returns the game that a claim is about.
func gameOf(name string, c proof.Claim) (*rules.Game, error) {
	if c.Rule == proof.Renju {
		return renju.NewRect(c.Columns, c.Rows)
	}
	exact := c.Rule == proof.Exact
	return rules.New(rules.Rules{
		Name: name, Columns: c.Columns, Rows: c.Rows, K: c.K, Gravity: c.Gravity, Exact: [2]bool{exact, exact}, Blocked: c.Rule == proof.Caro,
	})
}

// truth is what the position of a claim is worth by the oracle.
func truth(t *testing.T, c proof.Claim) string {
	t.Helper()
	g, err := gameOf("claimed", c)
	if err != nil {
		return "" // k is longer than the board, which the rules do not allow
	}
	if p := setUp(t, c, g); p != nil {
		return byOracle(t, p, 60_000)
	}
	return ""
}

// TestCheckersAgree: two checkers that share nothing say the same of certificates, damaged and whole, and what they accept is true.
func TestCheckersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	files, rng := certificates(t), rand.New(rand.NewPCG(1, 2))
	all := sampled(files, amount(200, 120, 10_000), func(i int) ([]byte, string) {
		file := madeUp(rng)
		if i%4 != 0 {
			return damaged(t, rng, files[rng.IntN(len(files))])
		}
		return file, "made up"
	})
	agree(t, all, most, truth).compares(t)
}

// zoned returns certificates with zones: wins and losses of all rules, after some random moves.
func zoned(t *testing.T) (files [][]byte) {
	t.Helper()
	made := func(g *rules.Game, err error) game.Game {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	six := made(rules.MNK(6, 6, 4)).(*rules.Game)
	games := []game.Game{
		six, made(six.Exactly()), made(rules.Family("caro", rules.Rules{Columns: 6, Rows: 6, K: 4, Blocked: true})), made(rules.MNK(5, 7, 4)),
		made(rules.MNK(9, 8, 4)), made(rules.MNK(15, 15, 4)), made(renju.New(10)),
	}
	values := map[int]int{}
	for i, g := range games {
		for _, plies := range []int{0, 1, 3, 6, 9, 12} {
			p := g.Start()
			wander(p, rand.New(rand.NewPCG(uint64(i), uint64(plies))), plies)
			z, err := gomoku.NewSolver(g, 1<<28, 1)
			if err != nil {
				t.Fatal(err)
			}
			a := z.Solve(t.Context(), p, search.Limits{Nodes: 50_000})
			if a.Value == 0 {
				continue
			}
			var file bytes.Buffer
			if err := z.Certify(t.Context(), p, &file); err != nil {
				t.Fatal(err)
			}
			values[a.Value]++
			files = append(files, file.Bytes())
		}
	}
	if values[1] < 10 || values[-1] < 4 {
		t.Errorf("%v certificates with zones: too few", values)
	}
	return files
}

// damagedZones returns a certificate with zones that was changed in its first line or its numbers, with the right checksum.
func damagedZones(t *testing.T, rng *rand.Rand, file []byte) []byte {
	t.Helper()
	head, body := unpack(t, file)
	if rng.IntN(4) == 0 {
		switch rng.IntN(4) {
		case 0:
			field(&head, "rule", one(rng, `"free"`, `"exact"`, `"caro"`, `"renju"`, `"none"`))
		case 1:
			field(&head, "k", strconv.Itoa(1+rng.IntN(6)))
		case 2:
			field(&head, "value", one(rng, `"win"`, `"draw"`, `"loss"`))
		default:
			damages["cell"](rng, &head, &body)
		}
		if rng.IntN(2) == 0 {
			return pack(head, body)
		}
	}
	var numbers []uint64
	for rest := body; len(rest) > 0; {
		v, n := binary.Uvarint(rest)
		numbers, rest = append(numbers, v), rest[n:]
	}
	for range 1 + rng.IntN(2) {
		i := rng.IntN(len(numbers))
		v := rng.Uint64N(600)
		switch rng.IntN(6) {
		case 0:
			numbers[i] = v
		case 1:
			numbers[i] ^= 1 << rng.IntN(10)
		case 2:
			numbers = slices.Delete(numbers, i, min(i+1+rng.IntN(2), len(numbers)))
		case 3:
			numbers = slices.Insert(numbers, i, v%40)
		case 4:
			numbers = numbers[:i+1]
		default:
			j := rng.IntN(len(numbers))
			numbers[i], numbers[j] = numbers[j], numbers[i]
		}
		if len(numbers) == 0 {
			break
		}
	}
	body = nil
	for _, v := range numbers {
		body = binary.AppendUvarint(body, v)
	}
	if rng.IntN(20) == 0 {
		body = append(body, 0x80, 0x80, 0x80, 0x80, byte(rng.IntN(3)), 0)
	}
	return pack(head, body)
}

// zoneTruth returns the value of a claim with zones by the oracle or a solver, or "" if that is too much work.
func zoneTruth(t *testing.T, c proof.Claim) string {
	t.Helper()
	g, err := gameOf("mnk:claimed", c)
	if err != nil {
		return ""
	}
	p := setUp(t, c, g)
	if p == nil {
		return ""
	}
	if v := byOracle(t, p, 5_000); v != "" {
		return v
	}
	if s, err := mnk.New(g, mnk.Options{Hash: 1 << 20}); err == nil && c.Rule == proof.Free {
		if a, err := s.Solve(t.Context(), p, search.Limits{Nodes: 20_000}); err == nil && a.Low == a.High {
			return valueNames[a.Low+1]
		}
	}
	return ""
}

// TestCheckersAgreeOnZones: the same for certificates with zones.
func TestCheckersAgreeOnZones(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	files, rng := zoned(t), rand.New(rand.NewPCG(3, 4))
	all := sampled(files, amount(40, 60, 12_000), func(int) ([]byte, string) {
		return damagedZones(t, rng, files[rng.IntN(len(files))]), "damaged"
	})
	agree(t, all, most, zoneTruth).compares(t)
}

// TestCheckersAgreeOnRenju: Black has an open four on the top row and plays first elsewhere. The certificate is true unless this move
// is forbidden; both checkers allow the same moves, and none that the rules forbid.
func TestCheckersAgreeOnRenju(t *testing.T) {
	const size = 15
	rng := rand.New(rand.NewPCG(7, 8))
	var forbidden []bool
	all := sampled(nil, amount(400, 1500, 100_000), func(int) ([]byte, string) {
		cells, c := []byte(strings.Repeat(".", size*size)), rng.IntN(size)+rng.IntN(size-5)*size
		copy(cells[len(cells)-size+1:], "XXXX")
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			for i := -5; i <= 5; i++ {
				if x, y := c%size+i*d[0], c/size+i*d[1]; i != 0 && x >= 0 && x < size && y >= 0 && y < size-2 {
					cells[x+y*size] = "...XXXO"[rng.IntN(7)]
				}
			}
		}
		stones := make([]game.Stone, len(cells))
		for i, s := range cells {
			stones[i] = game.Stone(strings.IndexByte(".XO", s))
		}
		forbidden = append(forbidden, renju.Forbidden(stones, size, size, c) != renju.None)
		head := fmt.Sprintf(`{"krow":"certificate","version":3,"columns":%d,"rows":%d,"k":5,"gravity":false,"cells":"%s","turn":"first","value":"win","search":0,"rule":"renju"}`, size, size, cells)
		var body []byte
		for _, v := range []int{c, len(cells) - size, len(cells) - size + 5, 0} {
			body = binary.AppendUvarint(body, uint64(v))
		}
		return pack(head, body), "a move in renju"
	})
	agree(t, all, most, func(*testing.T, proof.Claim) string { return "" })
	refused, accepted := 0, 0
	for i, s := range all {
		_, v := goChecker(t, s.file, most)
		switch {
		case v.accepted && forbidden[i]:
			t.Errorf("%s is accepted, and its move is forbidden", head(s.file))
		case v.accepted:
			accepted++
		case strings.Contains(v.text, "two fours"):
			refused++
		}
	}
	t.Logf("%d accepted, %d refused for their move", accepted, refused)
	if accepted < len(all)/10 || refused < len(all)/10 {
		t.Error("too little was tested")
	}
}

// nested returns certificates of late positions of ultimate tic-tac-toe, under all its rules.
func nested(t *testing.T) (files [][]byte) {
	t.Helper()
	values := map[string]int{}
	for variant := range 4 {
		g := ultimate.New(ultimate.Rules{Draw: ultimate.DrawRule(variant & 1), Open: variant > 1})
		s := prover.New(prover.Options{Hash: 1 << 22})
		for seed := range uint64(22) {
			rng := rand.New(rand.NewPCG(seed, uint64(variant)))
			p := g.Start().(*ultimate.Position)
			for p.Outcome() == game.Ongoing {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
			}
			for back := 2 + int(seed); back > 0 && p.Ply() > 0; back-- {
				p.Undo()
			}
			a := s.Solve(t.Context(), p.Board(), search.Limits{Nodes: 100_000})
			if !a.Solved() {
				continue
			}
			var file bytes.Buffer
			if err := s.Certify(t.Context(), p.Board(), &file); err != nil {
				t.Fatal(err)
			}
			if _, body := unpack(t, file.Bytes()); len(body) == 0 || len(body) > 20_000 {
				continue
			}
			values[valueNames[a.Low+1]]++
			files = append(files, file.Bytes())
		}
	}
	if values["win"] < 5 || values["draw"] < 5 || values["loss"] < 5 {
		t.Errorf("certificates of %v: too few", values)
	}
	return files
}

// damagedNested returns a certificate of ultimate that was changed in its first line or its steps, with the right checksum.
func damagedNested(t *testing.T, rng *rand.Rand, file, other []byte) []byte {
	t.Helper()
	head, body := unpack(t, file)
	if rng.IntN(20) == 0 {
		_, body = unpack(t, other)
		return pack(head, body)
	}
	letter := func(name string) {
		before, after, _ := strings.Cut(head, `"`+name+`":"`)
		text, after, _ := strings.Cut(after, `"`)
		if i := rng.IntN(max(1, len(text))); i < len(text) {
			head = before + `"` + name + `":"` + text[:i] + one(rng, ".", "X", "O", "XO", "") + text[i+1:] + `"` + after
		}
	}
	for range 1 + rng.IntN(2) {
		switch rng.IntN(12) {
		case 0, 1:
			letter("cells")
		case 2:
			letter("owners")
		case 3:
			field(&head, "forced", one(rng, `"any"`, `"1"`, `"2"`, `"3"`, `"4"`, `"5"`, `"6"`, `"7"`, `"8"`, `"9"`, `"0"`, `""`, `"12"`))
		case 4:
			field(&head, "turn", one(rng, `"first"`, `"second"`))
		case 5:
			field(&head, "value", one(rng, `"win"`, `"draw"`, `"loss"`))
		case 6: // the rule is the only field with a comma in it
			before, after, _ := strings.Cut(head, `"rule":"`)
			_, after, _ = strings.Cut(after, `"`)
			head = before + `"rule":"` + one(rng, "plain", "boards", "plain,open", "boards,open", "open", "free") + `"` + after
		case 7:
			field(&head, one(rng, "columns", "rows", "k", "search", "version", "gravity"), one(rng, "0", "3", "8", "9", "true"))
		default:
			steps(rng, &body)
		}
		if len(body) == 0 {
			break
		}
	}
	return pack(head, body)
}

// steps changes a step.
func steps(rng *rand.Rand, body *[]byte) {
	i, m := rng.IntN(len(*body)), byte(rng.IntN(83))
	switch rng.IntN(8) {
	case 0:
		*body = slices.Delete(*body, i, i+1)
	case 1:
		*body = slices.Insert(*body, i, m)
	case 2:
		*body = (*body)[:i]
	case 3:
		*body = append(*body, m)
	case 4: // another small board
		(*body)[i] = m/9*9 + (*body)[i]%9
	default: // another cell of the same one
		(*body)[i] = (*body)[i]/9*9 + m%9
	}
}

// nestedTruth returns the value of a claim about ultimate tic-tac-toe by the oracle, or "" if that is too much work.
func nestedTruth(t *testing.T, c proof.Claim) string {
	t.Helper()
	draw, open := strings.CutSuffix(c.Rule, ",open")
	r := ultimate.Rules{Open: open}
	if draw == "boards" {
		r.Draw = ultimate.Boards
	}
	g := ultimate.New(r)
	s := game.Setup{Cells: make([]game.Stone, 81), Turn: turn(c), Memory: []uint8{ultimate.Any}}
	if c.Forced != "any" {
		s.Memory[0] = c.Forced[0] - '1'
	}
	for m := range 81 {
		s.Cells[g.Start().(game.Board).Cell(game.Move(m))] = game.Stone(strings.IndexByte(".XO", c.Cells[m]))
		s.Ply += min(1, strings.IndexByte(".XO", c.Cells[m]))
	}
	for i := range 9 {
		s.Memory = append(s.Memory, uint8(strings.IndexByte(".XO", c.Owners[i])))
	}
	p, err := g.SetUp(s)
	if err != nil {
		t.Errorf("%+v is not a position of %s: %v", c, g, err)
		return ""
	}
	return byOracle(t, p, 20_000)
}

// TestCheckersAgreeOnUltimate: the same for certificates of ultimate tic-tac-toe.
func TestCheckersAgreeOnUltimate(t *testing.T) {
	files, rng := nested(t), rand.New(rand.NewPCG(5, 6))
	all := sampled(files, amount(40, 60, 12_000), func(int) ([]byte, string) {
		return damagedNested(t, rng, files[rng.IntN(len(files))], files[rng.IntN(len(files))]), "damaged"
	})
	agree(t, all, most, nestedTruth).compares(t)
}

// TestShippedCertificate: both checkers accept the certificate that comes with krow, and say the same of damaged ones. Those are
// accepted only if the damage is where nothing is read; the claim is true all the same.
func TestShippedCertificate(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("..", "..", "docs", "measurements", "certificates", "ultimate-open.proof"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	all := sampled([][]byte{file}, amount(1, 1, 200), func(int) ([]byte, string) {
		head, body := unpack(t, file)
		body[rng.IntN(len(body))] = byte(rng.IntN(81))
		return pack(head, body), "damaged"
	})
	agree(t, all, 0, func(*testing.T, proof.Claim) string { return "" })
}

// TestPositionsOutsideAreRefused: both checkers refuse what is no position, and what has no place in the file.
func TestPositionsOutsideAreRefused(t *testing.T) {
	tests := []struct {
		name     string
		c        proof.Claim
		body     string
		accepted bool
	}{
		{"stolen", proof.Claim{Columns: 4, Rows: 4, K: 4, Cells: "................", Value: "draw"}, "\x00\x02", true},
		{"stolen first", proof.Claim{Columns: 4, Rows: 4, K: 4, Cells: "................", Value: "draw"}, "\x02\x02", false},
		{"stolen with stones", proof.Claim{Columns: 3, Rows: 2, K: 3, Cells: ".X..O.", Value: "draw"}, "\x00\x02", false},
		{"stolen where stones fall", proof.Claim{Columns: 2, Rows: 1, K: 3, Gravity: true, Cells: "..", Value: "draw"}, "\x00\x02", false},
		{"breaking where stones fall", proof.Claim{Columns: 2, Rows: 1, K: 3, Gravity: true, Cells: "..", Value: "draw"}, "\x01\x00", false},
		{"breaking to win", proof.Claim{Columns: 3, Rows: 1, K: 2, Cells: "...", Value: "win"}, "\x01\x01", false},
		{"no steps where stones fall", proof.Claim{Columns: 2, Rows: 1, K: 3, Gravity: true, Cells: "..", Value: "draw"}, "\x00\x00", true},
		{"bytes after the parts", proof.Claim{Columns: 2, Rows: 1, K: 3, Cells: "..", Value: "draw"}, "\x00\x00\x00", false},
		{"no bytes", proof.Claim{Columns: 2, Rows: 1, K: 3, Cells: "..", Value: "draw"}, "", false},
		{"the longest k", proof.Claim{Columns: 2, Rows: 1, K: 128, Cells: "..", Value: "draw"}, "\x00\x00", true},
		{"k too long", proof.Claim{Columns: 2, Rows: 1, K: 129, Cells: "..", Value: "draw"}, "\x00\x00", false},
		{"the largest search", proof.Claim{Columns: 2, Rows: 1, K: 3, Cells: "..", Value: "draw", Search: 100_000}, "\x00\x00", true},
		{"search too large", proof.Claim{Columns: 2, Rows: 1, K: 3, Cells: "..", Value: "draw", Search: 100_001}, "\x00\x00", false},
		{"128 cells", proof.Claim{Columns: 128, Rows: 1, K: 2, Cells: strings.Repeat(".", 128), Value: "win"}, "\x00\x40", true},
		{"130 cells", proof.Claim{Columns: 65, Rows: 2, K: 2, Cells: strings.Repeat(".", 130), Value: "win"}, "\x00\x40", false},
		{"one cell is free", proof.Claim{Columns: 3, Rows: 1, K: 3, Cells: "XO.", Value: "draw"}, "\x00\x00", true},
		{"no cell is free", proof.Claim{Columns: 3, Rows: 1, K: 3, Cells: "XOX", Value: "draw"}, "\x00\x00", false},
		{"a complete line", proof.Claim{Columns: 4, Rows: 1, K: 3, Cells: "XXX.", Value: "win"}, "\x00", false},
		{"a stone on another", proof.Claim{Columns: 2, Rows: 2, K: 3, Gravity: true, Cells: "X.O.", Value: "draw"}, "\x00\x00", true},
		{"a stone on nothing", proof.Claim{Columns: 2, Rows: 2, K: 3, Gravity: true, Cells: "X..O", Value: "draw"}, "\x00\x00", false},
		{"a cell that is no cell", proof.Claim{Columns: 2, Rows: 1, K: 3, Cells: ".-", Value: "draw"}, "\x00\x00", false},
		{"a step off the board", proof.Claim{Columns: 4, Rows: 1, K: 2, Cells: "....", Value: "win"}, "\x00\x04", false},
		{"a step left to the checker on a flat board", proof.Claim{Columns: 4, Rows: 1, K: 2, Cells: "....", Value: "win"}, "\x00\xff", false},
		{"a step in the air", proof.Claim{Columns: 3, Rows: 3, K: 2, Gravity: true, Cells: ".........", Value: "win"}, "\x00\x04", false},
		{"a step left to the checker", proof.Claim{Columns: 3, Rows: 3, K: 2, Gravity: true, Cells: ".........", Value: "win", Search: 1}, "\x00\xff", true},
		// Pairs are found for the first of these, not for the second: the order in which lines come into groups decides.
		{"pairs", proof.Claim{Columns: 10, Rows: 10, K: 5, Cells: "O....O...........O..O....O..OOX.O..O......XOO...O.............O.OO.......O..O.O....O..........O..OO.", Value: "draw"}, "\x01", false},
		{"no pairs", proof.Claim{Columns: 10, Rows: 9, K: 5, Cells: "OO.O..OO...O.O.OX.....X.XO....O.O..OXO....O.O.O.........O...OX.........O.OO.O....OXOO.O.OO", Value: "draw"}, "\x01", false},
		{"no search", proof.Claim{Columns: 3, Rows: 3, K: 2, Gravity: true, Cells: ".........", Value: "win"}, "\x00\xff", false},
	}
	var files [][]byte
	for _, tc := range tests {
		tc.c.Krow, tc.c.Version, tc.c.Turn = "certificate", proof.Version, "first"
		head, err := json.Marshal(tc.c)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, pack(string(head), []byte(tc.body)))
	}
	// A body that inflates to 64 MB behind steps that are enough.
	bomb, _ := unpack(t, files[0])
	files = append(files, pack(bomb, append([]byte("\x00\x02"), make([]byte, 64<<20)...)))
	for i, got := range node(t, nil, files) {
		name, accepted := "bomb", false
		if i < len(tests) {
			name, accepted = tests[i].name, tests[i].accepted
		}
		if _, want := goChecker(t, files[i], 0); got.accepted != accepted || want.accepted != accepted || got.position != want.position {
			t.Errorf("%s: the second checker says %q, the first %q", name, got.text, want.text)
		}
	}
}

// TestMisuseEndsWithStatusTwo: what is no use of the checker ends with status 2.
func TestMisuseEndsWithStatusTwo(t *testing.T) {
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH: the second checker cannot run")
	}
	for _, args := range []string{"", "--max-positions 0 x", "--max-positions 1e3 x", "--depth 3 x"} {
		c := exec.CommandContext(t.Context(), program, append([]string{"check.mjs"}, strings.Fields(args)...)...)
		if err := c.Run(); c.ProcessState.ExitCode() != 2 {
			t.Errorf("check.mjs %s: %v, want exit status 2", args, err)
		}
	}
}

// head is the first line of a file, as far as it can be read.
func head(file []byte) string {
	line, _, _ := bytes.Cut(file, []byte("\n"))
	return string(line[:min(len(line), 400)])
}
