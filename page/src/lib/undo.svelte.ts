// SPDX-License-Identifier: Apache-2.0
// Deleting can be taken back: what is deleted leaves the page at once, and the server ten seconds later.

interface Deletion {
  /** What is deleted, as "game 7". */
  key: string
  text: string
  act: () => Promise<unknown>
  timer: ReturnType<typeof setTimeout>
  /** It is deleted. The page hides it a while longer: lists that were asked for before may come late. */
  done?: boolean
}

const patience = 10_000

export const deletions = $state({
  list: [] as Deletion[],
  failed: '',
  /** How many have been carried out: an effect that lists things asks again. */
  done: 0,
})

/** Whether something is deleted, as far as the page tells. */
export const deleted = (key: string) => deletions.list.some((d) => d.key === key)

/** Deletes in ten seconds, unless it is taken back. */
export function remove(key: string, text: string, act: () => Promise<unknown>) {
  if (deleted(key)) return
  deletions.failed = ''
  deletions.list.push({ key, text, act, timer: setTimeout(() => void carryOut(key), patience) })
}

export function takeBack(key: string) {
  const d = deletions.list.find((d) => d.key === key)
  if (d) clearTimeout(d.timer)
  deletions.list = deletions.list.filter((d) => d.key !== key)
}

async function carryOut(key: string) {
  const d = deletions.list.find((d) => d.key === key)
  if (!d || d.done) return
  try {
    await d.act()
    d.done = true
    d.timer = setTimeout(() => takeBack(key), patience)
    deletions.done++
  } catch (e) {
    deletions.failed = (e as Error).message
    takeBack(key)
  }
}

// Who closes the page meant it.
addEventListener('pagehide', () => {
  for (const d of deletions.list) void carryOut(d.key)
})
