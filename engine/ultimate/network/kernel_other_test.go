// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package network

import "testing"

func levels(t *testing.T, f func(t *testing.T)) { t.Run(Kernel(), f) }

func useGo() (back func()) { return func() {} }
