// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// ladder rates all players of the matches.
func ladder(name, caption string, matches []study.Match, played []study.Played) ([]report.Block, error) {
	return nil, nil
}
