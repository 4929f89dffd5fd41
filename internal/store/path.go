// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// DefaultFile returns where the store is unless the user says otherwise: krow/krow.db under $XDG_DATA_HOME or
// ~/.local/share, on macOS under ~/Library/Application Support, on Windows under %LocalAppData%.
//
// CITE: freedesktop.org, XDG Base Directory Specification, 0.8, which has relative paths ignored.
func DefaultFile() (string, error) {
	dir, err := dataDir(runtime.GOOS)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "krow", "krow.db"), nil
}

func dataDir(system string) (string, error) {
	if system == "windows" {
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("store: no data directory: %LocalAppData% is not set")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) && system != "darwin" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("store: no data directory: $HOME is not set")
	}
	if system == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return filepath.Join(home, ".local", "share"), nil
}
