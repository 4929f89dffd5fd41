// SPDX-License-Identifier: Apache-2.0

// Package proof writes and checks certificates: files that prove the value of a position to anyone who knows the rules.
//
// # Basics
//
//	r, err := proof.Verify(ctx, file, proof.Limits{})
//	fmt.Println(r.Claim.Value, r.Positions)
//
// # How it works
//
// A certificate contains only the moves of the side that reaches its goal. A walk through all answers of the other side meets
// positions that need a move of this side. The moves are in the order in which the walk first meets these positions. The writer
// and the checker make the same walk: the writer gets the moves from a solver, and the checker reads them from the file. Even
// if the moves come from an unknown source, a walk that reaches its end has proved the claim.
// docs/reference/formats/certificate.md describes the format, and explains why the walk may leave answers out. The files of the
// checker are certificate.go, board.go and walk.go, with hold.go for draws in which a side breaks every line, zone.go and renju.go for large
// boards, tree.go for captures and turns of several stones, and ultimate.go. They import no other package of krow.
//
// # Caveats
//
// A certificate proves a win, draw or loss, but not in how many plies. The walk stores the positions that it meets, up to 140 bytes
// for each, and a short file may lead to many positions: [Limits] bounds their number and memory.
package proof

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Version is the version of the format.
const Version = 2

// Claim is the first line of a certificate: a position and its value for the side to move.
type Claim struct {
	Krow    string `json:"krow"` // "certificate"
	Version int    `json:"version"`
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	K       int    `json:"k"`
	Gravity bool   `json:"gravity"`
	Cells   string `json:"cells"` // . X or O for each cell, cell 0 first; in ultimate small board by small board
	Turn    string `json:"turn"`  // first (X) or second (O)
	Value   string `json:"value"` // loss, draw or win
	// If stones fall, Search is the number of positions that the checker may enter to find a move that the file leaves out.
	Search int `json:"search"`

	// Rule is with zones free, exact, caro or renju, for a draw exact or caro, in ultimate plain or boards, perhaps with ",open" after it, and in
	// games with captures or turns of several stones connect, pente, keryo or atarigo.
	Rule string `json:"rule,omitempty"`

	Owners string `json:"owners,omitempty"` // in ultimate the owner of each small board: . X or O
	// In ultimate, Forced is the small board in which the side to move must play: a digit from 1 to 9, or the word any.
	Forced string `json:"forced,omitempty"`

	// With turns of several stones: the number of stones of a turn, and the number that the side to move still places in its turn.
	Each int `json:"each,omitempty"`
	Left int `json:"left,omitempty"`
	// With captures of pairs: the number of captures that win, and the captures that each side has made, such as 3,0.
	Captures int    `json:"captures,omitempty"`
	Taken    string `json:"taken,omitempty"`
}

// Result is a claim that was verified, with the size of its proof.
type Result struct {
	Claim     Claim  `json:"-"`
	Parts     []Part `json:"-"`         // the parts of the proof, in the order of the file
	Positions uint64 `json:"positions"` // sum of the positions of all parts
	// Entered is the number of times that the checker entered a position, including its own searches. It measures the work of the
	// check.
	Entered uint64 `json:"entered"`
	Bytes   int64  `json:"bytes"` // the size of the file
	// Plies is, in ZoneVersion, the greatest number of plies that a game can last if the winner plays by the certificate.
	Plies int `json:"plies,omitempty"`
}

// Part is the proof of a win or loss, or one half of the proof of a draw.
type Part struct {
	Prover    string // the side that reaches its goal: first or second
	Wins      bool   // the goal is to win; false means not to lose
	How       How
	Positions uint64 // number of positions, as docs/reference/formats/certificate.md counts them
}

// Limits bounds the work of Verify. A field that is 0 sets no limit.
type Limits struct {
	// Entered is the maximum number of times that Verify enters a position in which the prover is to move, or in TreeVersion any position.
	Entered uint64
	Memory  uint64 // maximum memory of the stored positions, in bytes

	// Tell, unless nil, is called repeatedly during the check with the number of positions entered so far.
	Tell func(entered uint64)

	follow   *Strategy // if it is not nil, the check stores the strategy in it
	verified bool      // whether the file was verified before, so that its plans need not be followed
}

// positionBytes is the maximum memory for one position, and provedBytes for one checked tree of a proof with zones. A position
// itself takes 40 bytes and a tree 200 bytes. The rest is the unused capacity of a map or list that has just grown.
const positionBytes, provedBytes = 140, 3 * 200

// The maximum size of a board, in cells, and the maximum of Claim.Search.
const maxCells, maxSearch = 128, 100_000

// These errors can be returned by Verify.
var (
	// ErrDamaged is returned if the file does not end with the checksum of its contents.
	ErrDamaged = errors.New("the certificate is damaged, or the file is not a certificate: the checksum is wrong")
	// ErrShort is returned if the file ends before all moves are read.
	ErrShort = errors.New("the certificate is truncated")
	// ErrWork is returned when the proof needs more positions than Limits.Entered.
	ErrWork = errors.New("the proof is larger than the limit of positions")
	// ErrMemory is returned when the proof needs more memory than Limits.Memory.
	ErrMemory = errors.New("the proof needs more memory than the limit")

	errTaken   = errors.New("a move of the proof cannot be played")
	errRefuted = errors.New("the side that must reach its goal does not reach it")
)

