// SPDX-License-Identifier: Apache-2.0
// Puzzles: the interface of the server, and the words for what it says.
import { t, type Key } from '../texts'
import { call, query } from './api'
import { sideName } from './names'
import type { PuzzleView as Puzzle, Answer, Hint, Progress } from './api.gen'
export type { PuzzleView as Puzzle, Answer, Hint, Progress } from './api.gen'

/** Which puzzle is wanted next. */
export interface Wish {
  game?: string
  theme?: string
  near?: number
  due?: string
  after?: string
}

export const trainer = {
  today: (day: string) => call<Puzzle>('GET', '/puzzles/today' + query({ day })),
  next: (w: Wish) => call<Puzzle>('GET', '/puzzles/next' + query({ ...w })),
  puzzle: (id: string) => call<Puzzle>('GET', `/puzzles/${id}`),
  answer: (id: string, played: string[], move: string) => call<Answer>('GET', `/puzzles/${id}/answer` + query({ played: played.join(' '), move })),
  hint: (id: string, played: string[], step: number) => call<Hint>('GET', `/puzzles/${id}/hint` + query({ played: played.join(' '), step })),
  tried: (id: string, score: number) => call<Progress>('POST', `/puzzles/${id}/tries`, { score }),
  progress: () => call<Progress>('GET', '/puzzles/progress'),
  own: () => call<{ puzzles: Puzzle[] }>('GET', '/puzzles/own'),
  keep: (game: string, moves: string[], line: string[]) => call<Puzzle>('POST', '/puzzles/own', { game, moves: moves.join(' '), line: line.join(' ') }),
  forget: (id: string) => call<void>('DELETE', `/puzzles/own/${id}`),
}

/** The day where the person is: everybody has the same puzzle on it. */
export function today(): string {
  const d = new Date()
  return `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, '0')}-${String(d.getDate()).padStart(2, '0')}`
}

/** What is to be done, in a sentence. */
export function goal(p: Puzzle): string {
  const key: Key = p.theme === 'defence' ? 'puzzle.save' : p.theme === 'best' ? 'puzzle.best' : 'puzzle.win'
  return t(key, { side: sideName(p.board, p.board.turn) })
}

/** The name of a theme. In Connect6 a win by force consists of double threats, not of fours. */
export const themeName = (theme: string, game: string) => t(theme === 'vcf' && game.startsWith('connect6') ? 'puzzle.theme.doubles' : (`puzzle.theme.${theme}` as Key))
