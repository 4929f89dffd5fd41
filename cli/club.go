// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// console represents the person at the command line, who has access to the database file and may therefore do
// everything.
var console = club.Who{Name: "command line", Role: club.Owner}

func newClub() *cobra.Command {
	return newGroup(&cobra.Command{
		Use:   "club",
		Short: "Manage the members of a server",
		Long: `A club is a server with members. krow club add adds the first member, who becomes the owner of everything that the
server already has. Owners and organisers do everything else on the page, under Members: they invite, ban and remove people,
give roles and read the log. These commands are needed only for the first member, and if an owner cannot log in.`,
		Example: `  krow club add ann --owner
  krow serve --club`,
	}, newClubAdd(), newClubPassword())
}

// clubFlags are the flags that the commands about members share.
type clubFlags struct {
	db  databaseFlag
	url string // URL of the server, with which the printed link begins
}

func (f *clubFlags) addURL(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "url", "http://127.0.0.1:8080", "`URL` of the server, for the link")
}

const noClub = "there is no club yet: krow club add NAME --owner"

// use opens the database and calls do with its club, the members and their data. If the database has no members, use returns an
// error, because the file is probably not the database of the server.
func (f *clubFlags) use(do func(*club.Club) error) error {
	return f.db.lookFor(noClub, func(s *store.Store) error {
		c := club.New(s, club.Options{})
		has, err := c.HasMembers()
		if err == nil && !has {
			name, _ := f.db.file()
			err = misusef("--db names the database of the server", "%s has no members: it is not the database of a club", name)
		}
		if err == nil {
			err = do(c)
		}
		return clubError(err)
	})
}

// begin calls do with the club of a database, and creates the database if it is missing.
func (f *clubFlags) begin(do func(*club.Club) error) error {
	s, err := f.db.open()
	if err != nil {
		return err
	}
	return errors.Join(clubError(do(club.New(s, club.Options{}))), s.Close())
}

// printLink prints the link that contains a secret. The secret follows a #, because browsers never send the part of a link
// after # to a server. So the secret appears in no log.
func (f *clubFlags) printLink(cmd *cobra.Command, token string, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s/join#%s\n", strings.TrimSuffix(f.url, "/"), token)
	return err
}

// clubError converts an error that an invalid argument has caused to the error of an invalid command line: see misused.
func clubError(err error) error {
	return misused(err, []misuse{
		{club.ErrName, ""},
		{club.ErrPassword, ""},
		{club.ErrRight, ""},
		{store.ErrNameTaken, ""},
		{store.ErrNoPerson, "the page lists them under Members"},
	})
}

func newClubAdd() *cobra.Command {
	var f clubFlags
	var owner bool
	var passwordFile string
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a member, who gets a password or a link",
		Long: `Add a member. In a terminal the command asks for the password, which is not shown. If the password is empty, or
without a terminal, the command prints a link with which the member sets a password. The link works once and expires after a
day.`,
		Example: `  krow club add ann --owner
  krow club add bob --url https://club.example`,
		RunE: func(cmd *cobra.Command, args []string) error {
			use := f.use
			if owner {
				// The method begin creates a missing database. It is used only for an owner, because the first member of a club
				// must be an owner.
				use = f.begin
			}
			return use(func(c *club.Club) error {
				has, err := c.HasMembers()
				if err != nil {
					return err
				}
				if err := club.CheckName(args[0]); err != nil {
					return err
				}
				password, err := readPassword(cmd, args[0], passwordFile)
				if err != nil {
					return err
				}
				role := club.Member
				if owner {
					role = club.Owner
				}
				if !has && password != "" {
					return c.First(args[0], password)
				}
				token, err := c.Add(console, args[0], role)
				if err != nil || password == "" {
					return f.printLink(cmd, token, err)
				}
				_, _, err = c.Join(token, "", password, club.Browser{Agent: "krow club add"})
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&owner, "owner", false, "make the member an owner")
	cmd.Flags().StringVar(&passwordFile, "password-file", "", "`FILE` whose first line is the password")
	f.addURL(cmd)
	f.db.add(cmd)
	return cmd
}

// readPassword reads the password of a new member from a file or the terminal. If there is neither, it returns "".
func readPassword(cmd *cobra.Command, name, file string) (password string, err error) {
	if file != "" {
		password, err = firstLine(file)
	} else {
		password, err = askPassword(cmd, name)
	}
	if err == nil && password != "" {
		err = club.CheckPassword(password, name)
	}
	return password, err
}

// askPassword asks twice for a password, which the terminal does not show while it is typed. Without a terminal it
// returns "".
func askPassword(cmd *cobra.Command, name string) (string, error) {
	fd := os.Stdin.Fd()
	if !term.IsTerminal(fd) {
		return "", nil
	}
	ask := func(text string) (string, error) {
		fmt.Fprint(cmd.ErrOrStderr(), text)
		data, err := term.ReadPassword(fd)
		fmt.Fprintln(cmd.ErrOrStderr())
		return string(data), err
	}
	password, err := ask("password of " + name + " (empty: print a link): ")
	if err != nil || password == "" {
		return "", err
	}
	again, err := ask("again: ")
	if err == nil && again != password {
		err = errors.New("the passwords differ")
	}
	return password, err
}

// firstLine returns the first line of a file that holds a secret.
func firstLine(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--password-file: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	if line = strings.TrimRight(line, "\r"); line == "" {
		return "", fmt.Errorf("--password-file %s: its first line is empty", file)
	}
	return line, nil
}

func newClubPassword() *cobra.Command {
	var f clubFlags
	cmd := &cobra.Command{
		Use:   "password NAME",
		Short: "Print a link by which a member sets a new password",
		Long: `Print a link with which a member sets a new password. The link works once and expires after a day. Using the link
ends all sessions of the member and removes the second factor and all passkeys, because somebody else may have set them.`,
		Example: "  krow club password bob",
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.use(func(c *club.Club) error {
				m, err := c.Find(args[0])
				if err != nil {
					return err
				}
				token, err := c.NewPassword(console, m.ID)
				return f.printLink(cmd, token, err)
			})
		},
	}
	f.db.add(cmd)
	f.addURL(cmd)
	return cmd
}
