// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// clubCommand is what the commands about members share.
type clubCommand struct {
	db           databaseFlag
	url          string
	passwordFile string
	role         string
	owner        bool
	reason       string
	count        int
	own          bool
}

// console is who types commands: whoever has the file of the database may do everything.
var console = club.Who{Name: "command line", Role: club.Owner}

func newClub() *cobra.Command {
	return group(&cobra.Command{
		Use:   "club",
		Short: "Members of a server: add, invite, ban, remove",
		Long: `A club is a server with members. The first one is made here; the others join by links that work once. What one
person had on this server before belongs to the first member.`,
		Example: `  krow club add ann --owner
  krow serve --club
  krow club invite "for Bob"
  krow club list`,
	},
		newClubAdd(),
		clubAbout("password NAME", "Print a link by which a member sets a new password", "Print a link by which a member sets a new password. It works once, for a day. Its use ends all sessions of the member\nand removes all passkeys, because somebody else may have made them.", func(cmd *cobra.Command, o *clubCommand, c *club.Club, m store.Member) error {
			token, err := c.NewPassword(console, m.ID)
			return o.link(cmd, token, err)
		}),
		newClubInvite(),
		newClubList(),
		newClubBan(),
		clubAbout("unban NAME", "Let a member in again", "Let a member in again who was banned.", func(_ *cobra.Command, _ *clubCommand, c *club.Club, m store.Member) error {
			return c.Ban(console, m.ID, "")
		}),
		newClubRole(),
		newClubRename(),
		clubAbout("logout NAME", "End all sessions of a member", "End all sessions of a member, who has to log in again everywhere.", func(_ *cobra.Command, _ *clubCommand, c *club.Club, m store.Member) error {
			return c.EndSessions(m.ID, "")
		}),
		clubAbout("remove NAME", "Forget a member; games with others stay, under \"removed member\"", "Forget a member and all that is the member's own: games, puzzles, bots, runs. Games with others stay, under \"removed member\".\nBackups keep what they had until they are deleted: see krow backup --keep.", func(_ *cobra.Command, _ *clubCommand, c *club.Club, m store.Member) error {
			return c.Remove(console, m.ID)
		}),
		newClubLog(),
	)
}

// with opens the database and does something with the club in it.
func (o *clubCommand) with(do func(*club.Club) error) error {
	db, err := o.db.open()
	if err != nil {
		return err
	}
	return errors.Join(clubError(do(club.New(db, club.Options{}))), db.Close())
}

// clubError says what was misused.
func clubError(err error) error {
	return misused(err, []misuse{
		{club.ErrName, ""},
		{club.ErrPassword, ""},
		{club.ErrLastOwner, "krow club add NAME --owner"},
		{club.ErrRight, ""},
		{store.ErrNameTaken, "krow club list shows the members"},
		{store.ErrNoPerson, "krow club list shows the members"},
	})
}

func (o *clubCommand) addURL(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.url, "url", "http://127.0.0.1:8080", "address of the server in the link")
	completeFlag(cmd, "url", nothing)
}

// link prints the link of a secret. The part after # is never sent to a server, and so is in no log.
func (o *clubCommand) link(cmd *cobra.Command, token string, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s/join#%s\n", strings.TrimSuffix(o.url, "/"), token)
	return err
}

func newClubAdd() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a member, who gets a password or a link",
		Long: `Add a member. In a terminal it asks for the password, which is not shown; an empty one, or no terminal, prints a link by
which the member sets it. The link works once, for a day.`,
		Example: `  krow club add ann --owner
  krow club add bob --url https://club.example`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.with(func(c *club.Club) error { return o.add(cmd, c, args[0]) })
		},
	}
	cmd.Flags().BoolVar(&o.owner, "owner", false, "of the role owner")
	cmd.Flags().StringVar(&o.passwordFile, "password-file", "", "file whose first line is the password")
	o.addURL(cmd)
	o.db.add(cmd)
	return cmd
}

