// SPDX-License-Identifier: Apache-2.0
// The interface of the server, as /openapi.json describes it. Nothing else asks transport.
import { maybe, t } from '../texts'
import type { Chapter } from './study.svelte'
import type { Node } from './tree'
import { refused, unanswered } from './away.svelte'
import { transport, type Events } from './transport'
import { prove } from './proof.svelte'
import type { Board, Listed, Game, Clock as Limit, LearnerForm, Listing, Opponent, Lines, Queued, Done, SolvedLine as Solution, SolvedMove, Certificate, Overlay, Step, Judgement, LevelPlayed, StudyBoard, StudyView } from './api.gen'
export type { StudyBoard, StudyView, Board, Listed, Game, Offers, Between, ClockView as Clock, Family, Option, LearnerForm, Item, Listing, Opponent, Info, Candidate, Lines, Queued, Done, SolvedLine as Solution, SolvedMove, Certificate, Overlay, Point, Step, Judgement, LevelPlayed } from './api.gen'

export type Side = 'first' | 'second'
export type Outcome = 'ongoing' | 'first wins' | 'second wins' | 'draw' | 'aborted'
export type Look = 'points' | 'squares' | 'falling' | 'nested'

export type Format = 'sgf' | 'psq' | 'text' | 'board'

/** A position: a game, where it starts, and the moves since. */
export interface Place {
  game: string
  start?: string
  moves: string[]
}

/** What the server says of a request that it refused. */
export interface Document {
  code?: string
  detail?: string
  what?: string
}

/** What went wrong, in the language of the page. */
export function words(d: Document): string {
  const key = 'problem.' + (d.code ?? 'refused')
  const values = { detail: d.detail ?? '', what: d.what ?? '' }
  return (d.what && maybe(key + '.what', '', values)) || maybe(key, d.detail || t('error.title'), values)
}

/** A request that the server refused. */
export class Problem extends Error {
  readonly code: string
  constructor(
    readonly status: number,
    d: Document,
  ) {
    super(words(d))
    this.code = d.code ?? ''
  }
}

/** A request that the server did not answer. */
export class Unanswered extends Error {
  constructor() {
    super(t('error.away'))
  }
}

/** Asks the server; where it does not answer, that is the error. */
export async function ask(path: string, init?: RequestInit): Promise<Response> {
  const answer = await transport.fetch(path, init).catch((e) => {
    if (init?.signal?.aborted) throw e
    unanswered()
    throw new Unanswered()
  })
  if (answer.ok) return answer
  const problem = new Problem(answer.status, await answer.json().catch(() => ({})))
  if (problem.code === 'log-in-again') {
    await prove(problem)
    return ask(path, init)
  }
  if ((answer.status === 401 || answer.status === 403) && !path.startsWith('/club')) refused()
  throw problem
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ask(path, {
    method,
    keepalive: method === 'DELETE', // also from a page that closes
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return answer.status === 204 ? (undefined as T) : answer.json()
}

export const text = async (path: string): Promise<string> => (await ask(path)).text()

export function query(values: Record<string, string | number | undefined>): string {
  const q = new URLSearchParams()
  for (const [k, v] of Object.entries(values)) if (v !== undefined && v !== '') q.set(k, String(v))
  return '?' + q
}

export const at = (p: Place) => ({ game: p.game, start: p.start, moves: p.moves.join(' ') })

/** A tree as the server takes it. */
const plain = (tree: Node) => JSON.stringify(tree, (key, value) => (key === 'names' || key === 'drawn' ? undefined : value))

export const api = {
  listing: () => call<Listing>('GET', '/catalog'),
  opponents: (game: string) => call<{ opponents: Opponent[] }>('GET', '/opponents' + query({ game })),
  heuristics: (game: string) => call<{ heuristics: string[] }>('GET', '/heuristics' + query({ game })),
  learners: (game: string) => call<{ learners: LearnerForm[] }>('GET', '/learners' + query({ game })),
  position: (p: Place) => call<Board>('GET', '/position' + query(at(p))),
  overlay: (p: Place, heuristic?: string) => call<Overlay>('GET', '/overlay' + query({ ...at(p), heuristic })),
  line: (p: Place, line: string[], makes = false) =>
    call<{ steps: Step[] }>('GET', '/line' + query({ ...at(p), line: line.join(' '), makes: makes ? 'true' : undefined })),
  setup: (p: { game: string; stones: string; turn?: Side; captured?: string }) => call<{ start: string; board: Board }>('POST', '/setup', p),
  export: (p: Place, format: Format) => text('/export' + query({ ...at(p), format })),
  import: (text: string, game?: string) => call<Place>('POST', '/import', { text, game }),
  /** The bytes of a RenLib library of a tree. */
  library: async (game: string, tree: Node) =>
    (await ask('/library' + query({ game }), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: plain(tree) })).blob(),
  /** An HTML file of a tree that needs no server. */
  page: async (p: Place, tree: Node) =>
    (await ask('/page' + query({ game: p.game, start: p.start }), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: plain(tree) })).blob(),
  readLibrary: async (file: File, game: string): Promise<Place & { tree: Node; cut: number }> =>
    (await ask('/library/read' + query({ game }), { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file })).json(),
  studies: () => call<StudyView[]>('GET', '/studies'),
  study: (id: string) => call<StudyView>('GET', `/studies/${id}`),
  newStudy: (s: { name: string; chapters: Chapter[] }) => call<StudyView>('POST', '/studies', s),
  saveStudy: (id: string, s: { name: string; chapters: Chapter[]; version: number }) => call<StudyView>('PUT', `/studies/${id}`, s),
  showBoard: (id: string, b: StudyBoard) => call<void>('PUT', `/studies/${id}/board`, b),
  playOnBoard: (id: string, moves: string[], move: string) => call<void>('POST', `/studies/${id}/moves`, { moves, move }),
  forgetStudy: (id: string) => call<void>('DELETE', `/studies/${id}`),
  newGame: (g: { game: string; start?: string; moves?: string; first: string; second: string; clock?: Limit }) =>
    call<Game>('POST', '/games', g),
  games: (skip = 0, limit?: number) => call<{ games: Listed[]; more: boolean }>('GET', '/games' + query({ skip: skip || undefined, limit })),
  game: (id: string) => call<Game>('GET', `/games/${id}`),
  forget: (id: string) => call<void>('DELETE', `/games/${id}`),
  move: (id: string, move: string, ply: number, lag?: number) => call<Game>('POST', `/games/${id}/moves`, { move, ply, lag }),
}

