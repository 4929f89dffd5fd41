// SPDX-License-Identifier: Apache-2.0

package sandbox

import "golang.org/x/sys/unix"

// auditArch names the processor and its interface in filters.
const auditArch = unix.AUDIT_ARCH_X86_64
