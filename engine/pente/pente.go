// SPDX-License-Identifier: Apache-2.0

// Package pente is the board of an engine for pente: patterns of five, captures and the cells of threats, kept as stones
// come and go. It has no search yet.
package pente

// maxPly is the greatest number of moves that the board can take back.
const maxPly = 64