func (o *clubCommand) add(cmd *cobra.Command, c *club.Club, name string) error {
	if err := club.CheckName(name); err != nil {
		return err
	}
	has, err := c.HasMembers()
	if err != nil {
		return err
	}
	if !has && !o.owner {
		return misusef("krow club add "+name+" --owner", "the first member of a club must be its owner")
	}
	password := ""
	if o.passwordFile != "" {
		if password, err = firstLine(o.passwordFile); err != nil {
			return err
		}
	} else if password, err = askPassword(cmd, name); err != nil {
		return err
	}
	if password != "" { // before anything is kept
		if err := club.CheckPassword(password, name); err != nil {
			return err
		}
	}
	role := club.Member
	if o.owner {
		role = club.Owner
	}
	if !has && password != "" {
		return c.First(name, password)
	}
	token, err := c.Add(console, name, role)
	if err != nil || password == "" {
		return o.link(cmd, token, err)
	}
	_, _, err = c.Join(token, "", password, club.Browser{Agent: "krow club add"})
	return err
}

// askPassword asks for a password twice, which the terminal does not show. Without a terminal it is empty.
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

// firstLine returns the first line of a file, which is a secret.
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

// clubAbout makes a command about a member.
func clubAbout(use, short, long string, do func(*cobra.Command, *clubCommand, *club.Club, store.Member) error) *cobra.Command {
	var o clubCommand
	verb, _, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{
		Use:     use,
		Short:   short,
		Long:    long,
		Example: "  krow club " + verb + " bob",
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.about(args[0], func(c *club.Club, m store.Member) error { return do(cmd, &o, c, m) })
		},
	}
	if verb == "password" {
		o.addURL(cmd)
	}
	o.db.add(cmd)
	return cmd
}

func (o *clubCommand) about(name string, do func(*club.Club, store.Member) error) error {
	return o.with(func(c *club.Club) error {
		m, err := c.Find(name)
		if err != nil {
			return err
		}
		return do(c, m)
	})
}

func newClubInvite() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:     "invite [NOTE]",
		Short:   "Print a link by which somebody joins, once and within two weeks",
		Long:    `Print a link by which somebody joins. It works once, within two weeks. The note says for whom it is.`,
		Example: `  krow club invite "for Bob" --url https://club.example`,
		RunE: func(cmd *cobra.Command, args []string) error {
			role, err := o.parsedRole()
			if err != nil {
				return err
			}
			return o.with(func(c *club.Club) error {
				token, err := c.Invite(console, role, strings.Join(args, " "))
				return o.link(cmd, token, err)
			})
		},
	}
	o.roleFlag(cmd, "role of who joins")
	o.addURL(cmd)
	o.db.add(cmd)
	return cmd
}

func (o *clubCommand) roleFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&o.role, "role", club.Member.String(), usage+": member, organiser or owner")
	completeFlag(cmd, "role", fixed("member", "organiser", "owner"))
}

func (o *clubCommand) parsedRole() (club.Role, error) {
	role, ok := club.ParseRole(o.role)
	if !ok || role < club.Member {
		return role, misusef("member, organiser or owner", "there is no role %q", o.role)
	}
	return role, nil
}

func newClubRole() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:     "role NAME",
		Short:   "Give a member another role",
		Long:    `Give a member another role. Organisers run leagues and studies, and ban members; owners do everything.`,
		Example: "  krow club role bob --role organiser",
		RunE: func(_ *cobra.Command, args []string) error {
			role, err := o.parsedRole()
			if err != nil {
				return err
			}
			return o.about(args[0], func(c *club.Club, m store.Member) error { return c.SetRole(console, m.ID, role) })
		},
	}
	o.roleFlag(cmd, "new role")
	o.db.add(cmd)
	return cmd
}

