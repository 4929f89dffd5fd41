// SPDX-License-Identifier: Apache-2.0

//go:build ignore

// This program makes the files for wide boards of those for boards of one word: what is written with board's
// methods alone holds for wideBoard with the names exchanged. With -l it lists what it would change instead.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"log"
	"os"
	"strings"
)

// ours are the files from which those for wide boards are made.
var ours = []string{"core", "geometry", "look", "parity", "search"}

// renamed are the names that get a twin: of b, wideB, and of newB, newWideB.
var renamed = []string{
	"board", "boardBits", "bit", "narrow", "geometry", "newGeometry", "around", "node", "hashed", "table", "newTable",
	"worker", "newWorker", "pick", "core", "newCore",
}

// onlyOnce begins what a file has once.
const onlyOnce = "// What follows is for boards of both widths.\n"

func main() {
	list := flag.Bool("l", false, "list the files that are not what they should be")
	flag.Parse()
	for _, name := range ours {
		src, err := os.ReadFile(name + ".go")
		if err != nil {
			log.Fatal(err)
		}
		want, err := wide(name, src)
		if err != nil {
			log.Fatal(err)
		}
		to := "wide" + name + ".go"
		old, _ := os.ReadFile(to)
		switch {
		case bytes.Equal(old, want):
		case *list:
			fmt.Println(to)
		default:
			if err := os.WriteFile(to, want, 0o644); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// wide returns a file with names exchanged for those of their twins, and without its comments.
func wide(name string, src []byte) ([]byte, error) {
	twin := map[string]string{}
	for _, n := range renamed {
		base, made := strings.CutPrefix(n, "new")
		twin[n] = "wide" + strings.ToUpper(base[:1]) + base[1:]
		if made {
			twin[n] = "newWide" + base
		}
	}
	var out bytes.Buffer
	out.WriteString("// SPDX-License-Identifier: Apache-2.0\n\n// Code generated from " + name + ".go; DO NOT EDIT.\n")
	fmt.Fprintf(&out, "// SHA-256 of that: %x\n\n", sha256.Sum256(src))
	text, _, _ := strings.Cut(string(src), onlyOnce)
	src = []byte(text)
	files := token.NewFileSet()
	var s scanner.Scanner
	file := files.AddFile(name, -1, len(src))
	s.Init(file, src, nil, 0)
	line := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return format.Source(out.Bytes())
		}
		if l := file.Line(pos); l > line {
			out.WriteString(strings.Repeat("\n", min(l-line, 2)))
			line = l
		}
		switch {
		case tok == token.SEMICOLON && lit == "\n":
		case twin[lit] != "" && tok == token.IDENT:
			out.WriteString(twin[lit] + " ")
		case lit != "":
			out.WriteString(lit + " ")
		default:
			out.WriteString(tok.String() + " ")
		}
	}
}
