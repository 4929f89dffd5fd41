// SPDX-License-Identifier: Apache-2.0
// The four places of the page, and the pages of each. The first page of a place is where its name leads.
import type { Key } from '../texts'
import { local } from './transport'

export interface Place {
  name: Key
  pages: [string, Key][]
}

const all: Place[] = [
  { name: 'nav.play', pages: [['/play', 'setup.title'], ['/games', 'nav.games'], ['/lobby', 'nav.lobby'], ['/tournaments', 'nav.tournaments']] },
  { name: 'nav.learn', pages: [['/puzzles', 'nav.puzzles'], ['/lessons', 'nav.lessons']] },
  { name: 'nav.analyze', pages: [['/analyze', 'nav.board'], ['/studies', 'nav.studies'], ['/explorer', 'nav.explorer'], ['/values', 'values.title'], ['/lab', 'nav.lab']] },
  { name: 'nav.bots', pages: [['/workshop', 'nav.workshop'], ['/league', 'nav.league'], ['/matches', 'nav.matches'], ['/learning', 'nav.learning']] },
]

// Without a server there are no other people, and nothing runs while the page is closed.
const alone = ['/', '/play', '/games', '/puzzles', '/lessons', '/analyze', '/explorer', '/values', '/lab', '/opening', '/edit', '/workshop']

/** Whether a page is there. */
export const isThere = (base: string) => !local || alone.includes(base)

export const places = all.map((p) => ({ ...p, pages: p.pages.filter(([to]) => isThere(to)) })).filter((p) => p.pages.length)

/** Pages that stand in no bar, and what they are called. */
const others: Record<string, Key> = {
  '/': 'nav.play', '/opening': 'setup.title', '/edit': 'edit.title', '/reports': 'nav.reports', '/machines': 'nav.machines',
  '/members': 'nav.members', '/people': 'nav.members', '/login': 'club.login', '/join': 'club.join',
}
const belongs: Record<string, string> = { '/': '/play', '/opening': '/play', '/edit': '/analyze' }

/** The place that a page belongs to. */
export const placeOf = (base: string) => places.find((p) => p.pages.some(([to]) => to === (belongs[base] ?? base)))

/** What a page is called. */
export const titleOf = (base: string): Key => others[base] ?? places.flatMap((p) => p.pages).find(([to]) => to === base)?.[1] ?? 'nav.play'
