// SPDX-License-Identifier: Apache-2.0
// What waits for the one who uses the page: challenges, and games to move in. It is asked for wherever that one is.
import { t } from '../texts'
import { away } from './away.svelte'
import { me } from './club.svelte'
import { meet, type News } from './meet'
import { gameName } from './names'
import { go, route } from './route.svelte'

const every = 15_000
const often = 2_000 // in a tournament
const wish = 'krow.tell' // where the browser keeps that somebody wants to be told outside the page

const state: { all: News; tell: boolean } = $state({ all: { challenges: [], turns: [] }, tell: localStorage.getItem(wish) === 'yes' })
let known = new Set<string>()

/** What waits, less the game that is on the screen. */
const waiting = () => [
  ...state.all.challenges.map((c) => ({ to: '/lobby/' + c.id, text: t('meet.offers', { name: c.by || t('meet.removed') }) + ': ' + gameName(c.terms.game) })),
  ...(state.all.tournament?.left && route.at.path !== '/tournaments/' + state.all.tournament.id ? [{ to: '/tournaments/' + state.all.tournament.id, text: t('cup.soon', { name: state.all.tournament.terms.name }) }] : []),
  ...state.all.turns.filter((g) => route.at.path !== '/play/' + g.id).map((g) => ({ to: '/play/' + g.id, text: t('meet.news') + ': ' + gameName(g.game) })),
]

export const news = {
  get waiting() {
    return waiting()
  },
  /** Whether the browser tells it when another page is in front. */
  get tells() {
    return state.tell && 'Notification' in window && Notification.permission === 'granted'
  },
  able: () => 'Notification' in window && window.isSecureContext && Notification.permission !== 'denied',
  async tell(on: boolean) {
    state.tell = on && (await Notification.requestPermission()) === 'granted'
    localStorage.setItem(wish, state.tell ? 'yes' : '')
    await subscribe()
  },
}

/** Whether the server can tell this browser of correspondence games while no page is open. */
export const pushable = () => me.club && me.member > 0 && 'serviceWorker' in navigator && 'PushManager' in window

/** Subscribes this browser at its push service if it is to be told, and otherwise ends that. A browser without a push service is
 * told only while a page is open. */
export async function subscribe() {
  if (!pushable()) return
  try {
    if (!news.tells) return await meet.subscribe({ endpoint: '' })
    await navigator.serviceWorker.register('/push.js?' + new URLSearchParams({ text: t('meet.news') }))
    const { pushManager } = await navigator.serviceWorker.ready
    const { key } = await meet.pushKey()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const { endpoint = '', keys } = subscription.toJSON()
    await meet.subscribe({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth })
  } catch (e) {
    console.warn(e)
  }
}

/** Takes the reader to a new game of a tournament, once: a reader who goes elsewhere afterwards stays there. */
export function call(game: string | undefined) {
  if (!game || document.hidden || sessionStorage.getItem('krow.called') === game) return
  sessionStorage.setItem('krow.called', game)
  if (route.at.path !== '/play/' + game) go('/play/' + game)
}

async function look() {
  if (away.now || !me.known || me.role === 'nobody') return
  const first = known.size === 0
  state.all = await meet.news().catch(() => state.all)
  call(state.all.called)
  const all = waiting()
  const fresh = all.filter((n) => !known.has(n.to + n.text))
  known = new Set([' ', ...all.map((n) => n.to + n.text)])
  if (!first && document.hidden && news.tells) for (const n of fresh.slice(0, 3)) new Notification('krow', { body: n.text, tag: n.to })
}

/** Asks again and again, and when the page comes to the front. Returns what ends that. */
export function follow() {
  let timer: ReturnType<typeof setTimeout>
  const later = () => {
    const inTournament = !!state.all.tournament
    timer = setTimeout(() => void (!document.hidden || news.tells || inTournament ? look() : Promise.resolve()).finally(later), inTournament ? often : every)
  }
  later()
  const seen = () => void (!document.hidden && look())
  document.addEventListener('visibilitychange', seen)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
  }
}

export { look }
