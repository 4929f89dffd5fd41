// SPDX-License-Identifier: Apache-2.0
// The interface of the server for leagues.
import { call, query } from './api'
import type { LeagueItem, LeagueSpec, Met, PlayedGame as LeagueGame, LeagueView as League, Row } from './api.gen'
export type { LeagueItem, LeagueSpec, Row, Met, PlayedGame as LeagueGame, LeagueView as League, Live as LiveGame } from './api.gen'

export const leagues = {
  list: () => call<LeagueItem[]>('GET', '/leagues'),
  make: (l: LeagueSpec) => call<League>('POST', '/leagues', l),
  league: (id: number) => call<League>('GET', `/leagues/${id}`),
  forget: (id: number) => call<void>('DELETE', `/leagues/${id}`),
  join: (id: number, m: { name: string; spec: string; author: string }) => call<League>('POST', `/leagues/${id}/members`, m),
  leave: (id: number, name: string) => call<League>('DELETE', `/leagues/${id}/members/${name}`),
  play: (id: number) => call<League>('POST', `/leagues/${id}/play`),
  stop: (id: number) => call<League>('POST', `/leagues/${id}/stop`),
  games: (id: number, o: { of?: string; against?: string; before?: number; game?: number }) => call<LeagueGame[]>('GET', `/leagues/${id}/games` + query(o)),
  grid: (id: number) => call<Met[]>('GET', `/leagues/${id}/grid`),
  file: (id: number, format: string) => `/api/leagues/${id}/export` + query({ format }),
}

/**
 * A link to the analysis of a game; with why, to the move at which the loser lost it. It names the number of opening moves, which
 * no player chose, so that a review blames nobody for them.
 */
export function reviewOf(game: string, g: LeagueGame, why: boolean): string {
  const loser = g.winner === g.first ? 'second' : 'first'
  return '/analyze?' + new URLSearchParams({ game, moves: g.moves, ...(g.opening ? { opening: String(g.opening) } : {}), ...(why && g.winner ? { review: loser } : {}) })
}

/** The Elo of a row, with its interval. */
export const elo = (r: Row) => `${Math.round(r.elo) < 0 ? '−' : '+'}${Math.abs(Math.round(r.elo))} ± ${Math.ceil((r.high - r.low) / 2)}`
