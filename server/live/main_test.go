// SPDX-License-Identifier: Apache-2.0

package live

import (
	"testing"

	"github.com/krow-lab/krow/server/bots"
)

func TestMain(m *testing.M) {
	bots.Enable()
	m.Run()
}
