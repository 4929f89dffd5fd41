// SPDX-License-Identifier: Apache-2.0

package stats

import "slices"

// certainty is what is known of a player before any game, in drawn games against a player of strength 0. One of them is
// a standard deviation of 2 in log odds, or 350 Elo.
const certainty = 1.0

// Telling returns the n meetings of two games each that tell most about the strengths of players, the most telling first
// and no two of the same players. There are fewer where there are not so many pairs of players.
//
// A meeting of i and j tells more where the difference of their strengths is uncertain, as with few games, and where
// either may win:
//
//	w = 2 p (1-p)    Fisher's information of two games, p being the score expected
//	v                variance of the difference, by the games so far
//	log(1 + w v)     by so much the games shrink the logarithm of the volume of all that is likely (D-optimality)
//
// After each choice the variances are as if the meeting had been played, so the n meetings are spread among the players.
//
// CITE: Glickman and Jensen, Adaptive Paired Comparison Design, 2005; Chaloner and Verdinelli, Bayesian Experimental
// Design: A Review, 1995.
func Telling(players []string, pairings []Pairing, n int) [][2]string {
	d := newDesign(players, pairings)
	var all [][2]string
	for len(all) < n {
		i, j := d.best()
		if i == 0 {
			break
		}
		d.play(i, j)
		all = append(all, [2]string{d.names[i], d.names[j]})
	}
	return all
}

// design is what is known of the strengths. Player 0 stands for what was known before: it has strength 0, and everybody
// has drawn against it.
type design struct {
	*table
	theta      []float64
	covariance [][]float64
	met        [][]bool
}

func newDesign(players []string, pairings []Pairing) *design {
	t := &table{names: append([]string{""}, players...)}
	slices.Sort(t.names)
	for i := range t.names[1:] {
		t.meetings = append(t.meetings, meeting{i: 0, j: i + 1, prior: certainty})
	}
	for _, p := range pairings {
		p.Shared = ""
		t.add(p)
	}
	d := &design{table: t, theta: t.solve()}
	_, information := t.slope(d.theta)
	d.covariance = invert(information)
	d.met = make([][]bool, len(t.names))
	for i := range d.met {
		d.met[i] = make([]bool, len(t.names))
	}
	return d
}

// tells returns the information of a meeting, and the variance of the difference.
func (d *design) tells(i, j int) (w, v float64) {
	p := expected(d.theta[i] - d.theta[j])
	return 2 * p * (1 - p), d.covariance[i][i] + d.covariance[j][j] - 2*d.covariance[i][j]
}

// best returns the most telling meeting that was not chosen yet, or 0, 0.
func (d *design) best() (i, j int) {
	most := 0.0
	for a := 1; a < len(d.names); a++ {
		for b := a + 1; b < len(d.names); b++ {
			if w, v := d.tells(a, b); w*v > most && !d.met[a][b] {
				i, j, most = a, b, w*v
			}
		}
	}
	return i, j
}

// play counts a meeting as played: the covariance after one more observation (Sherman and Morrison).
func (d *design) play(i, j int) {
	d.met[i][j] = true
	w, v := d.tells(i, j)
	c := make([]float64, len(d.names)) // the covariance with the difference
	for k := range c {
		c[k] = d.covariance[k][i] - d.covariance[k][j]
	}
	for a := range c {
		for b := range c {
			d.covariance[a][b] -= w / (1 + w*v) * c[a] * c[b]
		}
	}
}
