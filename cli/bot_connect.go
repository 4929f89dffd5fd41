// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/store"
)

func newBotToken() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:   "token NAME",
		Short: "Make a token for a bot that plays from another machine",
		Long: `Print a token by which a program on another machine becomes the player bot:NAME of the server that has this database: see
krow bot connect. Earlier tokens of the bot no longer hold. The database keeps a hash of it alone.`,
		Example: "  krow bot token friend > token.txt",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			s, err := db.open()
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			token, err := bots.Of(s, bots.Everybody, nil).Token(args[0])
			if errors.Is(err, store.ErrBotTaken) {
				return misusef("", "%v", err)
			}
			if err != nil {
				return err
			}
			return answer(cmd, map[string]string{"name": args[0], "token": token}, "%s\n", token)
		},
	}
	db.add(cmd)
	return cmd
}

type botConnectCommand struct {
	file string
	url  string
	text string // spec of the player

	token string
	out   io.Writer
}

func newBotConnect() *cobra.Command {
	var c botConnectCommand
	cmd := &cobra.Command{
		Use:   "connect URL PLAYER",
		Short: "Let a program of this machine play on a server",
		Long: `Ask a server for questions, and answer them with a player of this machine: a program that speaks UGI or Gomocup, a bot's
file, or any other. There it is the player bot:NAME, of the name for which the token was made, in the workshop of the page or by
krow bot token. After a break of the line it comes back by itself; a game with a clock is lost if it does not in time.`,
		Example: "  krow bot connect https://krow.example bot:mine.star --token-file token.txt\n" +
			"  krow bot connect http://localhost:8080 program:ugi:./engine --token-file token.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			c.url, c.text, c.out = strings.TrimSuffix(args[0], "/"), args[1], cmd.ErrOrStderr()
			return c.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&c.file, "token-file", "", "`FILE` with the token, which krow bot token makes")
	_ = cmd.MarkFlagRequired("token-file")
	return cmd
}

// errStay is an error after which there is no sense in another request.
var errStay = errors.New("stay away")

// The time between two attempts to reach the server: it doubles.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

func (c *botConnectCommand) run(ctx context.Context) error {
	u, err := url.Parse(c.url)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return misusef("krow bot connect http://localhost:8080 bot:mine.star --token-file token.txt", "%q is not the address of a server", c.url)
	}
	data, err := os.ReadFile(c.file)
	if err != nil {
		return err
	}
	if c.token = strings.TrimSpace(string(data)); c.token == "" || len(c.token) > 100 || strings.ContainsAny(c.token, " \n\r\t") {
		return fmt.Errorf("%s: there is no token in it", c.file)
	}
	if c.text == "human" {
		return misusef("", "a person cannot play here")
	}
	a := bots.Answerer{Game: krow.Game, Open: func(g game.Game, seed uint64) (player.Player, error) { return krow.Player(g, c.text, seed) }}
	defer a.Close()
	var answer bots.AskedMove
	name := ""
	for wait := firstRetry; ; {
		asked, err := c.askNext(ctx, answer)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errStay):
			return err
		case err != nil:
			name = ""
			fmt.Fprintf(c.out, "krow: the server does not answer: %v; again in %v\n", err, wait)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wait):
			}
			wait = min(2*wait, lastRetry)
			continue
		}
		if wait = firstRetry; name != asked.Name {
			name = asked.Name
			fmt.Fprintf(c.out, "krow: connected as bot:%s\n", name)
		}
		answer = bots.AskedMove{}
		if q := asked.Question; q != nil {
			answer.ID = q.ID
			if answer.Move, err = a.Answer(ctx, *q); err != nil {
				fmt.Fprintf(c.out, "krow: %s: %v\n", c.text, err)
			}
		}
	}
}

// askTime is the time limit of a request: the server answers within 25 seconds.
const askTime = time.Minute

// askNext sends the answer to a question, and returns the next question.
func (c *botConnectCommand) askNext(ctx context.Context, answer bots.AskedMove) (asked bots.Asked, err error) {
	body, err := json.Marshal(answer)
	if err != nil {
		return asked, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/api/away/next", bytes.NewReader(body))
	if err != nil {
		return asked, err
	}
	r.Header.Set("Krow-Bot", c.token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return asked, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return asked, err
	}
	if resp.StatusCode != http.StatusOK {
		var p struct{ Code, Detail string }
		_ = json.Unmarshal(data, &p) // without it the status is told
		switch err = fmt.Errorf("%s %s", resp.Status, p.Detail); {
		case p.Code == "bad-token":
			err = fmt.Errorf("%w: %s: the server knows no bot of this token", errStay, c.file)
		case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusNotFound:
			err = fmt.Errorf("%w: %w", errStay, err)
		}
		return asked, err
	}
	if err = json.Unmarshal(data, &asked); err == nil && asked.Replaced {
		err = fmt.Errorf("%w: another program has connected with this token", errStay)
	}
	return asked, err
}
