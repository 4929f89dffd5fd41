// SPDX-License-Identifier: Apache-2.0
// The interface of the server, as /openapi.json describes it. Nothing else in the page calls fetch.

export type Side = 'first' | 'second'
export type Outcome = 'ongoing' | 'first wins' | 'second wins' | 'draw'
export type Look = 'points' | 'squares' | 'falling' | 'nested'

/** A position as it is drawn. Cells are counted column + row*columns, row 0 at the bottom. */
export interface Board {
  game: string
  look: Look
  columns: number
  rows: number
  cells: string
  turn: Side
  ply: number
  outcome: Outcome
  reason?: string
  moves: string[]
  targets: number[]
  forbidden: { move: string; cell: number; why: string }[]
  last: number[]
  row: number[]
  blocks?: string
  across: string[]
  up: string[]
  captured?: number[]
}

export interface Summary {
  id: string
  game: string
  first: string
  second: string
  plies: number
  outcome: Outcome
  reason?: string
  created: string
  updated: string
}

export interface Game extends Summary {
  start?: string
  moves: string[]
  board: Board
  thinking: boolean
  trouble?: string
}

export interface Family {
  name: string
  usage: string
  doc: string
  specs: string[]
  look: Look
}

export interface Item {
  kind: string
  name: string
  usage: string
  doc: string
  cite?: string
}

export interface Listing {
  version: string
  games: Family[]
  players: Item[]
  heuristics: Item[]
  learners: Item[]
}

export interface Opponent {
  name: string
  player: string
  system?: string
  doc: string
}

/** An answer of a search; score and chance are for the side to move. */
export interface Info {
  line: number
  depth: number
  score: number
  chance: number
  bound?: 'lower' | 'upper'
  win_in?: number
  loss_in?: number
  solved: boolean
  value?: 'win' | 'draw' | 'loss'
  pv: string[]
  cells: number[]
  nodes: number
  time_ms: number
}

export interface Lines {
  player: string
  lines: Info[]
  time_ms: number
}

export interface Queued {
  place: number
  seconds: number
}

export interface Done {
  reason: 'finished' | 'turn' | 'stopped' | 'error'
  error?: string
}

/** A position: a game, where it starts, and the moves since. */
export interface Place {
  game: string
  start?: string
  moves: string[]
}

/** A request that the server refused; the message is its own, in one line. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail)
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch('/api' + path, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (answer.status === 204) return undefined as T
  const data = await answer.json().catch(() => ({}))
  if (!answer.ok) {
    const details = (data.errors ?? []).map((e: { message: string }) => e.message).join('; ')
    throw new Problem(answer.status, details || data.detail || answer.statusText)
  }
  return data as T
}

function query(values: Record<string, string | number | undefined>): string {
  const q = new URLSearchParams()
  for (const [k, v] of Object.entries(values)) if (v !== undefined && v !== '') q.set(k, String(v))
  return '?' + q
}

const at = (p: Place) => ({ game: p.game, start: p.start, moves: p.moves.join(' ') })

export const api = {
  listing: () => call<Listing>('GET', '/catalog'),
  opponents: (game: string) => call<{ opponents: Opponent[] }>('GET', '/opponents' + query({ game })),
  position: (p: Place) => call<Board>('GET', '/position' + query(at(p))),
  newGame: (g: { game: string; start?: string; moves?: string; first: string; second: string }) =>
    call<Game>('POST', '/games', g),
  games: (skip = 0) => call<{ games: Summary[]; more: boolean }>('GET', '/games' + query({ skip: skip || undefined })),
  game: (id: string) => call<Game>('GET', `/games/${id}`),
  forget: (id: string) => call<void>('DELETE', `/games/${id}`),
  move: (id: string, move: string, ply: number) => call<Game>('POST', `/games/${id}/moves`, { move, ply }),
  takeback: (id: string, ply: number) => call<Game>('POST', `/games/${id}/takeback`, { ply }),
  resign: (id: string, ply: number) => call<Game>('POST', `/games/${id}/resign`, { ply }),
}

/** Follows the changes of a game until the returned function is called. */
export function follow(id: string, changed: (g: Game) => void, lost: (gone: boolean) => void): () => void {
  const source = new EventSource(`/api/games/${id}/events`)
  source.addEventListener('game', (e) => changed(JSON.parse((e as MessageEvent).data)))
  source.addEventListener('gone', () => {
    source.close()
    lost(true)
  })
  source.onerror = () => lost(false) // the browser tries again by itself
  return () => source.close()
}

export interface Listener {
  queued?: (q: Queued) => void
  lines: (l: Lines) => void
  done: (d: Done) => void
}

/** Analyses a position until the returned function is called, which stops the search. */
export function analyse(p: Place, o: { player: string; lines: number; seconds: number }, to: Listener): () => void {
  const source = new EventSource('/api/analysis' + query({ ...at(p), ...o }))
  source.addEventListener('queued', (e) => to.queued?.(JSON.parse((e as MessageEvent).data)))
  source.addEventListener('lines', (e) => to.lines(JSON.parse((e as MessageEvent).data)))
  source.addEventListener('done', (e) => {
    source.close()
    to.done(JSON.parse((e as MessageEvent).data))
  })
  source.onerror = () => {
    source.close() // a search that ended is not begun again by itself
    to.done({ reason: 'error' })
  }
  return () => source.close()
}
