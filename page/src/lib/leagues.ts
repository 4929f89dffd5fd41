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
  first: string
  second: string
  moves: string
  outcome: string
  winner?: string
  reason: string
  forfeit?: boolean
  drawn?: Drawn[]
}

export interface League {
  id: number
  name: string
  game: string
  work: Work
  playing: boolean
  table: { round: number; games: number; rows: Row[] }
  latest: LeagueGame[]
  live?: LiveGame
}

export interface LiveGame {
  first: string
  second: string
  moves: string[]
  board: Board
}

export const leagues = {
  list: () => call<{ leagues: LeagueItem[] }>('GET', '/leagues'),
  make: (l: LeagueSpec) => call<League>('POST', '/leagues', l),
  league: (id: number) => call<League>('GET', `/leagues/${id}`),
  forget: (id: number) => call<void>('DELETE', `/leagues/${id}`),
  join: (id: number, m: { name: string; spec: string; author: string }) => call<League>('POST', `/leagues/${id}/members`, m),
  leave: (id: number, name: string) => call<League>('DELETE', `/leagues/${id}/members/${name}`),
  play: (id: number) => call<League>('POST', `/leagues/${id}/play`),
  stop: (id: number) => call<League>('POST', `/leagues/${id}/stop`),
  games: (id: number, o: { of?: string; against?: string; before?: number; game?: number }) => call<{ games: LeagueGame[] }>('GET', `/leagues/${id}/games` + query(o)),
  grid: (id: number) => call<{ met: Met[] }>('GET', `/leagues/${id}/grid`),
  file: (id: number, format: string) => `/api/leagues/${id}/export` + query({ format }),
}
