// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script plays the moves it is given, one after the other, and says how it found each.
type script struct{ moves []string }

func (*script) Name() string { return "script" }

func (s *script) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	panic("an analyst is asked to analyze")
}

func (s *script) Analyze(_ context.Context, p game.Position, _ search.Limits, report func(search.Info)) (search.Info, error) {
	mv, err := p.Game().Parse(s.moves[0])
	s.moves = s.moves[1:]
	report(search.Info{Depth: 1, Score: 250, PV: []game.Move{mv}, Nodes: 81})
	return search.Info{
		Depth: 12, Score: eval.Win(7), PV: []game.Move{mv, p.AppendMoves(nil)[0]}, Nodes: 1_234_567,
		Time: 890 * time.Millisecond, Solved: true,
	}, err
}

func newGame(t testing.TB, spec string) game.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// newTable returns a model with a person in the first seat, and pl in the second and as the hinter.
func newTable(t testing.TB, spec, moves string, pl player.Player) *model {
	t.Helper()
	p := newGame(t, spec).Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	m, err := newModel(t.Context(), Options{Position: p, Players: [2]player.Player{player.Human{}, pl}, Hinter: pl})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drive follows a message and all that comes of it. It says whether that was the end.
func drive(m *model, msg tea.Msg) (quit bool) {
	_, cmd := m.Update(msg)
	for cmd != nil {
		msg := cmd()
		if _, quit := msg.(tea.QuitMsg); quit {
			return true
		}
		_, cmd = m.Update(msg)
	}
	return false
}

var keyCodes = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"enter": tea.KeyEnter, "space": tea.KeySpace, "backspace": tea.KeyBackspace, "esc": tea.KeyEscape,
}

func keyMsg(key string) tea.KeyPressMsg {
	if code, ok := keyCodes[key]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: rune(key[0]), Text: key}
}

