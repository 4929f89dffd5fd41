// SPDX-License-Identifier: Apache-2.0

package regression

import "math"

// samples contains rows of features, one row for each position, and for each row the result of the game: 1 won, 0.5 drawn,
// 0 lost. Row i is x[i*columns:(i+1)*columns].
type samples struct {
	columns int
	x, y    []float64
}

func (s *samples) rows() int { return len(s.y) }

func (s *samples) row(i int) []float64 { return s.x[i*s.columns : (i+1)*s.columns] }

// prior describes the distribution of the coefficients that is assumed before the results are known: a normal distribution
// around mean with the precision l2 (0 means no assumption). No coefficient can be less than its value in least.
type prior struct{ mean, l2, least []float64 }

// maxRounds is the maximum number of rounds of fit, and maxSweeps is the maximum number of rounds of descend. Both are far
// greater than needed. For example, a round of fit is a step of Newton's method, which doubles the number of correct digits.
const (
	maxRounds = 100
	maxSweeps = 10_000
	enough    = 1e-10 // an iteration ends if the change is smaller than this number
)

// fit returns the coefficients b under which the results are most likely, if a row x is won with the probability
// 1/(1+exp(-b·x)). It minimises
//
//	cost(b) = - sum over rows (y log win + (1-y) log loss) + sum over columns l2/2 (b - mean)²
//
// which is convex. Each round approximates the cost at b by a parabola, moves b to the parabola's minimum within the bounds, and
// halves this step until the cost falls. CITE: Friedman, Hastie and Tibshirani, Regularization Paths for Generalized Linear Models
// via Coordinate Descent, 2010, section 3.
func (s *samples) fit(p prior) []float64 {
	b := make([]float64, s.columns)
	for j := range b {
		b[j] = max(p.mean[j], p.least[j])
	}
	cost := s.cost(b, p)
	for range maxRounds {
		gradient, curvature := s.slopes(b, p)
		way := descend(gradient, curvature, b, p.least)
		next, fallen := s.follow(b, way, cost, p)
		if fallen >= cost {
			break
		}
		done := cost-fallen < enough*(1+math.Abs(cost))
		b, cost = next, fallen
		if done {
			break
		}
	}
	return b
}

func (s *samples) follow(b, way []float64, cost float64, p prior) (next []float64, fallen float64) {
	next = make([]float64, len(b))
	length := greatest(way)
	for part := 1.0; part*length > enough; part /= 2 {
		for j := range b {
			next[j] = max(b[j]+part*way[j], p.least[j])
		}
		if fallen = s.cost(next, p); fallen < cost {
			return next, fallen
		}
	}
	return b, cost
}

func (s *samples) cost(b []float64, p prior) float64 {
	sum := s.loss(b)
	for j, x := range b {
		sum += p.l2[j] / 2 * (x - p.mean[j]) * (x - p.mean[j])
	}
	return sum
}

// loss returns the negative log likelihood of the results, in nats.
func (s *samples) loss(b []float64) float64 {
	sum := 0.0
	for i, y := range s.y {
		z := dot(b, s.row(i))
		// -log(win) = log(1+exp(-z)), and -log(loss) = z + log(1+exp(-z)). The formula below computes both without overflow.
		sum += math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - y*z
	}
	return sum
}

func (s *samples) slopes(b []float64, p prior) (gradient []float64, curvature [][]float64) {
	n := s.columns
	gradient, curvature = make([]float64, n), make([][]float64, n)
	for j := range curvature {
		curvature[j] = make([]float64, n)
		gradient[j] = p.l2[j] * (b[j] - p.mean[j])
		curvature[j][j] = p.l2[j]
	}
	for i, y := range s.y {
		x := s.row(i)
		win := logistic(dot(b, x))
		weight := win * (1 - win)
		for j, xj := range x {
			if xj == 0 { // true for most features, because most threats are rare
				continue
			}
			gradient[j] += (win - y) * xj
			for k := range j + 1 {
				curvature[j][k] += weight * xj * x[k]
			}
		}
	}
	for j := range n {
		for k := range j {
			curvature[k][j] = curvature[j][k]
		}
	}
	return gradient, curvature
}

// descend returns the vector d that minimises gradient·d + d·curvature·d/2, where no coordinate of b+d may be below least. It
// moves one coordinate after the other, until no coordinate changes. A coordinate whose curvature is 0 is not moved, because
// there is no minimum along it.
func descend(gradient []float64, curvature [][]float64, b, least []float64) []float64 {
	d := make([]float64, len(b))
	for range maxSweeps {
		moved := 0.0
		for j := range d {
			h := curvature[j][j]
			if h <= 0 {
				continue
			}
			x := max(d[j]-(gradient[j]+dot(curvature[j], d))/h, least[j]-b[j])
			moved = max(moved, math.Abs(x-d[j]))
			d[j] = x
		}
		if moved < enough {
			break
		}
	}
	return d
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
