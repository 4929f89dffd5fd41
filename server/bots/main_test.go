// SPDX-License-Identifier: Apache-2.0

package bots

import (
	"testing"
)

func TestMain(m *testing.M) {
	Enable()
	m.Run()
}
