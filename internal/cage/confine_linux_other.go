// SPDX-License-Identifier: Apache-2.0

//go:build linux && !amd64

package cage

// old are calls that only older processors have.
var old []uint32
