// SPDX-License-Identifier: Apache-2.0
// A study: chapters, each a game with its variations. Its owner's changes are saved a moment after they are made.
import { api, Problem, type Place, type StudyBoard } from './api'
import { me } from './club.svelte'
import { listen } from './laboratory'
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
  /** The board of the study where it is live: its owner shows it, and everybody else follows. */
  board: StudyBoard = $state.raw({ live: false, player: 0, chapter: 0, game: '', moves: [], drawn: [], by: '', version: 0 })
  /** The name of this page among those that may show a board. */
  readonly page = crypto.getRandomValues(new Uint32Array(1)).join()
  private shown = '' // the board that everybody sees
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
    if (this.board.live) this.lead(true, this.board.player)
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

  /** Whether the one who uses the page may play moves on the board of somebody else. */
  get invited() {
    return this.board.player < 0 || (this.board.player > 0 && this.board.player === me.member)
  }

  /** Begins or ends to show the board of this page. player is a member who may play moves on it, 0 for nobody or -1 for everybody. */
  lead(live: boolean, player: number) {
    this.board = { ...this.board, live, player, by: this.page }
  }

  /** Sends the board of this page to everybody who has the study open, unless they see it already. */
  show(b: Pick<StudyBoard, 'chapter' | 'game' | 'start' | 'moves' | 'drawn'>) {
    const { live, player } = this.board
    if (!this.mine || (!live && this.board.by !== this.page)) return
    const key = keyOf({ ...b, live, player })
    if (key === this.shown) return
    this.shown = key
    const send = () => (key === this.shown ? api.showBoard(this.id, { ...b, live, player, by: this.page, version: 0 }) : undefined)
    this.showing = this.showing.then(send).catch((e) => void (this.trouble = e.message))
  }
  private showing: Promise<void> = Promise.resolve()

  /** Follows the board until the returned function is called. */
  follow(moved: (b: StudyBoard) => void, ended: () => void): () => void {
    const take = (b: StudyBoard) => {
      if (!this.mine && b.version > this.version) this.load().catch((e) => (this.trouble = e.message))
      if (b.by === this.page) {
        this.board = { ...this.board, here: b.here }
        return
      }
      if (this.mine && this.board.live && !b.live && !b.by) {
        this.shown = '' // the server began again, and knows nothing of the board
        this.lead(true, this.board.player)
        return
      }
      this.board = b
      if (b.by) this.shown = keyOf(b)
      if (b.live) moved(b)
    }
    return listen(`/studies/${this.id}/events`, { board: take }, ended)
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

const keyOf = (b: Omit<StudyBoard, 'by' | 'version'>) => (b.live ? JSON.stringify([b.player, b.chapter, b.game, b.start ?? '', b.moves, b.drawn]) : 'no board')

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
