// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/store"
)

// databaseFlag is the file of runs, which has a default.
type databaseFlag struct{ name string }

func (f *databaseFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "db", "", "database of runs, instead of krow/krow.db where the user's data are")
}

// file returns the name of the database.
func (f *databaseFlag) file() (string, error) {
	if f.name != "" {
		return f.name, nil
	}
	return store.DefaultFile()
}

// open opens the database and makes it where there is none.
func (f *databaseFlag) open() (*store.Store, error) {
	name, err := f.file()
	if err != nil {
		return nil, err
	}
	return store.Open(name)
}

// openOld opens the database for a command that makes none, and says what it means when there is none.
func (f *databaseFlag) openOld(none string) (*store.Store, error) {
	name, err := f.file()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store %s: %s: there is no such file", name, none)
	}
	return store.Open(name)
}

// look opens the database for a command that makes none, and closes it after f.
func (f *databaseFlag) look(do func(*store.Store) error) error {
	s, err := f.openOld("nothing has been learned yet")
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// lookAt is look for a command about a run of learning.
func (f *databaseFlag) lookAt(run string, do func(*store.Store, *store.Run) error) error {
	id, err := parseRun(run)
	if err != nil {
		return err
	}
	return f.look(func(s *store.Store) error {
		r, err := s.Load(id)
		if err != nil {
			return err
		}
		if r.Kind != learnKind {
			return fmt.Errorf("run %d is not of learning, but of %s", id, r.Kind)
		}
		return do(s, r)
	})
}

// parseRun reads the number of a run.
func parseRun(word string) (int64, error) {
	id, err := strconv.ParseInt(word, 10, 64)
	if err != nil || id < 1 {
		return 0, misusef("krow learn list tells the numbers of the runs", "RUN must be the number of a run, not %q", word)
	}
	return id, nil
}
