// SPDX-License-Identifier: Apache-2.0
// A search that was written down, played again step by step. It knows no rules: what it shows was all said by the
// server, and the windows follow from that as in any book.
import { number } from '../texts'
import type { LabNode, Tree } from '../lib/laboratory'

export interface Step {
  kind: 'enter' | 'leave'
  node: number
}

/** The steps of a search: each node is entered once and left once. Nodes that the search was in when it was stopped are
 * never left, but for the root, which ends the steps. */
function stepsOf(nodes: LabNode[]): Step[] {
  const steps: Step[] = []
  const open: number[] = []
  const leave = () => {
    const node = open.pop()!
    if (nodes[node].left >= 0 || node === 0) steps.push({ kind: 'leave', node })
  }
  const leftBefore = (node: number, i: number) => nodes[node].left >= 0 && nodes[node].left <= i
  nodes.forEach((_, i) => {
    while (open.length && leftBefore(open[open.length - 1], i)) leave()
    steps.push({ kind: 'enter', node: i })
    open.push(i)
  })
  while (open.length) leave()
  return steps
}

/** What a node is at the moment. */
export const unseen = 0
export const open = 1
export const left = 2

export class Replay {
  readonly steps: Step[]
  /** How many steps have been made. */
  at = 0
  state: Uint8Array
  /** The worth of a node as far as it is known. */
  value: (number | undefined)[] = []
  alpha: number[] = []
  beta: number[] = []
  /** What the node left last did to its parent: raised or lowered its value, took the place of the best, or nothing. */
  change: 'better' | 'same' | 'none' = 'none'
  /** The nodes from the root to where the search is. */
  path: number[] = []
  visited = 0
  leaves = 0
  cuts = 0

  constructor(readonly tree: Tree) {
    this.steps = stepsOf(tree.nodes)
    this.state = new Uint8Array(tree.nodes.length)
    this.restart()
  }

  private restart() {
    const n = this.tree.nodes.length
    this.at = this.visited = this.leaves = this.cuts = 0
    this.state.fill(unseen)
    this.value = new Array(n)
    this.alpha = new Array(n).fill(-Infinity)
    this.beta = new Array(n).fill(Infinity)
    this.path = []
  }

  get over() {
    return this.at >= this.steps.length
  }
  get last(): Step | undefined {
    return this.steps[this.at - 1]
  }

  /** Goes to the moment after so many steps. */
  to(at: number) {
    at = Math.min(Math.max(at, 0), this.steps.length)
    if (at < this.at) this.restart()
    while (this.at < at) this.step()
  }

  private step() {
    const { kind, node } = this.steps[this.at++]
    if (kind === 'enter') this.enter(node)
    else this.leave(node)
  }

  private enter(i: number) {
    const n = this.tree.nodes[i]
    this.state[i] = open
    this.path.push(i)
    if (n.parent >= 0) this.visited++ // a search does not count the root
    this.alpha[i] = n.alpha ?? -Infinity
    this.beta[i] = n.beta ?? Infinity
    if (n.end) {
      this.leaves++
      this.value[i] = n.value
    }
  }

  private leave(i: number) {
    const n = this.tree.nodes[i]
    this.state[i] = left
    this.path.pop()
    this.value[i] = n.value
    const p = n.parent
    if (p < 0) return
    const known = this.value[p]
    const max = this.tree.nodes[p].max
    this.change = 'none'
    if (known === undefined || (max ? n.value > known : n.value < known)) {
      this.value[p] = n.value
      this.change = 'better'
    } else if (n.value === known && n.alpha !== undefined && n.value > n.alpha) {
      // At the root a move that stands before the best one need only be as good: its window begins below that.
      this.change = 'same'
    }
    if (max) this.alpha[p] = Math.max(this.alpha[p], n.value)
    else this.beta[p] = Math.min(this.beta[p], n.value)
    if (this.cutting(p)) this.cuts++ // as the words of this step say
  }

  /** Whether the node will be left before all its moves were tried, and that is known by now. */
  cutting(i: number): boolean {
    return !!this.tree.nodes[i].cut && (this.state[i] === left || this.steps[this.at]?.node === i)
  }
}

/** The nodes from the root to one of them. */
export function pathTo(nodes: LabNode[], i: number): number[] {
  const path: number[] = []
  for (; i >= 0; i = nodes[i].parent) path.unshift(i)
  return path
}

const win = 2 ** 53
const bound = 2 ** 52

/** A score for people: won games as #3, in three plies, lost ones as −#3. */
export function worth(v: number | undefined): string {
  if (v === undefined) return ''
  if (v === Infinity) return '∞'
  if (v === -Infinity) return '−∞'
  if (v > bound) return '#' + (win - v)
  if (v < -bound) return '−#' + (win + v)
  const u = Math.abs(v / 1000)
  const text = u >= 100 ? number(u, 0) : number(Number(u.toPrecision(3)))
  return (v < 0 ? '−' : '') + text
}
