// SPDX-License-Identifier: Apache-2.0
// Draws a tree on a canvas: thousands of nodes, of which only those in view and large enough have text.
import type { Layout, Spot } from './layout'
import { left, open, unseen, worth, type Replay } from './replay'

/** What is seen: slots are zoom pixels wide, and the middle of the view is over slot centre. */
export interface View {
  centre: number
  zoom: number
}

export interface Colours {
  ink: string
  soft: string
  line: string
  surface: string
  raised: string
  max: string
  min: string
  win: string
  danger: string
  accent: string
  font: string
}

export function colours(of: Element): Colours {
  const s = getComputedStyle(of)
  const v = (name: string) => s.getPropertyValue('--' + name).trim()
  return {
    ink: v('ink'), soft: v('soft'), line: v('line'), surface: v('surface'), raised: v('raised'), max: v('x'), min: v('o'),
    win: v('win'), danger: v('danger'), accent: v('accent'), font: v('font'),
  }
}

const top = 26
const bottom = 26
const boxHeight = 21

/** How high a ply is. */
export const rise = (l: Layout, height: number) => Math.min((height - top - bottom) / Math.max(l.plies, 1), 110)

export function position(l: Layout, s: Spot, v: View, width: number, height: number): [number, number] {
  return [(s.x - v.centre) * v.zoom + width / 2, top + s.ply * rise(l, height)]
}

/** The spot at a point, or -1. */
export function spotAt(l: Layout, v: View, width: number, height: number, px: number, py: number): number {
  const ply = Math.round((py - top) / rise(l, height))
  let best = -1
  let near = Infinity
  l.spots.forEach((s, i) => {
    if (s.ply !== ply) return
    const d = Math.abs(position(l, s, v, width, height)[0] - px)
    if (d < near) [best, near] = [i, d]
  })
  return near < 24 ? best : -1
}

export function draw(c: CanvasRenderingContext2D, l: Layout, r: Replay, v: View, width: number, height: number, k: Colours, picked: number) {
  c.clearRect(0, 0, width, height)
  const at = (s: Spot) => position(l, s, v, width, height)
  const stateOf = (s: Spot) => (s.node >= 0 ? r.state[s.node] : s.cutBy >= 0 && r.cutting(s.cutBy) ? left : unseen)
  const onPath = new Set(r.path)
  const line = best(r)
  const inView = (a: number, b: number) => Math.max(a, b) > -60 && Math.min(a, b) < width + 60

  // 1. Edges: what was cut off faint, then those that were tried, then the path.
  const edges = (wanted: (s: Spot) => boolean, colour: string, thick: number, dash: number[] = []) => {
    c.strokeStyle = colour
    c.lineWidth = thick
    c.setLineDash(dash)
    c.beginPath()
    for (const s of l.spots) {
      if (s.parent < 0 || stateOf(s) === unseen || !wanted(s)) continue
      const [x0, y0] = at(l.spots[s.parent])
      const [x1, y1] = at(s)
      if (!inView(x0, x1)) continue
      c.moveTo(x0, y0)
      c.bezierCurveTo(x0, y0 + (y1 - y0) * 0.45, x1, y1 - (y1 - y0) * 0.5, x1, y1)
    }
    c.stroke()
    c.setLineDash([])
  }
  c.globalAlpha = 0.5
  edges((s) => s.node < 0, k.soft, 0.8, [3, 3])
  c.globalAlpha = 1
  edges((s) => s.node >= 0 && !onPath.has(s.node) && !line.has(s.node), v.zoom < 6 ? k.line : k.soft, v.zoom < 3 ? 0.5 : 0.8)
  edges((s) => line.has(s.node), k.accent, 2.6)
  edges((s) => onPath.has(s.node), k.ink, 2.4)

  // 2. Where branches were cut: a stroke across them.
  for (const s of l.spots) {
    if (s.node < 0 || !r.tree.nodes[s.node].cut || !r.cutting(s.node)) continue
    const [x, y] = at(s)
    if (inView(x, x)) scissors(c, x, y + boxHeight / 2 + 9, r.tree.nodes[s.node].cut!, s.gap * v.zoom, k)
  }

  // 3. Nodes.
  for (const s of l.spots) {
    const state = stateOf(s)
    if (state === unseen) continue
    const [x, y] = at(s)
    if (!inView(x, x)) continue
    const room = Math.min(s.gap * v.zoom - 4, 46)
    if (s.node < 0) ghost(c, s, x, y, room, k)
    else node(c, r, s, x, y, room, state === open, line.has(s.node), k)
  }

  // 4. The windows of the nodes that are being looked at, and what is pointed at.
  for (const i of r.path) {
    const s = l.spots[l.of[i]]
    const [x, y] = at(s)
    if (r.tree.nodes[i].end === undefined && hasWindow(r)) badge(c, `α ${worth(r.alpha[i])}   β ${worth(r.beta[i])}`, x, y, width, k)
  }
  const mark = picked >= 0 ? picked : r.path.length ? l.of[r.path[r.path.length - 1]] : -1
  if (mark >= 0 && stateOf(l.spots[mark]) !== unseen) {
    const [x, y] = at(l.spots[mark])
    c.strokeStyle = picked >= 0 ? k.accent : k.ink
    c.lineWidth = 2
    c.beginPath()
    const w = Math.max(Math.min(l.spots[mark].gap * v.zoom, 46), 8) + 5
    c.roundRect(x - w / 2, y - boxHeight / 2 - 3.5, w, boxHeight + 7, 7)
    c.stroke()
  }
}

