// SPDX-License-Identifier: Apache-2.0
// The workshop: the interface of the server for bots.
import { ask, at, call, Problem, query, type Board, type Outcome, type Place, type Side } from '../lib/api'
import type { Painted } from '../lib/painted'

export type Kind = 'starlark' | 'wasm'

/** A name that a bot can use: position.moves, with its signature and what it does. */
export interface Word {
  name: string
  signature: string
  doc: string
}

export interface Example {
  name: string
  title: string
  game: string
  text: string
}

export interface Lesson {
  title: string
  game: string
  against: string
  text: string
  start: string
  finished: string
}

export interface Shelf {
  interface: Word[]
  examples: Example[]
  lessons: Lesson[]
}

export interface Fault {
  line?: number
  column?: number
  text: string
}

export interface Bot {
  name: string
  kind: Kind
  published: number
  latest: number
  updated: string
}

/** A bot that is a program on its author's machine. */
export interface Away {
  name: string
  connected: boolean
  created: string
}

export interface Version {
  version: number
  size: number
  published: boolean
  at: string
}

/** A test in the source of a bot: in a position it must play one of the moves. */
export interface Tested {
  line: number
  game: string
  moves: string
  want: string[]
  played?: string
  passed: boolean
  error?: string
}

/** What a bot printed or drew while it thought, or the end of that. */
export interface Said {
  text?: string
  marks?: Painted[]
  move?: string
  fault?: Fault
  steps?: number
}

/** A move of a game that is tried; board is after it. */
export interface TrialMove {
  ply: number
  move: string
  bot: boolean
  micros: number
  steps?: number
  lines?: Said[]
  board: Board
}

export interface TrialEnd {
  outcome: Outcome
  reason?: string
  bot?: boolean
  lines?: Said[]
}

/** A line of the answer to a trial. */
export interface TrialLine {
  queued?: { place: number; seconds: number }
  move?: TrialMove
  end?: TrialEnd
  error?: string
}

export interface Trial extends Place {
  name: string
  /** Of a module that is stored; a source is sent as it is. */
  version?: number
  source?: string
  side: Side
  opponent: string
  seed: number
}

export const maxModule = 16 << 20

export const workshop = {
  shelf: () => call<Shelf>('GET', '/workshop'),
  check: (source: string) => call<{ faults: Fault[] }>('POST', '/workshop/check', { source }),
  test: (name: string, source: string) => call<{ tests: Tested[] }>('POST', '/workshop/test', { name, source }),
  bots: () => call<{ bots: Bot[] }>('GET', '/bots'),
  bot: (name: string) => call<{ bot: Bot; versions: Version[] }>('GET', `/bots/${name}`),
  source: (name: string, version: number) => call<{ version: number; source: string }>('GET', `/bots/${name}/source` + query({ version })),
  save: (name: string, source: string) => call<{ version: number }>('POST', `/bots/${name}`, { source }),
  publish: (name: string, version: number) => call<Bot>('POST', `/bots/${name}/publish`, { version }),
  forget: (name: string) => call<void>('DELETE', `/bots/${name}`),
  away: () => call<{ bots: Away[] }>('GET', '/away'),
  token: (name: string) => call<{ token: string }>('POST', `/away/${name}/token`),
  forgetAway: (name: string) => call<void>('DELETE', `/away/${name}`),
}

/** Keeps a WebAssembly module as the newest version of a bot. */
export async function upload(name: string, file: File): Promise<{ version: number }> {
  if (file.size > maxModule) throw new Problem(413, { code: 'too-large' })
  return (await ask(`/bots/${name}/module`, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file })).json()
}

/** Plays a game with a bot until the returned function is called; told hears every move. */
export function play(trial: Trial, told: (line: TrialLine) => void): () => void {
  const stop = new AbortController()
  const { start, game, moves, ...rest } = trial
  void (async () => {
    const answer = await ask('/workshop/try', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ...at({ game, start, moves }), ...rest }), signal: stop.signal,
    })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let part = ''
    for (let ended = false; !ended; ) {
      const { value, done } = await reader.read()
      const lines = (part + (value ?? '')).split('\n')
      part = lines.pop() ?? ''
      for (const line of lines) if (line) told(JSON.parse(line))
      ended = done
    }
  })().catch((e) => stop.signal.aborted || told({ error: (e as Error).message }))
  return () => stop.abort()
}

/** The names that bots may have. */
export const named = /^[A-Za-z0-9_-]{1,40}$/
