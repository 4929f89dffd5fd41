// SPDX-License-Identifier: Apache-2.0

package selfplay

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// TestUnpackReadsOldNames: a header of ultimate of earlier builds, with other names of two numbers, says the same.
func TestUnpackReadsOldNames(t *testing.T) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write([]byte("krow ultimate games 2\n" +
		`{"game":"ultimate","seed":1,"shard":3,"games":400,"positions":19976,"nodes":2000,"network":"f49ac082"}` + "\nbody"))
	_ = z.Close()
	f, err := Unpack(out.Bytes(), Format{Kind: "ultimate games", Version: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := Header{Game: "ultimate", Seed: 1, Number: 3, Games: 400, Nodes: 2000, Net: "f49ac082", Positions: 19976}
	if f.Header != want || string(f.Body) != "body" {
		t.Errorf("got %+v and %q, want %+v", f.Header, f.Body, want)
	}
}
