// SPDX-License-Identifier: Apache-2.0
// How an answer of a search is written, and how good its move looks beside the best one.
import { number, t } from '../texts'
import { sideName } from './names'
import type { Mark } from '../board/Board.svelte'
import type { Board, Info, Side } from './api'
import type { View } from './settings.svelte'

const plus = (x: number, text: string) => (x < 0 ? '−' : '+') + text

/** The estimate of an answer from the point of view of the other side. */
const bounds = { lower: 'upper', upper: 'lower' } as const
function turned(i: Info): Info {
  return { ...i, score: -i.score, chance: 1 - i.chance, bound: i.bound && bounds[i.bound], wdl: i.wdl && { win: i.wdl.loss, draw: i.wdl.draw, loss: i.wdl.win } }
}

/** Whose score is told where this side is to move. */
export function speaks(view: View, i: Info, turn: Side): Side {
  if (view === 'turn') return turn
  if (view !== 'leader') return view
  return i.chance >= 0.5 ? turn : turn === 'first' ? 'second' : 'first'
}

/** The estimate of an answer from the point of view that is chosen. */
export const seen = (i: Info, turn: Side, view: View): Info => (speaks(view, i, turn) === turn ? i : turned(i))

/** The side that wins according to an answer, if there is one. */
export function winner(i: Info, turn: Side): Side | undefined {
  if (i.win_in !== undefined || (i.solved && i.value === 'win')) return turn
  if (i.loss_in !== undefined || (i.solved && i.value === 'loss')) return turn === 'first' ? 'second' : 'first'
}

/** In how many plies a side wins: ≤11 if a faster win may exist, and '' if the number is not known. */
function plies(i: Info): string {
  const n = i.win_in ?? i.loss_in
  return n === undefined ? '' : (i.bound ? ((i.bound === 'lower') === (i.win_in !== undefined) ? '≤' : '≥') : '') + n
}

/** How a side wins, in few words that follow the picture of its stone. */
export const wins = (i: Info) => (plies(i) ? t('score.in', { n: plies(i) }) : t('score.some'))

/** An estimate in few characters. */
export function estimate(i: Info): string {
  const v = i.score / 1000
  const sign = { lower: '≥', upper: '≤', '': '' }[i.bound ?? '']
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(v), 0.1)))) // three that count
  return sign + plus(v, number(Number(Math.abs(v).toPrecision(3)), digits, true))
}

/** Who wins according to an answer, in words, or ''. */
export function proof(i: Info, board: Pick<Board, 'look' | 'turn'>): string {
  if (i.solved && i.value === 'draw') return t('play.draw')
  const side = winner(i, board.turn)
  if (!side) return ''
  const name = sideName(board, side)
  return plies(i) ? t('score.wins', { name, n: plies(i) }) : t('score.wins.some', { name })
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

/**
 * A candidate on the board: the stone of the side that wins and the number of plies if that is proved, else its rank. Where
 * stones fall, it is its chance in per cent.
 */
export function candidate(i: Info, best: Info, board: Board, cell = i.cells[0]): Mark {
  const falling = board.look === 'falling'
  const side = falling && !i.solved ? undefined : winner(i, board.turn)
  const open = falling ? '~' + Math.round(100 * i.chance) : String(i.line)
  return {
    cell,
    kind: grade(i, best),
    side: side && (side === 'first' ? 'x' : 'o'),
    text: side ? plies(i).replace(/[≤≥]/, '') : i.solved && i.value === 'draw' ? '=' : open,
    title: told(i, board),
    value: i.solved ? i.value : undefined,
  }
}

/** What a candidate is, in words. */
export const told = (i: Info, board: Pick<Board, 'look' | 'turn'>) => [t('analyze.candidate', { n: i.line }), proof(i, board) || estimate(i), ...(i.solved ? [] : [t('analyze.estimate')])].join(', ')
