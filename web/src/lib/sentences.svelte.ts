// SPDX-License-Identifier: Apache-2.0
// Sentences that the server writes in English, in the language of the page. They are fetched where they are needed.
import type { Language } from '../texts/languages'
import { spoken } from '../texts/spoken.svelte'

export class Sentences {
  /** Those of the language by their English; none before they are there. */
  known: Record<string, string> = $state.raw({})
  private language: Language = 'en'

  constructor(private files: Partial<Record<Language, () => Promise<Record<string, string>>>>) {}

  /** Fetches the sentences of the language of the page, if there are any. */
  async speak() {
    const language = spoken.language
    if (this.language === language) return
    const known = (await this.files[language]?.().catch(() => undefined)) ?? {}
    if (spoken.language !== language) return
    this.language = language
    this.known = known
  }
}
