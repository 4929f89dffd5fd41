// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package network

func sumRows(dst *row, rows *layer, index []uint16) { sumRowsGo(dst, rows, index) }

func addToRows(rows *layer, src *row, index []uint16) { addToRowsGo(rows, src, index) }

func forward(x, out *row) float32 { return forwardGo(x, out) }

func backward(x, out, gradOut, gradBias *row, dz float32) { backwardGo(x, out, gradOut, gradBias, dz) }
