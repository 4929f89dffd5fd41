// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a tree are drawn. A leaf takes a slot, a node stands over the middle of its children. Moves that
// were cut off are filled in from the full tree of the same position, if there is one, so that both have one shape:
//
//	      o                 o          slots 0 1 2 3 4 5
//	    / | \             / | \
//	   o  o  o           o  o  o
//	  /| /|\ |          /|  |\. |      . cut: known from the full tree
import type { Tree } from '../lib/laboratory'

export interface Spot {
  x: number // in slots
  ply: number
  node: number // of the tree, or -1 where it was cut off
  parent: number // index of a spot, -1 for the root's
  cutBy: number // the node that was left before this move was tried, or -1
  more: number // moves that one spot stands for, where the full tree is not known
  gap: number // slots to the nearest spot of the same ply
  move: string
}

export interface Layout {
  spots: Spot[]
  slots: number
  plies: number
  /** The spot of each node. */
  of: Int32Array
}

function childrenOf(t: Tree): number[][] {
  const all: number[][] = t.nodes.map(() => [])
  t.nodes.forEach((n, i) => n.parent >= 0 && all[n.parent].push(i))
  return all
}

export function layout(tree: Tree, full: Tree | undefined): Layout {
  const spots: Spot[] = []
  const of = new Int32Array(tree.nodes.length).fill(-1)
  const own = childrenOf(tree)
  const other = full ? childrenOf(full) : []
  let slots = 0
  let plies = 0

  // place puts node i of the tree, or where that is -1 node f of the full tree, and returns its spot.
  function place(i: number, f: number, parent: number, ply: number, cutBy: number): number {
    const at = spots.length
    plies = Math.max(plies, ply)
    const move = (i >= 0 ? tree.nodes[i].move : full!.nodes[f].move) ?? ''
    spots.push({ x: 0, ply, node: i, parent, cutBy, more: 0, gap: Infinity, move })
    if (i >= 0) of[i] = at
    const below: number[] = []
    const same = f >= 0 ? new Map(other[f].map((c) => [full!.nodes[c].move, c])) : undefined
    for (const c of i >= 0 ? own[i] : []) {
      below.push(place(c, same?.get(tree.nodes[c].move) ?? -1, at, ply + 1, -1))
      same?.delete(tree.nodes[c].move)
    }
    const cut = i >= 0 ? (tree.nodes[i].cut ?? 0) : 0
    if (i < 0 || (cut && same && same.size === cut)) {
      for (const c of same?.values() ?? []) below.push(place(-1, c, at, ply + 1, i >= 0 ? i : cutBy))
    } else if (cut) {
      plies = Math.max(plies, ply + 1)
      below.push(spots.length)
      spots.push({ x: slots++, ply: ply + 1, node: -1, parent: at, cutBy: i, more: cut, gap: Infinity, move: '' })
    }
    const s = spots[at]
    s.x = below.length ? (spots[below[0]].x + spots[below[below.length - 1]].x) / 2 : slots++
    return at
  }
  if (tree.nodes.length) place(0, full?.nodes.length ? 0 : -1, -1, 0, -1)

  const last: (Spot | undefined)[] = []
  for (const s of spots) {
    const before = last[s.ply]
    if (before) {
      s.gap = s.x - before.x
      before.gap = Math.min(before.gap, s.gap)
    }
    last[s.ply] = s
  }
  return { spots, slots: Math.max(slots, 1), plies, of }
}
