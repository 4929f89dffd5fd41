// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/krow-lab/krow/internal/buildinfo"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/internal/notices"
	"github.com/krow-lab/krow/page"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Write a manual page for each command to an existing folder.",
		Example: "  krow man /usr/local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Source: "krow " + buildinfo.Version(), Date: new(time.Time)}, args[0])
		},
	}
}

type versionJSON struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	System  string `json:"system"`
	Kernels string `json:"kernels"`
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the kernels (vector code) in use",
		Long: `Print the version, the commit from which krow was built, the version of Go, the system, and the vector
instructions that the networks use on this processor: avx2, avx512-vnni, or go if they use none.`,
		Example: "  krow version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versionJSON{buildinfo.Version(), buildinfo.Commit(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, cpu.Best.String()}
			return printAnswer(cmd, v, "krow %s\ncommit   %s\ngo       %s\nsystem   %s\nkernels  %s\n",
				v.Version, v.Commit, v.Go, v.System, v.Kernels)
		},
	}
}

func newLicenses() *cobra.Command {
	return &cobra.Command{
		Use:     "licenses",
		Short:   "Print the licences of everything in this program",
		Long:    "Print the licence of krow, and the licences and versions of the packages in its page and of its Go modules.",
		Example: "  krow licenses",
		RunE: func(cmd *cobra.Command, _ []string) error {
			pages, err := page.Dist.ReadFile("dist/notices.txt")
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "krow is licensed under the Apache License 2.0. It contains the works of others:\n\n%s\n%s", pages, notices.Modules)
			return err
		},
	}
}
