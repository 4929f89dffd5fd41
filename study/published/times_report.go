// SPDX-License-Identifier: Apache-2.0

package published

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

const timesHead = `# The published tables, played again: the time of a move

Medians over positions in which the learned player was to move, one in %d of its moves, the first among them: searches of
the same position with the fixed parameters, with the learned ones, and online with those that the player has learned
during the game so far, and their ratios in it. Online times contain the update. A time is the least of %d.

| games | k | positions | fixed: nodes | fixed: time | update: time | learned / fixed: nodes | time | online / learned: nodes | time |
|---|---|---|---|---|---|---|---|---|---|
`

// WriteTimes writes what Time measured, for each kind of game and row length, and for all. A ratio of times above 1
// says that the learned, or the online, player is the slower one.
func WriteTimes(w io.Writer, times []Times) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, timesHead, every, repeats)
	type group struct {
		family string
		k      int
	}
	var groups []group
	samples := map[group][]Sample{}
	all := group{"all", 0}
	for _, t := range times {
		at := group{t.Cell.Family, t.Cell.K}
		if samples[at] == nil {
			groups = append(groups, at)
		}
		samples[at] = append(samples[at], t.Samples...)
		samples[all] = append(samples[all], t.Samples...)
	}
	for _, at := range append(groups, all) {
		writeSamples(out, at.family, at.k, samples[at])
	}
	return out.Flush()
}

// writeSamples writes the line of a group, unless it is empty.
func writeSamples(out io.Writer, family string, k int, samples []Sample) {
	if len(samples) == 0 {
		return
	}
	length := ""
	if k > 0 {
		length = fmt.Sprint(k)
	}
	over := func(f func(Sample) float64) float64 { return medianOf(samples, f) }
	micro := func(f func(Sample) time.Duration) time.Duration {
		return medianOf(samples, f).Round(time.Microsecond)
	}
	fmt.Fprintf(out, "| %s | %s | %d | %d | %v | %v | %.2f | %.2f | %.2f | %.2f |\n", family, length, len(samples),
		medianOf(samples, func(s Sample) uint64 { return s.Fixed.Nodes }),
		micro(func(s Sample) time.Duration { return s.Fixed.Time }),
		micro(func(s Sample) time.Duration { return s.Update }),
		over(func(s Sample) float64 { return float64(s.Frozen.Nodes) / float64(s.Fixed.Nodes) }),
		over(func(s Sample) float64 { return float64(s.Frozen.Time) / float64(s.Fixed.Time) }),
		over(func(s Sample) float64 { return float64(s.Online.Nodes) / float64(s.Frozen.Nodes) }),
		over(func(s Sample) float64 { return float64(s.Online.Time+s.Update) / float64(s.Frozen.Time) }))
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
