// SPDX-License-Identifier: Apache-2.0
// Trees as SGF: variations, comments and drawings besides the main line, which the server reads and writes itself.
//
// CITE: Hollosi, SGF File Format FF[4], 1999.
import { api, type Board, type Place, type Step } from './api'
import { drawing, grow, leaves, newTree, through, type Node } from './tree'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

function point(b: Board, cell: number): string {
  return letters[cell % b.columns] + letters[b.rows - 1 - Math.floor(cell / b.columns)]
}

const escape = (s: string) => s.replace(/[\]\\]/g, '\\$&')

/** A tree as SGF. */
export async function sgfOf(p: Place, root: Node): Promise<string> {
  const main = await api.export({ ...p, moves: through(root, []) }, 'sgf')
  const board = await api.position({ ...p, moves: [] })
  // Where the stones of variations stand is asked line by line.
  const known = new Map<string, Step>()
  for (const path of leaves(root).slice(0, 200)) {
    const { steps } = await api.line({ ...p, moves: [] }, path)
    steps.forEach((s, i) => known.set(path.slice(0, i + 1).join(' '), s))
  }
  return writeTree(main, board, root, (path) => known.get(path.join(' ')))
}

/** Puts the variations, comments and drawings of a tree into the file of its main line. step tells of the last move of a path. */
function writeTree(main: string, b: Board, root: Node, step: (path: string[]) => Step | undefined): string {
  // The header ends where the first move begins: ";B[" or ";W[" after the root's properties.
  const head = main.match(/^\(;(?:[A-Z]+(?:\[(?:\\.|[^\]\\])*\])+\s*)*/)?.[0] ?? '(;FF[4]GM[4]'
  const drawn = (n: Node) => (n.drawn ?? []).map((d) => d.split(' ')).map(([id, ...cells]) => `${id}[${cells.map((c) => point(b, Number(c))).join(':')}]`)
  // Values of one property stand together.
  const together = (all: string[]) => all.sort().map((d, i) => (d.slice(0, 2) === all[i - 1]?.slice(0, 2) ? d.slice(2) : d)).join('')
  const comment = (n: Node) => (n.comment ? `C[${escape(n.comment)}]` : '') + together(drawn(n))
  const line = (n: Node, path: string[]): string => {
    let out = ''
    for (;;) {
      if (path.length) {
        const s = step(path)
        if (!s) return out
        out += `;${s.side === 'first' ? 'B' : 'W'}[${point(b, s.cell)}]${comment(n)}`
        if (path.length % 10 === 0) out += '\n'
      }
      if (n.next.length !== 1) break
      n = n.next[0]
      path = [...path, n.move]
    }
    return out + n.next.map((c) => '\n(' + line(c, [...path, c.move]) + ')').join('')
  }
  const { first, second, result, title } = root.names ?? {}
  const named = (id: string, value?: string) => (value ? `${id}[${escape(value)}]` : '')
  const rest = root.names ? head.replace(/(?:PB|PW|RE|GN)\[(?:\\.|[^\]\\])*\]/g, '') : head
  return rest.trimEnd() + named('PB', first) + named('PW', second) + named('RE', result) + named('GN', title) + comment(root) + '\n' + line(root, []) + ')\n'
}

/** The parts of a text that are a game each. */
export function gamesOf(text: string): string[] {
  const all: string[] = []
  let [depth, begin] = [0, 0]
  for (const m of text.matchAll(/\(|\)|\[(?:\\[\s\S]|[^\]\\])*\]/g)) {
    if (m[0] === '(' && depth++ === 0) begin = m.index
    if (m[0] === ')' && --depth === 0) all.push(text.slice(begin, m.index + 1))
  }
  return all
}

/** The players and the result that a game names, if any. */
export function namesOf(text: string): Node['names'] {
  const value = (id: string) => (text.match(new RegExp(`(?:^|[^A-Z])${id}\\s*\\[((?:\\\\[\\s\\S]|[^\\]\\\\])*)\\]`))?.[1] ?? '').replace(/\\([\s\S])/g, '$1').trim()
  const names = { first: value('PB'), second: value('PW'), result: value('RE'), title: value('GN') }
  return Object.values(names).some(Boolean) ? names : undefined
}

/** Reads the variations, comments and drawings of the first game of a file whose main line the server has read. */
export function readTree(text: string, b: Board): Node {
  const root: Node = { ...newTree(), names: namesOf(text) }
  const cell = (p: string) => {
    const c = letters.indexOf(p[0])
    const r = b.rows - 1 - letters.indexOf(p[1])
    return p.length !== 2 || c < 0 || r < 0 || c >= b.columns || r >= b.rows ? -1 : c + r * b.columns
  }
  const name = (p: string) => {
    const at = cell(p)
    if (at < 0) return undefined
    const [c, r] = [at % b.columns, Math.floor(at / b.columns)]
    if (b.look === 'falling') return b.across[c]
    if (b.look === 'nested') return `${Math.floor((b.rows - 1 - r) / 3) * 3 + Math.floor(c / 3) + 1}${((b.rows - 1 - r) % 3) * 3 + (c % 3) + 1}`
    return b.across[c] + b.up[r]
  }
  const open: string[][] = []
  let path: string[] = []
  const tokens = /\(|\)|;|([A-Z]+)((?:\s*\[(?:\\[\s\S]|[^\]\\])*\])+)/g
  for (const [token, id, values] of text.matchAll(tokens)) {
    if (token === '(') open.push(path)
    else if (token === ')') {
      path = open.pop() ?? []
      if (open.length === 0) break
    } else if (id === 'B' || id === 'W') {
      const move = name(values.trim().slice(1, -1))
      if (!move) continue
      path = [...path, move]
      grow(root, path)
    } else if (id === 'C') {
      grow(root, path).comment = values.trim().slice(1, -1).replace(/\\([\s\S])/g, '$1')
    } else if (id) {
      const drawn = [...values.matchAll(/\[([^\]]*)\]/g)].map(([, v]) => [id, ...v.split(':').map(cell)].join(' '))
      const n = grow(root, path)
      const all = drawing([...(n.drawn ?? []), ...drawn])
      if (all.length) n.drawn = all
    }
  }
  return root
}
