// SPDX-License-Identifier: Apache-2.0
// How an answer of a search is written, and how good its move looks beside the best one.
import { number, t } from '../texts'
import type { Info, Side } from './api'

/** A score in few characters: #11 wins in eleven plies, # in nobody knows how many, = is a proved draw. */
export function worth(i: Info): string {
  if (i.solved && i.value === 'draw') return '='
  if (i.win_in !== undefined || (i.solved && i.value === 'win')) return '#' + (i.win_in ?? '')
  if (i.loss_in !== undefined || (i.solved && i.value === 'loss')) return '−#' + (i.loss_in ?? '')
  const v = i.score / 1000
  const sign = { lower: '≥', upper: '≤', '': '' }[i.bound ?? '']
  return sign + (v < 0 ? '−' : '+') + number(Number(Math.abs(v).toPrecision(3)))
}

/** What has been proved, in words, or ''. */
export function proof(i: Info): string {
  if (!i.solved) return ''
  const distance = i.win_in !== undefined ? ', ' + t('analyze.win', { n: i.win_in }) : i.loss_in !== undefined ? ', ' + t('analyze.loss', { n: i.loss_in }) : ''
  return t(i.value === 'win' ? 'analyze.solvedWin' : i.value === 'loss' ? 'analyze.solvedLoss' : 'analyze.solvedDraw') + distance
}

export const chanceOfFirst = (i: Info, turn: Side) => (turn === 'first' ? i.chance : 1 - i.chance)

/** How a candidate is coloured: by what it loses of the best one's chance. */
export function grade(i: Info, best: Info): 'best' | 'good' | 'fair' | 'poor' {
  const loss = best.chance - i.chance
  if (i.line === 1 || (i.solved && best.solved && i.value === best.value && i.win_in === best.win_in && i.loss_in === best.loss_in)) return 'best'
  return loss <= 0.03 ? 'good' : loss <= 0.1 ? 'fair' : 'poor'
}
