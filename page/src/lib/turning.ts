// SPDX-License-Identifier: Apache-2.0
// Where a game turned, by the judgements of its positions.
import type { Judgement, Side } from './api'

type Judged = (Judgement | undefined)[]

/** From this loss of chances on, a move is a mistake; from the other one on, a blunder. */
export const mistake = 0.1
export const blunder = 0.25

/** Whose move a judgement with a loss is about: it lowered the chance of its own side. */
export const mover = (judged: Judged, j: Judgement): Side => ((judged[j.ply + 1]?.chance ?? 0.5) < j.chance ? 'first' : 'second')

/**
 * The move at which a side lost the game: its last blunder, or else the move that lost most. Without a side, of both. The moves
 * before the ply from are left out.
 */
export function turning(judged: Judged, side?: Side, from = 0): Judgement | undefined {
  const own = judged.filter((j) => j !== undefined).filter((j) => j.ply >= from && j.loss >= mistake / 2 && (!side || mover(judged, j) === side))
  return own.filter((j) => j.loss >= blunder).at(-1) ?? own.reduce<Judgement | undefined>((worst, j) => (!worst || j.loss > worst.loss ? j : worst), undefined)
}
