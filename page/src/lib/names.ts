// SPDX-License-Identifier: Apache-2.0
// What games, sides and players are called in the language of the page.
import { SvelteMap } from 'svelte/reactivity'
import { maybe, number, t } from '../texts'

export { count } from '../texts'
import { levelName, levelOf } from './levels'
import type { Board, Family, Listed, Look, Opponent, Side } from './api'

/** The usual name of a side: by the colour of its stones. */
export function sideName(b: Pick<Board, 'look'>, side: Side): string {
  const names: Record<Look, [string, string]> = {
    points: [t('side.black'), t('side.white')],
    squares: [t('side.x'), t('side.o')],
    nested: [t('side.x'), t('side.o')],
    falling: [t('side.red'), t('side.yellow')],
  }
  return names[b.look][side === 'first' ? 0 : 1]
}

/** What a spec says beside the name of its game, for people: 19 × 19, 4 in a row. */
export function variant(spec: string): string {
  const [name, ...args] = spec.split(':')
  const words = args.join(':').split(',').filter(Boolean)
  const square = (size: string) => `${size.split('x')[0]} × ${size.split('x')[1] ?? size}`
  if (name === 'mnk' && words.length === 3) return t('setup.mnk', { columns: words[0].replace('m=', ''), rows: words[1].replace('n=', ''), k: words[2].replace('k=', '') })
  return words
    .map((w) => {
      const [key, value] = w.split('=')
      if (!value && /^\d+(x\d+)?$/.test(key)) return square(key)
      if (key === 'size') return square(value)
      if (key === 'k') return t('setup.inRow', { k: value })
      return maybe('setup.' + w, w)
    })
    .join(', ')
}

/** A spec such as gomoku:19 for people. */
export function gameName(spec: string): string {
  const name = spec.split(':')[0]
  const rest = variant(spec)
  return maybe('game.' + name, name) + (rest ? ' ' + rest : '')
}

/** Games as people look for them; a game that is new here comes last. */
export function inOrder<F extends Pick<Family, 'name'>>(families: F[]): F[] {
  const order = ['gomoku', 'connect4', 'tictactoe', 'ultimate', 'renju', 'pente', 'caro', 'connect6', 'atarigo', 'standard', 'mnk']
  const place = (f: F) => (order.indexOf(f.name) + order.length) % order.length
  return [...families].sort((a, b) => place(a) - place(b))
}

export function rules(spec: string): string {
  return maybe('rules.' + spec.split(':')[0], '')
}

/** Why a move is forbidden, as the server says it, in the language of the page. */
export function foulName(why: string): string {
  return maybe('foul.' + why, why)
}

/** The opponents by their specs, as the server last told them: names on the page change with it. */
const known = new SvelteMap<string, string>([['human', 'human']])

export function remember(all: Opponent[]) {
  for (const o of all) known.set(o.player, o.name)
}

/** What a player is called: its name if it is one of the opponents, else its spec. */
export function playerName(spec: string): string {
  const learned = spec.match(/^run:(\d+),step=(\d+)(?:,member=(\d+))?$/)
  if (learned) return t(learned[3] ? 'opponent.member' : 'opponent.learned', { run: learned[1], step: learned[2], member: learned[3] ?? 1 })
  const changed = spec.match(/^(greedy:|minimax:depth=4,)eval=indicators\(change=/)
  if (changed) return t('opponent.changed', { name: playerName(changed[1].startsWith('greedy') ? 'greedy' : 'minimax:depth=4,eval=indicators') })
  const level = levelOf(spec)
  if (level) return `${levelName(level)} (${level})`
  const name = known.get(spec) ?? usual[spec]
  const time = spec.match(/^best:time=(\d+)(m?)s$/)
  if (time && !name) return `${t('opponent.best')}, ${number(Number(time[1]) / (time[2] ? 1000 : 1))} s`
  if (spec === 'best') return t('analyze.best')
  return name ? maybe('opponent.' + name, spec) : spec
}

/** The side of the reader in a game of a list: 0 or 1, or -1 where the reader plays both or none. */
export function ownSide(g: Pick<Listed, 'names' | 'you' | 'first' | 'second' | 'speed'>): number {
  if (g.speed) return g.you
  return (g.first === 'human') === (g.second === 'human') ? -1 : g.first === 'human' ? 0 : 1
}

/** What a player is called beside a board: a level by its name alone. */
export const shortName = (spec: string) => (levelOf(spec) ? levelName(levelOf(spec)) : playerName(spec))

/** What the player on a side is called, as the reader sees it. */
export const seatName = (g: Parameters<typeof ownSide>[0], side: number) => (ownSide(g) === side ? t('play.you') : g.names?.[side] || shortName(side ? g.second : g.first))

/** How strong a level is: its Elo above level 1. */
export const levelAbout = (o: Opponent) => (o.elo ? t('about.level', { elo: o.elo }) : t('about.firstLevel'))

// Those whose names are needed before anybody asked for the list.
const usual: Record<string, string> = {
  random: 'random',
  greedy: 'glance',
  rules: 'rules',
  'alphabeta:depth=4,eval=shevchenko': 'shevchenko',
  'minimax:depth=4,eval=indicators': 'indicators',
  'alphabeta:depth=4,eval=chua': 'chua',
  'alphabeta:depth=4,eval=brute': 'brute',
  'alphabeta:depth=4,eval=generic': 'threats',
  lines: 'lines',
  'mics:time=1s,weights=authors': 'mics',
  'mics:time=1s': 'deepened',
  'best:time=1s': 'best',
  'best:time=5s': 'patient',
  proof: 'proof',
}

/** A day in the reader's manner: of the browser's languages, the one that the page speaks. */
export const day = (iso: string, language: string) => date(iso, language, { dateStyle: 'medium' })
export const moment = (iso: string, language: string) => date(iso, language, { dateStyle: 'medium', timeStyle: 'short' })

function date(iso: string, language: string, o: Intl.DateTimeFormatOptions): string {
  const own = navigator.languages.find((l) => l.split('-')[0] === language) ?? language
  return new Intl.DateTimeFormat(own, o).format(new Date(iso))
}

/** A time that is left, as clocks show it: 4:05, 1:04:05. */
export function span(seconds: number): string {
  const s = Math.round(seconds)
  const pad = (n: number) => String(n).padStart(2, '0')
  return s < 3600 ? `${Math.floor(s / 60)}:${pad(s % 60)}` : `${Math.floor(s / 3600)}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}`
}

export function ago(iso: string, language: string): string {
  const s = (Date.now() - new Date(iso).getTime()) / 1000
  const f = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (s < 60) return f.format(-Math.round(s), 'second')
  if (s < 3600) return f.format(-Math.round(s / 60), 'minute')
  if (s < 86400) return f.format(-Math.round(s / 3600), 'hour')
  return f.format(-Math.round(s / 86400), 'day')
}