/** Follows the changes of a game until the returned function is called. */
export function follow(id: string, changed: (g: Game) => void, lost: (gone: boolean) => void): () => void {
  let source: Events
  let again = 0
  const open = () => {
    source = transport.events(`/games/${id}/events`)
    source.addEventListener('game', (e) => changed(JSON.parse((e as MessageEvent).data)))
    source.addEventListener('gone', () => {
      source.close()
      lost(true)
    })
    source.onerror = () => {
      lost(false)
      // The browser tries again by itself, unless it was told to go away, as where too many pages are open.
      if (source.readyState !== EventSource.CLOSED) return
      refused()
      again = setTimeout(open, 5000)
    }
  }
  open()
  return () => {
    clearTimeout(again)
    source.close()
  }
}

export interface Listener {
  queued?: (q: Queued) => void
  lines: (l: Lines) => void
  done: (d: Done) => void
}

/** Listens to a stream that ends with the event done, until that or until the returned function is called. */
function listen(path: string, done: (d: Done) => void, to: Record<string, ((data: never) => void) | undefined>): () => void {
  const source = transport.events(path)
  for (const [name, hear] of Object.entries(to)) source.addEventListener(name, (e) => hear?.(JSON.parse((e as MessageEvent).data) as never))
  source.addEventListener('done', (e) => {
    source.close()
    done(JSON.parse((e as MessageEvent).data))
  })
  source.onerror = () => {
    source.close() // work that ended is not begun again by itself
    done({ reason: 'error' })
  }
  return () => source.close()
}

/** Analyses a position until the returned function is called, which stops the search. */
export function analyse(p: Place, o: { player: string; lines: number; seconds: number }, { done, ...to }: Listener): () => void {
  return listen('/analysis' + query({ ...at(p), ...o }), done, to)
}

/** Judges each position of a game, the last one first, until the returned function is called. */
export function review(p: Place, o: { player: string; millis: number }, to: { queued?: (q: Queued) => void; judged: (j: Judgement) => void; levels: (l: { levels: LevelPlayed[] }) => void; done: (d: Done) => void }): () => void {
  return listen('/review' + query({ ...at(p), ...o }), to.done, { queued: to.queued, judgement: to.judged, levels: to.levels })
}

export interface SolveListener {
  queued: (q: Queued) => void
  solution: (s: Solution) => void
  move: (m: SolvedMove) => void
  certificate: (c: Certificate) => void
  done: (d: Done) => void
}

/** Solves a position until the returned function is called; hash is the size of the table in MB. */
export function solve(p: Place, o: { seconds: number; hash: number }, { done, ...to }: SolveListener): () => void {
  return listen('/solve' + query({ ...at(p), ...o }), done, to)
}
