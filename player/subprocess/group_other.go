// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package subprocess

import "os/exec"

// OwnGroup does nothing: there are no groups.
func OwnGroup(*exec.Cmd) {}

// KillGroup kills the process.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
