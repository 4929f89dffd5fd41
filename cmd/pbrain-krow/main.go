// SPDX-License-Identifier: Apache-2.0

// Pbrain-krow lets krow play as a brain of the Gomocup protocol, for managers such as Piskvork. It takes no
// arguments and plays like the command krow gomocup.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/buildinfo"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "pbrain-krow: takes no arguments, and reads the Gomocup protocol from standard input")
		os.Exit(2)
	}
	if err := krow.Brain("best", buildinfo.Version(), 1).Run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pbrain-krow:", err)
		os.Exit(1)
	}
}
