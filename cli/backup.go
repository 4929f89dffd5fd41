// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/server/store"
)

func newBackup() *cobra.Command {
	var db databaseFlag
	var keep time.Duration
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database, also while a server uses it",
		Long: `Copy the database to a new file. The copy is consistent, also while a server uses the database. If FILE is a
folder, the file name of the copy is the current time, and copies in the folder that are older than --keep are deleted.
After that time no copy in the folder contains the data of members who left.`,
		Example: `  krow backup saved.db
  krow backup /var/backups/krow --keep 720h`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return db.lookFor("nothing can be copied", func(s *store.Store) error {
				name := args[0]
				info, err := os.Stat(name)
				if err == nil && info.IsDir() {
					name, err = s.BackupIn(name, keep, time.Now())
				} else {
					err = s.Backup(name)
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), name)
				return err
			})
		},
	}
	addNumber(cmd, &keep, "keep", 0, 0, 0, "delete copies in the folder that are older than this; 0 keeps all")
	db.add(cmd)
	return cmd
}

func newRestore() *cobra.Command {
	var db databaseFlag
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: `Replace the database by a backup. No other process may use the database meanwhile. The previous database is kept
in the same folder under another name, even if it is damaged.`,
		Example: `  krow restore saved.db`,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := db.file()
			if err != nil {
				return err
			}
			r, err := store.Restore(args[0], name)
			if err != nil {
				return err
			}
			previous := ""
			switch {
			case strings.HasSuffix(r.Previous, "-wal"):
				previous = "; the log of the missing database is " + r.Previous
			case r.Previous != "":
				previous = "; the previous database is " + r.Previous
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "restored %s and %s from %s%s\n",
				humanize.Amount(r.Members, "member", "members"), humanize.Amount(r.Games, "game", "games"), args[0], previous)
			return err
		},
	}
	db.add(cmd)
	return cmd
}
