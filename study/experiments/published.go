// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/published"
	"github.com/krow-lab/krow/study/report"
)

func publishedStudies() []study.Study {
	return nil
}

var (
	_ = context.Background
	_ = fmt.Sprint
	_ = slices.Sort[[]int]
	_ game.Game
	_ qlearning.Options
	_ published.Cell
	_ report.Block
)
