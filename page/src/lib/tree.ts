// SPDX-License-Identifier: Apache-2.0
// A game with its variations. A position of it is a path: the moves from the start.
//
//	root - h8 - h9 - i9 - ...      next[0] goes on with the main line,
//	               \ i8 - ...      the others are variations

export interface Node {
  move: string
  comment?: string
  /** What somebody drew on the board: a shape by its name in SGF and its cell, as "CR 12", or an arrow, as "AR 12 45". */
  drawn?: string[]
  next: Node[]
  /** Of a root that was read from a file: the players, the result and the title of the game, as the file has them. */
  names?: { first: string; second: string; result: string; title?: string }
}

export const shapes = ['CR', 'TR', 'SQ', 'MA'] as const
export type Shape = (typeof shapes)[number]

/** A drawing without what is none. */
export const drawing = (from: unknown) => (Array.isArray(from) ? from.filter((d) => /^((CR|TR|SQ|MA)|AR \d{1,4}) \d{1,4}$/.test(d)).slice(0, 400) : [])

export const newTree = (): Node => ({ move: '', next: [] })

/** A tree of one line. */
export function fresh(line: string[]): Node {
  const root = newTree()
  grow(root, line)
  return root
}

/** The most moves and the longest comment of a tree from elsewhere. */
export const most = 20_000
export const longestComment = 4000

/** A tree from elsewhere, which may hold anything: nodes without a move of their own are left out. */
export function unpacked(from: unknown): Node {
  let left = most
  const visit = (v: unknown): Node => {
    const n = (v && typeof v === 'object' ? v : {}) as Partial<Node>
    if (--left < 0) throw new Error('no tree')
    const comment = typeof n.comment === 'string' ? n.comment.slice(0, longestComment) : undefined
    const drawn = drawing(n.drawn)
    return { move: typeof n.move === 'string' ? n.move.slice(0, 8) : '', ...(comment ? { comment } : {}), ...(drawn.length ? { drawn } : {}), next: Array.isArray(n.next) ? n.next.map(visit).filter((c, i, all) => c.move && all.findIndex((o) => o.move === c.move) === i) : [] }
  }
  const root = visit(from)
  const names = (from as Partial<Node> | null)?.names
  const text = (v: unknown) => (typeof v === 'string' ? v.slice(0, 100) : '')
  return names ? { ...root, names: { first: text(names.first), second: text(names.second), result: text(names.result), title: text(names.title) } } : root
}

/** The nodes along a path, the root first, as far as the tree goes. */
export function walk(root: Node, path: string[]): Node[] {
  const nodes = [root]
  for (const m of path) {
    const n = nodes[nodes.length - 1].next.find((n) => n.move === m)
    if (!n) break
    nodes.push(n)
  }
  return nodes
}

export const has = (root: Node, path: string[]) => walk(root, path).length === path.length + 1

/** Adds what the tree lacks of a path, after what is there. */
export function grow(root: Node, path: string[]): Node {
  const nodes = walk(root, path)
  let n = nodes[nodes.length - 1]
  for (const move of path.slice(nodes.length - 1)) {
    n.next.push({ move, next: [] })
    n = n.next[n.next.length - 1]
  }
  return n
}

/** The path as far as it goes, and then along main lines to the end. */
export function through(root: Node, path: string[]): string[] {
  const nodes = walk(root, path)
  const all = path.slice(0, nodes.length - 1)
  for (let n = nodes[nodes.length - 1].next[0]; n; n = n.next[0]) all.push(n.move)
  return all
}

/** Forgets the last move of a path, and all that follows it. */
export function prune(root: Node, path: string[]) {
  const nodes = walk(root, path)
  if (path.length === 0 || nodes.length <= path.length) return
  const parent = nodes[path.length - 1]
  parent.next = parent.next.filter((n) => n.move !== path[path.length - 1])
}

/** Makes the path a main line, from its last branching that was not one. Says whether there was one. */
export function promote(root: Node, path: string[]): boolean {
  const nodes = walk(root, path)
  for (let i = nodes.length - 1; i > 0; i--) {
    const parent = nodes[i - 1]
    if (parent.next[0] === nodes[i]) continue
    parent.next = [nodes[i], ...parent.next.filter((n) => n !== nodes[i])]
    return true
  }
  return false
}

/** The ends of all lines. */
export function leaves(root: Node): string[][] {
  const all: string[][] = []
  const visit = (n: Node, path: string[]) => {
    if (n.next.length === 0) all.push(path)
    for (const c of n.next) visit(c, [...path, c.move])
  }
  visit(root, [])
  return all
}

/** A path to the left or right of the last move among its variations, or the path itself. */
export function sibling(root: Node, path: string[], by: number): string[] {
  const nodes = walk(root, path)
  for (let i = Math.min(path.length, nodes.length - 1); i > 0; i--) {
    const next = nodes[i - 1].next
    if (next.length < 2) continue
    const at = (next.indexOf(nodes[i]) + by + next.length) % next.length
    return [...path.slice(0, i - 1), next[at].move]
  }
  return path
}

const place = (game: string, start?: string) => `tree ${game} ${start ?? ''}`

/** Keeps a tree for this visit, so that reload and back find it. */
export function keep(game: string, start: string | undefined, root: Node) {
  try {
    sessionStorage.setItem(place(game, start), JSON.stringify(root))
  } catch {
    // too large for the browser: it lasts as long as the page
  }
}

/** The tree that was kept, if it holds the path; else a new one of the path. */
export function recall(game: string, start: string | undefined, path: string[]): Node {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(game, start)) ?? 'null')
    if (kept && has(kept, path)) return kept
  } catch {
    // as if nothing had been kept
  }
  return fresh(path)
}