const hasWindow = (r: Replay) => r.tree.nodes.some((n) => n.alpha !== undefined || n.beta !== undefined)

/** The nodes of the best line, once the search has ended. */
function best(r: Replay): Set<number> {
  const line = new Set<number>()
  if (!r.over || !r.tree.nodes.length) return line
  for (let i = 0; i >= 0; i = r.tree.nodes[i].best) line.add(i)
  return line
}

function node(c: CanvasRenderingContext2D, r: Replay, s: Spot, x: number, y: number, room: number, isOpen: boolean, chosen: boolean, k: Colours) {
  const n = r.tree.nodes[s.node]
  const colour = n.end ? (n.end === 'win' ? k.win : n.end === 'loss' ? k.danger : k.soft) : n.max ? k.max : k.min
  if (room < 13) {
    const w = Math.max(Math.min(room + 3, 7), 1)
    c.fillStyle = colour
    c.globalAlpha = room < 0 ? 0.7 : 1
    c.fillRect(x - w / 2, y - (n.end ? 4 : 6), w, n.end ? 8 : 12)
    c.globalAlpha = 1
    return
  }
  const w = room
  outline(c, x, y, w, n.end ? 'leaf' : n.max ? 'max' : 'min')
  c.fillStyle = chosen ? mix(k.accent, k.surface, 0.26) : isOpen ? k.surface : mix(colour, k.surface, 0.16)
  c.fill()
  c.strokeStyle = chosen ? k.accent : colour
  c.lineWidth = isOpen || chosen ? 2 : 1.2
  c.stroke()
  const value = worth(r.value[s.node])
  text(c, value || (isOpen ? '…' : ''), x, y + 4, w - 6, k.ink, 600, 12, k)
  if (s.move && room >= 20) {
    c.lineWidth = 4
    c.strokeStyle = k.surface
    c.font = `500 10.5px ${k.font}`
    c.textAlign = 'center'
    c.strokeText(s.move, x, y - boxHeight / 2 - 5)
    text(c, s.move, x, y - boxHeight / 2 - 5, room + 2, k.soft, 500, 10.5, k)
  }
}

/** A side that maximises stands on the broad side, one that minimises on the narrow one. */
function outline(c: CanvasRenderingContext2D, x: number, y: number, w: number, kind: 'leaf' | 'max' | 'min') {
  const h = boxHeight / 2
  const slant = kind === 'leaf' ? 0 : Math.min(w * 0.16, 6)
  c.beginPath()
  if (kind === 'leaf') {
    c.roundRect(x - w / 2, y - h + 1.5, w, boxHeight - 3, 5)
    return
  }
  const a = kind === 'max' ? slant : 0
  const b = kind === 'min' ? slant : 0
  c.moveTo(x - w / 2 + a, y - h)
  c.lineTo(x + w / 2 - a, y - h)
  c.lineTo(x + w / 2 - b, y + h)
  c.lineTo(x - w / 2 + b, y + h)
  c.closePath()
}

function ghost(c: CanvasRenderingContext2D, s: Spot, x: number, y: number, room: number, k: Colours) {
  if (s.more) {
    text(c, '+' + s.more, x, y + 4, 40, k.soft, 500, 11, k)
    return
  }
  if (room < 13) {
    c.fillStyle = k.line
    c.fillRect(x - 0.5, y - 3, Math.max(Math.min(room, 3), 1), 6)
    return
  }
  c.strokeStyle = mix(k.soft, k.surface, 0.6)
  c.setLineDash([3, 3])
  c.lineWidth = 1
  c.beginPath()
  c.roundRect(x - room / 2, y - boxHeight / 2 + 1.5, room, boxHeight - 3, 5)
  c.stroke()
  c.setLineDash([])
  if (s.move && room >= 20) text(c, s.move, x, y + 4, room - 4, k.soft, 400, 10.5, k)
}

function scissors(c: CanvasRenderingContext2D, x: number, y: number, n: number, room: number, k: Colours) {
  const w = Math.max(Math.min(room, 26), 4)
  c.strokeStyle = k.danger
  c.lineWidth = room < 12 ? 1.5 : 3
  c.beginPath()
  c.moveTo(x - w / 2, y + 1.5)
  c.lineTo(x + w / 2, y - 1.5)
  c.stroke()
  if (room >= 34) text(c, '−' + n, x + w / 2 + 10, y + 4, 30, k.danger, 600, 10.5, k)
}

function badge(c: CanvasRenderingContext2D, label: string, x: number, y: number, width: number, k: Colours) {
  c.font = `600 11px ${k.font}`
  const w = c.measureText(label).width + 12
  const to = x + 30 + w < width ? x + 30 : x - 30 - w
  c.fillStyle = k.ink
  c.beginPath()
  c.roundRect(to, y - 9.5, w, 19, 9.5)
  c.fill()
  c.fillStyle = k.surface
  c.textAlign = 'left'
  c.fillText(label, to + 6, y + 4)
}

function text(c: CanvasRenderingContext2D, s: string, x: number, y: number, room: number, colour: string, weight: number, size: number, k: Colours) {
  if (!s) return
  c.font = `${weight} ${size}px ${k.font}`
  const w = c.measureText(s).width
  if (w > room) {
    if (w > room * 1.5) return
    c.font = `${weight} ${size * (room / w)}px ${k.font}`
  }
  c.fillStyle = colour
  c.textAlign = 'center'
  c.fillText(s, x, y)
}

/** A share of one colour in another, for canvases, which know color-mix as the page does. */
function mix(a: string, b: string, share: number): string {
  return `color-mix(in srgb, ${a} ${share * 100}%, ${b})`
}
