// SPDX-License-Identifier: Apache-2.0
// Where things are on the drawing, in its own units: a cell is unit wide, the top row comes first.
//
//        pad |  unit ...
//   pad  +------------
//        |  a19 b19
//        |  a18
import type { Board } from '../lib/api'

export const unit = 20

export interface Geometry {
  columns: number
  rows: number
  pad: number // for the names of columns and rows
  gap: number // between small boards
  width: number
  height: number
}

export function geometry(b: Pick<Board, 'columns' | 'rows' | 'look'>): Geometry {
  // On a large board the drawing is small, so its names are larger.
  const pad = Math.max({ points: 10, falling: 14, squares: 15, nested: 5 }[b.look], 0.45 * Math.max(b.columns, b.rows))
  const gap = b.look === 'nested' ? 8 : 0
  return { columns: b.columns, rows: b.rows, pad, gap, width: b.columns * unit + 2 * (pad + gap), height: b.rows * unit + 2 * (pad + gap) }
}

/** Where the middle of a column, or of a row from the top, is. */
const at = (g: Geometry, i: number) => g.pad + (i + 0.5) * unit + Math.floor(i / 3) * g.gap

/** The centre of a cell. */
export const x = (g: Geometry, cell: number) => at(g, cell % g.columns)
export const y = (g: Geometry, cell: number) => at(g, g.rows - 1 - Math.floor(cell / g.columns))

/** The cell at a point, or -1 beyond the board. */
export function cellAt(g: Geometry, px: number, py: number): number {
  const index = (p: number) => Math.floor((p - g.pad - Math.floor((p - g.pad + g.gap / 2) / (3 * unit + g.gap)) * g.gap) / unit)
  const c = index(px)
  const r = g.rows - 1 - index(py)
  return c >= 0 && c < g.columns && r >= 0 && r < g.rows ? c + r * g.columns : -1
}

/** The points that boards of points mark, as is the custom. */
export function stars(g: Geometry): number[] {
  if (g.columns !== g.rows || g.columns < 9 || g.columns > 30) return []
  const n = g.columns
  const edge = n >= 13 ? 3 : 2
  const at = n % 2 ? [edge, (n - 1) / 2, n - 1 - edge] : [edge, n - 1 - edge]
  const all = at.flatMap((r) => at.map((c) => c + r * n))
  return n === 15 || n < 13 ? all.filter((_, i) => n % 2 === 0 || i % 2 === 0) : all
}

/** The name of a cell of small boards, as moves are written: the small board and its cell, each from 1 to 9 from the top left. */
export function nestedName(b: Pick<Board, 'columns' | 'rows'>, cell: number): string {
  const c = cell % b.columns
  const r = b.rows - 1 - Math.floor(cell / b.columns)
  return String(Math.floor(r / 3) * 3 + Math.floor(c / 3) + 1) + String((r % 3) * 3 + (c % 3) + 1)
}

/** The name of a cell: as moves on it are called, where there is one. */
export function cellName(b: Board, cell: number): string {
  const i = b.targets.indexOf(cell)
  if (i >= 0) return b.moves[i]
  if (b.look === 'nested') return nestedName(b, cell)
  return b.across[cell % b.columns] + (b.look === 'falling' ? ', ' : '') + b.up[Math.floor(cell / b.columns)]
}

/** The number of the move that placed the stone on each cell, where moves are named by their cells. */
export function numbered(b: Board, moves: string[]): Map<number, number> | undefined {
  if (b.look === 'falling' || b.look === 'nested') return undefined
  const all = new Map<number, number>()
  moves.forEach((move, i) => {
    const found = /^([a-z]+)(\d+)$/.exec(move)
    if (found) all.set(b.across.indexOf(found[1]) + (Number(found[2]) - 1) * b.columns, i + 1)
  })
  return all
}
