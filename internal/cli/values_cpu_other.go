// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package cli

// cpuSeconds is not known here.
func cpuSeconds() float64 { return 0 }
