// SPDX-License-Identifier: Apache-2.0
// The interface of the server for the lab, matches, learning and studies: the pages that come when asked for.
import { away } from './away.svelte'
import { at, call, query, type Place } from './api'

/** A node of a search that was written down; scores are in thousandths, beyond 2^52 won and lost games. */
export interface LabNode {
  parent: number
  move?: string
  cell: number
  max: boolean
  alpha?: number
  beta?: number
  value: number
  end?: 'win' | 'loss' | 'draw' | 'horizon'
  cut?: number
  left: number
  best: number
}

export interface Tree {
  nodes: LabNode[]
  visited: number
  leaves: number
  cuts: number
  complete: boolean
  best?: string
}

export interface Work {
  state: 'waiting' | 'running' | 'stopped' | 'failed'
  note?: string
  error?: string
}

export interface MatchSpec {
  game: string
  players: string[]
  games: number
  plies: number
  millis: number
  seed: number
}

export interface MatchItem {
  id: number
  spec: MatchSpec
  played: number
  games: number
  done: boolean
  work: Work
  updated: string
}

export interface Meeting {
  a: string
  b: string
  games: number
  a_wins: number
  draws: number
  b_wins: number
  elo: number
  elo_error: number
  los: number
}

export interface Rating {
  name: string
  games: number
  score: number
  elo: number
  low: number
  high: number
}

export interface Replayed {
  number: number
  first: string
  second: string
  moves: string
  outcome: string
  reason: string
}

/** Whose a run or a match is, and who may look at it. */
export interface Shown {
  owner: number
  visibility: 'private' | 'link' | 'public'
}

export interface Match extends Omit<MatchItem, 'updated'>, Shown {
  pairs: Meeting[]
  ratings: Rating[]
  latest: Replayed[]
}

export interface LearnSpec {
  learner: string
  game: string
  seed: number
}

export interface Block {
  kind: 'heading' | 'text' | 'code' | 'list' | 'table' | 'grid' | 'curves' | 'intervals'
  level?: number
  text?: string
  items?: string[]
  table?: { caption: string; columns: string[]; rows: string[][] | null }
  grid?: Grid
  curves?: { caption: string; x: string; y: string; series: Series[] | null }
  intervals?: { caption: string; axis: string; items: { name: string; value: number; low: number; high: number }[] | null }
}

export interface Grid {
  caption: string
  rows: string[]
  columns: string[]
  cells: { text: string; tone: number }[][]
  tones: string[]
}

export interface Series {
  name: string
  x: number[]
  y: number[]
}

export interface Report {
  title: string
  made?: string
  /** Processor time, and whose; small is that of the study in small. */
  cost?: { seconds: number; small?: number; machine: string }
  blocks: Block[]
}

export interface StudyItem {
  name: string
  doc: string
  cite?: string
  /** Of the report that came with krow: when and by which build. */
  made?: string
  /** Ways to read the experiment, the default first. */
  readings: { name: string; doc: string }[]
  work: Work
  small: Work
}

/** A study as it is run: in small or whole, in one of its readings. */
export interface StudyRun {
  name: string
  reading: string
  small: boolean
}

/** What an empty board is worth to the side that moves first, and what it took to prove it. */
export interface Value {
  game: string
  value: 'win' | 'draw' | 'loss'
  plies?: number
  nodes: number
  hash: string
  solve_s: number
  check_s: number
  steps: number
  bytes: number
  sha256: string
  published?: string
}

export const studyPath = (s: StudyRun, verb = '') => `/studies/${s.name}${verb}` + query({ reading: s.reading || undefined, small: s.small ? 'true' : undefined })

export const lab = {
  tree: (p: Place, o: { search: string; heuristic: string; depth: number; order: boolean; limit?: number }) =>
    call<Tree>('GET', '/lab' + query({ ...at(p), ...o, order: o.order ? 'true' : undefined })),

  matches: () => call<{ matches: MatchItem[] }>('GET', '/matches'),
  startMatch: (m: MatchSpec) => call<Match>('POST', '/matches', m),
  match: (id: number) => call<Match>('GET', `/matches/${id}`),
  stopMatch: (id: number) => call<Match>('POST', `/matches/${id}/stop`),
  forgetMatch: (id: number) => call<void>('DELETE', `/matches/${id}`),

  values: () => call<{ values: Value[] }>('GET', '/values'),
  studies: () => call<{ studies: StudyItem[]; values: number }>('GET', '/studies'),
  report: (s: StudyRun) => call<Report>('GET', studyPath(s)),
  startStudy: (s: StudyRun) => call<Work>('POST', studyPath(s, '/start')),
  stopStudy: (s: StudyRun) => call<Work>('POST', studyPath(s, '/stop')),
}

/**
 * Follows a stream of the server until the returned function is called. A stream that ends does not begin again, but an
 * effect that returns listen begins another when a server that was away is back.
 */
export function listen(path: string, to: Record<string, (data: never) => void>, ended?: () => void): () => void {
  void away.back
  const source = new EventSource('/api' + path)
  for (const [name, f] of Object.entries(to)) {
    source.addEventListener(name, (e) => f(JSON.parse((e as MessageEvent).data) as never))
  }
  source.onerror = () => {
    source.close()
    ended?.()
  }
  return () => source.close()
}

export interface RunItem extends LearnSpec, Shown {
  id: number
  step: number
  steps: number
  done: boolean
  work: Work
  updated: string
}

export interface Run extends RunItem {
  curve: { step: number; games: number; values: Record<string, number> }[]
  /** Steps after which what was learned is kept. */
  rungs: number[]
  colony?: Colony
}

/** A bred generation, the best first. */
export interface Colony {
  traits: string[]
  members: { player: string; fitness: number; born: number; weights: number[] }[]
  size: number
}

export const learning = {
  runs: () => call<{ runs: RunItem[] }>('GET', '/runs'),
  run: (id: number) => call<Run>('GET', `/runs/${id}`),
  start: (l: LearnSpec) => call<Run>('POST', '/runs', { learner: l.learner, game: l.game, seed: l.seed }),
  stop: (id: number) => call<Run>('POST', `/runs/${id}/stop`),
  forget: (id: number) => call<void>('DELETE', `/runs/${id}`),
}