// parts contains the parts of a proof, by the value of the position for the side to move, which is side 0. A win or loss has
// one part: one side wins. A draw has two parts: each side does not lose.
var parts = map[string][]part{
	"win":  {{prover: 0, wins: true}},
	"draw": {{prover: 1}, {prover: 0}},
	"loss": {{prover: 1, wins: true}},
}

// board returns the position of the claim, or an error if the claim is invalid.
func (c *Claim) board() (*board, error) {
	turn, known := map[string]int{"first": 0, "second": 1}[c.Turn]
	switch {
	case min(c.Columns, c.Rows, c.K) < 1 || max(c.Columns, c.Rows, c.K, len(c.Cells)) > maxCells || c.Columns*c.Rows != len(c.Cells):
		return nil, fmt.Errorf("invalid board: %d,%d,%d with %d cells", c.Columns, c.Rows, c.K, len(c.Cells))
	case !c.ruled():
		return nil, fmt.Errorf("version %d does not support %s by the rule %q", c.Version, c.Value, c.Rule)
	case !known || parts[c.Value] == nil:
		return nil, fmt.Errorf("the value must be win, draw or loss for first or second, not %q for %q", c.Value, c.Turn)
	case c.Search < 0 || c.Search > maxSearch:
		return nil, fmt.Errorf("a search must try 0 to %d moves, not %d", maxSearch, c.Search)
	}
	b, over := newBoard(c.Columns, c.Rows, c.K, c.Gravity), false
	for i, stone := range []byte(c.Cells) {
		switch s := bytes.IndexByte([]byte("XO"), stone); {
		case stone == '.':
		case s < 0 || !b.free.has(i):
			return nil, fmt.Errorf("cell %d has the invalid value %q", i, stone)
		default:
			over = over || b.gaps[s^turn].has(i)
			b.put(s^turn, i)
		}
	}
	if over || b.free.empty() {
		return nil, fmt.Errorf("certificates do not support a position with a line of %d or without an empty cell", c.K)
	}
	return b, nil
}

// How is the way in which a part is proved. In the file it is a byte that stands before the part.
type How byte

// The ways to prove a part.
const (
	Moves  How = iota // by moves of the prover
	Breaks            // by moves of the prover, who only breaks the opponent's lines
	// Stolen proves, by the argument of strategy stealing and without moves, that the side that moves first on an empty board does
	// not lose.
	Stolen
	// Holds proves by moves and pairs of cells of the prover, who only breaks lines: if the opponent takes one cell of a pair,
	// the prover takes the other. A proof has a zone: the cells that the prover needs. One reply covers all answers outside its
	// zone.
	Holds
	// Zones proves by moves of the prover. A proof has a zone: the cells on which a stone of the opponent could spoil the
	// prover's win. One reply covers all answers outside its zone.
	Zones
)

// Verify checks a whole certificate. An error explains why the certificate is refused, or is the error of ctx.
func Verify(ctx context.Context, r io.ReadSeeker, limits Limits) (res Result, err error) {
	size, _ := r.Seek(-sha256.Size, io.SeekEnd)
	want, err1 := io.ReadAll(io.LimitReader(r, sha256.Size))
	_, err2 := r.Seek(0, io.SeekStart)
	sum := sha256.New()
	_, err3 := io.CopyN(sum, r, size)
	_, err4 := r.Seek(0, io.SeekStart)
	if err := cmp.Or(err1, err2, err3, err4); err != nil || !bytes.Equal(want, sum.Sum(nil)) {
		return res, cmp.Or(err, ErrDamaged)
	}
	res.Bytes = size + sha256.Size
	file := bufio.NewReader(io.LimitReader(r, size))
	head, _ := file.ReadSlice('\n')
	if err := json.Unmarshal(head, &res.Claim); err != nil {
		return res, fmt.Errorf("the first line of the certificate: %w", err)
	}
	zones := func(body *bufio.Reader, enter func(kept int) error) error {
		return res.zones(body, enter, limits.follow)
	}
	moves := func(body *bufio.Reader, enter func(kept int) error) error {
		return res.moves(body, enter, limits)
	}
	walks := map[int]func(*bufio.Reader, func(kept int) error) error{
		Version: moves, HoldVersion: moves, PlanVersion: moves, RuleVersion: moves, FallVersion: moves,
		ZoneVersion: zones, UltimateVersion: res.nested, TreeVersion: res.trees,
	}
	walk := walks[res.Claim.Version]
	switch c := res.Claim; {
	case c.Krow != "certificate" || walk == nil:
		return res, fmt.Errorf("the file has version %d of %q; this krow reads versions %d to %d of certificates", c.Version, c.Krow, Version, TreeVersion)
	case c.Version != UltimateVersion && c.Owners+c.Forced != "":
		return res, errors.New("only ultimate tic-tac-toe has owners of small boards and a small board to play in")
	case c.Version != TreeVersion && (c.Each != 0 || c.Left != 0 || c.Captures != 0 || c.Taken != ""):
		return res, fmt.Errorf("only version %d has turns of several stones and captures", TreeVersion)
	case limits.follow != nil && (c.Version != ZoneVersion && c.Version != FallVersion || c.Value == "draw"):
		return res, ErrFollow
	}
	if line, _ := json.Marshal(res.Claim); string(head) != string(line)+"\n" {
		return res, fmt.Errorf("the first line of the certificate is not %s", line)
	}
	body := bufio.NewReader(flate.NewReader(file))
	enter := func(kept int) error {
		res.Entered++
		switch {
		case limits.Entered > 0 && res.Entered > limits.Entered:
			return ErrWork
		case limits.Memory > 0 && res.Positions*positionBytes+uint64(kept) > limits.Memory:
			return ErrMemory
		case res.Entered%(1<<12) == 0 && limits.Tell != nil:
			limits.Tell(res.Entered)
		}
		return ctx.Err()
	}
	err = walk(body, enter)
	_, err1 = body.ReadByte()
	_, err2 = file.ReadByte()
	if err == nil && (err1 != io.EOF || err2 != io.EOF) {
		err = errors.New("the certificate continues after the end of its proof")
	}
	return res, err
}

