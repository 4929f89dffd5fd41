// SPDX-License-Identifier: Apache-2.0
// What a page without a server keeps in this browser: games by game/ID, bots by bot/NAME, certificates by proof/ID as data URLs,
// collections of games by collection/NAME, and the training with puzzles.

const done = <T>(r: IDBRequest<T>): Promise<T> =>
  new Promise((take, fail) => {
    r.onsuccess = () => take(r.result)
    r.onerror = () => fail(r.error)
  })

let opened: Promise<IDBDatabase> | undefined
async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  opened ??= new Promise((take, fail) => {
    const r = indexedDB.open('krow', 1)
    r.onupgradeneeded = () => r.result.createObjectStore('kept')
    r.onsuccess = () => take(r.result)
    r.onerror = () => fail(r.error)
  })
  return (await opened).transaction('kept', mode).objectStore('kept')
}

export const get = async <T>(key: string): Promise<T | undefined> => done((await store('readonly')).get(key))
/** Changes what is kept, even when the page is closed right after. */
async function change<T>(write: (kept: IDBObjectStore) => IDBRequest<T>) {
  const kept = await store('readwrite')
  const request = write(kept)
  kept.transaction.commit() // otherwise the transaction would be aborted with the page
  await done(request)
}
export const set = (key: string, value: unknown) => change((kept) => kept.put(value, key))
export const forget = (key: string) => change((kept) => kept.delete(key))
const range = (prefix: string) => IDBKeyRange.bound(prefix, prefix + '\uffff')
/** Everything whose key begins so, and whether there is any. */
export const all = async <T>(prefix: string): Promise<T[]> => done((await store('readonly')).getAll(range(prefix)))
export const some = async (prefix: string) => (await done((await store('readonly')).count(range(prefix)))) > 0

/** The bytes of a file that is kept as a data URL. */
export const bytes = (url: string) => Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (c) => c.charCodeAt(0))

const format = 'krow site 1'
const mine = (key: string) => key === 'krow' || key.startsWith('krow.')

/** Everything as a file: games, training and settings. */
export async function exported(): Promise<Blob> {
  const s = await store('readonly')
  const [keys, values] = await Promise.all([done(s.getAllKeys()), done(s.getAll())])
  const kept = Object.fromEntries(keys.map((k, i) => [String(k), values[i]]))
  const settings = Object.fromEntries(Object.entries(localStorage).filter(([k]) => mine(k)))
  return new Blob([JSON.stringify({ format, kept, settings })], { type: 'application/json' })
}

/** What such a file contains. */
export async function saved(file: Blob): Promise<{ kept: Record<string, any>; settings: Record<string, unknown> }> {
  const all = JSON.parse(await file.text())
  if (all.format !== format) throw new Error('the file has another format')
  return all
}

export function takeSettings(settings: Record<string, unknown>) {
  for (const [key, value] of Object.entries(settings)) if (mine(key)) localStorage.setItem(key, String(value))
}

/** Takes in such a file: its games come to those that are here, its training and settings replace them. */
export async function imported(file: Blob): Promise<void> {
  const { kept, settings } = await saved(file)
  const s = await store('readwrite')
  await Promise.all(Object.entries(kept).map(([key, value]) => done(s.put(value, key))))
  takeSettings(settings)
}
