// SPDX-License-Identifier: Apache-2.0

package stats

import "math"

// expected is the score of one who is theta stronger in log odds.
func expected(theta float64) float64 { return 1 / (1 + math.Exp(-theta)) }

// likelihood returns the logarithm of the likelihood of the points and the prior. It is concave, and the prior, which
// gives everyone points against every opponent, makes sure of a maximum.
func (t *table) likelihood(theta []float64) float64 {
	sum := 0.0
	for _, m := range t.meetings {
		d := theta[m.i] - theta[m.j]
		n := float64(m.counts.Games()) + m.prior
		s := float64(m.counts.halves())/2 + m.prior/2
		// s log p + (n-s) log (1-p), so that nothing overflows.
		sum -= n*math.Log1p(math.Exp(-math.Abs(d))) + (n-s)*max(d, 0) + s*max(-d, 0)
	}
	return sum
}

// slope returns the derivatives of the likelihood, and the negatives of its second derivatives: Fisher's information.
func (t *table) slope(theta []float64) (gradient []float64, information [][]float64) {
	gradient, information = make([]float64, len(theta)), square(len(theta))
	for _, m := range t.meetings {
		p := expected(theta[m.i] - theta[m.j])
		n := float64(m.counts.Games()) + m.prior
		g := float64(m.counts.halves())/2 + m.prior/2 - n*p
		gradient[m.i] += g
		gradient[m.j] -= g
		addEdge(information, m, n*p*(1-p))
	}
	return gradient, information
}

// addEdge adds w to the entries of the two players of a meeting.
func addEdge(a [][]float64, m meeting, w float64) {
	a[m.i][m.i] += w
	a[m.j][m.j] += w
	a[m.i][m.j] -= w
	a[m.j][m.i] -= w
}

// solve climbs to the maximum by Newton's steps, with the first player at 0. Far from it a step that leads down is
// halved; near it the likelihood is too flat to tell, and no guard is needed.
func (t *table) solve() []float64 {
	const most, near, small = 200, 0.1, 1e-10 // in log odds
	theta := make([]float64, len(t.names))
	for range most {
		step, size := t.newton(theta)
		before := t.likelihood(theta)
		for size > near && t.likelihood(sum(theta, step)) < before {
			for i := range step {
				step[i] /= 2
			}
			size /= 2
		}
		theta = sum(theta, step)
		if size < small {
			break
		}
	}
	return theta
}

// newton returns the step to where the slope would be zero with constant information, and its largest part.
func (t *table) newton(theta []float64) (step []float64, size float64) {
	gradient, information := t.slope(theta)
	step = make([]float64, len(theta))
	for i, row := range invert(information) {
		for j, g := range gradient {
			step[i] += row[j] * g
		}
		size = max(size, math.Abs(step[i]))
	}
	return step, size
}

func sum(a, b []float64) []float64 {
	c := make([]float64, len(a))
	for i := range c {
		c[i] = a[i] + b[i]
	}
	return c
}

// covariance returns the covariance of the strengths, with the strength of the first player fixed at zero: the inverse
// information on both sides of the squares of the differences between the points of clusters and those expected (the
// sandwich). Clusters are pairs and single games, which are independent; for tied, all games of the same Shared are one
// cluster. The prior counts as half its games won and half lost, so that results that are all the same have a variance
// too.
func (t *table) covariance(theta []float64) (apart, tied [][]float64) {
	_, information := t.slope(theta)
	inverse, squares := invert(information), square(len(theta))
	for _, m := range t.meetings {
		p := expected(theta[m.i] - theta[m.j])
		w := m.prior / 2 * (p*p + (1-p)*(1-p))
		for i, k := range m.counts.Pairs {
			d := float64(i)/2 - 2*p
			w += float64(k) * d * d
		}
		for i, k := range m.counts.Singles {
			d := float64(i)/2 - p
			w += float64(k) * d * d
		}
		addEdge(squares, m, w)
	}
	apart = product(product(inverse, squares), inverse)
	t.addTies(squares, theta)
	return apart, product(product(inverse, squares), inverse)
}

// addTies adds the products of the differences of ties of the same name, without the squares of each.
func (t *table) addTies(squares [][]float64, theta []float64) {
	sum := make([]float64, len(theta))
	for n, m := range t.ties {
		d := float64(m.counts.halves())/2 - float64(m.counts.Games())*expected(theta[m.i]-theta[m.j])
		sum[m.i] += d
		sum[m.j] -= d
		addEdge(squares, m, -d*d)
		if n+1 < len(t.ties) && t.ties[n+1].shared == m.shared {
			continue
		}
		for i, x := range sum {
			for j, y := range sum {
				squares[i][j] += x * y
			}
		}
		clear(sum)
	}
}

func square(n int) [][]float64 {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	return a
}

func product(a, b [][]float64) [][]float64 {
	c := square(len(a))
	for i := range a {
		for k, x := range a[i] {
			for j, y := range b[k] {
				c[i][j] += x * y
			}
		}
	}
	return c
}

// invert returns the inverse of a without its first row and column, where the inverse has zeros, by the method of Gauss
// and Jordan. The information of connected players is positive definite: no pivot is zero. It destroys a.
func invert(a [][]float64) [][]float64 {
	n := len(a)
	inverse := square(n)
	for i := 1; i < n; i++ {
		inverse[i][i] = 1
	}
	for k := 1; k < n; k++ {
		pivot := 1 / a[k][k]
		for j := 1; j < n; j++ {
			a[k][j] *= pivot
			inverse[k][j] *= pivot
		}
		for i := 1; i < n; i++ {
			f := a[i][k]
			if i == k || f == 0 {
				continue
			}
			for j := 1; j < n; j++ {
				a[i][j] -= f * a[k][j]
				inverse[i][j] -= f * inverse[k][j]
			}
		}
	}
	return inverse
}
