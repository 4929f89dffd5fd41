// SPDX-License-Identifier: Apache-2.0

// Books makes and verifies books of solved Connect Four positions, which krow solve --book and the engine use:
//
//	go run ./tools/books -plies 6 connect4:5x5 5x5.book
//	go run ./tools/books -verify connect4:5x5 5x5.book
//
// The program solves every position of up to -plies plies, and continues an existing file. With -verify it proves each entry
// again. For each position with the most stones it runs a search that begins with an empty transposition table. The search
// does not use the rules for positions in which one side can answer every stone of the other. For each position with fewer
// stones the program computes the value from the values of its successors.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/internal/atomicfile"
)

// saveEvery is the interval at which an unfinished book is saved.
const saveEvery = 5 * time.Minute

func main() {
	plies := flag.Int("plies", 4, "plies of the book")
	verify := flag.Bool("verify", false, "prove each entry of the file again")
	threads := flag.Int("threads", 1, "threads that share the table")
	hash := flag.Int("hash", 64, "size of the table, in megabytes")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "books: it needs a game and a file")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := solve.Options{Threads: *threads, Hash: *hash << 20}
	if err := makeBook(ctx, flag.Arg(0), flag.Arg(1), *plies, *verify, o); err != nil {
		fmt.Fprintln(os.Stderr, "books:", err)
		os.Exit(1)
	}
}

// makeBook makes or verifies the book of a game in a file.
func makeBook(ctx context.Context, game, file string, plies int, verify bool, o solve.Options) error {
	g, err := krow.Game(game)
	if err != nil {
		return err
	}
	b, err := solve.NewBook(g, o, verify)
	if err != nil {
		return err
	}
	if !verify {
		if err := b.Begin(plies); err != nil {
			return err
		}
	}
	if err := readBook(b, file); err != nil && (verify || !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	last := time.Now()
	if verify {
		n, err := b.Verify(ctx, func(done, all int) {
			if time.Since(last) >= 10*time.Second {
				last = time.Now()
				fmt.Fprintf(os.Stderr, "%d of %d positions proved again\n", done, all)
			}
		})
		fmt.Printf("%d positions of up to %d plies proved again\n", n, b.Plies)
		return err
	}
	out, err := atomicfile.Open(file)
	if err != nil {
		return err
	}
	defer out.Close()
	write := func() error {
		return out.Write(func(w io.Writer) error {
			_, err := b.WriteTo(w)
			return err
		})
	}
	err = b.Build(ctx, func(done, all int) error {
		if time.Since(last) < saveEvery {
			return nil
		}
		last = time.Now()
		fmt.Fprintf(os.Stderr, "%d of %d positions solved\n", done, all)
		return write()
	})
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, write())
	}
	fmt.Printf("%d positions of up to %d plies\n", b.Len(), b.Plies)
	return err
}

func readBook(b *solve.Book, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.Read(f)
}
