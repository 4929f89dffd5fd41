// SPDX-License-Identifier: Apache-2.0
// The levels of a ladder as opponents: their names, what to call their strength, and which one fits the person.
import { t, type Key } from '../texts'

const names = ['Pip', 'Tilly', 'Bo', 'Mara', 'Juno', 'Oskar', 'Vera', 'Sten', 'Krow']

/** The number of a level, by its spec, or 0. */
export const levelOf = (spec: string) => Number(spec.match(/^(?:level|level:level=):?(\d+)$/)?.[1] ?? 0)

export const levelName = (n: number) => names[n - 1] ?? t('opponent.level', { n })

export type Class = 'beginner' | 'club' | 'expert' | 'strongest' | 'perfect'

/** How strong a level is among those of its game. */
export function classOf(n: number, levels: number, game: string): Class {
  if (n === levels) return game === 'tictactoe' ? 'perfect' : 'strongest'
  const share = (n - 1) / (levels - 1)
  return share < 0.34 ? 'beginner' : share < 0.67 ? 'club' : 'expert'
}
export const className = (c: Class) => t(`class.${c}` as Key)
export const classAbout = (c: Class) => t(`class.${c}.about` as Key)

const family = (game: string) => game.split(':')[0]
const all = (): Record<string, number> => {
  try {
    return JSON.parse(localStorage.getItem('krow.levels') ?? '{}')
  } catch {
    return {}
  }
}

/** The level to begin with: the first for somebody new, then the last one chosen, moved by results. */
export const levelFor = (game: string, levels: number) => Math.min(Math.max(all()[family(game)] ?? 1, 1), levels)

export function fit(game: string, level: number) {
  localStorage.setItem('krow.levels', JSON.stringify({ ...all(), [family(game)]: level }))
}
