// SPDX-License-Identifier: Apache-2.0
// All text of the page: one file for each language. Every language has every text.
import { en } from './en'
import { spoken, type Key } from './spoken.svelte'

export type { Key, Texts } from './spoken.svelte'

// Making a format is dear, and there are few.
const formats = new Map<string, Intl.NumberFormat>()
function format(n: number, key: string, options: Intl.NumberFormatOptions): string {
  key = spoken.language + key
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(spoken.language, options))
  return formats.get(key)!.format(n)
}

/** A number in the form of the language, with at most so many digits after the point; exact has just as many. */
export function number(n: number, digits = 3, exact = false): string {
  const useGrouping = Math.abs(n) >= 1e4
  return format(n, `${digits} ${exact} ${useGrouping}`, { maximumFractionDigits: digits, minimumFractionDigits: exact ? digits : 0, useGrouping })
}

/** A large number as people read it: 4.7M. */
export const count = (n: number) => format(n, 'compact', { notation: 'compact', maximumSignificantDigits: 3 })

const plurals = new Map<string, Intl.PluralRules>()

/** The form of a word that goes with n. The forms are those for one, for few (Czech, Russian) and for all other numbers. */
function plural(n: number, forms: string[]): string {
  if (!plurals.has(spoken.language)) plurals.set(spoken.language, new Intl.PluralRules(spoken.language))
  const form = ['one', 'few'].indexOf(plurals.get(spoken.language)!.select(n))
  return form < 0 || form >= forms.length ? forms[forms.length - 1] : forms[form]
}

/** The text of a key. {name} is replaced by its value, and {name:game|games} by the word that goes with that number. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return (spoken.texts[key] ?? en[key]).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, forms) => {
    const value = values[name] ?? ''
    if (forms !== undefined) return plural(Number(value), forms.split('|'))
    return typeof value === 'number' ? number(value) : value
  })
}

/** The text of a key made at run time, or other where there is none. */
export function maybe(key: string, other: string, values?: Record<string, string | number>): string {
  return key in en ? t(key as Key, values) : other
}
