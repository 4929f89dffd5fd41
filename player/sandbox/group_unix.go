// SPDX-License-Identifier: Apache-2.0

//go:build unix

package sandbox

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child in a group of its own: an interrupt at the terminal is not for it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
