// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/inputfile"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// Verified describes a checked certificate in words for people.
type Verified struct {
	proof.Result
	Game   string `json:"-"`      // name of the game in words
	Board  string `json:"board"`  // drawing of the position, the top row first
	Stones [2]int `json:"stones"` // numbers of stones of the first and the second side
	// Fits reports whether the difference between the numbers of stones fits the side to move in a game with one stone in a turn:
	// no difference if the first side is to move, otherwise one more stone of the first side. Captured stones count too. With turns of
	// several stones Fits is true.
	Fits  bool     `json:"stones_fit_turn"`
	Says  string   `json:"claim"`    // the claim of the certificate in a sentence
	Basis []string `json:"rests_on"` // a sentence about each part of the proof
	// Longest is, if it was asked for, a game that lasts as long as any game in which the winner plays by the certificate.
	Longest []string `json:"longest,omitempty"`
}

// String describes the certificate in several lines.
func (v Verified) String() string {
	c, fits, longest := v.Claim, "", ""
	if !v.Fits {
		fits = "; no game comes to these numbers with this side to move"
	}
	if v.Longest != nil {
		longest = "longest line: " + strings.Join(v.Longest, " ") + "\n"
	}
	return fmt.Sprintf("%s: a %s for the %s side, which is to move\n%sstones: X %d, O %d%s\nclaim: %s\nrests on: %s\n%sverified: %s, %d bytes",
		v.Game, c.Value, c.Turn, v.Board, v.Stones[0], v.Stones[1], fits, v.Says, strings.Join(v.Basis, "\n          "), longest,
		humanize.Amount(int(v.Positions), "position", "positions"), v.Bytes)
}

// VerifyFile checks the certificate in a file as Verify does. If there is a limit of memory, this process keeps to the limit also
// with its garbage, until VerifyFile returns.
func VerifyFile(ctx context.Context, name string, limits proof.Limits, longest bool) (v Verified, err error) {
	if limits.Memory > 0 {
		// Without this limit, garbage could take as much memory as the live data, so krow could need twice the memory.
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(max(int64(limits.Memory), 64<<20)))
	}
	err = inputfile.Read(ctx, name, func(f *inputfile.File) (err error) {
		if i, err := f.Stat(); err == nil && !i.Mode().IsRegular() {
			return errors.New("not a regular file: a certificate is read twice")
		}
		v, err = Verify(ctx, f, limits, longest)
		return err
	})
	return v, err
}

// Verify checks a certificate within limits, and describes in words what it proves. If longest is true, it also finds the longest
// line of a certificate with zones.
func Verify(ctx context.Context, r io.ReadSeeker, limits proof.Limits, longest bool) (Verified, error) {
	var line []int
	res, err := proof.Result{}, error(nil)
	if longest {
		res, line, err = proof.Longest(ctx, r, limits)
	} else {
		res, err = proof.Verify(ctx, r, limits)
	}
	if err != nil {
		return Verified{}, err
	}
	c := res.Claim
	v := Verified{Result: res, Game: Played(c), Stones: [2]int{strings.Count(c.Cells, "X"), strings.Count(c.Cells, "O")}, Says: Says(c)}
	turn := game.First
	if c.Turn == game.Second.String() {
		turn = game.Second
	}
	more, taken := v.Stones[game.First]-v.Stones[game.Second], takenBy(c)
	if c.Rule == proof.Pente {
		taken = [2]int{2 * taken[0], 2 * taken[1]}
	}
	v.Fits = more+taken[game.Second]-taken[game.First] == int(turn) || c.Rule == proof.Connect
	for _, p := range res.Parts {
		v.Basis = append(v.Basis, basis(res, p))
	}
	p, err := position(c, turn)
	if err != nil {
		return v, err
	}
	v.Board = notation.FormatPosition(p)
	for _, cell := range line {
		v.Longest = append(v.Longest, p.Game().Format(game.Move(cell)))
	}
	return v, nil
}

// Played returns the name of a claim's game in words.
func Played(c proof.Claim) string {
	if c.Version == proof.UltimateVersion {
		place := "in any open small board"
		if c.Forced != "any" {
			place = "in small board " + c.Forced
		}
		return fmt.Sprintf("%s, a move %s", ultimateGame(c), place)
	}
	rule := map[string]string{proof.Exact: " and no more", proof.Caro: ", not between two stones of the other side", proof.Renju: ", by the rules of renju"}[c.Rule]
	if c.Gravity {
		rule = ", falling stones"
	}
	rule = fmt.Sprintf("%d in a row%s", c.K, rule)
	if c.Version == proof.TreeVersion {
		rule = treeRule(c)
	}
	return fmt.Sprintf("%s, %s, %s", humanize.Amount(c.Columns, "column", "columns"), humanize.Amount(c.Rows, "row", "rows"), rule)
}

