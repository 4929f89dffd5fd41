// SPDX-License-Identifier: Apache-2.0

// Package bot makes players from untrusted programs, written in Starlark, a small dialect of Python, or in any language that
// compiles to WebAssembly. The programs run in a sandbox.
//
// # Basics
//
//	p, err := bot.Read("mine.star")
//	for _, f := range bot.Check(p) {
//		fmt.Println(f)
//	}
//	pl, err := bot.Open(g, p, bot.Options{Seed: 1})
//	defer player.Close(pl)
//	m, err := pl.Move(ctx, position, search.Limits{})
//
// docs/reference/bots.md describes the interface of programs.
//
// # The sandbox
//
// A program runs in a child process without files, network, clock or environment. Its steps, processor time, memory and output
// are limited. A program that exceeds a limit, fails, or answers with an illegal move forfeits its game with a [Failure]; if
// the program may have damaged its process, the process is killed. With the same seed a Starlark program plays the same game on
// any machine, if it stays well below the limits of time and memory.
//
// # Caveats
//
// The child process runs the same binary as its parent. Therefore the main function of a binary that plays bots must call Serve
// first.
package bot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/player/sandbox"
)

// Kind is the language of a program.
type Kind uint8

// The kinds.
const (
	Starlark Kind = iota
	WASM
)

// String returns "starlark" or "wasm".
func (k Kind) String() string { return [...]string{"starlark", sandbox.KindWASM}[k] }

// The greatest sizes of programs, in bytes.
const (
	MaxStarlark = 256 << 10
	MaxWASM     = 16 << 20
)

// Program is a bot's program.
type Program struct {
	Kind Kind
	Name string // shown in messages: see CheckName
	Text []byte // the Starlark source, or the WebAssembly module
}

// magic holds the first bytes of every WebAssembly module.
var magic = []byte("\x00asm")

// New returns the program with the given name and text. It recognizes the kind by the text.
func New(name string, text []byte) (Program, error) {
	p := Program{Starlark, name, text}
	most := MaxStarlark
	if bytes.HasPrefix(text, magic) {
		p.Kind, most = WASM, MaxWASM
	}
	switch {
	case len(text) > most:
		return Program{}, fmt.Errorf("a bot in %s can have at most %d kB, not %d", p.Kind, most>>10, len(text)>>10)
	case p.Kind == Starlark && bytes.ContainsRune(text, 0):
		return Program{}, errors.New("the file is neither text nor a WebAssembly module")
	}
	return p, CheckName(name)
}

// Read reads a program from a file. Its name is the name of the file without its extension.
func Read(path string) (Program, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Program{}, err
	}
	switch {
	case !info.Mode().IsRegular():
		return Program{}, fmt.Errorf("%s is no file", path)
	case info.Size() > MaxWASM:
		return Program{}, fmt.Errorf("%s: a bot can have at most %d MB, not %d", path, MaxWASM>>20, info.Size()>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Program{}, err
	}
	if strings.HasSuffix(path, ".wasm") && !bytes.HasPrefix(text, magic) {
		return Program{}, fmt.Errorf("%s: not a WebAssembly module", path)
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	p, err := New(name, text)
	if err != nil {
		return Program{}, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// CheckName returns an error if a bot cannot have this name. Names consist of letters, digits, - and _.
func CheckName(name string) error {
	if !humanize.Name(name) {
		return errors.New("the name of a bot must consist of at most 40 letters, digits, - and _")
	}
	return nil
}

// hash returns the hash of the program's text, by which a child recognizes the program.
func (p Program) hash() string {
	sum := sha256.Sum256(p.Text)
	return p.Kind.String() + hex.EncodeToString(sum[:])
}

func (p Program) request(op string) sandbox.Request {
	return sandbox.Request{Op: op, Kind: p.Kind.String(), Name: p.Name, Hash: p.hash()}
}

// These types describe what a program declares (Param, Test), what it outputs (Line, Mark), its errors (Fault), its limits
// (Limits), and the protections of the operating system around its process (Walls).
type (
	Fault  = sandbox.Fault
	Param  = sandbox.Param
	Test   = sandbox.Test
	Line   = sandbox.Line
	Mark   = sandbox.Mark
	Limits = sandbox.Limits
	Walls  = sandbox.Walls
)

// reading is the time limit for a child to read a program. It is long enough for a busy machine.
const reading = 30 * time.Second

// Check returns the faults of a program that can be found without running it: syntax errors, undefined names, and a missing
// function that krow must call. It takes some milliseconds.
func Check(p Program) []Fault {
	if _, err := New(p.Name, p.Text); err != nil {
		return []Fault{{Text: err.Error()}}
	}
	child, err := sandbox.Take(p.Kind.String(), "")
	if err != nil {
		return []Fault{{Text: err.Error()}}
	}
	defer child.Give()
	reply, err := child.Ask(context.Background(), reading, p.request(sandbox.OpCheck), p.Text)
	switch {
	case err != nil:
		return []Fault{{Text: err.Error()}}
	case reply.Fault != nil:
		return []Fault{*reply.Fault}
	}
	return reply.Faults
}

// StandingWalls starts a child process and reports which protections of the operating system are in force for it.
func StandingWalls(ctx context.Context) (w Walls, err error) {
	child, err := sandbox.Take(Starlark.String(), "")
	if err != nil {
		return w, err
	}
	defer child.Give()
	reply, err := child.Ask(ctx, reading, sandbox.Request{Op: sandbox.OpWalls}, nil)
	switch {
	case err != nil:
		return w, err
	case reply.Walls == nil:
		return w, errors.New("the process of a bot does not answer")
	}
	return *reply.Walls, nil
}

// Declared contains the declarations that a program makes at the beginning of a game.
type Declared struct {
	Way    string // the function by which it plays: choose, evaluate or score; "" for WebAssembly
	Params []Param
	Tests  []Test
}
