// SPDX-License-Identifier: Apache-2.0
// Sentences that the server writes in English, in the language of the page. They are fetched where they are needed: a part
// in a language is the file texts/PART.LANGUAGE.ts, which exports them by their English under the name of the part.
import { spoken } from '../texts/spoken.svelte'

type Part = 'forms' | 'lessons' | 'reports'
type Known = Record<string, string>

const files = import.meta.glob<Record<string, Known>>('../texts/{forms,lessons,reports}.*.ts')

export class Sentences {
  /** Those of the language by their English; none before they are there. */
  known: Known = $state.raw({})
  private language = 'en'

  constructor(private part: Part) {}

  /** Fetches the sentences of the language of the page, if there are any. */
  async speak() {
    const language = spoken.language
    if (this.language === language) return
    const file = await files[`../texts/${this.part}.${language}.ts`]?.().catch(() => undefined)
    if (spoken.language !== language) return
    this.language = language
    this.known = file?.[this.part] ?? {}
  }
}
