// SPDX-License-Identifier: Apache-2.0

package cage

import "golang.org/x/sys/unix"

// old are calls that newer processors do not have.
var old = []uint32{
	unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_RENAMEAT, unix.SYS_LINK,
	unix.SYS_SYMLINK, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_CHMOD,
}
