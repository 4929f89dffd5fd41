// SPDX-License-Identifier: Apache-2.0

package target_test

import (
	"testing"

	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/catalog"
)

func TestMain(m *testing.M) {
	bot.Serve(catalog.Game)
	catalog.UsePrograms(bot.ReadPlayer)
	m.Run()
}
