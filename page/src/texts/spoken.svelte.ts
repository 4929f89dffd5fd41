// SPDX-License-Identifier: Apache-2.0
// The language of the page. English is always there; the texts of another language come when it is chosen.
import { en } from './en'
import type { Language } from './languages'

export type Key = keyof typeof en
/** Texts of a language, all or a part of them. */
export type Texts = { [K in Key]?: string }

const others: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  fr: async () => (await import('./fr')).fr,
  cs: async () => (await import('./cs')).cs,
  ru: async () => (await import('./ru')).ru,
  vi: async () => (await import('./vi')).vi,
  zh: async () => (await import('./zh')).zh,
  ja: async () => (await import('./ja')).ja,
}

class Spoken {
  language: Language = $state('en')
  texts: Texts = $state.raw(en)
}

export const spoken = new Spoken()

let asked: Language = 'en'

/** Changes the language of the page when its texts are here. If they do not come, the page stays as it is. */
export async function speak(language: Language) {
  asked = language
  const texts = language === 'en' ? en : await others[language]().catch(() => undefined)
  if (asked !== language || !texts) return
  spoken.language = language
  spoken.texts = texts
}
