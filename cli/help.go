// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/krow-lab/krow/internal/cpu"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Write a manual page for each command to a folder that exists.",
		Example: "  krow man /usr/local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Source: "krow " + Version, Date: new(time.Time)}, args[0])
		},
	}
}

type versionJSON struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	System  string `json:"system"`
	Kernels string `json:"kernels"`
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the kernels in use",
		Long: `Print the version, the commit from which krow was built, the version of Go, the system, and which vector instructions
of this processor the networks use: go for none, avx2 or avx512-vnni.`,
		Example: "  krow version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versionJSON{Version, "", runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, cpu.Best.String()}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					switch {
					case s.Key == "vcs.revision":
						v.Commit = s.Value[:min(len(s.Value), 12)] + v.Commit
					case s.Key == "vcs.modified" && s.Value == "true":
						v.Commit += ", modified"
					}
				}
			}
			return answer(cmd, v, "krow %s\ncommit   %s\ngo       %s\nsystem   %s\nkernels  %s\n",
				v.Version, cmp.Or(v.Commit, "unknown"), v.Go, v.System, v.Kernels)
		},
	}
}
