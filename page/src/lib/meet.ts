// SPDX-License-Identifier: Apache-2.0
// The interface of the server for games between people.
import { maybe, t } from '../texts'
import { call, type Game } from './api'
import type { Clock as Limit, GameTerms as Conditions, Challenge, Entry, Lobby, News, Profile, PushKey, Rank, Spec as TournamentSpec, Subscription, Tournament } from './api.gen'
export type { Clock as Limit, GameTerms as Conditions, Challenge, Entry, Lobby, News, Profile, Rank, Spec as TournamentSpec, Tournament } from './api.gen'

export type Visibility = 'private' | 'link' | 'public'

export type Act = 'resign' | 'draw' | 'takeback' | 'decline' | 'abort' | 'rematch' | 'flag' | 'claim'

export const meet = {
  lobby: () => call<Lobby>('GET', '/lobby'),
  offer: (name: string, terms: Conditions, listed: boolean, invited = 0) => call<Challenge>('POST', '/challenges', { name, terms, listed, invited }),
  pushKey: () => call<PushKey>('GET', '/club/push'),
  subscribe: (to: Subscription) => call<void>('POST', '/club/push', to),
  news: () => call<News>('GET', '/news'),
  profile: (member: number, skip = 0) => call<Profile>('GET', `/people/${member}?skip=${skip}`),
  show: (thing: string, visibility: Visibility) => call<void>('POST', `/${thing}/visibility`, { visibility }),
  find: (id: string) => call<Challenge>('GET', `/challenges/${id}`),
  withdraw: (id: string) => call<void>('DELETE', `/challenges/${id}`),
  accept: (id: string, name: string) => call<Game>('POST', `/challenges/${id}/accept`, { name }),
  ranks: (game: string, speed: string) => call<Rank[]>('GET', '/ratings?' + new URLSearchParams({ game, speed })),
  act: (id: string, act: Act, ply: number) => call<Game>('POST', `/games/${id}/act`, { do: act, ply }),
  say: (id: string, phrase: string, ply: number) => call<Game>('POST', `/games/${id}/say`, { phrase, ply }),
  answer: (id: string, answered: number, answer: string) => call<Game>('POST', `/games/${id}/opening`, { answered, answer }),
  tournaments: () => call<Entry[]>('GET', '/tournaments'),
  tournament: (id: number) => call<Tournament>('GET', `/tournaments/${id}`),
  makeTournament: (name: string, terms: TournamentSpec) => call<Tournament>('POST', '/tournaments', { by: { name }, terms }),
  forgetTournament: (id: number) => call<void>('DELETE', `/tournaments/${id}`),
  take: (id: number, act: 'join' | 'leave' | 'begin', name: string) => call<Tournament>('POST', `/tournaments/${id}`, { do: act, name }),
}

/** The clocks that can be chosen, by what they are called in a form. */
export const limits: Record<string, Limit | undefined> = {
  '1+0': { seconds: 60 },
  '3+2': { seconds: 180, increment: 2 },
  '5+0': { seconds: 300 },
  '10+5': { seconds: 600, increment: 5 },
  '30+10': { seconds: 1800, increment: 10 },
  '15s': { turn: 15 },
  '60s': { turn: 60 },
  '1d': { turn: 86400 },
  '3d': { turn: 3 * 86400 },
  '7d': { turn: 7 * 86400 },
  none: undefined,
}

/** A clock in words: 5+3, 1 day a move. */
export function limitName(l?: Limit): string {
  if (l?.turn) return l.turn >= 86400 ? maybe('meet.days.' + l.turn / 86400, `${l.turn / 86400} d`) : t('meet.perMove', { n: l.turn })
  if (!l?.seconds) return t('meet.clock.none')
  const minutes = l.seconds / 60
  return `${Number.isInteger(minutes) ? minutes : l.seconds + 's'}+${l.increment ?? 0}`
}

/** The name that a guest was last called by. */
export const guest = {
  get: () => localStorage.getItem('krow.name') ?? '',
  set: (name: string) => localStorage.setItem('krow.name', name),
}
