// SPDX-License-Identifier: Apache-2.0

//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts the process, together with its children, in a separate process group, so that an interrupt at the terminal does
// not reach these processes.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillGroup kills all remaining processes of the group.
func KillGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
