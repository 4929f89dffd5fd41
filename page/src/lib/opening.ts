// SPDX-License-Identifier: Apache-2.0
// The interface of the server for openings by rules with choices.
import { call, query, type Board } from './api'

/** An opening as it stands, and what is asked of whom: 0 who began, 1 the other. */
export interface Opening {
  board: Board
  moves: string[]
  black: number
  done: boolean
  who: number
  swap: boolean
  place: number
  two: boolean
  within: number
  declare: number
  offers: number
  choose: string[]
}

/** The rules, by the names that people know. */
export const rules: [rule: string, name: string][] = [
  ['swap2', 'Swap2'],
  ['taraguchi10', 'Taraguchi-10'],
  ['soosyrv8', 'Soosyrv-8'],
]

export const openingOf = (game: string, rule: string, answers: string) => call<Opening>('GET', '/opening' + query({ game, rule, answers }))
export const answerOf = (game: string, rule: string, answers: string, player: string, seed: number) =>
  call<{ answer: string }>('GET', '/opening/answer' + query({ game, rule, answers, player, seed }))
