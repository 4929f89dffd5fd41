// SPDX-License-Identifier: Apache-2.0
// Whether the server answers. While it does not, it is asked again every three seconds.

const pause = 3000

export const away = $state({
  /** The server did not answer the last request. */
  now: false,
  /** How often it has come back. */
  back: 0,
  /** How often it has refused a request because of who asks. */
  refused: 0,
})

let timer: ReturnType<typeof setTimeout>

/** A request went without an answer. */
export function unanswered() {
  if (away.now) return
  away.now = true
  timer = setTimeout(retry, pause)
}

/** A request was refused because of who asks: the session may be over. */
export const refused = () => void away.refused++

/** Asks whether the server is back. */
export async function retry() {
  clearTimeout(timer)
  const answers = await fetch('/healthz', { cache: 'no-store' }).then((r) => r.ok, () => false)
  if (!away.now) return
  if (answers) {
    away.now = false
    away.back++
  } else timer = setTimeout(retry, pause)
}
