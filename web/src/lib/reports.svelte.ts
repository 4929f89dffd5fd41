// SPDX-License-Identifier: Apache-2.0
// Reports of studies in the language of the page, sentence by sentence. English stands in for sentences that are not known.
import { spoken } from '../texts/spoken.svelte'

const files: Record<string, () => Promise<Record<string, string>>> = {
  fr: async () => (await import('../texts/reports.fr')).reports,
}

const known = $state({ language: 'en', sentences: {} as Record<string, string> })

/** Fetches the sentences of the language of the page, if there are any. */
export async function speakReports() {
  const language = spoken.language
  if (known.language === language) return
  const sentences = (await files[language]?.().catch(() => undefined)) ?? {}
  if (spoken.language === language) Object.assign(known, { language, sentences })
}

const number = /\d+(?:[.,]\d+)*/g

/** A sentence, or the English one. */
function sentence(text: string): string {
  const found = known.sentences[text.replace(number, '#')]
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
