// SPDX-License-Identifier: Apache-2.0

// Package proof writes and checks certificates: files that say what a position is worth and let anyone who knows
// nothing but the rules see that it is so.
//
// # Basics
//
//	r, err := proof.Verify(ctx, file)
//	fmt.Println(r.Claim.Value, r.Positions)
//
// # How it works
//
// A certificate holds the moves of the side that gets its way, and nothing else: in the order in which a
// walk through all answers of the other side first meets the positions that need one. Writing and checking are
// the same walk; one asks a solver for the moves and the other reads them. Whatever the moves are, a walk that
// comes to its end has proved its claim. docs/formats/certificate.md has the format, and the arguments on which
// the walk leaves answers out.
//
// # Caveats
//
// A proof is of win, draw or loss; not of how many plies it takes. Positions met are kept while the walk lasts,
// in some 100 bytes each, 20 where stones fall.
package proof

// Version is the version of the format.
const Version = 1

// Claim is what a certificate says, and begins with: the position and its value for the side to move.
type Claim struct {
	Krow    string `json:"krow"` // "certificate"
	Version int    `json:"version"`
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	K       int    `json:"k"`
	Gravity bool   `json:"gravity"`
	Cells   string `json:"cells"`  // . X or O for each, cell 0 first
	Turn    string `json:"turn"`   // first (X) or second (O)
	Value   string `json:"value"`  // win, draw or loss
	Search  int    `json:"search"` // how many moves the checker may have to try to find those not written
}

// Result is what was verified.
type Result struct {
	Claim     Claim
	Positions uint64 // different ones that needed a move
	Bytes     int64  // of the file
}
