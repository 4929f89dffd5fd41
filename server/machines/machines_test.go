// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/match"
)

// TestMain removes the files of units.
func TestMain(m *testing.M) {
	bots.Enable()
	m.Run()
	Close()
}

// TestEnter: what a worker would refuse is known before it is asked. Files go by their hash.
func TestEnter(t *testing.T) {
	g, err := krow.Game("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"gomoku:nodes=1000": true, "program:/bin/true": false, "bot:fork.star": false, "gomoku:net=my.net": false, "gomoku:net=none": false,
		"bot:../../player/bot/examples/random.star,seed=2": true, "limited:of=bot:../../player/bot/examples/random.star": true, "limited(of=bot(../../player/bot/examples/random.star,seed=2))": true, "mics:threads=2": false,
		"gomoku": false, "best": false, "mics": false, "mics:nodes=100": true, "mics:nodes=100,weights=authors": true, "mcts": true, "mcts:time=1s": false, "level:9": false, "level:8": true,
		"limited": true, "limited:nodes=0": false,
	} {
		m := &match.Match{Terms: arena.Match{Game: g}, Players: []arena.Factory{{Name: "random"}, {Name: text}}}
		if err := Enter(m, Spec); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSwitchIsNoFile: in indicators path is a switch, although bots and certificates have their file under this name.
func TestSwitchIsNoFile(t *testing.T) {
	g, err := krow.Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	const text = "greedy:eval=indicators(path=true)"
	if _, err := Spec(g, text, search.Limits{}); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

// TestFilesAreDeclared: what isFile and fileWords say agrees with the usage texts, which are made from the declared options.
func TestFilesAreDeclared(t *testing.T) {
	option := regexp.MustCompile(`([a-z,-]+)=([^\],]+)`)
	n := 0
	for _, kind := range []string{"players", "heuristics"} {
		for _, item := range krow.List(kind) {
			for _, o := range option.FindAllStringSubmatch(item.Usage, -1) {
				words := strings.Split(o[2], "|")
				file := words[len(words)-1] == "FILE"
				for key := range strings.SplitSeq(strings.Trim(o[1], ","), ",") {
					// The file of log is written where the program runs, and other machines start no programs.
					if key != "log" && isFile(item.Name, key) != file {
						t.Errorf("%s: isFile is %t for %s", item.Usage, !file, key)
					}
				}
				if !file {
					continue
				}
				n++
				for _, word := range words[:len(words)-1] {
					if !slices.Contains(fileWords, word) {
						t.Errorf("%s: the word %s would be read as a file", item.Usage, word)
					}
				}
			}
		}
	}
	if n < 5 {
		t.Errorf("only %d arguments with files were found", n)
	}
}
