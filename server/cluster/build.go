// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/krow-lab/krow/internal/humanize"
)

// Build returns a name for the build of this process. The name is a hash of two things: the signature that krow bench prints,
// and the commit. If the program was built from a modified or unknown commit, the content of the program's file takes the
// place of the commit.
func Build(signature uint64) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, signature)
	if commit := commit(); commit != "" {
		fmt.Fprintln(h, commit)
	} else {
		name, err := os.Executable()
		if err != nil {
			return "", err
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		if _, err := io.Copy(h, f); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// commit returns the commit from which the program was built, or "" if it is unknown or the source was modified.
func commit() (name string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			name = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			return ""
		}
	}
	return name
}

// NewName returns a name for a worker: the name of the machine and some random letters.
func NewName() string {
	host, _ := os.Hostname()
	host = strings.Map(func(r rune) rune {
		if humanize.Name(string(r)) {
			return r
		}
		return '-'
	}, host)
	return fmt.Sprintf("%.24s-%.8s", host, strings.ToLower(rand.Text()))
}