// moves checks the parts of a certificate of any version except ZoneVersion and UltimateVersion. Unless limits.follow is
// nil, it stores the steps of a certificate of FallVersion there.
func (r *Result) moves(body *bufio.Reader, enter func(kept int) error, limits Limits) error {
	s := limits.follow
	b, err := r.Claim.board()
	if err != nil {
		return err
	}
	next := func(w *walker) (int, error) {
		b, err := body.ReadByte()
		step := fallingStep{cell: int(b)}
		if b == planned && r.Claim.Version == FallVersion {
			if step.cell, step.plan, err = readPlan(body, len(r.Claim.Cells)); err == nil {
				w.follow(step.plan)
			}
		}
		if s != nil {
			s.falling.steps[w.stones4()] = step
		}
		return step.cell, short(err)
	}
	sides := r.Claim.sides()
	for _, p := range parts[r.Claim.Value] {
		w := &walker{board: *b, next: next, seen: map[[4]uint64]bool{}, bound: r.Claim.Search, left: -1, trusts: limits.verified}
		w.enter = func(w *walker) error { return enter((len(w.seen) + len(w.followed)) * positionBytes) }
		if w.part = p; s != nil {
			start := w.board
			s.falling = &falling{&start, map[[4]uint64]fallingStep{}}
		}
		how, err := w.checkPart(body, r.Claim.Rule != "")
		n := len(w.seen)
		if err == nil && how == Holds {
			n, err = r.holds(b, p, body, enter)
		}
		if err != nil {
			return fmt.Errorf("position %d: %w", n, err)
		}
		r.Parts = append(r.Parts, Part{sides[p.prover], p.wins, how, uint64(n)})
		r.Positions += uint64(n)
	}
	return nil
}

// holds checks a part that is proved in the way Holds, by pairs of cells and zones, and returns the number of its positions.
func (r *Result) holds(b *board, p part, body *bufio.Reader, enter func(kept int) error) (n int, err error) {
	if r.Claim.Version < HoldVersion {
		return 0, fmt.Errorf("version %[2]d does not allow a part of kind %[1]d", Holds, r.Claim.Version)
	}
	h := newHolder(b, p)
	number := func() (int, error) {
		x, err := varint(body)
		return int(min(x, math.MaxInt32)), err
	}
	h.more, h.plans = number, r.Claim.Version >= PlanVersion
	h.next = func(int, set, bool) (int, error) { return number() }
	h.enter = func() error {
		n++
		return enter(len(h.kept) * heldBytes)
	}
	return n, h.prove()
}

// sides returns the side to move and the other side.
func (c *Claim) sides() [2]string {
	if c.Turn == "second" {
		return [2]string{"second", "first"}
	}
	return [2]string{"first", "second"}
}

// short returns ErrShort if err means the end of the file, and otherwise err.
func short(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrShort
	}
	return err
}

// checkPart reads the byte that says how a part is proved, and checks the part. If ruled is true, the rule is Exact or Caro.
// Under these rules a part is proved only if the prover breaks every line of the opponent.
func (w *walker) checkPart(body *bufio.Reader, ruled bool) (How, error) {
	kind, err := body.ReadByte()
	how := How(kind)
	switch {
	case err != nil:
		return how, short(err)
	case how == Stolen && !ruled && !w.wins && !w.falls && w.prover == 0 && w.stones == [2]set{}:
		return how, nil
	case how == Breaks && !w.wins && !w.falls:
		w.weak, w.gaps[w.prover] = true, set{}
	case how == Holds && !w.wins && !w.falls:
		return how, nil
	case how != Moves || ruled:
		return how, fmt.Errorf("a part of kind %d is not allowed here", kind)
	}
	return how, w.walk(0)
}
