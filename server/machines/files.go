// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/store"
)

// files are the files that units name, of this process: of those it hands out, and of those it does.
var files = sync.OnceValue(func() *cluster.Files {
	f := cluster.NewFiles()
	spec.Inputs(f.Dir())
	return f
})

// Close removes the files of units that this process has. Nothing of package machines works after it.
func Close() error { return files().Close() }

// isFile is true of the arguments that the registry reads by [spec.Spec.Path].
func isFile(name, key string) bool {
	switch key {
	case "":
		return name == "bot" || name == "proof"
	case "weights", "multipliers", "net", "path":
		return true
	}
	return false
}

// fileWords are arguments that look like the name of a file, and are none.
var fileWords = []string{"default", "none", "bred", "hand", "signed"}

// Spec returns the spec of a player as it reads on other machines, where files go by their hash, or says why it cannot be made
// there. Moves have the limits lim: without a time in it a player that thinks by the clock cannot be.
func Spec(g game.Game, text string, lim search.Limits) (string, error) {
	away, err := spec.Rewrite(text, func(name, key, value string) (string, error) {
		if isFile(name, key) {
			return File(value)
		}
		return value, nil
	})
	if err != nil {
		return "", err
	}
	return away, public(g, away, lim)
}

// public returns an error if a player cannot be made on other machines.
func public(g game.Game, text string, lim search.Limits) error {
	p, err := krow.PlayerBy(spec.Untrusted, g, text, 0)
	if err != nil {
		return err
	}
	defer player.Close(p)
	if lim.Time == 0 && player.Timed(p, lim) {
		return fmt.Errorf("%s thinks by the clock: nodes=, sims= or depth= would bound it alike on all machines", text)
	}
	return nil
}

// Kept is Spec for a player that the store may keep: the program of a bot travels. The player of an untrusted spec names no files.
func Kept(db *store.Store, g game.Game, by spec.Trust, text string, lim search.Limits) (string, error) {
	ref, is, err := bots.ParseRef(text)
	if !is && by == spec.Untrusted {
		return text, public(g, text, lim)
	}
	if !is {
		return Spec(g, text, lim)
	}
	var p bot.Program
	var args, name string
	if err == nil {
		p, args, err = ref.Program(db)
	}
	if err == nil {
		name, err = files().Add(p.Name+"."+p.Kind.String(), p.Text)
	}
	if err != nil {
		return "", err
	}
	text = "bot:@" + name + args
	return text, public(g, text, lim)
}

// File returns the name that a file has on other machines. The name of a word such as none is the word itself.
func File(name string) (string, error) {
	if slices.Contains(fileWords, name) {
		return name, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	hashed, err := files().Add(filepath.Base(name), data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return "@" + hashed, nil
}
