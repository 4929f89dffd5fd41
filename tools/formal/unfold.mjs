// SPDX-License-Identifier: Apache-2.0

// Prints the strategy of a certificate of version 2, for the checker in this folder:
//
//	node unfold.mjs FILE | ./check
//
// A certificate leaves out answers that other answers cover, and positions that are images of others. The strategy has every
// position in which the prover moves, with the move. A mistake in this program makes the checker refuse the strategy.
//
// The program first walks through the file, as docs/reference/formats/certificate.md says, and stores the prover's move in each
// position. Then it plays these moves against every answer. Where the file has a different but equal position, the program
// follows that position, its model, and maps the cells of the game to the cells of the model.

import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

const file = readFileSync(process.argv[2])
const split = file.indexOf(10)
const claim = JSON.parse(file.subarray(0, split))
const { columns, rows, k } = claim
const fail = why => { throw new Error(why) }
if (claim.version !== 2 || claim.gravity || /[XO]/.test(claim.cells) || claim.turn !== 'first') {
  fail('only certificates of version 2 from an empty board')
}
const body = inflateRawSync(file.subarray(split + 1, -32))

const n = columns * rows
const lines = [] // those of one row, column or diagonal stand together
for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [-1, 1]]) {
  const on = (x, y) => x >= 0 && x < columns && y >= 0 && y < rows
  for (let c = 0; c < n; c++) {
    let [x, y] = [c % columns, Math.floor(c / columns)]
    if (on(x - dx, y - dy)) continue
    for (; on(x + dx * (k - 1), y + dy * (k - 1)); x += dx, y += dy) {
      lines.push(Array.from({ length: k }, (_, i) => x + dx * i + (y + dy * i) * columns))
    }
  }
}
const through = Array.from({ length: n }, (_, c) => lines.filter(l => l.includes(c)))
const images = []
for (let s = 0; s < 4 || s < 8 && columns === rows; s++) {
  images.push(Array.from({ length: n }, (_, c) => {
    let [x, y] = [c % columns, Math.floor(c / columns)]
    if (s & 1) x = columns - 1 - x
    if (s & 2) y = rows - 1 - y
    return s & 4 ? y + x * columns : x + y * columns
  }))
}

// ---- Positions: an array with 0 for a free cell, 1 for a stone of the prover, 2 for a stone of the opponent

const ME = 1, HE = 2
const all = Array.from({ length: n }, (_, c) => c)
const open = (p, l, side) => l.every(c => p[c] !== 3 - side)
const lacks = (p, l) => l.filter(c => !p[c])
const gaps = (p, side) => all.filter(c => !p[c] && through[c].some(l => l.every(d => d === c || p[d] === side)))
const put = (p, c, side) => { const q = p.slice(); q[c] = side; return q }
const won = (p, side) => lines.some(l => l.every(c => p[c] === side))
const alive = (p, c) => through[c].filter(l => open(p, l, ME) || open(p, l, HE))

const worth = (sum, free) => sum + 2 ** -Math.min(40, free.length)
const weight = (p, side) => lines.filter(l => open(p, l, side)).map(l => lacks(p, l)).reduce(worth, 0)

// The cells that the opponent must try.
function relevant(p) {
  let left = all.filter(c => !p[c])
  for (const c of left.slice().reverse()) {
    const rest = left.filter(d => d !== c && alive(p, c).every(l => l.includes(d)))
    if (rest.length) left = left.filter(d => d !== c)
  }
  return left
}

// Pairs of free cells, one for each open line of the opponent, or null.
function paired(p) {
  const groups = []
  for (const l of lines.filter(l => open(p, l, HE))) {
    const both = groups.at(-1)?.filter(c => l.includes(c)) ?? []
    if (both.length > 1) groups[groups.length - 1] = both
    else groups.push(lacks(p, l))
  }
  const owner = new Map()
  const give = (place, seen) => groups[place >> 1].some(c => {
    if (seen.has(c)) return false
    seen.add(c)
    if (owner.has(c) && !give(owner.get(c), seen)) return false
    owner.set(c, place)
    return true
  })
  for (let place = 0; place < 2 * groups.length; place++) if (!give(place, new Set())) return null
  const pairs = groups.map(() => [])
  for (const [c, place] of owner) pairs[place >> 1].push(c)
  return pairs
}

// The key of a position, equal for equal positions, and the symmetry that leads to it.
function key(p) {
  const live = all.map(c => alive(p, c).length ? p[c] : 3)
  return images.map((to, s) => {
    const turned = []
    for (const c of all) turned[to[c]] = live[c]
    return { text: turned.join(''), s }
  }).reduce((a, b) => a.text <= b.text ? a : b)
}

// ---- The walk through the file

let at = 0, wins = false
const kept = new Map() // by key: the position, the prover's move and the symmetry
const next = () => at < body.length ? body[at++] : fail('the file is too short')

