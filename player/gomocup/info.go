// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/player/subprocess"
)

// The greatest values that a brain accepts.
const (
	maxThreads = 256
	maxHash    = 4 << 20 // maximum size of the transposition table, in KiB
)

// options holds the values set by INFO, except the rules and the remaining time.
type options struct {
	control  clock.Control
	settings Settings
	depth    int
	nodes    uint64
	ponder   bool
}

// unset contains the options before the first INFO. They set no limits, so the player's own limits apply.
var unset = options{control: clock.Control{Turn: clock.Unlimited, Match: clock.Unlimited}}

// infoKeys contains, for each key of INFO, the function that stores its value. All keys that are not in the table are ignored,
// as the protocol requires.
var infoKeys = map[string]func(s *session, n int64) error{
	"timeout_turn": func(s *session, n int64) error { s.options.control.Turn = max(milliseconds(n), 1); return nil }, // 0 means that the brain must move as fast as possible
	"timeout_match": func(s *session, n int64) error {
		s.options.control.Match = milliseconds(n)
		if n <= 0 {
			s.options.control.Match = clock.Unlimited
		}
		s.left = s.options.control.Match
		return nil
	},
	"time_left":      func(s *session, n int64) error { s.left = milliseconds(n); return nil },
	"time_increment": func(s *session, n int64) error { s.options.control.Increment = milliseconds(max(n, 0)); return nil },
	"max_memory":     func(s *session, n int64) error { s.options.settings.Memory = max(n, 0); return nil },
	"hash_size": func(s *session, n int64) error {
		s.options.settings.Hash = min(max(n, 0), maxHash) << 10
		return nil
	},
	"thread_num": func(s *session, n int64) error {
		s.options.settings.Threads = int(min(max(n, 1), maxThreads))
		return nil
	},
	"max_depth": func(s *session, n int64) error { s.options.depth = int(min(max(n, 0), math.MaxInt16)); return nil },
	"max_node":  func(s *session, n int64) error { s.options.nodes = uint64(max(n, 0)); return nil },
	"pondering": func(s *session, n int64) error { s.options.ponder = n == 1; return nil },
	"rule":      func(s *session, n int64) error { return s.revise(func(v *variant) { v.rule = small(n) }) },
}

// unlimitedMS is the number of milliseconds that means no limit in the protocol.
const unlimitedMS = math.MaxInt32

func milliseconds(n int64) time.Duration {
	if n >= unlimitedMS {
		return clock.Unlimited
	}
	return time.Duration(max(n, -unlimitedMS)) * time.Millisecond
}

// small returns n as an int. If n is negative or too large, it returns -1, which is not the number of any rule.
func small(n int64) int {
	if n < 0 || n > game.MaxSide {
		return -1
	}
	return int(n)
}

func (s *session) info(c call) error {
	key, value := subprocess.Split(c.rest)
	set, known := infoKeys[strings.ToLower(key)]
	if !known {
		return nil
	}
	n, err := number(value)
	if err != nil {
		return fmt.Errorf("INFO %s: %w", subprocess.Shown(key), err)
	}
	if err := set(s, n); err != nil || s.b == nil {
		return err
	}
	return s.ready() // make the player now, because making it later would use time of the first move
}

// number reads an integer. A number that is too large becomes the largest int64, because managers use such numbers for no limit.
func number(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", subprocess.Shown(text))
	}
	return n, nil
}

// revise changes the rules. The stones stay on the board if the new rules allow the position. After an error nothing is changed.
func (s *session) revise(change func(*variant)) error {
	v := s.set
	change(&v)
	if v == s.set {
		return nil
	}
	if s.b == nil {
		s.set = v
		return nil
	}
	g, err := v.game()
	if err != nil {
		return err
	}
	b := start(g)
	if s.b.Ply() > 0 {
		if b, err = setUp(g, slices.Clone(s.b.Cells()), s.b.Turn()); err != nil {
			return err
		}
	}
	s.drop()
	s.set, s.b = v, b
	return nil
}
