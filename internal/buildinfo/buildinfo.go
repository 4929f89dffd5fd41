// SPDX-License-Identifier: Apache-2.0

// Package buildinfo reports the version and the commit of the program. A release is built from a tagged commit, and the Go command
// writes the tag into the program, so the sources contain no version.
package buildinfo

import "runtime/debug"

// Version returns the version of the program, such as v1.0.0, or devel if the build does not contain a version.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// Commit returns the first twelve digits of the commit from which the program was built, or "unknown". If files differed from
// this commit, the text ends with ", modified".
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, modified := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	return commit + modified
}
