// SPDX-License-Identifier: Apache-2.0
// Which stones belong to one turn: in Connect6 a turn has two stones, and the first turn has one.

/** The number of stones of a turn, and of the first turn. */
export function stones(game: string): { turn: number; first: number } {
  const of = (key: string, usual: number) => Number(game.match(`${key}=(\\d+)`)?.[1] ?? usual)
  return game.startsWith('connect6') ? { turn: of('turn', 2), first: of('first', 1) } : { turn: 1, first: 1 }
}

/** The number of stones left in its turn after a number of stones from the start. */
export function left(game: string, ply: number): number {
  const { turn, first } = stones(game)
  return ply < first ? first - ply : turn - ((ply - first) % turn)
}

/** The number of the turn in which a move is made. Turns and moves are counted from 1. */
export function turnOf(game: string, ply: number): number {
  const { turn, first } = stones(game)
  return 1 + Math.max(0, Math.ceil((ply - first) / turn))
}
