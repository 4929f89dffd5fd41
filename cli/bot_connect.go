// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/bots"
)

func newBotConnect() *cobra.Command {
	var file string
	c := bots.Client{Game: krow.Game}
	cmd := &cobra.Command{
		Use:   "connect URL PLAYER",
		Short: "Let a player of this machine play on a server",
		Long: `Connect to a server, and let a player on this machine choose moves for it: a program that speaks UGI or Gomocup, a
bot in a file, or any other player. The name of the player on the server is bot:NAME. The workshop on the page makes
the token for a name. If the connection breaks, the command connects again. In a game with a clock, the time of
the bot runs meanwhile.`,
		Example: "  krow bot connect https://krow.example bot:mine.star --token-file token.txt\n" +
			"  krow bot connect http://localhost:8080 program:ugi:./engine --token-file token.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			u, err := url.Parse(args[0])
			if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				return misusef("krow bot connect http://localhost:8080 bot:mine.star --token-file token.txt", "%q is not the address of a server", args[0])
			}
			if args[1] == "human" {
				return misusef("", "a person cannot play here")
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if c.Token = strings.TrimSpace(string(data)); c.Token == "" || len(c.Token) > 100 || strings.ContainsAny(c.Token, " \n\r\t") {
				return fmt.Errorf("%s: the file contains no token", file)
			}
			c.URL, c.Name = strings.TrimSuffix(args[0], "/"), args[1]
			c.Open = func(g game.Game, seed uint64) (player.Player, error) { return krow.Player(g, args[1], seed) }
			c.Log = func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "krow: %s\n", text) }
			return c.Run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&file, "token-file", "", "`FILE` that contains the token of the bot")
	_ = cmd.MarkFlagRequired("token-file")
	return cmd
}
