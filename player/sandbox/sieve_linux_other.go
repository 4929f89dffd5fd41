// SPDX-License-Identifier: Apache-2.0

//go:build linux && !amd64 && !arm64

package sandbox

// auditArch is 0: there is no filter for this processor.
const auditArch = 0
