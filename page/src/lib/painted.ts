// SPDX-License-Identifier: Apache-2.0
// What bots draw on the board.
import type { Mark } from '../board/Board.svelte'

export interface Painted {
  cell: number
  colour?: string
  text?: string
}

/** What a bot drew while it thought about a move; ply is how many moves stood on the board. */
export interface Drawn {
  ply: number
  marks: Painted[]
}

/** Drawings as marks: the last one on a cell counts, and a number joins a colour. */
export function painted(all: Painted[]): Mark[] {
  const by = new Map<number, Mark>()
  for (const { cell, colour, text } of all) {
    const m: Mark = by.get(cell) ?? { cell, kind: 'paint' }
    if (colour) m.colour = colour
    if (text) m.text = text.slice(0, 6)
    by.set(cell, { ...m, title: m.text ?? m.colour })
  }
  return [...by.values()]
}
