// SPDX-License-Identifier: Apache-2.0

// Krow plays, analyses and measures k-in-a-row games.
package main

import (
	"os"

	_ "golang.org/x/crypto/x509roots/fallback" // used if the system has no certificates of authorities, for example in a container

	"github.com/krow-lab/krow/cli"
	"github.com/krow-lab/krow/server/bots"
)

func main() {
	bots.Enable()
	os.Exit(cli.Main())
}
