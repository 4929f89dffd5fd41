// SPDX-License-Identifier: Apache-2.0

package nnue

import "github.com/krow-lab/krow/internal/cpu"

func init() {
	if cpu.Best < cpu.AVX2 {
		return
	}
	sumRows = func(dst *Row, rows []Row, index []uint16) { sumRowsAVX2(dst, &rows[0], &index[0], len(index)) }
	addToRows = func(rows []Row, src *Row, index []uint16) { addToRowsAVX2(&rows[0], src, &index[0], len(index)) }
	dot, addTimes = dotAVX2, addTimesAVX2
	add = func(dst, src []float32) { addAVX2(&dst[0], &src[0], len(src)) }
	move = func(s Step, p, m, v, g []float32) {
		c := s.constants()
		moveAVX2(&c, &p[0], &m[0], &v[0], &g[0], len(p))
	}
	forward = func(dst, x, w []float32) {
		switch len(dst) {
		case 32:
			forward32AVX2(&dst[0], &x[0], &w[0], len(x))
		case 64:
			forward64AVX2(&dst[0], &x[0], &w[0], len(x))
		default:
			forwardGo(dst, x, w)
		}
	}
	backward = func(gradient, dx, x, w, d []float32) {
		switch len(d) {
		case 32:
			backward32AVX2(&gradient[0], &dx[0], &x[0], &w[0], &d[0], len(x))
		case 64:
			backward64AVX2(&gradient[0], &dx[0], &x[0], &w[0], &d[0], len(x))
		default:
			backwardGo(gradient, dx, x, w, d)
		}
	}
}

// The kernels in assembly do not check their arguments: every index must be valid, and there must be at least one index.
//
//go:noescape
func sumRowsAVX2(dst, rows *Row, index *uint16, n int)

//go:noescape
func addToRowsAVX2(rows, src *Row, index *uint16, n int)

//go:noescape
func dotAVX2(x, y *Row) float32

//go:noescape
func addTimesAVX2(dst, src *Row, factor float32)

//go:noescape
func addAVX2(dst, src *float32, n int)

//go:noescape
func moveAVX2(c *constants, p, m, v, gradient *float32, n int)

//go:noescape
func forward32AVX2(dst, x, w *float32, n int)

//go:noescape
func forward64AVX2(dst, x, w *float32, n int)

//go:noescape
func backward32AVX2(gradient, dx, x, w, d *float32, n int)

//go:noescape
func backward64AVX2(gradient, dx, x, w, d *float32, n int)
