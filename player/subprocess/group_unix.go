// SPDX-License-Identifier: Apache-2.0

//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts the process, and with it its children, in a group of its own, which an interrupt at the terminal does not reach.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillGroup kills all processes of the group that are left.
func KillGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
