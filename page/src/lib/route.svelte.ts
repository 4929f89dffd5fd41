// SPDX-License-Identifier: Apache-2.0
// The address of the page is its state: reload and back keep what one sees.

import { local } from './transport'

export interface Route {
  path: string
  query: URLSearchParams
}

/** An address of the page as the browser has it. Where there is no server, one file has all of them: ?page=/analyze&game=... */
export function address(to: string): string {
  if (!local) return to
  const { pathname, searchParams, hash } = new URL(to, 'http://krow')
  return `?page=${pathname}${searchParams.size ? '&' + searchParams : ''}${hash}`
}

function routeOf(u: { pathname: string; search: string }): Route {
  const query = new URLSearchParams(u.search)
  if (!local) return { path: u.pathname, query }
  const path = query.get('page') ?? (u === location ? '/' : u.pathname)
  query.delete('page')
  return { path, query }
}
const here = () => routeOf(location)

export const route = $state({ at: here() })

addEventListener('popstate', () => (route.at = here()))

/** Goes to an address of this page; replace leaves no step in the history. */
export function go(to: string, replace = false) {
  if (replace) history.replaceState(null, '', address(to))
  else history.pushState(null, '', address(to))
  route.at = here()
  if (!replace) scrollTo(0, 0)
}

/** Goes to an address that is to come, unless the person has gone to another page meanwhile. */
export async function goOn(to: Promise<string>, replace = false) {
  const from = route.at.path
  const address = await to
  if (route.at.path === from) go(address, replace)
}

/** An action for the whole page: links to it are followed without a reload. */
export function links(node: HTMLElement) {
  const click = (e: MouseEvent) => {
    const a = (e.target as Element).closest('a')
    if (!a || e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return
    if (a.origin !== location.origin || a.target || a.hasAttribute('download') || a.pathname.startsWith('/openapi')) return
    e.preventDefault()
    if (a.hash && a.pathname === location.pathname) document.querySelector<HTMLElement>(a.hash)?.focus()
    else {
      const { path, query } = routeOf(a)
      go(path + (query.size ? '?' + query : ''))
    }
  }
  // A link that is opened in a tab of its own has the address that the browser needs.
  const press = (e: Event) => {
    const a = (e.target as Element).closest('a')
    const to = a?.getAttribute('href')
    if (local && to?.startsWith('/')) a!.setAttribute('href', address(to))
  }
  node.addEventListener('click', click)
  node.addEventListener('pointerdown', press)
  return {
    destroy() {
      node.removeEventListener('click', click)
      node.removeEventListener('pointerdown', press)
    },
  }
}
