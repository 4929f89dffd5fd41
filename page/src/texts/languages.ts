// SPDX-License-Identifier: Apache-2.0

/** The languages by their tags, as they call themselves. */
export const languages = { en: 'English', fr: 'Français', cs: 'Čeština', ru: 'Русский', vi: 'Tiếng Việt', zh: '简体中文', ja: '日本語' }
export type Language = keyof typeof languages
