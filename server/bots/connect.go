// SPDX-License-Identifier: Apache-2.0

package bots

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// Client connects a player of this machine to a server, where it plays as the bot to which Token belongs.
type Client struct {
	URL, Token string // URL of the server, and token of the bot
	Name       string // name of the player, for the log
	Game       func(spec string) (game.Game, error)
	Open       func(g game.Game, seed uint64) (player.Player, error)
	Log        func(text string)
}

func (c *Client) logf(format string, args ...any) { c.Log(fmt.Sprintf(format, args...)) }

// errStay is wrapped by errors after which the client must not send further requests, because they would
// fail too.
var errStay = errors.New("stay away")

// The delay before the next attempt to reach the server. It begins at firstRetry and doubles after each
// failure, up to lastRetry.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

// Run answers the questions of the server until ctx is done, or until the server refuses the token.
func (c *Client) Run(ctx context.Context) error {
	a := answerer{Game: c.Game, Open: c.Open}
	defer a.Close()
	answer := AskedMove{First: true}
	name := ""
	for wait := firstRetry; ; {
		asked, err := c.askNext(ctx, answer)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errStay):
			return err
		case err != nil:
			name, answer.First = "", true
			c.logf("the server does not answer: %v; again in %v", err, wait)
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
			c.logf("connected as bot:%s", name)
		}
		answer = AskedMove{}
		if q := asked.Question; q != nil {
			answer.ID = q.ID
			if answer.Move, err = a.Answer(ctx, *q); err != nil {
				c.logf("%s: %v", c.Name, err)
			}
		}
	}
}

// askTime is the time limit of a request. The server answers within pollTime, 25 seconds.
const askTime = time.Minute

// askNext sends the answer to the previous question, and returns the next question.
func (c *Client) askNext(ctx context.Context, answer AskedMove) (asked Asked, err error) {
	body, err := json.Marshal(answer)
	if err != nil {
		return asked, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+"/api/away/next", bytes.NewReader(body))
	if err != nil {
		return asked, err
	}
	r.Header.Set("Krow-Bot", c.Token)
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
		_ = json.Unmarshal(data, &p) // if the body is not JSON, the error contains only the status
		switch err = fmt.Errorf("%s %s", resp.Status, p.Detail); {
		case p.Code == "bad-token":
			err = fmt.Errorf("%w: the server has no bot with this token", errStay)
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