func newClubBan() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:     "ban NAME",
		Short:   "Bar a member from the club, and end the member's sessions",
		Long:    `Bar a member from the club. The member's sessions end, and the reason is told at the next try to log in.`,
		Example: `  krow club ban bob --reason "lets programs play for him"`,
		RunE: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(o.reason) == "" {
				return misusef("", "a ban needs a reason, which the member is told")
			}
			return o.about(args[0], func(c *club.Club, m store.Member) error { return c.Ban(console, m.ID, o.reason) })
		},
	}
	cmd.Flags().StringVar(&o.reason, "reason", "", "what the member is told")
	require(cmd, "reason")
	completeFlag(cmd, "reason", nothing)
	o.db.add(cmd)
	return cmd
}

func newClubList() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the members",
		Long:    `List the members with their roles, and when each was last seen.`,
		Example: "  krow club list\n  krow club list --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.with(func(c *club.Club) error {
				all, err := c.Members()
				rows := []memberRow{}
				for _, m := range all {
					rows = append(rows, rowOf(m))
				}
				return errors.Join(err, printRows(cmd.OutOrStdout(), asJSON(cmd), "", rows, memberRow.line))
			})
		},
	}
	o.db.add(cmd)
	return cmd
}

// memberRow is a member in a list.
type memberRow struct {
	ID       int64      `json:"id"`
	Name     string     `json:"name"`
	Role     string     `json:"role"`
	Password bool       `json:"password"` // has one
	Passkeys int        `json:"passkeys"`
	Banned   string     `json:"banned,omitempty"` // why
	Joined   time.Time  `json:"joined"`
	Seen     *time.Time `json:"seen,omitempty"`
}

func rowOf(m store.Member) memberRow {
	r := memberRow{ID: m.ID, Name: m.Name, Role: m.Role, Password: m.Password != "", Passkeys: m.Passkeys, Banned: m.Banned, Joined: m.Created.UTC()}
	if !m.Seen.IsZero() {
		at := m.Seen.UTC()
		r.Seen = &at
	}
	return r
}

func (r memberRow) line() string {
	seen, how := "never", "no password"
	if r.Seen != nil {
		seen = r.Seen.Format(time.DateOnly)
	}
	if r.Password || r.Passkeys > 0 {
		how = "can log in"
	}
	if r.Banned != "" {
		how = "banned: " + r.Banned
	}
	return fmt.Sprintf("%s\t%s\t%s\tseen %s", r.Name, r.Role, how, seen)
}

func newClubRename() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:     "rename NAME NEW",
		Short:   "Give a member another name",
		Long:    `Give a member another name. Sessions, games and passkeys stay; the next login is by the new name.`,
		Example: "  krow club rename bob robert",
		RunE: func(_ *cobra.Command, args []string) error {
			return o.about(args[0], func(c *club.Club, m store.Member) error { return c.Rename(console, m.ID, args[1]) })
		},
	}
	o.db.add(cmd)
	return cmd
}

func newClubLog() *cobra.Command {
	var o clubCommand
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what owners and organisers did, the latest first",
		Long: `Show what owners and organisers did, the latest first. These lines are kept for a year. With --own it shows what members
did to their own accounts: 90 days are kept of that, and at most 1000 lines of a member.`,
		Example: "  krow club log --count 20\n  krow club log --own",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.with(func(c *club.Club) error {
				all, err := c.Deeds(o.count, 0, o.own)
				return errors.Join(err, printRows(cmd.OutOrStdout(), asJSON(cmd), "", all, func(d store.Deed) string {
					line := fmt.Sprintf("%s\t%s\t%s\t%s", d.At.Format(time.DateTime), d.Name, d.Action, d.What)
					if d.Address != "" {
						line += "\t" + d.Address
					}
					return line
				}))
			})
		},
	}
	cmd.Flags().IntVar(&o.count, "count", 50, "lines at most")
	cmd.Flags().BoolVar(&o.own, "own", false, "what members did to their own accounts")
	o.db.add(cmd)
	return cmd
}