// press drives the keys named in a string.
func press(m *model, keys string) {
	for key := range strings.FieldsSeq(keys) {
		drive(m, keyMsg(key))
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain returns the screen without colours and without spaces at the ends of lines.
func plain(m *model) string { return plainText(m.View().Content) }

func plainText(screen string) string {
	lines := strings.Split(escapes.ReplaceAllString(screen, ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func history(m *model) string { return notation.FormatMoves(m.p.Game(), m.p.AppendHistory(nil)) }

// TestScreensMatchGoldens compares what a person sees, colours apart.
func TestScreensMatchGoldens(t *testing.T) {
	tests := []struct {
		name, game, moves string
		width, height     int
		replies           string
		keys              string
	}{
		{"start", "gomoku", "", 80, 24, "", ""},
		{"gomoku", "gomoku", "h8 a1 h9 a3 h7", 80, 24, "", "up up enter"},
		{"reply", "gomoku", "h8 h9 i8 i9 j8 g10", 80, 24, "g8", "right right right enter"},
		{"hint", "gomoku", "h8 h9", 80, 24, "g7", "h"},
		{"won", "gomoku", "h8 a1 h9 a3 h10 a5 h11 a7", 80, 24, "", "up up up up enter"},
		{"connect4", "connect4", "4 4 4 3 5 3", 80, 24, "6", "left enter"},
		{"ultimate", "ultimate", "55 51 15 54 45 57", 80, 24, "99", "left left left down down down enter"},
		{"ultimate-won", "ultimate", "12 21 16 63 34 42 23 35 57 72 25 51 13 32 27 73 31 19 95 52 37 71", 80, 24, "", "left left left left up up up up enter"},
		{"renju", "renju", "h8 a1 h9 a3 f7 a5 g7 a7", 80, 24, "", "left"},
		{"pente", "pente", "k10 k11 a1 k12", 80, 24, "j13", "up up up right enter"},
		{"connect6", "connect6", "j10 j11 k11", 80, 24, "", "up up enter"},
		{"window", "mnk:70,70,10", "aj35 z30", 80, 24, "a70", "up up up up up up up up enter"},
		{"small-window", "mnk:70,70,10", "", 40, 12, "", "right down"},
		{"narrow", "tictactoe", "", 40, 12, "a1", "enter"},
		{"low", "ultimate", "", 22, 8, "", "enter"},
		{"column", "mnk:1,9,3", "", 80, 24, "a4", "enter"},
		{"help", "gomoku", "", 40, 12, "", "?"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newTable(t, tc.game, tc.moves, &script{strings.Fields(tc.replies)})
			drive(m, tea.WindowSizeMsg{Width: tc.width, Height: tc.height})
			if tc.replies == "" {
				m.o.Players[1] = player.Human{}
			}
			press(m, tc.keys)
			compare(t, tc.name, plain(m))
		})
	}
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("screen differs from %s (-want +got):\n%s", file, diff)
	}
}

// TestClick clicks on each cell that is shown, at its stone and at its bracket.
func TestClick(t *testing.T) {
	for _, spec := range []string{"gomoku", "ultimate", "connect4:12x9", "mnk:70,50,5", "mnk:1,9,3", "mnk:1,1,1"} {
		for _, size := range [][2]int{{80, 24}, {40, 12}, {20, 6}, {1, 1}} {
			m := newTable(t, spec, "", player.Human{})
			drive(m, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for y := m.down.First; y < m.down.First+m.down.Shown; y++ {
				for x := m.across.First; x < m.across.First+m.across.Shown; x++ {
					for bracket := range 2 {
						at := gutter + m.across.Slot(x)*cellWidth - bracket
						if cx, cy, ok := m.cellAt(at, m.down.Slot(y)); !ok || cx != x || cy != y {
							t.Fatalf("%s at %v: click on %d,%d hits %d,%d, %v", spec, size, x, y, cx, cy, ok)
						}
					}
				}
			}
		}
	}
	m := newTable(t, "gomoku", "", player.Human{})
	drive(m, tea.MouseClickMsg{Button: tea.MouseLeft, X: 4, Y: 14})
	drive(m, tea.MouseClickMsg{Button: tea.MouseRight, X: 6, Y: 14})
	drive(m, tea.MouseClickMsg{Button: tea.MouseLeft, X: 2, Y: 13})
	drive(m, tea.MouseClickMsg{Button: tea.MouseLeft, X: 50, Y: 14})
	drive(m, tea.MouseClickMsg{Button: tea.MouseLeft, X: 32, Y: 0})
	if got := history(m); got != "a1 o15" {
		t.Errorf("clicks played %q, want a1 o15", got)
	}
}

// TestStatusAtStart: the line below the board is the caller's until something happens.
func TestStatusAtStart(t *testing.T) {
	g := newGame(t, "gomoku")
	m, err := newModel(t.Context(), Options{Position: g.Start(), Players: [2]player.Player{player.Human{}, player.Human{}}, Status: "level 2 takes Black (X)"})
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(m.screen(), "\n"); lines[len(lines)-1] != m.o.Status {
		t.Errorf("the last line is %q, want %q", lines[len(lines)-1], m.o.Status)
	}
	m.undo()
	if strings.Contains(m.screen(), m.o.Status) {
		t.Error("the line stays after an undo")
	}
}

// TestUndo says how far u goes, by who plays.
func TestUndo(t *testing.T) {
	human, engine := player.Human{}, player.NewRandom(1)
	tests := []struct {
		name, game  string
		players     [2]player.Player
		moves, want string
		status      string
		paused      bool
	}{
		{"two people", "gomoku", [2]player.Player{human, human}, "a1 b1", "a1", "taken back", false},
		{"the person's turn", "gomoku", [2]player.Player{human, engine}, "a1 b1 a2 b2", "a1 b1", "taken back", false},
		{"a turn of two", "connect6", [2]player.Player{human, engine}, "a1 b1 b2 c1", "a1 b1 b2", "taken back", false},
		{"two engines", "gomoku", [2]player.Player{engine, engine}, "a1 b1", "a1", "taken back", true},
		{"no turn before", "gomoku", [2]player.Player{engine, human}, "a1", "a1", "nothing to take back", false},
		{"the beginning", "gomoku", [2]player.Player{human, engine}, "", "", "nothing to take back", false},
		{"the opening", "gomoku", [2]player.Player{engine, human}, "a1 b1 a2", "a1 b1 a2", "nothing to take back", false},
		{"the end", "tictactoe", [2]player.Player{human, engine}, "a1 a2 b1 b2 c1", "a1 a2 b1 b2", "taken back", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newTable(t, tc.game, tc.moves, human)
			m.o.Players = tc.players
			if tc.name == "the opening" {
				m.o.Opening = 3
			}
			m.undo()
			if history(m) != tc.want || m.status != tc.status || m.paused != tc.paused {
				t.Errorf("undo: %q, %q, paused %v; want %q, %q, %v", history(m), m.status, m.paused, tc.want, tc.status, tc.paused)
			}
		})
	}
}

// TestAnyKeys presses keys and clicks at random on every game and many sizes of the screen: the screen keeps to
// its size.
func TestAnyKeys(t *testing.T) {
	keys := strings.Fields("up down left right enter enter enter space u h t p n ? x")
	steps := 300
	if testing.Short() {
		steps = 60
	}
	for _, e := range krow.List("games") {
		spec := e.Name
		if spec == "mnk" {
			spec = "mnk:30,3,4"
		}
		t.Run(spec, func(t *testing.T) {
			m := newTable(t, spec, "", player.NewRandom(1))
			for i := range steps {
				switch {
				case i%29 == 0:
					drive(m, tea.WindowSizeMsg{Width: i * 7 % 90, Height: i * 5 % 30})
				case i%5 == 0:
					drive(m, tea.MouseClickMsg{Button: tea.MouseLeft, X: i * 11 % 80, Y: i * 3 % 24})
				default:
					press(m, keys[i*i%len(keys)])
				}
				lines := strings.Split(m.View().Content, "\n")
				if len(lines) != max(m.height, 1) {
					t.Fatalf("step %d: %d lines on a screen of %d", i, len(lines), m.height)
				}
			}
		})
	}
}

func BenchmarkMove(b *testing.B) {
	for _, spec := range []string{"gomoku", "renju", "atarigo", "mnk:70,70,10", "mnk:128,128,10"} {
		b.Run("game="+spec, func(b *testing.B) {
			m := newTable(b, spec, "", player.Human{})
			drive(m, tea.WindowSizeMsg{Width: 200, Height: 60})
			for b.Loop() {
				drive(m, keyMsg("enter"))
				_ = m.View()
				drive(m, keyMsg("u"))
				_ = m.View()
			}
		})
	}
}
