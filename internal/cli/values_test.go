// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
)

// TestValuesPage: docs/values.md is made of docs/values.jsonl, of which every row has a certificate.
func TestValuesPage(t *testing.T) {
	rows, err := readValues(t.Context(), "../../docs/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Value == "" || r.Bytes == 0 {
			t.Errorf("%s: no value or no certificate: %+v", r.Game, r)
		}
	}
	var page bytes.Buffer
	if err := writeValues(&page, rows); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../docs/values.md"); err != nil || !bytes.Equal(got, page.Bytes()) {
		t.Errorf("docs/values.md is not what krow values --results docs/values.jsonl prints (%v)", err)
	}
}

// cut is a solver whose time is up while it writes a certificate, or that has another reason to fail.
type cut struct {
	stop context.CancelFunc
	err  error
}

func (c cut) Certify(ctx context.Context, _ game.Position, _ io.Writer) error {
	if c.err != nil {
		return c.err
	}
	c.stop()
	return ctx.Err()
}

// TestCertify: what ends a certificate is told in words, and none is left behind.
func TestCertify(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	for _, tc := range []struct {
		c    cut
		want string
	}{
		{cut{err: errors.New("no such move")}, "no such move"},
		{cut{stop: stop}, "interrupted: the certificate is not finished"},
	} {
		dir := t.TempDir()
		f, err := wholefile.Open(filepath.Join(dir, "proof"))
		if err != nil {
			t.Fatal(err)
		}
		if err := certify(ctx, tc.c, nil, f); err == nil || err.Error() != tc.want {
			t.Errorf("got %v, want %s", err, tc.want)
		}
		f.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("there is %v, %v", left, err)
		}
	}
}
