// SPDX-License-Identifier: Apache-2.0
// Reports of studies in the language of the page, sentence by sentence. English stands in for sentences that are not known.
import { Sentences } from './sentences.svelte'

const reports = new Sentences('reports')

/** Fetches the sentences of the language of the page, if there are any. */
export const speakReports = () => reports.speak()

const number = /\d+(?:[.,]\d+)*/g

/** A text whose English is known, or undefined. Its numbers come in the order of the English. */
function known(text: string): string | undefined {
  const numbers = text.match(number) ?? []
  return reports.known[text.replace(number, '#')]?.replace(/#/g, () => numbers.shift() ?? '')
}

/** A sentence, or the English one. In a list of players with their intervals the parts in brackets are known. */
const sentence = (text: string) => known(text) ?? text.replace(/\([^()]+\)/g, (part) => known(part) ?? part)

/** A text of a report. No space follows the stops of Chinese and Japanese. */
export const told = (text: string): string =>
  text
    .trim()
    .split(/(?<=[.:!?]\*?) (?=[A-Z*`"])/)
    .map(sentence)
    .join(' ')
    .replace(/(?<=[。：？]\*?) /g, '')
