// SPDX-License-Identifier: Apache-2.0
// What players have said of positions during this visit. A deeper answer takes the place of a shallower one.
import type { Lines, Place } from './api'

interface Kept {
  lines: Lines
  /** Seconds of the analysis that went to its end; 0 for one that did not, Infinity for one that nothing can add to. */
  whole: number
  wanted: number // lines that were asked for
}

const most = 1000
const all = new Map<string, Kept>()

const keyOf = (p: Place, player: string) => JSON.stringify([p.game, p.start ?? '', p.moves, player])

export const kept = (p: Place, player: string): Kept | undefined => all.get(keyOf(p, player))

const proved = (l: Lines) => l.lines.length > 0 && l.lines.every((i) => i.solved)
const nodes = (l: Lines) => l.lines[0]?.nodes ?? 0

/** Keeps an answer, and returns the better one of it and what was kept. */
export function put(p: Place, player: string, lines: Lines, wanted: number): Lines {
  const key = keyOf(p, player)
  const old = all.get(key)
  const worse = old && old.wanted >= wanted && !proved(lines) && (proved(old.lines) || nodes(old.lines) > nodes(lines))
  if (old && worse) return old.lines
  all.delete(key) // the newest is the last
  all.set(key, { lines, wanted, whole: old && old.wanted >= wanted ? old.whole : 0 })
  if (all.size > most) all.delete(all.keys().next().value!)
  return lines
}

/** Says that an analysis of so many seconds, 0 for one without an end, went to its end. */
export function finished(p: Place, player: string, seconds: number) {
  const k = all.get(keyOf(p, player))
  if (k) k.whole = Math.max(k.whole, proved(k.lines) || seconds === 0 ? Infinity : seconds)
}
