// SPDX-License-Identifier: Apache-2.0

// Pbrain-krow is krow as a brain of the Gomocup protocol, for managers such as Piskvork: it takes no arguments and
// plays as krow gomocup does.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/krow-lab/krow"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "pbrain-krow: takes no arguments, and reads the Gomocup protocol from standard input")
		os.Exit(2)
	}
	if err := krow.Brain("best", version(), 1).Run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pbrain-krow:", err)
		os.Exit(1)
	}
}

// version returns the version of the module, as the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
