// SPDX-License-Identifier: Apache-2.0

package stats

import "math"

// expected returns the expected score of a player whose strength is greater than the opponent's by theta, in log odds.
func expected(theta float64) float64 { return 1 / (1 + math.Exp(-theta)) }

// likelihood returns the logarithm of the likelihood of the points made, including the drawn games of the prior. It is concave,
// and it has a maximum because the prior gives every player some points against every opponent.
func (t *table) likelihood(theta []float64) float64 {
	sum := 0.0
	for _, m := range t.meetings {
		d := theta[m.i] - theta[m.j]
		n := float64(m.counts.Games()) + m.prior
		s := float64(m.counts.halves())/2 + m.prior/2
		// Let p be the model's probability that player m.i wins. This line adds s log p + (n-s) log (1-p), in a form that cannot
		// overflow.
		sum -= n*math.Log1p(math.Exp(-math.Abs(d))) + (n-s)*max(d, 0) + s*max(-d, 0)
	}
	return sum
}

// slope returns the first derivatives of likelihood at theta, and the negatives of the second derivatives, which are Fisher's
// information.
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

// addEdge adds to the matrix a the contribution of a meeting m with weight w: w on the diagonal for both players, -w between
// them.
func addEdge(a [][]float64, m meeting, w float64) {
	a[m.i][m.i] += w
	a[m.j][m.j] += w
	a[m.i][m.j] -= w
	a[m.j][m.i] -= w
}

// solve returns the strengths at which likelihood is greatest, with the strength of the first player fixed at 0. It uses
// Newton's method. Far from the maximum, a step that decreases the likelihood is halved. Near the maximum, rounding errors
// exceed the differences of the likelihood, and halving is not needed.
func (t *table) solve() []float64 {
	const most, near, small = 200, 0.1, 1e-10 // near and small are differences of strengths, in log odds
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

// newton returns the step of Newton's method from theta, and the absolute value of the step's largest component.
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

// covariance returns the covariance of the strengths, with the strength of the first player fixed at zero. It is the
// sandwich estimate: the product of the inverse information matrix, the matrix squares, and the inverse information matrix
// again. squares contains the squared differences between the points of each cluster and the expected points. For the result
// apart, each pair and each single game is a cluster. For the result tied, all games with the same Pairing.Shared are one
// cluster. Half of the prior's games count as won and half as lost, so that the variance is positive even if all results are
// equal.
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

// addTies makes one cluster of all results with the same Shared: it adds to squares the square of the sum of the differences
// between points and expected points, and subtracts the square of each difference.
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

// invert inverts the matrix that is left when the first row and column of a are removed, by the method of Gauss and Jordan.
// The result has the size of a, and its first row and column are zero. The information matrix of connected players is
// positive definite, so no pivot is zero. invert overwrites a.
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
