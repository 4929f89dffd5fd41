// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bytes"
	_ "embed"
	"sync"
)

//go:embed 7x6.book
var standardFile []byte

// standard returns the book of 7 x 6 that comes with the package. docs/RUNBOOK.md says how it was made and verified.
var standard = sync.OnceValue(func() *Book {
	b, err := ReadBook(bytes.NewReader(standardFile))
	if err != nil {
		panic("the book of 7 x 6 in this build: " + err.Error())
	}
	return b
})
