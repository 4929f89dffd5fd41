// SPDX-License-Identifier: Apache-2.0

// Package gomocup speaks the protocol of Gomocup and Piskvork, on both ends.
//
// The protocol knows a manager, which runs a game, and a brain, which plays one side of it. A [Brain] makes any player of
// krow a brain. A [Program] makes a brain in a process of its own a player of krow. [Check] tests whether a program keeps
// the protocol.
//
// # Basics
//
//	b := gomocup.Brain{New: func(g game.Game, s gomocup.Settings) (player.Player, error) { ... }}
//	err := b.Run(ctx, os.Stdin, os.Stdout)
//
//	p, err := gomocup.NewProgram(g, gomocup.Options{Path: "./pbrain-other"})
//	defer p.Close()
//	m, err := p.Move(ctx, position, search.Limits{Time: time.Second})
//
// # Terms
//
// A point is a cell as the protocol names it: x,y counted from 0 at the upper left corner. Row 0 of a game.Board is
// the bottom one:
//
//	0,0  1,0  2,0        a3  b3  c3
//	0,1  1,1  2,1        a2  b2  c2
//	0,2  1,2  2,2        a1  b1  c1
//
// docs/reference/gomocup.md lists every command and INFO key.
//
// # Caveats
//
// The continuous game, in which play goes on after a win, is not supported. Its bit, rule 2, means renju here, as in the
// Yixin family.
//
// CITE: Petr Lastovicka, Gomoku AI Protocol (protocl2en.htm, with Piskvork); the text GomocupProtocol of GomocupJudge;
// Kai Sun, Yixin-protocol (accreator/Yixin-protocol).
package gomocup
