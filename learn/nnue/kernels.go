// SPDX-License-Identifier: Apache-2.0

package nnue

import "slices"

// Row is a row of weights. The kernels for rows support only this length.
type Row = [128]float32

// These are the kernels of the training, written in Go. On processors with AVX2 they are replaced by versions in assembly, whose
// results are equal bit for bit. The kernels sumRows and addToRows need at least one index, so SumRows and AddToRows do not
// call them for an empty slice of indices.
var (
	sumRows   = sumRowsGo
	addToRows = addToRowsGo
	dot       = dotGo
	addTimes  = addTimesGo
	add       = addGo
	move      = moveGo
	forward   = forwardGo
	backward  = backwardGo
)

// SumRows adds the rows with the given indices to dst.
func SumRows(dst *Row, rows []Row, index []uint16) {
	if len(index) > 0 {
		_ = rows[slices.Max(index)] // panics for an invalid index, which the kernels do not check
		sumRows(dst, rows, index)
	}
}

// AddToRows adds src to the rows with the given indices.
func AddToRows(rows []Row, src *Row, index []uint16) {
	if len(index) > 0 {
		_ = rows[slices.Max(index)]
		addToRows(rows, src, index)
	}
}

// Dot returns the dot product of two rows.
func Dot(x, y *Row) float32 { return dot(x, y) }

// AddTimes adds factor times src to dst.
func AddTimes(dst, src *Row, factor float32) { addTimes(dst, src, factor) }

// Add adds src to dst.
func Add(dst, src []float32) { add(dst[:len(src)], src) }

// Move does the same as [Step.Move] for slices of weights, moments and gradients.
func Move(s Step, p, m, v, gradient []float32) {
	n := len(p) &^ 7
	if n > 0 {
		move(s, p[:n], m[:n], v[:n], gradient[:n])
	}
	moveGo(s, p[n:], m[n:len(p)], v[n:len(p)], gradient[n:len(p)])
}

// Forward adds the product of x and the weights of a dense layer to dst. The weights w contain a row of len(dst) numbers for each
// element of x.
func Forward(dst, x, w []float32) { forward(dst, x, w[:len(dst)*len(x)]) }

// Backward computes two gradients of the loss from d, the gradient with respect to the result dst of Forward. It adds the
// gradient with respect to the weights w to gradient, and writes the gradient with respect to x to dx.
func Backward(gradient, dx, x, w, d []float32) {
	n := len(d) * len(x)
	backward(gradient[:n], dx[:len(x)], x, w[:n], d)
}

func sumRowsGo(dst *Row, rows []Row, index []uint16) {
	for _, r := range index {
		addGo(dst[:], rows[r][:])
	}
}

func addToRowsGo(rows []Row, src *Row, index []uint16) {
	for _, r := range index {
		addGo(rows[r][:], src[:])
	}
}

// dotGo computes eight partial sums, in the same order as the vector instructions do.
func dotGo(x, y *Row) float32 { return dotLanes(x[:], y[:]) }

func dotLanes(x, y []float32) float32 {
	var z [8]float32
	for j := range x {
		z[j%8] += float32(x[j] * y[j])
	}
	return ((z[0] + z[4]) + (z[2] + z[6])) + ((z[1] + z[5]) + (z[3] + z[7]))
}

func addTimesGo(dst, src *Row, factor float32) { addMultiple(dst[:], src[:], factor) }

func addMultiple(dst, src []float32, factor float32) {
	for j, x := range src {
		dst[j] += float32(x * factor)
	}
}

func addGo(dst, src []float32) {
	for j, x := range src {
		dst[j] += x
	}
}

func moveGo(s Step, p, m, v, g []float32) {
	for j := range p {
		s.Move(&p[j], &m[j], &v[j], g[j])
	}
}

func forwardGo(dst, x, w []float32) {
	for i, a := range x {
		addMultiple(dst, w[i*len(dst):(i+1)*len(dst)], a)
	}
}

func backwardGo(gradient, dx, x, w, d []float32) {
	for i, a := range x {
		from, to := i*len(d), (i+1)*len(d)
		addMultiple(gradient[from:to], d, a)
		dx[i] = dotLanes(w[from:to], d)
	}
}
