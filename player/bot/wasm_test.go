// SPDX-License-Identifier: Apache-2.0

package bot_test

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
)

// A module that is written by hand, section by section: a length and what it counts, everywhere.

func uleb(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func joined(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func list(parts ...[]byte) []byte { return append(uleb(len(parts)), joined(parts...)...) }

func sized(parts ...[]byte) []byte {
	all := joined(parts...)
	return append(uleb(len(all)), all...)
}

func section(id byte, parts ...[]byte) []byte { return append([]byte{id}, sized(list(parts...))...) }

func text(s string) []byte { return append(uleb(len(s)), s...) }

// Instructions.
var (
	trap    = []byte{0x00}
	forever = []byte{0x03, 0x40, 0x0c, 0x00, 0x0b}                               // loop, br 0, end
	grow    = []byte{0x03, 0x40, 0x41, 0x0a, 0x40, 0x00, 0x1a, 0x0c, 0x00, 0x0b} // loop: memory.grow 10, drop, br 0
	deep    = []byte{0x10, 0x02}                                                 // call itself
	reading = call(0, 0)
)

// Where the vectors of input and output stand in memory, and the data.
const vectors, buffer, words = 0, 64, 32768

// call calls fd_read or fd_write of function index f with the vector at an offset.
func call(f byte, offset int) []byte {
	return joined([]byte{0x41}, sleb(int(f)), []byte{0x41}, sleb(vectors+offset), []byte{0x41, 1, 0x41}, sleb(vectors+40), []byte{0x10, f, 0x1a})
}

// sleb encodes a number that is not negative where it could be.
func sleb(n int) []byte {
	b := uleb(n)
	if b[len(b)-1]&0x40 != 0 {
		b[len(b)-1] |= 0x80
		b = append(b, 0)
	}
	return b
}

// module returns a module whose function _start has this body. says are the lines of call(1, 8), call(1, 16) and call(1, 24).
// first, if there is one, is the body of a function that runs before.
func module(body []byte, first []byte, from string, says ...string) []byte {
	data := make([]byte, 32)
	binary.LittleEndian.PutUint32(data, buffer)
	binary.LittleEndian.PutUint32(data[4:], 16384)
	said := ""
	for i, s := range says {
		binary.LittleEndian.PutUint32(data[8*(i+1):], uint32(words+len(said)))
		binary.LittleEndian.PutUint32(data[8*(i+1)+4:], uint32(len(s)))
		said += s
	}
	code := func(body []byte) []byte { return sized([]byte{0}, body, []byte{0x0b}) }
	functions, bodies := [][]byte{{1}}, [][]byte{code(body)}
	start := []byte{}
	if first != nil {
		functions, bodies = append(functions, []byte{1}), append(bodies, code(first))
		start = append([]byte{8}, sized([]byte{3})...)
	}
	at := func(n int) []byte {
		return []byte{0, 0x41, byte(n&0x7f | 0x80), byte(n>>7&0x7f | 0x80), byte(n >> 14), 0x0b}
	}
	return joined([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, []byte{0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f}, []byte{0x60, 0, 0}),
		section(2, joined(text(from), text("fd_read"), []byte{0, 0}), joined(text(from), text("fd_write"), []byte{0, 0})),
		section(3, functions...),
		section(5, []byte{0, 1}),
		section(7, joined(text("memory"), []byte{2, 0}), joined(text("_start"), []byte{0, 2})),
		start,
		section(10, bodies...),
		section(11, joined(at(vectors), sized(data)), joined(at(words), text(said))),
	)
}

// threads is a module whose memory is shared by threads: one page, at most two.
func threads() []byte {
	return joined([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, []byte{0x60, 0, 0}), section(3, []byte{0}), section(5, []byte{3, 1, 2}),
		section(7, joined(text("_start"), []byte{0, 0})), section(10, sized([]byte{0, 0x0b})))
}

const wasi = "wasi_snapshot_preview1"

// answers is a module that plays a move, and then something else.
func answers(move string, then []byte) []byte {
	return module(joined(reading, call(1, 8), reading, call(1, 16), reading, call(1, 24), then), nil, wasi, "ugiok\n", "readyok\n", "bestmove "+move+"\n")
}

type wasmTest struct {
	name string
	text []byte
	want string // the move, or part of the failure
}

// cpu returns a limit that only a module reaches that never ends.
func (t wasmTest) cpu() time.Duration {
	if t.want == "too long" {
		return 50 * time.Millisecond
	}
	return time.Minute
}

// TestWASM: modules play and forfeit.
func TestWASM(t *testing.T) {
	tests := []wasmTest{
		{"plays", answers("b2", nil), "b2"},
		{"illegal", answers("b9", nil), "bestmove b9"},
		{"no module", []byte("\x00asm\x01\x00\x00\x00 and nothing"), "unsupported module"},
		{"no start", []byte("\x00asm\x01\x00\x00\x00"), "exports no function _start"},
		{"foreign", module(nil, nil, "env", "x"), "imports env.fd_read"},
		{"ends", module(nil, nil, wasi, "x"), "it ended"},
		{"traps", module(trap, nil, wasi, "x"), "unreachable"},
		{"traps at the start", module(nil, trap, wasi, "x"), "unreachable"},
		{"recursion", module(deep, nil, wasi, "x"), "test: "},
		{"reads on", module(joined(reading, reading, reading), nil, wasi, "x"), "it reads on instead of answering"},
		{"prints", module(append([]byte{0x03, 0x40}, joined(call(1, 8), []byte{0x0c, 0x00, 0x0b})...), nil, wasi, strings.Repeat("x", 8000)+"\n"), "64 kB"},
		{"loops", module(forever, nil, wasi, "x"), "too long"},
		{"loops at the start", module(nil, forever, wasi, "x"), "too long"},
		{"threads", threads(), "unsupported module"},
		{"grows", module(grow, nil, wasi, "x"), "too long"}, // memory.grow fails at the limit
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) { tc.run(t) })
	}
}

