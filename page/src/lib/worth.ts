// SPDX-License-Identifier: Apache-2.0
// How an answer of a search is written, and how good its move looks beside the best one.
import { number, t } from '../texts'
import { sideName } from './names'
import type { Board, Info, Side } from './api'
import type { View } from './settings.svelte'

const plus = (x: number, text: string) => (x < 0 ? '−' : '+') + text

/** What an answer is worth for the other side. */
const bounds = { lower: 'upper', upper: 'lower' } as const
const values = { win: 'loss', loss: 'win', draw: 'draw' } as const
export function turned(i: Info): Info {
  return { ...i, score: -i.score, chance: 1 - i.chance, win_in: i.loss_in, loss_in: i.win_in, bound: i.bound && bounds[i.bound], value: i.value && values[i.value], wdl: i.wdl && { win: i.wdl.loss, draw: i.wdl.draw, loss: i.wdl.win } }
}

/** Whose score is told where this side is to move. */
export function speaks(view: View, i: Info, turn: Side): Side {
  if (view === 'turn') return turn
  if (view !== 'leader') return view
  return i.chance >= 0.5 ? turn : turn === 'first' ? 'second' : 'first'
}

/** The answer from the point of view that is chosen. */
export const seen = (i: Info, turn: Side, view: View): Info => (speaks(view, i, turn) === turn ? i : turned(i))

/** The plies of a win or loss: ≤11 where a faster one may exist. */
const plies = (n: number | undefined, bound: Info['bound'], most: Info['bound']) => (n === undefined ? '' : (bound ? (bound === most ? '≤' : '≥') : '') + n)

/** A score in few characters: #11 wins in eleven plies, #≤11 in at most eleven, # in nobody knows how many, = is a proved draw. */
export function worth(i: Info): string {
  if (i.solved && i.value === 'draw') return '='
  if (i.win_in !== undefined || (i.solved && i.value === 'win')) return '#' + plies(i.win_in, i.bound, 'lower')
  if (i.loss_in !== undefined || (i.solved && i.value === 'loss')) return '−#' + plies(i.loss_in, i.bound, 'upper')
  const v = i.score / 1000
  const sign = { lower: '≥', upper: '≤', '': '' }[i.bound ?? '']
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(v), 0.1)))) // three that count
  return sign + plus(v, number(Number(Math.abs(v).toPrecision(3)), digits, true))
}

/** What has been proved, in words, or ''. */
export function proof(i: Info, board: Pick<Board, 'look' | 'turn'>): string {
  if (!i.solved) return ''
  if (i.value === 'draw') return t('play.draw')
  const won = i.value === 'win'
  const name = sideName(board, won === (board.turn === 'first') ? 'first' : 'second')
  const n = plies(i.win_in ?? i.loss_in, i.bound, won ? 'lower' : 'upper')
  return n ? t('score.wins', { name, n }) : t('score.wins.some', { name })
}

/** How often such a position ends how, in per cent, or ''. */
export function ends(i: Info): string {
  if (!i.wdl) return ''
  const [win, draw] = [Math.round(100 * i.wdl.win), Math.round(100 * i.wdl.draw)]
  return t('analyze.ends', { win, draw, loss: 100 - win - draw })
}

export const chanceOfFirst = (i: Info, turn: Side) => (turn === 'first' ? i.chance : 1 - i.chance)

/** How a candidate is coloured: by what it loses of the best one's chance. */
export function grade(i: Info, best: Info): 'best' | 'good' | 'fair' | 'poor' {
  const loss = best.chance - i.chance
  if (i.line === 1 || (i.solved && best.solved && i.value === best.value && i.win_in === best.win_in && i.loss_in === best.loss_in)) return 'best'
  return loss <= 0.03 ? 'good' : loss <= 0.1 ? 'fair' : 'poor'
}

/** What stands on the cell of a candidate: what is proved, else its rank; where stones fall, its chance in per cent. */
export function label(i: Info, falling: boolean): string {
  const known = i.solved || i.win_in !== undefined || i.loss_in !== undefined
  if (known && !(falling && !i.solved)) return worth(i).replace(/[≤≥]/, '')
  return falling ? '~' + Math.round(100 * i.chance) : String(i.line)
}

/** What a candidate is, in words. */
export const told = (i: Info, board: Pick<Board, 'look' | 'turn'>) => t('analyze.candidate', { n: i.line }) + ', ' + (proof(i, board) || worth(i) + ', ' + t('analyze.estimate'))
