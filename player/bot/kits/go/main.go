// SPDX-License-Identifier: Apache-2.0

//go:build wasip1

// A bot in Go: it reads lines and answers with lines. Change choose.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strings"
)

// choose returns one of the moves in legal, which are the legal moves on the board.
func choose(board string, legal []string) string {
	return legal[rand.Intn(len(legal))]
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	board, legal := "", []string(nil)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "ugi":
			fmt.Println("ugiok")
		case "isready":
			fmt.Println("readyok")
		case "board":
			board = rest
		case "legalmoves":
			legal = strings.Fields(rest)
		case "go":
			fmt.Println("bestmove", choose(board, legal))
		}
	}
}
