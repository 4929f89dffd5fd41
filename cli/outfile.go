// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// outFlag is the flag --out, which names the file for a result. An existing file is replaced only with --force.
type outFlag struct {
	flag, name string
	force      bool
}

func (f *outFlag) add(cmd *cobra.Command, flag, usage string) {
	f.flag = "--" + flag
	cmd.Flags().StringVar(&f.name, flag, "", usage)
	cmd.Flags().BoolVar(&f.force, "force", false, "replace a file that exists")
}

// stdout reports whether the result goes to standard output.
func (f *outFlag) stdout() bool { return f.name == "" || f.name == "-" }

// checkFile is called before the work begins. It returns an error if the file cannot be written, or if it exists and
// --force is not given.
func (f *outFlag) checkFile() error {
	if f.stdout() {
		return nil
	}
	err := f.checkPlace()
	if _, failed := os.Stat(f.name); err == nil && failed == nil && !f.force {
		err = misusef("--force replaces it", "%s %s: the file exists", f.flag, f.name)
	}
	return err
}

// checkPlace returns an error if the name belongs to something other than a regular file, such as a directory or a
// device.
func (f *outFlag) checkPlace() error {
	info, err := os.Stat(f.name)
	switch {
	case f.stdout():
		return misusef("", "%s needs a file, not standard output", f.flag)
	case err == nil && info.IsDir() || strings.HasSuffix(f.name, "/"):
		return misusef("", "%s needs a file, and %s is a directory", f.flag, f.name)
	case err == nil && !info.Mode().IsRegular():
		return misusef("", "%s needs a file, and %s is a device or the like", f.flag, f.name)
	}
	if _, err := os.Stat(filepath.Dir(f.name)); err != nil {
		return fmt.Errorf("%s %s: %w", f.flag, f.name, err)
	}
	return nil
}

// checkSame does the same as checkFile, but allows an existing file with exactly the bytes that data returns, because
// the same command has written it earlier.
func (f *outFlag) checkSame(data func() ([]byte, error)) error {
	err := f.checkFile()
	if old, failed := os.ReadFile(f.name); err != nil && failed == nil {
		if same, failed := data(); failed == nil && bytes.Equal(old, same) {
			return nil
		}
	}
	return err
}

// write writes the result to the file, or to standard output.
func (f *outFlag) write(cmd *cobra.Command, data []byte) error {
	if f.stdout() {
		_, err := cmd.OutOrStdout().Write(data)
		return err
	}
	return atomicfile.Write(f.name, data)
}
