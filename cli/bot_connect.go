// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
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
	once bool
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
		Long: `Hold a connection to a server, and answer there with a player of this machine: a program that speaks UGI or Gomocup, a bot's
file, or any other. There it is the player bot:NAME, of the name for which the token was made, in the workshop of the page or by
krow bot token. After a break it comes back by itself; a game with a clock is lost if it does not in time.`,
		Example: "  krow bot connect https://krow.example bot:mine.star --token-file token.txt\n" +
			"  krow bot connect http://localhost:8080 program:ugi:./engine --token-file token.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			c.url, c.text, c.out = strings.TrimSuffix(args[0], "/"), args[1], cmd.ErrOrStderr()
			return c.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&c.file, "token-file", "", "`FILE` with the token, which krow bot token makes")
	_ = cmd.MarkFlagRequired("token-file")
	cmd.Flags().BoolVar(&c.once, "once", false, "end when the connection ends")
	return cmd
}

// errStay is the end of a connection after which there is no sense in another one.
var errStay = errors.New("stay away")

// The time between two attempts to connect: it doubles.
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
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		met, err := c.meet(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errStay) || c.once:
			return err
		case met:
			wait = firstRetry
		}
		fmt.Fprintf(c.out, "krow: the connection has ended: %v; again in %v\n", err, wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// request sends a request of the bot.
func (c *botConnectCommand) request(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Krow-Bot", c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	defer resp.Body.Close()
	var p struct{ Code, Detail string }
	_ = json.NewDecoder(io.LimitReader(resp.Body, 1<<16)).Decode(&p) // without it the status is told
	err = fmt.Errorf("%s %s", resp.Status, p.Detail)
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusNotFound {
		err = fmt.Errorf("%w: %w", errStay, err)
	}
	return nil, err
}

// meet holds a connection while it lasts, and says whether there was one.
func (c *botConnectCommand) meet(ctx context.Context) (met bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := c.request(ctx, http.MethodGet, "/api/away/questions", nil)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	a := bots.Answerer{Game: krow.Game, Open: func(g game.Game, seed uint64) (player.Player, error) { return krow.Player(g, c.text, seed) }}
	defer a.Close()
	// Questions wait here while one is answered, so that the stream is read and its end is seen.
	asked := make(chan bots.Question, 256)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for q := range asked {
			c.answer(ctx, &a, q)
		}
	}()
	err = c.listen(resp.Body, &met, func(q bots.Question) error {
		select {
		case asked <- q:
			return nil
		default:
			return errors.New("too many questions wait")
		}
	})
	cancel()
	close(asked)
	<-done
	return met, err
}

// listen reads the events of the server until they end.
func (c *botConnectCommand) listen(r io.Reader, met *bool, ask func(bots.Question) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	event := ""
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), ":")
		rest = strings.TrimPrefix(rest, " ")
		switch {
		case word == "event":
			event = rest
		case word == "data" && event == "welcome":
			var w struct{ Name string }
			if err := json.Unmarshal([]byte(rest), &w); err != nil {
				return err
			}
			*met = true
			fmt.Fprintf(c.out, "krow: connected as bot:%s\n", w.Name)
		case word == "data" && event == "question":
			var q bots.Question
			if err := json.Unmarshal([]byte(rest), &q); err != nil {
				return err
			}
			if err := ask(q); err != nil {
				return err
			}
		case word == "data" && event == "done":
			return c.farewell([]byte(rest))
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

// farewell returns why the server has ended the connection.
func (c *botConnectCommand) farewell(data []byte) error {
	var d struct{ Reason, Error, Code string }
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	switch {
	case d.Code == "bad-token":
		return fmt.Errorf("%w: %s: the server knows no bot of this token", errStay, c.file)
	case d.Reason == "turn":
		return fmt.Errorf("%w: another program has connected with this token", errStay)
	}
	return fmt.Errorf("the server says: %s", d.Error)
}

// answer answers a question. What goes wrong is told here; the server learns of it by an empty answer, or by the clock.
func (c *botConnectCommand) answer(ctx context.Context, a *bots.Answerer, q bots.Question) {
	move, err := a.Answer(ctx, q)
	if err != nil {
		fmt.Fprintf(c.out, "krow: %s: %v\n", c.text, err)
	}
	if q.Over || ctx.Err() != nil {
		return
	}
	body, err := json.Marshal(map[string]any{"id": q.ID, "move": move})
	if err == nil {
		var resp *http.Response
		if resp, err = c.request(ctx, http.MethodPost, "/api/away/answers", body); err == nil {
			resp.Body.Close()
		}
	}
	if err != nil {
		fmt.Fprintf(c.out, "krow: an answer was not taken: %v\n", err)
	}
}
