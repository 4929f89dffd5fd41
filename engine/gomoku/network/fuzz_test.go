// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
	"testing"
)

// FuzzParse reads files whose unpacked bytes begin with those given, and checks that an accepted network is the same after it is
// written and read again.
func FuzzParse(f *testing.F) {
	var head bytes.Buffer
	_ = binary.Write(&head, binary.LittleEndian, shape)
	f.Add(uint8(0), head.Bytes(), 0)
	f.Add(uint8(1), append(bytes.Clone(head.Bytes()), 6, 0, 'g', 'o', 'm', 'o', 'k', 'u', 0, 0), binary.Size(weights{})+binary.Size(policyWeights{}))
	f.Add(uint8(2), append(bytes.Clone(head.Bytes()), 0, 0, 0, 0, 1), binary.Size(weights{})+binary.Size(policyWeights{})+binary.Size(drawWeights{})-1)
	f.Fuzz(func(t *testing.T, version uint8, body []byte, zeros int) {
		var b bytes.Buffer
		z, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
		_, _ = z.Write(body)
		_, _ = z.Write(make([]byte, min(max(zeros, 0), maxFile)))
		_ = z.Close()
		n, err := Parse(append([]byte(magics[int(version)%len(magics)]), b.Bytes()...))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		again, err := Parse(n.Append(nil))
		if err != nil || *again != *n {
			t.Errorf("another network is read back, %v", err)
		}
	})
}
