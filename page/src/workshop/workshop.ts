// SPDX-License-Identifier: Apache-2.0
// The workshop: the interface of the server for bots.
import { ask, at, call, Problem, query, type Place, type Side } from '../lib/api'
import type { Workshop as Shelf, Fault, Bot, Away, BotVersion as Version, BotResults as Results, Tested, Tried as TrialLine } from '../lib/api.gen'
export type { Word, Example, Lesson, Workshop as Shelf, Fault, Bot, Away, BotVersion as Version, BotResults as Results, Tested, Line as Said, TrialMove, TrialEnd, Tried as TrialLine } from '../lib/api.gen'

export type Kind = 'starlark' | 'wasm'

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
  check: (source: string) => call<Fault[]>('POST', '/workshop/check', { source }),
  test: (name: string, source: string) => call<Tested[]>('POST', '/workshop/test', { name, source }),
  bots: () => call<Bot[]>('GET', '/bots'),
  bot: (name: string) => call<{ bot: Bot; versions: Version[] }>('GET', `/bots/${name}`),
  results: (name: string) => call<Results[]>('GET', `/bots/${name}/results`),
  source: (name: string, version: number) => call<{ version: number; source: string }>('GET', `/bots/${name}/source` + query({ version })),
  save: (name: string, source: string) => call<{ version: number }>('POST', `/bots/${name}`, { source }),
  publish: (name: string, version: number) => call<Bot>('POST', `/bots/${name}/publish`, { version }),
  forget: (name: string) => call<void>('DELETE', `/bots/${name}`),
  away: () => call<Away[]>('GET', '/away'),
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

/** A parameter that a source declares by literals: its name, and the number at the end of the match. */
const declared = /\bparam\(\s*(["'])(\w+)\1\s*,\s*(?:default\s*=\s*)?(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/g

/** The parameters that a source declares by literals, and their values. */
export const parameters = (source: string): Record<string, number> => Object.fromEntries([...source.matchAll(declared)].map((m) => [m[2], Number(m[3])]))

/** The source with other values of these parameters. */
export const withParameters = (source: string, values: Record<string, number>): string =>
  source.replace(declared, (all, _, name, value) => (values[name] === undefined || values[name] === Number(value) ? all : all.slice(0, -value.length) + values[name]))
