// SPDX-License-Identifier: Apache-2.0

/** The languages by their tags, as they call themselves. */
export const languages = { en: 'English', fr: 'Français' }
export type Language = keyof typeof languages
