// SPDX-License-Identifier: Apache-2.0
// The interface of the server for leagues.
import type { Drawn } from './painted'
import { call, query, type Board } from './api'
import type { Rating, Work } from './laboratory'

export interface LeagueItem {
  id: number
  name: string
  game: string
  members: number
  round: number
  playing: boolean
  work: Work
}

export interface LeagueSpec {
  name: string
  game: string
  nodes: number
  plies: number
  seed: number
  field: 'none' | 'levels' | 'all'
}

export interface Row extends Rating {
  rank: number
  spec: string
  author?: string
  won: number
  drawn: number
  lost: number
  forfeits?: number
  division?: string
  boss?: boolean
  /** The boss above whom it must be rated to rise. */
  beat?: string
  left?: boolean
  new?: boolean
}

export interface Met {
  a: string
  b: string
  won: number
  drawn: number
  lost: number
}

export interface LeagueGame {
  id: number
  cup?: number
  first: string
  second: string
  moves: string
  outcome: string
  winner?: string
  reason: string
  forfeit?: boolean
  drawn?: Drawn[]
}

export interface Tie {
  a: string
  b?: string
  points: number
  games: number
  winner?: string
}

export interface Cup {
  number: number
  kind: 'round-robin' | 'swiss' | 'knockout'
  games: number
  over: boolean
  winner?: string
  rows: { name: string; points: number; won: number; drawn: number; lost: number }[]
  rounds: Tie[][]
}

export interface League {
  id: number
  name: string
  game: string
  work: Work
  playing: boolean
  table: { season: number; seasons: number; round: number; games: number; rows: Row[] }
  latest: LeagueGame[]
  cups: Cup[]
  live?: LiveGame
}

export interface LiveGame {
  first: string
  second: string
  moves: string[]
  board: Board
}

export interface CupSpec {
  kind: Cup['kind']
  games: number
  best: number
}

export const leagues = {
  list: () => call<{ leagues: LeagueItem[] }>('GET', '/leagues'),
  make: (l: LeagueSpec) => call<League>('POST', '/leagues', l),
  league: (id: number, season = 0) => call<League>('GET', `/leagues/${id}` + query({ season: season || undefined })),
  forget: (id: number) => call<void>('DELETE', `/leagues/${id}`),
  join: (id: number, m: { name: string; spec: string; author: string; boss: boolean }) => call<League>('POST', `/leagues/${id}/members`, m),
  leave: (id: number, name: string) => call<League>('DELETE', `/leagues/${id}/members/${name}`),
  play: (id: number) => call<League>('POST', `/leagues/${id}/play`),
  stop: (id: number) => call<League>('POST', `/leagues/${id}/stop`),
  season: (id: number) => call<League>('POST', `/leagues/${id}/seasons`),
  cup: (id: number, c: CupSpec) => call<League>('POST', `/leagues/${id}/cups`, c),
  games: (id: number, o: { of?: string; against?: string; before?: number; game?: number }) => call<{ games: LeagueGame[] }>('GET', `/leagues/${id}/games` + query(o)),
  grid: (id: number, season: number) => call<{ met: Met[] }>('GET', `/leagues/${id}/grid` + query({ season: season || undefined })),
  file: (id: number, format: string, season: number) => `/api/leagues/${id}/export` + query({ format, season: season || undefined }),
}
