// SPDX-License-Identifier: Apache-2.0
// The interface of the server for openings by rules with choices.
import { call, query } from './api'
import type { OpeningView as Opening } from './api.gen'
export type { OpeningView as Opening } from './api.gen'

/** The rules, by the names that people know. */
export const rules: [rule: string, name: string][] = [
  ['swap', 'Swap'],
  ['swap2', 'Swap2'],
  ['taraguchi10', 'Taraguchi-10'],
  ['soosyrv8', 'Soosyrv-8'],
]

/** The rules that the page offers for a game; those of renju are for games without captures. */
export function rulesOf(spec: string) {
  const family = spec.split(':')[0]
  return rules.filter(([r]) => (family === 'pente' ? r.startsWith('swap') : ['gomoku', 'standard', 'caro', 'renju'].includes(family)))
}

export const openingOf = (game: string, rule: string, answers: string) => call<Opening>('GET', '/opening' + query({ game, rule, answers }))
export const answerOf = (game: string, rule: string, answers: string, player: string, seed: number) =>
  call<{ answer: string }>('GET', '/opening/answer' + query({ game, rule, answers, player, seed }))
