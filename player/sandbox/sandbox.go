// SPDX-License-Identifier: Apache-2.0

// Package sandbox runs untrusted programs, written in Starlark or compiled to WebAssembly, in child processes of the same
// binary. Package bot makes players of these programs.
//
//	this process                     a child, with its own limits
//	Process.Ask ──> stdin   frame ──> serve ──> starlark │ wazero
//	            <── stdout  frame <──       <──
//
// # Basics
//
//	sandbox.Serve(krow.Game) // first in the main function of a binary that opens bots
//
//	p, err := sandbox.Take(kind, hash)
//	reply, err := p.Ask(ctx, sandbox.Wall, request, text)
//	p.Give()
//
// # The walls
//
// The child counts the steps of a program exactly, so that the same seed plays the same game on every machine. A watcher in the
// child and limits of the operating system limit its memory and processor time. The parent waits for a limited time, reads frames
// of a limited size, and kills the child after any serious fault. The child has no environment variables and inherits no open
// files except its pipes.
//
// If a program breaks out of its interpreter, protections of the operating system, here called walls, stop it. They exist only on
// Linux:
//
//   - Limits: bounded processor time and mapped memory, no new descriptors, no writing to files, no core dumps. Memory cannot be
//     locked or shared.
//   - The filter: only about 30 system calls are allowed, and their arguments are checked. A call by another interface of the
//     processor (i386, x32) ends the process. The filter exists only on amd64 and arm64.
//   - Namespaces: a user without a name and without rights, no network, no other process. The system must allow everybody to
//     create namespaces. The program then runs in a child of the child: the namespaces need a fork, and a fork of a large
//     server would stop the server for a long time.
//   - Landlock: no access to files and ports, no signals to other processes. Needs Linux 5.13 and a binary without C code.
//
// [Walls] reports which walls are in force. Walls that the system does not support are left out.
//
// # Caveats
//
// The walls do not protect shared resources: the processor and its caches, the kernel behind the allowed calls, and the
// machine's capacity. If the system has no namespaces, the child runs as the user of the server. If the system also has no
// Landlock, only the filter protects the server's files. On systems other than Linux, only the interpreter, the watcher and the
// parent process protect the machine.
package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/krow-lab/krow/player"
)

// Request is a request to the child. Op is one of the constants OpCheck, OpLoad, OpMove, OpEnd and OpWalls.
type Request struct {
	Op     string             `json:"op"`
	Kind   string             `json:"kind,omitempty"`
	Name   string             `json:"name,omitempty"`
	Hash   string             `json:"hash,omitempty"` // hash of the program's text
	Sent   bool               `json:"sent,omitempty"` // whether the program's text follows; false if the child should already have it
	Game   string             `json:"game,omitempty"` // spec of the game
	Seed   uint64             `json:"seed,omitempty"`
	Params map[string]float64 `json:"params,omitempty"`
	Limits Limits             `json:"limits,omitzero"`

	Position string        `json:"position,omitempty"` // in the notation of UGI
	Depth    int           `json:"depth,omitempty"`
	Nodes    uint64        `json:"nodes,omitempty"`
	Time     time.Duration `json:"time,omitempty"`
	Log      bool          `json:"log,omitempty"` // whether the reply should contain the printed and drawn lines
}

// The operations.
const (
	OpCheck = "check" // read the program without playing a game
	OpLoad  = "load"  // begin a game
	OpMove  = "move"  // choose a move in the game that OpLoad began
	OpEnd   = "end"   // end the game
	OpWalls = "walls" // report which walls are in force
)

// KindWASM is the kind of program that is a WebAssembly module.
const KindWASM = "wasm"

// Limits contains the limits of a program. A zero field means the default limit.
type Limits struct {
	Steps  uint64        `json:"steps,omitempty"`  // steps of Starlark for one move
	CPU    time.Duration `json:"cpu,omitempty"`    // processor time for one move, or for the beginning of a game
	Memory int64         `json:"memory,omitempty"` // maximum memory in bytes
	Output int           `json:"output,omitempty"` // maximum number of bytes printed and drawn in a move
	Depth  int           `json:"depth,omitempty"`  // depth of nested calls
}

// The usual limits.
var usual = Limits{Steps: 2_000_000, CPU: 5 * time.Second, Memory: 64 << 20, Output: 64 << 10, Depth: 200}

// Or returns the limits with the defaults in place of zeros.
func (l Limits) Or() Limits {
	if l.Steps == 0 {
		l.Steps = usual.Steps
	}
	if l.CPU == 0 {
		l.CPU = usual.CPU
	}
	if l.Memory == 0 {
		l.Memory = usual.Memory
	}
	if l.Output == 0 {
		l.Output = usual.Output
	}
	if l.Depth == 0 {
		l.Depth = usual.Depth
	}
	return l
}

