// SPDX-License-Identifier: Apache-2.0

package nnue

import "math"

// Constants that the paper on Adam recommends.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// Step is one step of the optimiser Adam, in single precision.
//
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015.
type Step struct{ rate, share float32 }

// NewStep returns a step of the optimiser. steps is the number of the step, from 1. n is the number of positions over which
// each gradient is summed.
func NewStep(rate float64, n, steps int) Step {
	return Step{
		rate:  float32(rate * math.Sqrt(1-math.Pow(beta2, float64(steps))) / (1 - math.Pow(beta1, float64(steps)))),
		share: 1 / float32(n),
	}
}

// Move makes a step for one weight. It changes the weight p and two running averages: m of the gradient of p, and v of the
// square of this gradient. g is the sum of the gradients of p over the n positions of NewStep.
func (s Step) Move(p, m, v *float32, g float32) {
	g *= s.share
	*m = beta1**m + (1-beta1)*g
	*v = beta2**v + (1-beta2)*g*g
	*p -= s.rate * *m / (float32(math.Sqrt(float64(*v))) + epsilon)
}

// constants contains the numbers of a step for the kernel that moves many weights at once:
//
//	g *= share;  m = beta1*m + rest1*g;  v = beta2*v + rest2*g*g;  p -= rate*m / (sqrt(v) + epsilon)
type constants struct{ share, beta1, rest1, beta2, rest2, rate, epsilon float32 }

func (s Step) constants() constants {
	return constants{s.share, beta1, 1 - beta1, beta2, 1 - beta2, s.rate, epsilon}
}
