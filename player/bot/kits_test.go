// SPDX-License-Identifier: Apache-2.0

package bot_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
)

// TestKits: every kit has its files; with KROW_LONG those whose tool chain is here are built and play a game.
func TestKits(t *testing.T) {
	builds := map[string][]string{
		"go":         {"go", "build", "-o", "bot.wasm", "main.go"},
		"rust":       {"rustc", "--target", "wasm32-wasip1", "-O", "-o", "bot.wasm", "main.rs"},
		"c":          {"clang", "--target=wasm32-wasi", "-O2", "-o", "bot.wasm", "main.c"},
		"typescript": {"npm", "run", "build"},
	}
	for _, language := range bot.Kits() {
		t.Run(language, func(t *testing.T) {
			files, err := bot.Kit(language)
			build := builds[language]
			if err != nil || len(files) < 2 || language != "typescript" && !strings.Contains(string(files["README.md"]), strings.Join(build, " ")) {
				t.Fatalf("%d files, %v", len(files), err)
			}
			if os.Getenv("KROW_LONG") == "" {
				return
			}
			dir := t.TempDir()
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run := func(command ...string) string {
				cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
				cmd.Dir = dir
				cmd.Env = os.Environ()
				if language == "go" {
					cmd.Env = append(cmd.Env, "GOOS=wasip1", "GOARCH=wasm")
				}
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
				}
				return string(out)
			}
			if _, err := exec.LookPath(build[0]); err != nil {
				t.Skip("there is no " + build[0] + " in PATH to build it with")
			}
			switch language {
			case "rust": // its compiler comes without the target
				if _, err := os.Stat(strings.TrimSpace(run("rustc", "--print", "target-libdir", "--target", "wasm32-wasip1"))); err != nil {
					t.Skip("rustc lacks the target wasm32-wasip1: rustup target add wasm32-wasip1")
				}
			case "typescript":
				run("npm", "install", "--no-audit", "--no-fund")
			}
			run(build...)
			text, err := os.ReadFile(filepath.Join(dir, "bot.wasm"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"tictactoe", "ultimate"} {
				g, err := krow.Game(name)
				if err != nil {
					t.Fatal(err)
				}
				pl, err := bot.Open(g, bot.Program{Kind: bot.WASM, Name: "kit", Text: text}, bot.Options{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				if moves, o := play(t, g, pl, against(t, g, "random")); o == game.Ongoing {
					t.Errorf("%s: %s", name, moves)
				}
				player.Close(pl)
			}
		})
	}
}
