// SPDX-License-Identifier: Apache-2.0

//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process, and with it its children, in a group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills all processes of the group that are left.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
