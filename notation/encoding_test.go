// SPDX-License-Identifier: Apache-2.0

package notation_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
)

// examples stand in docs/reference/formats/position.md too.
var examples = []struct {
	name      string
	g         game.Game
	moves     string
	hex, text string
}{
	{
		"dense", must(mnk.TicTacToe(3, 3)), "b2 c3 a1 b1",
		"6b010f 09 746963746163746f65 00 04 00 5836 0d078636", "awEPCXRpY3RhY3RvZQAEAFg2DQeGNg",
	},
	{
		"sparse", must(mnk.Pente(7)), "d4 c4 a1 b4 a4",
		"6b0110 07 70656e74653a37 03 05 02 0100 002804 21df07c7", "awEQB3BlbnRlOjcDBQIBAAAoBCHfB8c",
	},
}

// seal returns a body as it stands in a file: behind its header and before its checksum.
func seal(body []byte) []byte {
	data := binary.AppendUvarint([]byte{'k', 1}, uint64(len(body)))
	data = append(data, body...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

func TestExamplesOfPositionPage(t *testing.T) {
	doc, err := os.ReadFile("../docs/reference/formats/position.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range examples {
		t.Run(tc.name, func(t *testing.T) {
			p := tc.g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			want, err := hex.DecodeString(strings.ReplaceAll(tc.hex, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			if got := must(notation.Append(nil, p)); !slices.Equal(got, want) {
				t.Errorf("Append = %x, want %x", got, want)
			}
			if got := must(notation.EncodeText(p)); got != tc.text {
				t.Errorf("EncodeText = %s, want %s", got, tc.text)
			}
			for _, s := range []string{tc.hex, tc.text, tc.moves} {
				if !strings.Contains(string(doc), s) {
					t.Errorf("docs/reference/formats/position.md does not have %q", s)
				}
			}
		})
	}
}

func TestEncodingRoundTrip(t *testing.T) {
	eachPosition(t, func(t *testing.T, p game.Position) {
		prefix := []byte("prefix")
		data := must(notation.Append(prefix, p))
		if !strings.HasPrefix(string(data), "prefix") {
			t.Fatal("Append does not append")
		}
		got, err := notation.Decode(data[len(prefix):], byName)
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, got, p)
		if got.Ply() != p.Ply() {
			t.Fatalf("ply %d, want %d", got.Ply(), p.Ply())
		}
		if got, err = notation.DecodeText(must(notation.EncodeText(p)), byName); err != nil {
			t.Fatal(err)
		}
		checkSame(t, got, p)
	})
}

// TestEncodingSize expects the smaller of both forms, and that either is used.
func TestEncodingSize(t *testing.T) {
	g := must(mnk.MNK(20, 20, 9))
	const dense, rest = 400 / 5, 2 + 1 + 1 + len("mnk:20,20,9") + 1 + 1 + 1 + 4
	tests := []struct{ stones, want int }{
		{0, 0},
		{1, 1},
		// A gap of 63 is the longest that fits into a byte with the side.
		{79, 79},
		{80, dense},
		{81, dense},
		{127, dense},
	}
	for _, tc := range tests {
		cells := make([]game.Stone, 400)
		for i := range tc.stones {
			cells[i] = game.FirstStone + game.Stone(i/2%2)
		}
		data := must(notation.Append(nil, must(g.SetUp(game.Setup{Cells: cells, Ply: tc.stones}))))
		if got := len(data) - rest; got != tc.want {
			t.Errorf("%d stones take %d bytes, want %d", tc.stones, got, tc.want)
		}
	}
}

func TestAppendErrors(t *testing.T) {
	g := must(mnk.TicTacToe(3, 3))
	if data, err := notation.Append([]byte("x"), stripped{g}.Start()); err == nil || string(data) != "x" {
		t.Errorf("Append of a position without a set-up = %q, %v", data, err)
	}
	negative := must(g.SetUp(game.Setup{Cells: make([]game.Stone, 9), Ply: -1}))
	if data, err := notation.Append([]byte("x"), negative); err == nil || string(data) != "x" {
		t.Errorf("Append of ply -1 = %q, %v", data, err)
	}
}

// TestDecodeDamage cuts every tail off, adds one, and turns every bit: nothing of it is taken for a position.
func TestDecodeDamage(t *testing.T) {
	for _, g := range family {
		data := must(notation.Append(nil, g.Start()))
		for n := range data {
			if _, err := notation.Decode(data[:n], byName); !errors.Is(err, notation.ErrTruncated) {
				t.Errorf("%s, %d bytes of %d: %v, want ErrTruncated", g, n, len(data), err)
			}
		}
		if _, err := notation.Decode(append(slices.Clone(data), 0), byName); !errors.Is(err, notation.ErrTrailing) {
			t.Errorf("%s and a byte: %v, want ErrTrailing", g, err)
		}
		for bit := range 8 * len(data) {
			bad := slices.Clone(data)
			bad[bit/8] ^= 1 << (bit % 8)
			_, err := notation.Decode(bad, byName)
			if err == nil {
				t.Errorf("%s with bit %d turned is a position", g, bit)
				continue
			}
			checkLine(t, err)
			if bit/8 > 2 && !errors.Is(err, notation.ErrDamaged) {
				t.Errorf("%s with bit %d turned: %v, want ErrDamaged", g, bit, err)
			}
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	const ttt = "\x09tictactoe"
	tests := []struct {
		name string
		data []byte
		is   error // nil: none of the package's own
		want string
	}{
		{"nothing", nil, notation.ErrTruncated, "the position is truncated"},
		{"another file", []byte("PK\x03\x04"), notation.ErrFormat, "not a position of krow"},
		{"version 0", []byte("k\x00"), notation.ErrFormat, "not a position of krow"},
		{"a newer version", []byte("k\x02 whatever"), notation.ErrNewer, "the position was written by a newer krow: version 2; this krow reads versions up to 1"},
		{"a length that overflows", []byte("k\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff1234"), notation.ErrDamaged, "the position is damaged"},
		{"a length near 2^64", []byte("k\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x011234"), notation.ErrTruncated, "the position is truncated"},
		{"no body", seal(nil), notation.ErrDamaged, "the position is damaged"},
		{"a spec beyond the end", seal([]byte("\x09tic")), notation.ErrDamaged, "the position is damaged"},
		{"flags of the future", seal([]byte(ttt + "\x04\x00\x00\x00\x00")), notation.ErrDamaged, "the position is damaged"},
		{"a ply beyond 2^31", seal([]byte(ttt + "\x00\x80\x80\x80\x80\x08\x00\x00\x00")), notation.ErrDamaged, "the position is damaged"},
		{"memory beyond the end", seal([]byte(ttt + "\x02\x00\x05\x00")), notation.ErrDamaged, "the position is damaged"},
		{"memory of a game without", seal([]byte(ttt + "\x02\x00\x01\x00")), nil, "position of tictactoe: the memory of tictactoe cannot have 1 numbers"},
		{"a cell too few", seal([]byte(ttt + "\x00\x00\x00\x00")), notation.ErrDamaged, "the position is damaged"},
		{"a cell too many", seal([]byte(ttt + "\x00\x00\x00\x00\x00\x00")), notation.ErrDamaged, "the position is damaged"},
		{"a sixth cell in a byte", seal([]byte(ttt + "\x00\x00\x00\xf3\x00")), notation.ErrDamaged, "the position is damaged"},
		{"a tenth cell", seal([]byte(ttt + "\x00\x00\x00\x00\x51")), notation.ErrDamaged, "the position is damaged"},
		{"a stone beyond the board", seal([]byte(ttt + "\x02\x01\x00\x12")), notation.ErrDamaged, "the position is damaged"},
		{"a stone after the last cell", seal([]byte(ttt + "\x02\x01\x00\x10\x00")), notation.ErrDamaged, "the position is damaged"},
		{"a number cut short", seal([]byte(ttt + "\x02\x01\x00\x80")), notation.ErrDamaged, "the position is damaged"},
		{"another game", seal([]byte("\x02go\x00\x00\x00")), nil, `position of "go": unknown game "go"`},
		{"two winners", seal([]byte(ttt + "\x00\x06\x00\xe5\x02")), nil, "position of tictactoe: both sides have won on this board"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := notation.Decode(tc.data, byName)
			checkError(t, err, tc.want)
			if tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("%v is not %v", err, tc.is)
			}
		})
	}
}

func TestDecodeTextErrors(t *testing.T) {
	for _, s := range []string{"a", "****", "awE="} {
		if _, err := notation.DecodeText(s, byName); !errors.Is(err, notation.ErrFormat) {
			t.Errorf("DecodeText(%q): %v, want ErrFormat", s, err)
		}
	}
	if _, err := notation.DecodeText("", byName); !errors.Is(err, notation.ErrTruncated) {
		t.Errorf("DecodeText of nothing: %v, want ErrTruncated", err)
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, g := range family {
		b.Run("game="+g.String(), func(b *testing.B) {
			p := g.Start()
			for range 30 {
				if moves := p.AppendMoves(nil); len(moves) > 0 {
					p.Play(moves[p.Ply()*7919%len(moves)])
				}
			}
			var data []byte
			for b.Loop() {
				data = must(notation.Append(data[:0], p))
			}
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, g := range family {
		b.Run("game="+g.String(), func(b *testing.B) {
			data := must(notation.Append(nil, g.Start()))
			for b.Loop() {
				must(notation.Decode(data, byName))
			}
		})
	}
}
