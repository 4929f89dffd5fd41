// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package subprocess

import "os/exec"

// OwnGroup does nothing, because this system has no process groups.
func OwnGroup(*exec.Cmd) {}

// KillGroup kills the process.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
