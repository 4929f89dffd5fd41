// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow/proof"
)

// TestEarlierCertificatesAreAccepted: certificates of every version and rule that earlier builds wrote are accepted.
func TestEarlierCertificatesAreAccepted(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("testdata", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join("testdata", "*.proof"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if row := fmt.Sprintf("| %s | %d |", filepath.Base(name), r.Positions); !strings.Contains(string(page), row) {
			t.Errorf("testdata/README.md has no row that begins with %q", row)
		}
		kinds[strings.TrimSpace(fmt.Sprintf("%d %s", r.Claim.Version, r.Claim.Rule))] = true
	}
	for _, want := range []string{"2", "3 free", "3 exact", "3 caro", "3 renju", "4 plain", "4 boards", "4 plain,open", "4 boards,open", "5", "6", "7 exact", "7 caro", "8"} {
		if !kinds[want] {
			t.Errorf("testdata has no certificate of version and rule %q", want)
		}
	}
}

// TestZoneNumbers: a number has one form, and a cell joins a zone once, so that the limits bound the work of each file.
func TestZoneNumbers(t *testing.T) {
	c := proof.Claim{Krow: "certificate", Version: proof.ZoneVersion, Columns: 9, Rows: 1, K: 3, Cells: ".XX...O..", Turn: "second", Value: "loss", Rule: proof.Free}
	const joins = "position 2: a cell that joins the zone is not empty, or is already in the zone"
	const long = "position 2: a number has more than five bytes, or more than it needs"
	tests := []struct {
		name, tail, want string // the tail stands after the answers
	}{
		{"no cell joins", "\x00", ""},
		{"two cells join", "\x02\x08\x05", ""},
		{"a cell joins twice", "\x02\x05\x05", joins},
		{"a billion times the same cell", string(binary.AppendUvarint(nil, 1e9)) + "\x05\x05", joins},
		{"a cell of the zone joins", "\x01\x03", joins},
		{"a cell with a stone joins", "\x01\x01", joins},
		{"a cell beyond the board joins", "\x01\x09", joins},
		{"a cell far beyond the board joins", "\x01\x80\x08", joins},
		{"more cells join than are free", "\x06\x04\x05\x07\x08", "position 2: the certificate is truncated"},
		{"a longer form", "\x80\x00", long},
		{"a longer form of five bytes", "\x01\x85\x80\x80\x80\x00", long},
		{"six bytes", "\x01\x85\x80\x80\x80\x80\x01", long},
		{"a number that ends early", "\x80", "position 2: the certificate is truncated"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			head, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			_, err = proof.Verify(t.Context(), bytes.NewReader(pack(head, []byte("\x03\x00"+tc.tail))), proof.Limits{})
			if fmt.Sprint(err) != tc.want && !(err == nil && tc.want == "") {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// TestImagesCount: the limit of work counts images, of which a small file may hold hundreds for each position.
func TestImagesCount(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "v3-mnk.proof"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{})
	if err != nil || r.Entered <= r.Positions {
		t.Errorf("entered %d of %d positions, want more, for the images: %v", r.Entered, r.Positions, err)
	}
	if _, err := proof.Verify(t.Context(), bytes.NewReader(file), proof.Limits{Entered: r.Positions}); !errors.Is(err, proof.ErrWork) {
		t.Errorf("got %v, want %v", err, proof.ErrWork)
	}
}

// TestLineWithoutEnd: a line of k that does not end the game by the rule of a claim has no place in a certificate, and the error says so.
func TestLineWithoutEnd(t *testing.T) {
	for _, c := range []proof.Claim{
		{Version: 3, Columns: 6, Rows: 1, K: 3, Cells: "XXXX..", Turn: "first", Value: "win", Rule: proof.Exact},
		{Version: 3, Columns: 6, Rows: 1, K: 3, Cells: "OXXXO.", Turn: "first", Value: "win", Rule: proof.Caro},
		{Version: 7, Columns: 6, Rows: 1, K: 3, Cells: "XXXX..", Turn: "first", Value: "draw", Rule: proof.Exact},
		{Version: 2, Columns: 6, Rows: 1, K: 3, Cells: "XXX...", Turn: "first", Value: "draw"},
	} {
		c.Krow = "certificate"
		head, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		_, err = proof.Verify(t.Context(), bytes.NewReader(pack(head, nil)), proof.Limits{})
		if want := "certificates do not support a position with a line of 3 or without an empty cell"; fmt.Sprint(err) != want {
			t.Errorf("%s: got %v, want %q", c.Cells, err, want)
		}
	}
}