function walk(p, side) {
  const mine = gaps(p, side), theirs = gaps(p, 3 - side)
  if (mine.length || theirs.length > 1) {
    if ((mine.length > 0) !== (side === ME)) fail('the opponent wins')
    return
  }
  if (!wins && weight(p, HE) < (side === ME ? 1 : 0.5)) return
  if (side === HE) {
    if (!wins && paired(p)) return
    for (const c of theirs.length ? theirs : relevant(p)) walk(put(p, c, HE), ME)
    return
  }
  const { text, s } = key(p)
  if (kept.has(text)) return
  const entry = { p, s }
  kept.set(text, entry)
  entry.move = theirs.length ? theirs[0] : next()
  if (p[entry.move] !== 0) fail('the cell is not free')
  walk(put(p, entry.move, ME), HE)
}

// ---- The strategy

const found = new Map() // by position: the line of the strategy
const letters = () => prover === 'first' ? '.XO' : '.OX'
let prover

// answer finds the prover's move in p. The model is the position in the file that p resembles, or null if the prover only
// needs to take the most valuable cell; to maps each cell of the game to a cell of the model.
function answer(p, model, to) {
  const name = p.join('')
  if (found.has(name)) return
  found.set(name, '')
  let cell = gaps(p, ME)[0] ?? gaps(p, HE)[0]
  if (model && !gaps(p, ME).length && !wins && weight(p, HE) < 1) model = null
  if (cell === undefined && !model) {
    const value = c => through[c].filter(l => open(p, l, HE)).map(l => lacks(p, l)).reduce(worth, 0)
    cell = all.filter(c => !p[c]).reduce((a, b) => value(a) >= value(b) ? a : b)
  } else if (model && !gaps(p, ME).length) {
    const { text, s } = key(model)
    const entry = kept.get(text)
    if (entry) {
      // Both symmetries lead to the position of the key.
      const back = []
      for (const c of all) back[images[entry.s][c]] = c
      to = all.map(c => back[images[s][to[c]]])
      model = entry.p
      const wanted = entry.move
      if (cell === undefined) cell = to.indexOf(wanted)
      if (p[cell]) cell = all.find(c => !p[c])
      to = swapped(to, cell, wanted)
      model = put(model, wanted, ME)
    } else if (cell === undefined) fail('the file has no move in ' + name)
  }
  const q = put(p, cell, ME)
  const text = Array.from(p, x => letters()[x]).join('') + ' ' + cell
  if (won(q, ME) || q.every(x => x)) {
    found.set(name, text)
    return
  }
  found.set(name, text + replies(q, model, to))
}

// swapped returns the map after which the cell of the game has the given cell of the model.
function swapped(to, cell, model) {
  const turned = to.slice()
  turned[to.indexOf(model)] = to[cell]
  turned[cell] = model
  return turned
}

// pairedLike returns the pairs of the model as cells of the game, if they are also pairs in q, or null.
function pairedLike(q, model, to) {
  const pairs = model && paired(model)?.map(pair => pair.map(c => to.indexOf(c)))
  const fits = pairs && lines.every(l => !open(q, l, HE) || pairs.some(pair => pair.every(c => l.includes(c))))
  return fits && pairs.flat().every(c => !q[c]) ? pairs : null
}

// replies goes through all answers of the opponent in q, and returns the end of the line of the strategy.
function replies(q, model, to) {
  const pairs = wins ? null : paired(q) ?? pairedLike(q, model, to)
  if (pairs) return ' pairs ' + pairs.flat().join(' ')
  const answers = model && (gaps(model, ME).length ? gaps(model, ME) : relevant(model))
  for (const c of all) {
    if (q[c]) continue
    const r = put(q, c, HE)
    if (won(r, HE)) fail('the opponent has a line')
    if (r.every(x => x)) continue
    if (!model) {
      answer(r, null, to)
      continue
    }
    // An answer that the file leaves out is followed like one that is on all of its lines.
    const like = answers.includes(to[c]) ? to[c]
      : answers.find(d => alive(model, to[c]).every(l => l.includes(d))) ?? answers[0]
    answer(r, put(model, like, HE), swapped(to, c, like))
  }
  return ''
}

// ---- The parts: a win or loss has one, a draw two, of which the second is for the side to move

wins = claim.value !== 'draw'
prover = claim.value === 'win' ? 'first' : 'second'
if (body[at++] !== 0) fail('only parts of kind 0 can be unfolded')
const empty = Array.from({ length: n }, () => 0)
walk(empty, prover === 'first' ? ME : HE)
let root = ''
if (prover === 'first') answer(empty, empty, all)
else root = replies(empty, empty, all)
console.log(`${columns} ${rows} ${k} ${wins ? 'win' : 'hold'} ${prover}${root}`)
for (const line of found.values()) console.log(line)
