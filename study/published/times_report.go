// SPDX-License-Identifier: Apache-2.0

package published

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/krow-lab/krow/study/report"
)

var timesHeader = []string{
	"games", "k", "positions", "fixed: nodes", "fixed: time", "update: time", "learned / fixed: nodes", "learned / fixed: time",
	"online / learned: nodes", "online / learned: time",
}

// TimesTable returns the medians of what Time measured, for each kind of game and row length, and for all. Online
// times contain the update. A ratio of times above 1 says that the learned, or the online, player is the slower one.
func TimesTable(times []Times) report.Table {
	type group struct {
		family string
		k      string
	}
	var groups []group
	samples := map[group][]Sample{}
	all := group{"all", ""}
	for _, t := range times {
		at := group{t.Cell.Family, fmt.Sprint(t.Cell.K)}
		if samples[at] == nil {
			groups = append(groups, at)
		}
		samples[at] = append(samples[at], t.Samples...)
		samples[all] = append(samples[all], t.Samples...)
	}
	table := report.Table{Name: "times", Columns: timesHeader}
	for _, at := range append(groups, all) {
		if len(samples[at]) > 0 {
			table.Rows = append(table.Rows, append([]string{at.family, at.k}, medians(samples[at])...))
		}
	}
	return table
}

// medians returns the line of a group of at least one sample.
func medians(samples []Sample) []string {
	over := func(f func(Sample) float64) string { return fmt.Sprintf("%.2f", medianOf(samples, f)) }
	micro := func(f func(Sample) time.Duration) string {
		return medianOf(samples, f).Round(time.Microsecond).String()
	}
	return []string{
		fmt.Sprint(len(samples)),
		fmt.Sprint(medianOf(samples, func(s Sample) uint64 { return s.Fixed.Nodes })),
		micro(func(s Sample) time.Duration { return s.Fixed.Time }),
		micro(func(s Sample) time.Duration { return s.Update }),
		over(func(s Sample) float64 { return float64(s.Frozen.Nodes) / float64(s.Fixed.Nodes) }),
		over(func(s Sample) float64 { return float64(s.Frozen.Time) / float64(s.Fixed.Time) }),
		over(func(s Sample) float64 { return float64(s.Online.Nodes) / float64(s.Frozen.Nodes) }),
		over(func(s Sample) float64 { return float64(s.Online.Time+s.Update) / float64(s.Frozen.Time) }),
	}
}

// medianOf returns the median of f over samples, of which there is at least one: the lower of the two in the
// middle.
func medianOf[T cmp.Ordered](samples []Sample, f func(Sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = f(s)
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
