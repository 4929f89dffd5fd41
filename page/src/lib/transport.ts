// SPDX-License-Identifier: Apache-2.0
// Who answers the page: a server, or where there is none the engine in this browser (local.ts).

/** Whether this page has no server: its index.html says so. */
export const local = document.querySelector('meta[name="krow"]')?.getAttribute('content') === 'local'

/** What the page needs of an EventSource. */
export interface Events {
  addEventListener(name: string, hear: (e: Event) => void): void
  onerror: ((e: Event) => void) | null
  readonly readyState: number
  close(): void
}

export const transport = {
  fetch: (path: string, init?: RequestInit): Promise<Response> => fetch('/api' + path, init),
  events: (path: string): Events => new EventSource('/api' + path),
}
