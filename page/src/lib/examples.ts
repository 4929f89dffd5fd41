// SPDX-License-Identifier: Apache-2.0
// Small positions that show the rules: drawn by the board like any other.
import type { Key } from '../texts'
import type { Board, Look } from './api'

export interface Example {
  text: Key
  board: Board
  /** A cell that the text speaks of. */
  cell: number
}

/**
 * A position as it is written: x and o are stones, capital ones make the row, * is the cell that the text speaks of, # a
 * forbidden one, and a plus a cell that may be played on.
 */
function example(text: Key, look: Look, drawn: string, blocks?: string): Example {
  const lines = drawn.trim().split(/\s+/).reverse()
  const columns = lines[0].length
  const all = [...lines.join('')]
  const where = (sign: string) => all.flatMap((c, cell) => (sign.includes(c) ? [cell] : []))
  return {
    text,
    cell: where('*')[0] ?? -1,
    board: {
      game: '', look, columns, rows: lines.length, blocks,
      cells: all.map((c) => (/[xo]/i.test(c) ? c.toLowerCase() : '.')).join(''),
      turn: 'first', ply: 0, outcome: 'ongoing', moves: where('+').map(String), targets: where('+'),
      forbidden: where('#').map((cell) => ({ move: '', cell, why: 'double three' })), last: [], row: where('XO'), across: [], up: [],
    },
  }
}

const five = example('pic.five', 'points', `
  .......
  ...oo..
  .XXXXX.
  ...o.o.
  .......`)
const diagonal = example('pic.diagonal', 'points', `
  .....X.
  ..o.X..
  ...Xoo.
  ..X.o..
  .X.....`)
const openThree = example('pic.openThree', 'points', `
  .......
  ...o...
  ..xxx..
  ....o..
  .......`)
const threeInRow = example('pic.three', 'squares', 'oxX oXo Xx.')
const drawn = example('pic.drawn', 'squares', 'xox xoo oxx')
const kRow = example('pic.kRow', 'squares', '..... oX... ..Xo. o..X. ..x.X')
const falls = example('pic.falls', 'falling', `
  .....
  .....
  ..o..
  .xox*
  .oxxo`)
const four = example('pic.four', 'falling', `
  .....
  ...X.
  .oXx.
  .Xox.
  Xoxoo`)

/** The pictures of each game. */
export const examples: Record<string, Example[]> = {
  gomoku: [five, diagonal, openThree],
  standard: [five, example('pic.six', 'points', '........ ..oo.o.. .xxxxxx. ..o.oo.. ........')],
  caro: [example('pic.caro', 'points', '....... ...o... oxxxxxo ..o.... .......'), example('pic.caroOpen', 'points', '....... ...o... oXXXXX. ..o.... .......')],
  renju: [five, example('pic.double', 'points', '....... ...x... ...x... .xx#... ....... ..o.o..  .......'), openThree],
  pente: [five, example('pic.capture', 'points', '...... ...... .xoo*. ...... ......')],
  connect4: [falls, four],
  connect6: [example('pic.connect6', 'points', '....... ...o... ..ox... ....... .......'), example('pic.sixWin', 'points', '........ ..oo.o.. .XXXXXX. ..o.oo.. ........')],
  tictactoe: [threeInRow, drawn],
  mnk: [kRow, drawn],
  ultimate: [
    example('pic.sent', 'nested', `
      ......+++
      ......+++
      ......+++
      .....x...
      .........
      .........
      .........
      .........
      .........`, '.........'),
    example('pic.boards', 'nested', 'xo.ox.oox .xo.o.xo. o.x..xx.o o...xoxo. .xoox..o. .x..x.x.. ..ox..xxx .o.o.xo.. ox...o.o.', 'x.o.x.o.x'),
  ],
  atarigo: [example('pic.breath', 'points', '..... ..x.. .xo*. ..x.. .....')],
}
