// SPDX-License-Identifier: Apache-2.0
// Reports of studies in the language of the page, sentence by sentence. English stands in for sentences that are not known.
import { Sentences } from './sentences.svelte'

const reports = new Sentences({
  fr: async () => (await import('../texts/reports.fr')).reports,
  cs: async () => (await import('../texts/reports.cs')).reports,
  ru: async () => (await import('../texts/reports.ru')).reports,
  vi: async () => (await import('../texts/reports.vi')).reports,
  zh: async () => (await import('../texts/reports.zh')).reports,
  ja: async () => (await import('../texts/reports.ja')).reports,
})

/** Fetches the sentences of the language of the page, if there are any. */
export const speakReports = () => reports.speak()

const number = /\d+(?:[.,]\d+)*/g

/** A sentence, or the English one. */
function sentence(text: string): string {
  const found = reports.known[text.replace(number, '#')]
  if (!found) return text
  const numbers = text.match(number) ?? []
  return found.replace(/#/g, () => numbers.shift() ?? '')
}

/** A text of a report. */
export const told = (text: string): string =>
  text
    .trim()
    .split(/(?<=[.:!?]\*?) (?=[A-Z*`"])/)
    .map(sentence)
    .join(' ')
