// SPDX-License-Identifier: Apache-2.0

package sandbox

import "golang.org/x/sys/unix"

// auditArch is the number by which a filter recognizes this kind of processor and its call interface.
const auditArch = unix.AUDIT_ARCH_AARCH64
