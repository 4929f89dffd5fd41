// SPDX-License-Identifier: Apache-2.0
// A study: chapters, each a game with its variations. Its owner's changes are saved a moment after they are made.
import { api, Problem, type Place } from './api'
import { sgfOf } from './sgf'
import { fresh, unpacked, type Node } from './tree'
import { t } from '../texts'

export interface Chapter {
  name: string
  game: string
  start?: string
  tree: Node
}

/** A study of the page, once it has come. */
export class Study {
  name = $state('')
  chapters: Chapter[] = $state.raw([])
  mine = $state(false)
  saved = $state(true)
  trouble = $state('')
  version = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private sending: Promise<void> = Promise.resolve()

  constructor(readonly id: string) {}

  async load(): Promise<this> {
    const s = await api.study(this.id)
    this.name = s.name
    this.chapters = (s.chapters ?? []).map((c) => ({ name: c.name, game: c.game, start: c.start, tree: unpacked(c.tree) }))
    this.mine = s.mine
    this.version = s.version
    return this
  }

  /** Takes other chapters, or the same with other contents. */
  set(chapters: Chapter[]) {
    this.chapters = chapters
    this.change()
  }

  /** Puts a chapter after the others, and returns its number. */
  add(p: Place, tree?: Node): number {
    this.set([...this.chapters, chapterOf(p, this.chapters.length + 1, tree)])
    return this.chapters.length
  }

  /** Something is to be saved, soon. */
  change() {
    if (!this.mine) return
    this.saved = false
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.save(), 600)
  }

  /** Saves now what is not saved yet. */
  save() {
    clearTimeout(this.timer)
    if (this.saved || !this.mine) return
    this.saved = true
    const text = { name: this.name.trim() || t('chapter.study'), chapters: this.chapters }
    this.sending = this.sending.then(() => api.saveStudy(this.id, { ...text, version: this.version })).then(
      (s) => {
        this.version = s.version
        this.trouble = ''
      },
      (e) => {
        this.saved = false
        this.trouble = e instanceof Problem && e.code === 'changed' ? t('chapter.changed') : (e as Error).message
      },
    )
  }
}

/** A study as one file, each chapter a game. */
export async function fileOf(s: Study): Promise<string> {
  const games: string[] = []
  for (const c of s.chapters) games.push(await sgfOf({ game: c.game, start: c.start, moves: [] }, { ...c.tree, names: { first: '', second: '', result: '', ...c.tree.names, title: c.name } }))
  return games.join('\n')
}

/** A position and what was tried from it as a chapter. */
export function chapterOf(p: Place, n: number, tree = fresh(p.moves)): Chapter {
  const { first, second, title } = tree.names ?? {}
  return { name: title ? title : first || second ? t('share.players', { first: first || '?', second: second || '?' }) : t('chapter.numbered', { n }), game: p.game, start: p.start, tree }
}
