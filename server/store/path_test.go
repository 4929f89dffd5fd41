// SPDX-License-Identifier: Apache-2.0

package store

import (
	"path/filepath"
	"testing"
)

func TestDataDir(t *testing.T) {
	abs := t.TempDir()
	tests := []struct {
		system, xdg, home, local string
		want                     string // empty for an error
	}{
		{system: "linux", xdg: abs, home: "/home/u", want: abs},
		{system: "linux", home: "/home/u", want: filepath.Join("/home/u", ".local", "share")},
		{system: "linux", xdg: "relative", home: "/home/u", want: filepath.Join("/home/u", ".local", "share")},
		{system: "darwin", xdg: abs, home: "/Users/u", want: filepath.Join("/Users/u", "Library", "Application Support")},
		{system: "windows", local: abs, want: abs},
		{system: "windows", home: "/home/u"},
		{system: "linux"},
	}
	for _, tc := range tests {
		t.Run(tc.system+" "+tc.xdg+" "+tc.home, func(t *testing.T) {
			t.Setenv("XDG_DATA_HOME", tc.xdg)
			t.Setenv("HOME", tc.home)
			t.Setenv("USERPROFILE", tc.home)
			t.Setenv("LocalAppData", tc.local)
			got, err := dataDir(tc.system)
			if got != tc.want || (err == nil) != (tc.want != "") {
				t.Errorf("dataDir = %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}
