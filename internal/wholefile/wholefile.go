// SPDX-License-Identifier: Apache-2.0

// Package wholefile writes files that are never half there.
package wholefile

import (
	"cmp"
	"os"
	"path/filepath"
)

// Write makes data the contents of the file of that name: beside it first, then renamed, so that a reader finds
// the old file or the new one, and an error leaves the old one.
func Write(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = cmp.Or(err, f.Chmod(0o644), f.Sync(), f.Close()) // CreateTemp keeps others out
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
