// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// users names who needs each command of krow.
var users = map[string]string{
	"play": "players", "serve": "players, hosts of a club",
	"analyze": "players, teachers", "review": "players, teachers", "convert": "players, authors of engines", "moves": "authors of engines", "list": "everybody",
	"match": "authors of engines, researchers", "openings": "authors of engines, researchers",
	"solve": "researchers", "verify": "everybody who doubts a proof", "learn": "researchers",
	"bot": "authors of bots", "check": "authors of engines", "gomocup": "programs that manage matches", "ugi": "programs that manage matches",
	"work": "owners of several machines", "keys": "owners of several machines",
	"club": "hosts of a club", "backup": "hosts of a club", "restore": "hosts of a club",
	"bench": "developers of krow", "perft": "developers of krow", "experiment": "researchers",
	"man": "packagers", "version": "everybody who reports a fault", "licenses": "packagers",
}

// TestCommandsPage keeps docs/reference/commands.md the list of all commands and of who needs them.
func TestCommandsPage(t *testing.T) {
	page := "# Commands\n\n" +
		"<!-- Made by UPDATE=1 go test ./cli -run TestCommandsPage: do not edit. -->\n\n" +
		"All commands of `krow`, and the people who need them. `krow COMMAND --help` shows the flags and examples. `krow completion` writes\n" +
		"scripts that complete commands in a shell.\n\n" +
		"| command | does | for |\n|---|---|---|\n"
	for _, c := range allCommands(rootCommand())[1:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(c.CommandPath(), "krow "), " ")
		if users[name] == "" {
			t.Errorf("nobody is named who needs krow %s", name)
		}
		use := strings.ReplaceAll(strings.TrimSuffix(c.UseLine(), " [flags]"), "|", `\|`)
		page += fmt.Sprintf("| `%s` | %s | %s |\n", use, c.Short, users[name])
	}
	name := filepath.Join("..", "docs", "reference", "commands.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != page {
		t.Errorf("the commands differ from %s (%v): UPDATE=1 go test rewrites it", name, err)
	}
}