// Reply is the child's answer.
type Reply struct {
	Fault  *Fault  `json:"fault,omitempty"`  // why there is no answer
	Faults []Fault `json:"faults,omitempty"` // errors that OpCheck found
	// Need reports that the child does not have the program's text. The parent must send the request again, with the text.
	Need bool `json:"need,omitempty"`

	Way    string  `json:"way,omitempty"` // the function by which the program plays: choose, score or evaluate
	Params []Param `json:"params,omitempty"`
	Tests  []Test  `json:"tests,omitempty"`

	Move   int     `json:"move"`
	PV     []int   `json:"pv,omitempty"`
	Depth  int     `json:"depth,omitempty"`
	Score  int64   `json:"score,omitempty"` // an eval.Score
	Scored bool    `json:"scored,omitempty"`
	Solved bool    `json:"solved,omitempty"`
	Nodes  uint64  `json:"nodes,omitempty"`
	Steps  uint64  `json:"steps,omitempty"`
	Lines  []Line  `json:"lines,omitempty"`
	Time   float64 `json:"time,omitempty"` // seconds

	Walls *Walls `json:"walls,omitempty"` // result of OpWalls
}

// Walls reports which protections of the operating system are in force around a child.
type Walls struct {
	Limits     bool `json:"limits"`     // limits of memory, files and processor time
	Filter     bool `json:"filter"`     // only allowed system calls remain
	Landlock   bool `json:"landlock"`   // no access to files and ports
	Namespaces bool `json:"namespaces"` // the program sees no network, other process or other user
}

// Fault is an error of a program. Line and Column count from 1; 0 means that the place is unknown.
type Fault struct {
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
	Reason string `json:"reason,omitempty"` // if the program ran: the reason why it forfeits, such as Steps
}

// String returns the text, preceded by the number of the line if the line is known.
func (f Fault) String() string {
	if f.Line > 0 {
		return fmt.Sprintf("line %d: %s", f.Line, f.Text)
	}
	return f.Text
}

// The reasons for which a program forfeits.
const (
	Steps   = "steps"   // too many steps
	CPU     = "time"    // too much processor time
	Memory  = "memory"  // too much memory
	Output  = "output"  // printed too much
	Depth   = "depth"   // too many nested calls
	Error   = "error"   // an error in the program
	Illegal = "illegal" // an illegal move, or no move
	Crash   = "crash"   // the process of the program ended
)

// Param is a parameter that a program declares.
type Param = player.Param

// Test is a position with the moves that a program should play there.
type Test struct {
	Game  string   `json:"game"`
	Moves string   `json:"moves"`
	Want  []string `json:"want" nullable:"false"` // the moves that the test accepts
	Line  int      `json:"line,omitempty"`
}

// Line is a text or a drawing that a program produced while it was thinking about a move. The last Line of a move reports the end
// of the thinking.
type Line struct {
	Ply   int           `json:"ply"` // number of moves already on the board
	Text  string        `json:"text,omitempty"`
	Marks []Mark        `json:"marks,omitempty"`
	Move  string        `json:"move,omitempty"`  // the move; only in the last Line
	Fault *Fault        `json:"fault,omitempty"` // why there is no move; only in the last Line
	Steps uint64        `json:"steps,omitempty"` // number of steps since the program began to choose the move
	Time  time.Duration `json:"time,omitempty"`  // time that the move took; only in the last Line
}

// Mark is a drawing on a cell.
type Mark struct {
	Cell   int    `json:"cell"` // number of the cell in game.Board.Cells
	Colour string `json:"colour,omitempty"`
	Text   string `json:"text,omitempty"`
}

// A frame consists of the length of the message and the length of the text, in four bytes each, the message in JSON, and the
// text:
//
//	┌──────────┬──────────┬───────────────┬──────┐
//	│ of JSON  │ of text  │ JSON          │ text │
//	└──────────┴──────────┴───────────────┴──────┘
const (
	maxMessage = 1 << 20
	maxText    = 16 << 20
)

var errLong = errors.New("a message is too long")

// writeFrame writes a message and a text.
func writeFrame(w io.Writer, message any, text []byte) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if len(data) > maxMessage || len(text) > maxText {
		return errLong
	}
	frame := make([]byte, 8, 8+len(data)+len(text))
	binary.LittleEndian.PutUint32(frame, uint32(len(data)))
	binary.LittleEndian.PutUint32(frame[4:], uint32(len(text)))
	frame = append(append(frame, data...), text...)
	_, err = w.Write(frame)
	return err
}

// readFrame is the inverse of writeFrame.
func readFrame(r io.Reader, message any) (text []byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n, m := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
	if n > maxMessage || m > maxText {
		return nil, errLong
	}
	data := make([]byte, int(n)+int(m))
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data[:n], message); err != nil {
		return nil, fmt.Errorf("a message cannot be read: %w", err)
	}
	return data[n:], nil
}