// run opens the module and asks it for a move.
func (tc wasmTest) run(t *testing.T) {
	t.Helper()
	g, err := krow.Game("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	pl, err := bot.Open(g, bot.Program{Kind: bot.WASM, Name: "test", Text: tc.text}, bot.Options{Limits: bot.Limits{CPU: tc.cpu()}})
	if err == nil {
		defer player.Close(pl)
		m, e := pl.Move(context.Background(), g.Start(), search.Limits{})
		if err = e; err == nil {
			got = g.Format(m)
		}
	}
	if err != nil {
		got = err.Error()
	}
	if !strings.Contains(got, tc.want) {
		t.Errorf("got %q, want %q", got, tc.want)
	}
}

// TestEndlessModuleIsKilled: a module that goes on after its game is over is killed, and the next game has a new process.
func TestEndlessModuleIsKilled(t *testing.T) {
	g, err := krow.Game("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		pl, err := bot.Open(g, bot.Program{Kind: bot.WASM, Name: "test", Text: answers("b2", forever)}, bot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pl.Move(context.Background(), g.Start(), search.Limits{}); err != nil {
			t.Error(err)
		}
		player.Close(pl)
	}
}

// withTable is the module with a table of functions, or of other references, of so many elements. There is no maximum.
func withTable(kind byte, least int, module []byte) []byte {
	at := 8
	for module[at] < 5 { // the section of memory follows the tables
		length, n := binary.Uvarint(module[at+1:])
		at += 1 + n + int(length)
	}
	return slices.Concat(module[:at], section(4, joined([]byte{kind, 0}, uleb(least))), module[at:])
}

// growTable grows a table by so many elements, and traps unless that fails.
func growTable(n int) []byte {
	return joined([]byte{0xd0, 0x70, 0x41}, sleb(n), []byte{0xfc, 0x0f, 0x00, 0x41, 0x7f, 0x47, 0x04, 0x40, 0x00, 0x0b}) // ref.null, i32.const n, table.grow 0, i32.const -1, i32.ne, if unreachable end
}

// TestTablesAreBounded: a table is memory that the limit of memory does not count.
func TestTablesAreBounded(t *testing.T) {
	const funcref, externref = 0x70, 0x6f
	play := func(first []byte) []byte {
		return module(joined(first, reading, call(1, 8), reading, call(1, 16), reading, call(1, 24)), nil, wasi, "ugiok\n", "readyok\n", "bestmove b2\n")
	}
	for _, tc := range []wasmTest{
		{"small", withTable(funcref, 10, play(nil)), "b2"},
		{"large", withTable(externref, 100_001, play(nil)), "table of 100001 elements"},
		{"grows", withTable(funcref, 10, play(growTable(60_000_000))), "b2"},
		{"grows by little", withTable(funcref, 10, play(growTable(90_000))), "unreachable"},
		{"many", joined([]byte("\x00asm\x01\x00\x00\x00"), section(4, slices.Repeat([][]byte{{funcref, 0, 0}}, 17)...)), "17 tables"},
		{"cut", []byte("\x00asm\x01\x00\x00\x00\x04\x05\x01"), "unsupported module"},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.run(t) })
	}
}
