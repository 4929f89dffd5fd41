// SPDX-License-Identifier: Apache-2.0
// The address of the page is its state: reload and back keep what one sees.

export interface Route {
  path: string
  query: URLSearchParams
}

const here = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) })

export const route = $state({ at: here() })

addEventListener('popstate', () => (route.at = here()))

/** Goes to an address of this page; replace leaves no step in the history. */
export function go(to: string, replace = false) {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
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
    else go(a.pathname + a.search)
  }
  node.addEventListener('click', click)
  return { destroy: () => node.removeEventListener('click', click) }
}
