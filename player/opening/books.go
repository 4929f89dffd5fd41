// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"bytes"
	"sync"

	"github.com/krow-lab/krow/game"
)

var readGomokuBook = sync.OnceValue(func() *Book {
	data, err := bookFiles.ReadFile("books/gomoku.book")
	if err != nil {
		panic(err) // cannot happen: the file is built in, and a test reads it
	}
	b, err := ReadBook(bytes.NewReader(data))
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
