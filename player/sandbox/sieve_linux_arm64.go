// SPDX-License-Identifier: Apache-2.0

package sandbox

import "golang.org/x/sys/unix"

// auditArch is the number of this kind of processor and its call interface in filters.
const auditArch = unix.AUDIT_ARCH_AARCH64
