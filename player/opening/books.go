// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/krow-lab/krow/game"
)

// bookOf returns the built-in book of the game with the given name. It reads the book when it is called for the first time.
var bookOf = func() map[string]func() *Book {
	all := map[string]func() *Book{}
	for _, name := range []string{"gomoku", "standard", "caro", renju} {
		all[name] = sync.OnceValue(func() *Book {
			data, err := bookFiles.ReadFile(fmt.Sprintf("books/%s.book", name))
			if err != nil {
				panic(err) // cannot happen: the file is built in, and a test reads it
			}
			b, err := ReadBook(bytes.NewReader(data))
			if err != nil {
				panic(err) // cannot happen: the file is built in, and a test reads it
			}
			return b
		})
	}
	return all
}()

// BookOf returns the built-in book of a game, or nil if there is none.
func BookOf(g game.Game) *Book {
	if read, ok := bookOf[g.String()]; ok {
		return read()
	}
	return nil
}
