// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"bytes"
	_ "embed" // for the books
	"sync"

	"github.com/krow-lab/krow/game"
)

//go:embed books/gomoku.book
var gomokuBook []byte

var readGomokuBook = sync.OnceValue(func() *Book {
	b, err := ReadBook(bytes.NewReader(gomokuBook))
	if err != nil {
		panic(err) // cannot happen: the file is built in, and a test reads it
	}
	return b
})

// BookOf returns the built-in book of a game, or nil if there is none.
func BookOf(g game.Game) *Book {
	if g.String() != "gomoku" {
		return nil
	}
	return readGomokuBook()
}
