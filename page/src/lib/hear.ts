// SPDX-License-Identifier: Apache-2.0
// Answers of the server come in any order, and sometimes not at all. An effect that returns hear or poll hears the answer
// to its last question only, and asks again when a server that was away is back.
import { Unanswered } from './api'
import { away } from './away.svelte'

/** Asks, after a wait if there is one, and hands the answer on, unless the returned function was called before it came. */
export function hear<T>(ask: () => Promise<T>, take: (answer: T) => void, failed: (e: Error) => void = () => {}, wait = 0): () => void {
  void away.back
  let on = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const now = () =>
    void ask().then(
      (answer) => on && take(answer),
      (e) => on && !(e instanceof Unanswered) && failed(e), // a server that is away says so for the whole page
    )
  if (wait) timer = setTimeout(now, wait)
  else now()
  return () => {
    on = false
    clearTimeout(timer)
  }
}

/** Asks, and asks again some time after each answer while the page is in front, until the returned function is called. */
export function poll<T>(ask: () => Promise<T>, take: (answer: T) => void, failed: (e: Error) => void, pause: number): () => void {
  let on = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = () => {}
  const later = () => void (on && (timer = setTimeout(() => (document.hidden ? later() : now()), pause)))
  const now = () => void (stop = hear(() => ask().finally(later), take, failed))
  now()
  return () => {
    on = false
    stop()
    clearTimeout(timer)
  }
}
