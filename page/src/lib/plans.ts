// SPDX-License-Identifier: Apache-2.0
// The plans by which the winner of Connect Four plays, in words, and the cells that they speak about.
import type { Board, Plan, PlannedMove } from './api.gen'
import { t, type Key } from '../texts'

type Rule = Plan['rules'][number]

/** The size of the certificate of Connect Four by plans, which a test compares with the file. */
export const certificate = { bytes: 25986, positions: 6381 }

/** What a rule says, as a part of a sentence. columns is the number of columns of the board. */
export function ruleText(r: Rule, columns: number): string {
  const name = (cell: number) => t('plan.cell', { row: Math.floor(cell / columns) + 1, column: (cell % columns) + 1 })
  const key: Key = r.cell < 0 ? 'plan.even' : r.after < 0 ? 'plan.take' : r.cell === r.after + columns ? 'plan.above' : 'plan.after'
  return t(key, { cell: name(r.cell), after: name(r.after) })
}

const words: Record<string, Key> = { row: 'plan.wins', block: 'plan.blocks', move: 'plan.known' }

/** Why a move was played, in a sentence. */
export function reason({ why, plan }: Pick<PlannedMove, 'why' | 'plan'>, columns: number): string {
  if (words[why]) return t(words[why])
  if (why === 'first') return t('plan.begins', { n: plan!.rules.length })
  if (why === 'none') return otherwise(plan!)
  return t('plan.rule', { n: why, rule: ruleText(plan!.rules[Number(why) - 1], columns) })
}

export const otherwise = (p: Plan) => t(p.rightmost ? 'plan.rightmost' : 'plan.left')

/** The cells that the rule speaks about which gave a move: the free cells of the even rows, or the cells of the rule. */
export function cellsOf({ why, plan }: Pick<PlannedMove, 'why' | 'plan'>, board: Board): number[] {
  const rule = plan?.rules[Number(why) - 1]
  if (!rule) return []
  if (rule.cell < 0) return [...board.cells].flatMap((s, c) => (s === '.' && Math.floor(c / board.columns) % 2 ? [c] : []))
  return [rule.cell, rule.after].filter((c) => c >= 0)
}
