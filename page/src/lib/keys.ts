// SPDX-License-Identifier: Apache-2.0

/**
 * Whether a key is pressed for a command of the browser, with Ctrl, Alt or the like. Where a sign such as [ needs AltGr or
 * Option, these belong to the sign.
 */
export function held(e: KeyboardEvent): boolean {
  if (e.metaKey) return true
  if (e.getModifierState('AltGraph') || (e.altKey && /^[\[\]{}+?=-]$/.test(e.key))) return false
  return e.ctrlKey || e.altKey
}
