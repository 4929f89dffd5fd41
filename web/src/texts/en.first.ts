// SPDX-License-Identifier: Apache-2.0
// Texts of the first visit, of errors, and of large boards.

export const enFirst = {
  'away.title': 'The server does not answer.',
  'away.about': 'The page asks again every few seconds. What you see stays.',
  'away.retry': 'Try again',
  'lost.about': 'The address may be mistyped, or what it showed has been deleted.',
  'lost.home': 'New game',
  'lost.page': 'There is no page {path}',
  'lost.part': 'This page could not be loaded',
  'lost.server': 'The server does not answer. Start it again, or look at your connection.',
}
