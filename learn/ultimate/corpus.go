// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn/nnue"
	"github.com/krow-lab/krow/learn/selfplay"
)

// Read reads the games in the folder. One file in 32 is held out: the network is not trained on it.
func (n *net) Read(context.Context) (positions int, err error) {
	files, err := nnue.Files(n.o.Dir, "*.games.gz")
	if err != nil {
		return 0, err
	}
	n.learned, n.held = samples{}, samples{}
	for i, name := range files {
		to := &n.learned
		if i%heldOut == heldOut-1 {
			to = &n.held
		}
		data, err := os.ReadFile(name)
		if err == nil {
			err = to.readCorpus(data, &n.o, rng.Rand(rng.Mix(n.o.Seed, uint64(i))))
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	return n.learned.len(), nil
}

var errCorpus = errors.New("not a file of ultimate games with their searches, or a damaged one")

const (
	rootBytes  = 8 // number of bytes of a stored search before the data of its moves
	childBytes = 6
)

// readCorpus appends the positions of a file to s.
func (s *samples) readCorpus(data []byte, o *Options, dice rng.Rand) error {
	f, err := selfplay.Unpack(data, Format)
	if err != nil {
		return err
	}
	body, r := f.Body, ultimate.Rules{}
	if f.Game != ultimate.New(r).String() {
		if r.Draw = ultimate.Boards; f.Game != ultimate.New(r).String() {
			return fmt.Errorf("games of %.50q", f.Game)
		}
	}
	ok := true
	for len(body) > 0 {
		if body, ok = s.readGame(body, r, o, &dice); !ok {
			return errCorpus
		}
	}
	return nil
}

// turnOf is a position of a game, with the result of its search and the move that was played.
type turnOf struct {
	board  ultimate.Board
	move   uint8
	search []byte  // the data of the search; nil if the position was not searched
	value  float32 // value that the search found for the side to move
}

// readGame reads a game from the beginning of body and appends its positions to s. It returns the part of body after this game.
// ok is false if the game is damaged.
func (s *samples) readGame(body []byte, r ultimate.Rules, o *Options, dice *rng.Rand) (rest []byte, ok bool) {
	if len(body) < 2 {
		return nil, false
	}
	plies := int(body[0])
	body = body[2:]
	b := ultimate.NewBoard(r)
	var turns []turnOf
	for range plies {
		if len(body) < 2 || !b.Legal(int(body[0])) {
			return nil, false
		}
		t := turnOf{board: b, move: body[0]}
		searched := body[1]&1 != 0
		body = body[2:]
		if searched {
			if len(body) < rootBytes || len(body) < rootBytes+childBytes*int(body[7]) {
				return nil, false
			}
			n := rootBytes + childBytes*int(body[7])
			if t.search, body = body[:n], body[n:]; !t.read() {
				return nil, false
			}
		}
		turns = append(turns, t)
		b.Play(t.move)
	}
	if b.Result == game.Ongoing {
		return nil, false
	}
	s.label(turns, result(b.Result, b.Turn), o, dice)
	return body, true
}

// read checks that the data of the search is valid, and sets value.
func (t *turnOf) read() bool {
	score := int16(binary.LittleEndian.Uint16(t.search[1:]))
	t.value = bounded(t.search[0], 0.5+float32(score)/(2*float32(eval.Unit)))
	for i := rootBytes; i < len(t.search); i += childBytes {
		if !t.board.Legal(int(t.search[i])) {
			return false
		}
	}
	return score == thousandths(eval.Score(score)) && len(t.search) > rootBytes
}

// mistake returns the amount by which the value of the played move is less than the value of the best move.
func (t *turnOf) mistake() float32 {
	for i := rootBytes; i < len(t.search); i += childBytes {
		if t.search[i] == t.move {
			return max(0, childValue(t.search[rootBytes:])-childValue(t.search[i:]))
		}
	}
	return 1
}

func childValue(k []byte) float32 {
	return bounded(k[1], float32(binary.LittleEndian.Uint16(k[4:]))/math.MaxUint16)
}

// If a mistake is greater than greatMistake, the later game is not used for the values of the positions before the mistake.
const greatMistake = 0.06

// label appends the searched positions of a game. The label of a position is a weighted mean of two values. The first value is
// the value of its search. The second value comes from the later game and has the weight Lambda. If the played move was a
// mistake, the second value is too low by the size of the mistake, so this size is added:
//
//	label = (1-Lambda) * value + Lambda * (1 - label of the next position + mistake)
//
// CITE: Sutton, Learning to Predict by the Methods of Temporal Differences, 1988.
func (s *samples) label(turns []turnOf, next float32, o *Options, dice *rng.Rand) {
	lambda, known := float32(o.Lambda), true
	for i := len(turns) - 1; i >= 0; i-- {
		t := &turns[i]
		if t.search == nil { // the position was not searched, because its move was random
			known = false
			continue
		}
		label := t.value
		if m := t.mistake(); known && t.search[0]&15 != t.search[0]>>4 && m <= greatMistake {
			label = min(max((1-lambda)*label+lambda*(1-next+m), 0), 1)
		}
		s.addOpen(&t.board, label)
		s.addChildren(t, label-t.value, o.Visits, dice)
		next, known = label, true
	}
}

// The later game corrects the value that the search of a position found. shift is the share of this correction that also
// applies to the values of the children of the position.
const shift = 0.7

// addChildren appends some children of a searched position, but not the best child, which is usually the next position of the
// game.
func (s *samples) addChildren(t *turnOf, change float32, visits int, dice *rng.Rand) {
	total := float64(binary.LittleEndian.Uint32(t.search[3:]))
	for i := rootBytes + childBytes; i < len(t.search); i += childBytes {
		k := t.search[i : i+childBytes]
		one := 3
		if total*float64(binary.LittleEndian.Uint16(k[2:]))/math.MaxUint16 < float64(visits) {
			one = 10
		}
		if dice.Below(one) > 0 {
			continue
		}
		child, value := t.board, childValue(k)
		if k[1]&15 != k[1]>>4 {
			value = min(max(value+shift*change, 0), 1)
		}
		child.Play(k[0])
		s.addOpen(&child, 1-value)
	}
}

// bounded returns the proved value of a position if its two bounds are equal. Otherwise it returns v.
func bounded(bounds byte, v float32) float32 {
	if bounds&15 != bounds>>4 {
		return v
	}
	return float32(min(bounds&15, 2)) / 2
}

// addOpen appends a position, unless the game is over or a move wins at once: the search never calls the network for such
// positions.
func (s *samples) addOpen(b *ultimate.Board, label float32) {
	if b.Result == game.Ongoing && b.Threats(b.Turn)&b.Open() == 0 {
		s.add(b, label)
	}
}
