// SPDX-License-Identifier: Apache-2.0
// All text of the page: one file for each language, each complete, or it does not compile.
import { settings } from '../lib/settings.svelte'
import { en } from './en'
import { fr } from './fr'
import type { Language } from './languages'

export type Texts = { [K in keyof typeof en]: string }
export type Key = keyof Texts


const all: Record<Language, Texts> = { en, fr }

/** The text of a key, with {name} replaced by its value. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return all[settings.language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
}

/** The text of a key made at run time, or other where there is none. */
export function maybe(key: string, other: string, values?: Record<string, string | number>): string {
  return key in en ? t(key as Key, values) : other
}
