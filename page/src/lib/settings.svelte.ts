// SPDX-License-Identifier: Apache-2.0
// What a person prefers, kept in this browser.
import { languages, type Language } from '../texts/languages'
import { spoken } from '../texts/spoken.svelte'

export type Theme = 'auto' | 'light' | 'dark' | 'contrast'
export type Ground = 'wood' | 'slate' | 'paper'

/** The side that a score speaks for. */
export type View = 'turn' | 'first' | 'second' | 'leader'

interface Settings {
  theme: Theme
  language: Language
  confirm: boolean // a touch shows the stone, a second one plays it
  numbers: boolean
  ground: Ground // what boards are made of
  sound: boolean
  warn: boolean // a game against a program shows what it threatens
  // what the analysis shows on the board
  candidates: boolean
  threats: boolean
  values: boolean
  heuristic: string // whose values
  seconds: number // of an analysis; 0 until it is stopped
  view: View // whose score is told
  lessons: Record<string, number> // how many steps of each lesson are done
}

/** Whether the person points with a finger. */
export const touch = matchMedia('(pointer: coarse)').matches

function load(): Settings {
  const own = navigator.language.slice(0, 2)
  const usual: Settings = {
    theme: 'auto',
    language: own in languages ? (own as Language) : 'en',
    confirm: touch,
    numbers: false,
    ground: 'wood',
    sound: false,
    warn: false,
    candidates: true,
    threats: false,
    values: false,
    heuristic: 'mics',
    seconds: 10,
    view: 'turn',
    lessons: {},
  }
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem('krow') ?? '{}') }
  } catch {
    return usual
  }
}

export const settings = $state(load())

/** Keeps the settings and shows the theme; called in an effect. */
export function keep() {
  const root = document.documentElement
  root.lang = spoken.language === 'zh' ? 'zh-Hans' : spoken.language
  if (settings.theme === 'auto') delete root.dataset.theme
  else root.dataset.theme = settings.theme
  root.dataset.ground = settings.ground
  try {
    localStorage.setItem('krow', JSON.stringify(settings))
  } catch {
    // a browser that keeps nothing still plays
  }
}
