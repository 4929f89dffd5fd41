// SPDX-License-Identifier: Apache-2.0
// Who uses the page, and what the server says about members.
import { call, query, text } from './api'
import { route } from './route.svelte'
import { browserName, make, sign, type Ceremony } from './passkeys'
import type { Me, Member, Session, Passkey, MemberLink as Invitation, Deed, PupilProgress } from './api.gen'
export type { Me, Member, Session, Passkey, MemberLink as Invitation, Deed, PupilProgress } from './api.gen'

export type Role = 'nobody' | 'watcher' | 'guest' | 'member' | 'organiser' | 'owner'

export const me: Me & { known: boolean; over: string } = $state({ known: false, over: '', club: false, member: 0, name: '', role: 'nobody', passkeys: 'insecure' })

const now = (m: Me, over = '') => void Object.assign(me, { banned: undefined }, m, { known: true, over })

/** Asks who uses the page. Where a session has ended meanwhile, or its member is banned, over is the path of the page. */
export async function look() {
  const m = await call<Me>('GET', '/club')
  now(m, m.member ? '' : me.member || m.banned ? route.at.path : me.over)
}

export const club = {
  login: async (name: string, password: string, code = '') => now(await call<Me>('POST', '/club/login', { name, password, code })),
  logout: async () => now(await call<Me>('POST', '/club/logout')),
  link: (link: string) => call<{ name: string; new?: boolean }>('POST', '/club/link', { link }),
  join: async (link: string, name: string, password: string) => now(await call<Me>('POST', '/club/join', { link, name, password })),
  loginByPasskey: async () => now(await call<Me>('POST', '/club/login/passkey', await sign(await call<Ceremony>('POST', '/club/login/passkey/begin')))),
  joinByPasskey: async (link: string, name: string) => {
    const made = await make(await call<Ceremony>('POST', '/club/join/passkey/begin', { link, name }))
    now(await call<Me>('POST', '/club/join/passkey', { link, name, key: browserName(), ...made }))
  },
  passkeys: () => call<Passkey[]>('GET', '/club/passkeys'),
  addPasskey: async (key: string, password: string) => call<void>('POST', '/club/passkeys', { key, ...(await make(await call<Ceremony>('POST', '/club/passkeys/begin', { password }))) }),
  removePasskey: (id: string) => call<void>('DELETE', '/club/passkeys/' + id),
  sessions: () => call<Session[]>('GET', '/club/sessions'),
  endSession: (id: string) => call<void>('DELETE', '/club/sessions/' + id),
  password: (old: string, password: string) => call<void>('POST', '/club/password', { old, password }),
  newSecond: () => call<{ secret: string; picture: string }>('POST', '/club/second/begin'),
  setSecond: (secret: string, code = '') => call<void>('POST', '/club/second', { secret, code }),
  prove: (password: string) => call<void>('POST', '/club/prove', { password }),
  rename: (name: string) => call<void>('POST', '/club/name', { name }),
  exported: () => text('/club/export'),
  leave: (name: string) => call<void>('POST', '/club/leave', { name }),
  lessonDone: (lesson: string, done: number, steps: number) => call<void>('POST', '/lessons', { lesson, done, steps }),
  progress: () => call<PupilProgress[]>('GET', '/lessons'),
  members: () => call<Member[]>('GET', '/members'),
  invite: (role: string, note: string) => call<{ link: string }>('POST', '/invitations', { role, note }),
  invitations: () => call<Invitation[]>('GET', '/invitations'),
  takeBack: (id: string) => call<void>('DELETE', '/invitations/' + id),
  passwordLink: (id: number) => call<{ link: string }>('POST', `/members/${id}/link`),
  ban: (id: number, reason: string) => call<void>('POST', `/members/${id}/ban`, { reason }),
  role: (id: number, role: string) => call<void>('POST', `/members/${id}/role`, { role }),
  remove: (id: number) => call<void>('DELETE', `/members/${id}`),
  /** Deeds of organisers and owners, or what members did to their own accounts, before a line. */
  audit: (own: boolean, before = 0) => call<Deed[]>('GET', '/audit' + query({ own: String(own), before })),
}

/** Whether the one who uses the page is at least an organiser. */
export const organises = () => me.role === 'organiser' || me.role === 'owner'
