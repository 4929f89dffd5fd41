// SPDX-License-Identifier: Apache-2.0
// How far the engine of a page without a server has come, and whether another version of the page waits.

export const arriving = $state({
  /** Bytes that are here, and of the whole file. */
  here: 0,
  size: 4_100_000,
  ready: false,
  /** Takes another version of the page, if one is here. */
  update: undefined as (() => void) | undefined,
})
