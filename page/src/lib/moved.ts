// SPDX-License-Identifier: Apache-2.0
// Moves what a page without a server has saved to a server.
import { workshop } from '../workshop/workshop'
import { ask } from './api'
import { me, organises } from './club.svelte'
import { collect } from './explorer'
import { bytes, saved, takeSettings } from './kept'
import { trainer } from './puzzles'

/** Stores the games, puzzles, bots and settings of a file, and its collections if the person may add any. */
export async function moved(file: Blob): Promise<void> {
  const { kept, settings } = await saved(file)
  for (const { Data: p } of JSON.parse(kept.training ?? '{}').Own ?? []) await trainer.keep(p.game, [p.moves], [p.line])
  for (const [key, value] of Object.entries(kept)) if (key.startsWith('bot/')) await workshop.save(value.bot.name, value.versions[0].source)
  // The bots are there first, because unfinished games may need them.
  await ask('/saved', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file })
  for (const [key, value] of Object.entries(kept))
    if (key.startsWith('collection/') && (!me.club || organises()))
      for (const f of value.files) await collect(new File([bytes(f.file)], f.name), value.to, f.game, () => {})
  takeSettings(settings)
}
