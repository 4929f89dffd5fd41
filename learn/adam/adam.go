// SPDX-License-Identifier: Apache-2.0

// Package adam implements the optimiser Adam for networks in single precision.
//
//	step := adam.New(rate, n, steps) // of the gradients of n positions, the steps-th from 1
//	step.Move(&p[i], &m[i], &v[i], gradient[i])
//
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015.
package adam

import "math"

// The constants of the paper.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// Step is one step of the training.
type Step struct{ rate, share float32 }

// New returns the step of a number, counted from 1. The gradients are sums over n positions.
func New(rate float64, n, steps int) Step {
	return Step{
		rate:  float32(rate * math.Sqrt(1-math.Pow(beta2, float64(steps))) / (1 - math.Pow(beta1, float64(steps)))),
		share: 1 / float32(n),
	}
}

// Move moves a weight and the moments of its gradient, m and v, by the sum g of its gradients.
func (s Step) Move(p, m, v *float32, g float32) {
	g *= s.share
	*m = beta1**m + (1-beta1)*g
	*v = beta2**v + (1-beta2)*g*g
	*p -= s.rate * *m / (float32(math.Sqrt(float64(*v))) + epsilon)
}

// Constants are the numbers of a step, for a kernel that moves many weights at once:
//
//	g *= Share;  m = Beta1*m + Rest1*g;  v = Beta2*v + Rest2*g*g;  p -= Rate*m / (sqrt(v) + Epsilon)
type Constants struct{ Share, Beta1, Rest1, Beta2, Rest2, Rate, Epsilon float32 }

// Constants returns the numbers of the step.
func (s Step) Constants() Constants {
	return Constants{s.share, beta1, 1 - beta1, beta2, 1 - beta2, s.rate, epsilon}
}
