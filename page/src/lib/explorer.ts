// SPDX-License-Identifier: Apache-2.0
// The interface of the server for collections of games.
import { ask, at, call, query, type Place } from './api'
import type { Results, Explored, Collection, Collecting } from './api.gen'
export type { Results, Explored, ExploredGame, Collection, Collecting } from './api.gen'

/** Which games count. */
export interface Filter {
  collections?: number
  player?: string
  result?: string
  from?: number
  until?: number
}

export const explore = (p: Place, f: Filter = {}) => call<Explored>('GET', '/explorer' + query({ ...at(p), ...f }))
export const collections = () => call<Collection[]>('GET', '/explorer/collections')
export const forgetCollection = (id: number) => call<void>('DELETE', `/explorer/collections/${id}`)

export const all = (r: Results) => r.first + r.drawn + r.second + r.unknown

/** Sends a file of games; told hears how far it is, line by line. */
export async function collect(file: File, to: string, game: string, told: (c: Collecting) => void): Promise<void> {
  const answer = await ask('/explorer/import' + query({ name: file.name, to, game }), {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: '', done: true })) // a server that went away
    const lines = (rest + (value ?? '')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line) told(JSON.parse(line))
    if (done) return
  }
}