func ultimateGame(c proof.Claim) *ultimate.Game {
	draw, open := strings.CutSuffix(c.Rule, ",open")
	r := ultimate.Rules{Open: open}
	if draw == "boards" {
		r.Draw = ultimate.Boards
	}
	return ultimate.New(r)
}

// position returns the position of a claim.
func position(c proof.Claim, turn game.Side) (game.Position, error) {
	s := game.Setup{Turn: turn, Ply: len(c.Cells) - strings.Count(c.Cells, ".")}
	for _, letter := range c.Cells {
		s.Cells = append(s.Cells, game.Stone(strings.IndexRune(".XO", letter)))
	}
	switch c.Version {
	case proof.UltimateVersion:
		return nested(c, s)
	case proof.TreeVersion:
		return treePosition(c, s)
	}
	g, err := mnk.New(mnk.Rules{
		Name: "mnk", Columns: c.Columns, Rows: c.Rows, K: c.K, Gravity: c.Gravity,
		Exact: [2]bool{c.Rule == proof.Exact, c.Rule == proof.Exact}, Blocked: c.Rule == proof.Caro,
	})
	if c.Rule == proof.Renju {
		g, err = renju.NewRect(c.Columns, c.Rows)
	}
	if err != nil {
		return nil, err
	}
	return g.SetUp(s)
}

// nested returns the position of a claim about ultimate tic-tac-toe. A claim numbers the cells by their moves: cell m is the
// cell of move m. game.Board numbers the cells in another order.
func nested(c proof.Claim, s game.Setup) (game.Position, error) {
	g := ultimateGame(c)
	start, byMove := g.Start().(game.Board), s.Cells
	s.Cells = make([]game.Stone, len(byMove))
	for m, stone := range byMove {
		s.Cells[start.Cell(game.Move(m))] = stone
	}
	s.Memory = []uint8{ultimate.Any}
	if c.Forced != "any" {
		s.Memory[0] = c.Forced[0] - '1'
	}
	for _, owner := range c.Owners {
		s.Memory = append(s.Memory, uint8(strings.IndexRune(".XO", owner)))
	}
	return g.SetUp(s)
}

// letters maps the name of a side, as a claim contains it, to the letter of the side's stones.
var letters = map[string]string{"first": "X", "second": "O"}

// Says returns a claim as a sentence.
func Says(c proof.Claim) string {
	me, other := letters[c.Turn], "O"
	if me == other {
		other = "X"
	}
	switch c.Value {
	case "win":
		return fmt.Sprintf("%s is to move and wins, whatever %s plays", me, other)
	case "loss":
		return fmt.Sprintf("%s is to move and loses: %s wins, whatever %s plays", me, other, me)
	}
	return fmt.Sprintf("%s is to move, and each side can hold the draw", me)
}

func basis(r proof.Result, p proof.Part) string {
	c, side, other, goal := r.Claim, letters[p.Prover], letters["second"], "does not lose"
	if side == other {
		other = letters["first"]
	}
	if p.Wins {
		goal = "wins"
	}
	size := humanize.Amount(int(p.Positions), "position", "positions")
	switch {
	case p.How == proof.Zones:
		return fmt.Sprintf("%s wins in at most %s: the file has its moves against the answers in a zone, and for all others those after a pass, %s",
			side, humanize.Amount(r.Plies, "ply", "plies"), size)
	case p.How == proof.Holds:
		return fmt.Sprintf("%s does not lose: the file has moves and plans of pairs that break every row of %s, whatever it plays in a zone or elsewhere, %s", side, other, size)
	case p.How == proof.Stolen:
		return fmt.Sprintf("%s does not lose: the board is empty and it moves first (strategy stealing)", side)
	case p.Positions == 0 && c.Version == proof.TreeVersion:
		return fmt.Sprintf("%s wins in one turn, now or after any answer", side)
	case p.Positions == 0 && c.Version == proof.UltimateVersion:
		return fmt.Sprintf("%s %s: at once, or because nothing can change it", side, goal)
	case p.Positions == 0 && p.Wins:
		return fmt.Sprintf("%s wins: it completes a row at once, or threatens to on two cells", side)
	case p.Positions == 0:
		return fmt.Sprintf("%s does not lose: by a row at once, or because pairs of cells or the count of its open lines stop %s", side, other)
	case p.How == proof.Breaks:
		return fmt.Sprintf("%s does not lose: the file has moves that break every row of %s, %s", side, other, size)
	case c.Version == proof.FallVersion:
		return fmt.Sprintf("%s %s: the file has its moves against every answer, and plans that it can follow to the end, %s", side, goal, size)
	}
	return fmt.Sprintf("%s %s: the file has its moves against every answer, %s", side, goal, size)
}
