// SPDX-License-Identifier: Apache-2.0

package target_test

import (
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/player/bot"
)

func TestMain(m *testing.M) {
	bot.Serve(krow.Game)
	krow.UsePrograms(bot.ReadPlayer)
	m.Run()
}
