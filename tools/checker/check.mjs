// SPDX-License-Identifier: Apache-2.0

// A second checker of certificates, written from docs/reference/formats/certificate.md. It shares no
// code, no language and no data structure with package proof: two programs have to be wrong in the
// same way before a false claim passes both.
//
//	node tools/checker/check.mjs [--max-positions N] FILE...
//
// It prints the whole claim of each file that it accepts: a file may well prove a claim about another position than
// its name says.
//
// How it works: the lines of k cells are numbered once. For each line two counters say how many
// stones of the prover and of the opponent are on it. Everything else, such as threats, open lines and cells that
// matter, is read from these counters.
//
//	lines      0 1 2 3 | 1 2 3 4 | 2 3 4 5 | ...     k cells each, line after line of each row
//	row        0         0         0         ...     lines of one row stand together, in order
//	through    cell -> the numbers of the lines on which it is
//	has[side]  line -> stones of that side on it

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createInflateRaw } from 'node:zlib'

const PROVER = 0, OPPONENT = 1, FREE = 2, DEAD = 3
const DONE = -1, FAIL = -2, OPEN = -3 // what judge says if no move is forced
const SEARCH = 255 // the step that leaves the moves to the checker
const PLAN = 254 // the step with which a plan begins
const LONGEST = 1000000 // the most positions of one plan
const FAINT = 40 // a line that lacks more cells counts as if it lacked so many
const ROOM = 2 ** 31 // the most bytes for the positions that are kept
const PIECE = 2 ** 14 // how many trees are kept in one array
const BIGGEST = 2 ** 30 // the most bytes of a file

const NO_POSITION = 'its position holds a line of k or no free cell, which certificates do not support'

/** A Refusal is the reason why a certificate proves nothing. */
class Refusal extends Error {}

const refuse = reason => { throw new Refusal(reason) }

// ---- The file

const number = '(0|[1-9][0-9]*)'
const zoneHeader = new RegExp('^{"krow":"certificate","version":3,"columns":' + number + ',"rows":' + number +
  ',"k":' + number + ',"gravity":false,"cells":"([.XO]*)","turn":"(first|second)"' +
  ',"value":"(win|loss)","search":0,"rule":"(free|exact|caro|renju)"}$')
const nestedHeader = new RegExp('^{"krow":"certificate","version":4,"columns":9,"rows":9,"k":3,"gravity":false,"cells":"([.XO]{81})"' +
  ',"turn":"(first|second)","value":"(win|draw|loss)","search":0,"rule":"(plain|boards)(,open)?","owners":"([.XO]{9})","forced":"([1-9]|any)"}$')
const treeHeader = new RegExp('^{"krow":"certificate","version":9,"columns":' + number + ',"rows":' + number + ',"k":' + number +
  ',"gravity":false,"cells":"([.XO]*)","turn":"(first|second)","value":"(win|loss)","search":0,"rule":"(?:(connect)","each":' + number +
  ',"left":' + number + '|(pente|keryo)","captures":' + number + ',"taken":"' + number + ',' + number + '"|(atarigo)")}$')
const header = new RegExp('^{"krow":"certificate","version":(2|5|6|7|8),"columns":' + number + ',"rows":' + number +
  ',"k":' + number + ',"gravity":(true|false),"cells":"([.XO]*)","turn":"(first|second)"' +
  ',"value":"(win|draw|loss)","search":' + number + '(?:,"rule":"(exact|caro)")?}$')

/** open splits a file into its claim and its deflated body. */
function open(file) {
  const end = file.length - 32
  if (end < 0 || !createHash('sha256').update(file.subarray(0, end)).digest().equals(file.subarray(end)))
    refuse('its checksum is wrong')
  const newline = file.subarray(0, Math.min(end, 4000)).indexOf(10)
  const first = newline < 0 ? '' : file.toString('latin1', 0, newline)
  const found = header.exec(first), body = file.subarray(newline + 1, end)
  if (!found && zoneHeader.test(first)) return { claim: zoneClaim(zoneHeader.exec(first)), body }
  if (!found && nestedHeader.test(first)) return { claim: nestedClaim(nestedHeader.exec(first)), body }
  if (!found && treeHeader.test(first)) return { claim: treeClaim(treeHeader.exec(first)), body }
  if (!found) refuse('its first line is not that of a certificate of version 2 to 9')
  const [version, columns, rows, k] = found.slice(1, 5).map(Number)
  const claim = { columns, rows, k, falls: found[5] === 'true', cells: found[6], turn: found[7], value: found[8], search: Number(found[9]), rule: found[10], holds: version >= 5 && version < 8, plans: version >= 6, lists: version === 8 }
  if ((version === 7) !== (claim.rule !== undefined)) refuse('version 7 has a rule, and no other one of its kind has')
  if (claim.lists && !claim.falls) refuse('version 8 is for falling stones alone')
  if (claim.rule && (claim.value !== 'draw' || claim.falls)) refuse('by that rule it can only be a draw where stones do not fall')
  if (columns < 1 || rows < 1 || columns * rows > 128) refuse('its board does not have 1 to 128 cells')
  if (k < 1 || k > 128) refuse('its k is not 1 to 128')
  if (claim.cells.length !== columns * rows) refuse('its cells are not those of its board')
  for (let c = columns; claim.falls && c < columns * rows; c++)
    if (claim.cells[c] !== '.' && claim.cells[c - columns] === '.') refuse('one of its stones stands on nothing')
  if (claim.search > 100000) refuse('it wants a search of more than 100000 positions')
  return { claim, body }
}

/** zoneClaim is the claim of a certificate with zones. */
function zoneClaim(found) {
  const [columns, rows, k] = found.slice(1, 4).map(Number), [cells, turn, value, rule] = found.slice(4)
  if (columns < 1 || rows < 1 || columns * rows > 512) refuse('its board does not have 1 to 512 cells')
  if (k < 1 || k > 64) refuse('its k is not 1 to 64')
  if (cells.length !== columns * rows) refuse('its cells are not those of its board')
  if (rule === 'renju' && (k !== 5 || (turn === 'first') !== (value === 'win'))) refuse('in renju it can only be a win of the first side, by five in a row')
  return { columns, rows, k, cells, turn, value, rule, zones: true }
}

/** treeClaim is the claim of a certificate of a game with captures or with turns of several stones. */
function treeClaim(found) {
  const [columns, rows, k] = found.slice(1, 4).map(Number), [cells, turn, value, connect, each, left, takes, captures, x, o, go] = found.slice(4)
  const taken = takes ? [x, o].map(Number) : [0, 0]
  if (columns < 1 || rows < 1 || columns * rows > 512) refuse('its board does not have 1 to 512 cells')
  if (go ? k !== 0 || columns !== rows : k < 1 || k > 64) refuse('its k does not fit its rule or its board')
  if (cells.length !== columns * rows) refuse('its cells are not those of its board')
  if (connect && ![each, left].every(n => n >= 1 && n <= 99)) refuse('its turns do not have 1 to 99 stones')
  if (takes && (captures > 99 || taken.some(n => n >= Number(captures)))) refuse('it has too many captures')
  return { columns, rows, k: go ? 64 : k, cells, turn, value, rule: connect ?? takes ?? go, each: Number(each ?? 1), left: Number(left ?? 1), captures: Number(captures ?? 0), taken, tree: true }
}

/** nestedClaim is the claim of a certificate of ultimate tic-tac-toe. */
function nestedClaim(found) {
  const [cells, turn, value, rule, open, owners, forced] = found.slice(1)
  return { cells, turn, value, counts: rule === 'boards', open: open !== undefined, rule: rule + (open ?? ''), owners, forced, nested: true }
}

/** Body gives the bytes of a deflated body one at a time, and holds no more than a piece of them. */
class Body {
  constructor(deflated) {
    this.deflated = deflated
    this.inflate = createInflateRaw({ chunkSize: 1 << 14 })
    this.pieces = this.inflate[Symbol.asyncIterator]()
    this.inflate.end(deflated)
    this.piece = Buffer.alloc(0)
    this.at = 0
  }

  /** more waits for the next piece and says if there is one. */
  async more() {
    try {
      const next = await this.pieces.next()
      this.piece = next.done ? Buffer.alloc(0) : next.value
      this.at = 0
      return !next.done
    } catch {
      return refuse('its body is not deflated data')
    }
  }

  async byte() {
    while (this.at === this.piece.length) if (!await this.more()) refuse('it ends before its walk does')
    return this.piece[this.at++]
  }

  /** varint reads a number of up to five bytes, seven bits each, the lowest first, in its shortest form. */
  async varint() {
    for (let n = 0, unit = 1, i = 0; i < 5; i++, unit *= 128) {
      const b = await this.byte()
      n += (b & 127) * unit
      if (b === 0 && i > 0) return refuse('a number has more bytes than it needs')
      if (b < 128) return n
    }
    return refuse('a number is too large')
  }

  /** end refuses what stands behind the last byte that was read. */
  async end() {
    while (this.at === this.piece.length) {
      if (await this.more()) continue
      if (this.inflate.bytesWritten !== this.deflated.length) refuse('something stands between its body and its checksum')
      return
    }
    refuse('it has steps that its walk does not need')
  }

  close() { this.inflate.destroy() }
}

// ---- The board

/** straights lists the cells of every row, column and diagonal, in order. */
function straights(columns, rows) {
  const found = []
  const on = (x, y) => x >= 0 && x < columns && y >= 0 && y < rows
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [-1, 1]])
    for (let c = 0; c < columns * rows; c++) {
      let x = c % columns, y = (c - x) / columns
      if (on(x - dx, y - dy)) continue
      const cells = []
      for (; on(x, y); x += dx, y += dy) cells.push(x + y * columns)
      found.push(cells)
    }
  return found
}

/** mirrors lists the symmetries of a board, each as a table from cells to cells. */
function mirrors({ columns, rows, falls }, Cells = Uint8Array) {
  const maps = [(x, y) => [x, y], (x, y) => [columns - 1 - x, y]]
  if (!falls) maps.push(...maps.map(m => (x, y) => m(x, rows - 1 - y)))
  if (!falls && columns === rows) maps.push(...[0, 2, 1, 3].map(i => (x, y) => maps[i](y, x)))
  return maps.map(m => Cells.from({ length: columns * rows }, (_, c) => {
    const [x, y] = m(c % columns, Math.floor(c / columns))
    return x + y * columns
  }))
}

/**
 * matched gives each group two of its cells, none of them twice, and returns whose each cell is, twice the group or one more,
 * or undefined. It takes them in the order of the group.
 */
function matched(groups, cells) {
  const owner = new Int16Array(cells).fill(-1)
  const assign = (want, seen) => groups[want >> 1].some(c => {
    if (seen[c]) return false
    seen[c] = 1
    if (owner[c] >= 0 && !assign(owner[c], seen)) return false
    owner[c] = want
    return true
  })
  for (let want = 0; want < 2 * groups.length; want++) if (!assign(want, new Uint8Array(cells))) return undefined
  return owner
}

/** Board is a position with its counters. */
class Board {
  constructor(claim) {
    const { columns, rows, k } = claim
    this.columns = columns
    this.falls = claim.falls
    this.size = columns * rows
    this.k = k
    const lines = [], row = []
    straights(columns, rows).forEach((cells, r) => {
      if (k === 1 && r >= rows) return // a cell is one line, not four
      for (let i = 0; i + k <= cells.length; i++) lines.push(cells.slice(i, i + k)), row.push(r)
    })
    this.count = lines.length
    this.lines = Uint8Array.from(lines.flat())
    this.row = Uint16Array.from(row)
    this.through = Array.from({ length: this.size }, (_, c) => Uint16Array.from([...lines.keys()].filter(l => lines[l].includes(c))))
    this.has = [new Uint8Array(this.count), new Uint8Array(this.count)]
    this.hope = [this.count, this.count] // side -> its lines without a stone of the other one
    this.ripe = [0, 1].map(() => new Uint32Array((this.count + 31) >> 5)) // side -> a bit for each of these that lacks one stone
    for (let l = 0; l < this.count; l++) this.ripen(l)
    this.cells = new Uint8Array(this.size).fill(FREE)
    this.free = this.size
  }

  put(c, side) {
    this.cells[c] = side
    this.free--
    const lines = this.through[c], has = this.has[side]
    for (let i = 0; i < lines.length; i++) {
      if (has[lines[i]]++ === 0) this.hope[1 - side]--
      this.ripen(lines[i])
    }
  }

  take(c) {
    const side = this.cells[c], lines = this.through[c], has = this.has[side]
    this.cells[c] = FREE
    this.free++
    for (let i = 0; i < lines.length; i++) {
      if (--has[lines[i]] === 0) this.hope[1 - side]++
      this.ripen(lines[i])
    }
  }

  /** ripen says anew for which side a line lacks one stone, after a stone on it has come or gone. */
  ripen(l) {
    const prover = this.has[PROVER][l], opponent = this.has[OPPONENT][l]
    if (prover + opponent < this.k - 2) return
    const word = l >> 5, bit = 1 << (l & 31)
    this.ripe[PROVER][word] &= ~bit
    this.ripe[OPPONENT][word] &= ~bit
    if (prover + opponent !== this.k - 1) return
    if (opponent === 0) this.ripe[PROVER][word] |= bit
    if (prover === 0) this.ripe[OPPONENT][word] |= bit
  }

  /** allows says if a stone can be put on a cell: it is free and, where stones fall, the one below is not. */
  allows(c) {
    return c < this.size && this.cells[c] === FREE && (!this.falls || c < this.columns || this.cells[c - this.columns] !== FREE)
  }

  /** threats lists up to two cells on which a side completes a line. */
  threats(side) {
    const ripe = this.ripe[side]
    let first = -1
    for (let w = 0; w < ripe.length; w++)
      for (let bits = ripe[w]; bits !== 0; bits &= bits - 1) {
        let i = ((w + 1) * 32 - 1 - Math.clz32(bits & -bits)) * this.k
        while (this.cells[this.lines[i]] !== FREE) i++
        const c = this.lines[i]
        if (c === first || !this.allows(c)) continue
        if (first >= 0) return [first, c]
        first = c
      }
    return first < 0 ? [] : [first]
  }

  /** open says if a side can still complete some line. */
  open(side) { return this.hope[side] > 0 }
}

// ---- What a part is about

/** Part is the walk of one part: the prover wins, or does not lose. */
class Part {
  constructor(claim, prover, wins, blind, limits) {
    this.claim = claim
    this.wins = wins
    this.blind = blind // the prover's own lines do not count
    this.limits = limits
    this.b = new Board(claim)
    for (let c = 0; c < this.b.size; c++)
      if (claim.cells[c] !== '.') this.b.put(c, (claim.cells[c] === 'X') === (prover === 'first') ? PROVER : OPPONENT)
    if (this.b.free === 0 || this.b.has.some(has => has.includes(claim.k))) refuse(NO_POSITION)
    this.mirrors = mirrors(claim)
    this.alive = new Uint8Array(this.b.size)
    this.left = new Int32Array(FAINT + 1)
    this.code = new Uint8Array(this.b.size)
    this.words = (this.b.size + 15) >> 4
    this.met = new Table(this.words)
    this.plan = null // the plan that the prover follows, and the positions that it has met
    this.order = Array.from({ length: claim.columns }, (_, x) => x)
      .sort((x, y) => Math.abs(2 * x + 1 - claim.columns) - Math.abs(2 * y + 1 - claim.columns))
  }

  /** judge says how it stands with the side to move: done, failed, a forced move, or open. */
  judge(side) {
    const b = this.b, counts = !this.blind
    if (side === PROVER) {
      if (counts && b.threats(PROVER).length > 0) return DONE
      const danger = b.threats(OPPONENT)
      if (danger.length > 1) return FAIL
      const verdict = this.decided(side)
      return verdict === OPEN && danger.length > 0 ? danger[0] : verdict
    }
    if (b.threats(OPPONENT).length > 0) return FAIL
    const verdict = this.decided(side)
    if (verdict !== OPEN || !counts) return verdict
    const danger = b.threats(PROVER)
    if (danger.length > 1) return DONE
    return danger.length > 0 ? danger[0] : OPEN
  }

  /** decided says if nothing is left to decide. */
  decided(side) {
    if (this.wins) return this.b.open(PROVER) ? OPEN : FAIL
    if (!this.b.open(OPPONENT)) return DONE
    if (this.b.falls) return OPEN
    return this.light(side) || side === OPPONENT && this.pairs() ? DONE : OPEN
  }

  /**
   * light is the test of Erdős and Selfridge. The sum is exact: halves are carried from the longest lines
   * to the shortest, and what is rounded off on the way is below one unit of the next.
   */
  light(side) {
    const b = this.b, left = this.left.fill(0)
    for (let l = 0; l < b.count; l++) if (b.has[PROVER][l] === 0) left[Math.min(b.k - b.has[OPPONENT][l], FAINT)]++
    let sum = 0
    for (let n = left.length - 1; n >= 1; n--) sum = (sum >> 1) + left[n]
    return side === PROVER ? sum < 2 : sum < 1 // in halves
  }

  /** pairs looks for a pairing strategy: two cells for each group of lines, none of them twice. */
  pairs() {
    const b = this.b, groups = []
    let row = -1, shared = []
    for (let l = 0; l < b.count; l++) {
      if (b.has[PROVER][l] !== 0) continue
      const free = []
      for (let i = l * b.k; i < (l + 1) * b.k; i++) if (b.cells[b.lines[i]] === FREE) free.push(b.lines[i])
      const both = b.row[l] === row ? free.filter(c => shared.includes(c)) : []
      if (both.length >= 2) {
        shared = groups[groups.length - 1] = both
        continue
      }
      if (free.length < 2) return false
      groups.push(shared = free)
      row = b.row[l]
    }
    if (2 * groups.length > b.free) return false
    return matched(groups, b.size) !== undefined
  }

  /** counts says if a line can still be completed by a side whose lines count in this part. */
  counts(l) { return this.b.has[PROVER][l] === 0 || !this.blind && this.b.has[OPPONENT][l] === 0 }

  /** mark finds the cells through which a line can still be completed. */
  mark() {
    const b = this.b, alive = this.alive.fill(0)
    for (let l = 0; l < b.count; l++)
      if (this.counts(l)) for (let i = l * b.k; i < (l + 1) * b.k; i++) alive[b.lines[i]] = 1
    return alive
  }

  /** answers lists the opponent's moves that have to be tried. */
  answers() {
    const b = this.b, cells = []
    if (b.falls) {
      for (let c = 0; c < b.size; c++) if (b.allows(c)) cells.push(c)
      return cells
    }
    const alive = this.mark()
    for (let c = 0; c < b.size; c++) if (b.cells[c] === FREE && alive[c] && !this.covered(c)) cells.push(c)
    if (cells.length === 0) throw new Error('no answer is left to try: this cannot be')
    return cells
  }

  /** covered says if another free cell is on all the open lines that c is on. */
  covered(c) {
    const b = this.b, lines = b.through[c].filter(l => this.counts(l))
    for (let i = lines[0] * b.k; i < (lines[0] + 1) * b.k; i++) {
      const other = b.lines[i]
      if (other === c || b.cells[other] !== FREE || !lines.every(l => b.through[other].includes(l))) continue
      if (other < c || b.through[other].some(l => this.counts(l) && !lines.includes(l))) return true
    }
    return false
  }

  /** key writes the position to the table's room for it: of all its images the smallest. */
  key() {
    const b = this.b, code = this.code, { key, image } = this.met, words = this.words
    if (b.falls) code.set(b.cells)
    else for (let c = 0, alive = this.mark(); c < b.size; c++) code[c] = alive[c] ? b.cells[c] : DEAD
    for (let m = 0; m < this.mirrors.length; m++) {
      const to = this.mirrors[m]
      let order = m === 0 ? -1 : 0 // of this image and the smallest one: smaller, equal so far
      for (let w = 0; w < words && order <= 0; w++) {
        let word = 0
        for (let c = w << 4; c < b.size && c < (w + 1) << 4; c++) word = word << 2 | code[to[c]]
        image[w] = word
        if (order === 0) order = Math.sign(image[w] - key[w])
      }
      if (order < 0) key.set(image)
    }
  }

  /** enter counts a position in which the prover has to move, and ends a walk that is too long. */
  enter() {
    if (++this.limits.entered > this.limits.most) refuse(`its walk enters more than ${this.limits.most} positions`)
  }

  /** walk follows the steps of a part to its end. side is to move. */
  async walk(body, side) {
    const b = this.b, trail = [], branches = []
    for (;;) {
      let move = this.judge(side)
      if (move === FAIL) refuse(this.wins ? 'its steps do not win' : 'its steps do not hold the draw')
      if (move !== DONE && side === PROVER) {
        this.enter()
        if (this.plan) {
          if (this.plan.knows(b)) move = DONE
          else if (move === OPEN) move = this.plan.move(b)
        } else {
          this.key()
          if (!this.met.add()) move = DONE
          else if (move === OPEN) move = await this.step(body)
          if (this.plan) this.plan.depth = branches.length
        }
      } else if (move === OPEN) {
        branches.push({ depth: trail.length, cells: this.answers(), next: 0 })
        move = DONE // go on with the first answer
      }
      if (move === DONE) {
        // A plan ends where the last answer of the opponent to it is done.
        while (branches.length > 0 && branches.at(-1).next === branches.at(-1).cells.length) branches.pop()
        if (this.plan && branches.length <= this.plan.depth) this.plan = null
        if (branches.length === 0) return
        const branch = branches.at(-1)
        while (trail.length > branch.depth) b.take(trail.pop())
        move = branch.cells[branch.next++]
        side = OPPONENT
      }
      b.put(move, side)
      trail.push(move)
      side = 1 - side
    }
  }

  /** step reads the prover's move, or finds the rest of the moves and is done. */
  async step(body) {
    const c = await body.byte()
    if (c === SEARCH && this.b.falls) {
      this.left = this.claim.search
      return this.find() ? DONE : refuse('no moves are found for a step that leaves them to the checker')
    }
    if (c !== PLAN || !this.claim.lists) return this.b.allows(c) ? c : refuse('a step is on a cell that cannot be played')
    const first = await body.byte()
    this.plan = await List.read(body, this.b)
    return this.b.allows(first) ? first : refuse('a step is on a cell that cannot be played')
  }

  /** find searches a move of the prover, whom nothing forces. */
  find() {
    if (this.left === 0) return false
    this.left--
    return this.order.some(x => {
      let c = x
      while (c < this.b.size && !this.b.allows(c)) c += this.b.columns
      return c < this.b.size && this.holds(c, PROVER)
    })
  }

  /** holds says if the prover reaches his goal after a move, by search. */
  holds(c, mover) {
    const b = this.b, side = 1 - mover
    b.put(c, mover)
    const move = this.judge(side)
    if (move !== DONE && move !== FAIL && side === PROVER) this.enter()
    const good = move >= 0 ? this.holds(move, side) : move === DONE || move === OPEN &&
      (side === PROVER ? this.find() : this.answers().every(a => this.holds(a, OPPONENT)))
    b.take(c)
    return good
  }
}

/** List is a plan: the columns in which the prover would play, by the first of its lines that says one. */
class List {
  constructor(lines, right) {
    this.lines = lines
    this.right = right // the rightmost cell is taken of several, else the leftmost
    this.met = new Set()
    this.depth = 0 // of the walk when the plan began
  }

  /** read reads the lines of a plan: each is a cell, or every even row, and a cell that the opponent must have. */
  static async read(body, b) {
    const head = await body.varint(), count = (head - head % 2) / 2, lines = []
    if (count > 256) refuse('a plan has more than 256 rules')
    while (lines.length < count) {
      const n = await body.varint()
      if (n <= b.size) lines.push({ even: n === b.size, cell: n, has: -1 })
      else lines.push({ even: false, cell: await body.varint(), has: n - b.size - 1 })
      if (lines.at(-1).has >= b.size || lines.at(-1).cell > b.size - (n > b.size)) refuse('a plan has a rule that does not exist')
    }
    return new List(lines, head % 2 === 1)
  }

  /** knows says if the plan has met this very position, and keeps it. */
  knows(b) {
    const text = String.fromCharCode(...b.cells), size = this.met.size
    if (this.met.add(text).size > LONGEST) refuse('a plan meets more than ' + LONGEST + ' positions')
    return this.met.size === size
  }

  /** move returns the cell of the prover, whom nothing forces. */
  move(b) {
    // The cell that a stone in each column would fall to, from left to right or from right to left.
    const landings = []
    for (let x = 0; x < b.columns; x++)
      for (let c = x; c < b.size; c += b.columns)
        if (b.cells[c] === FREE) {
          landings.push(c)
          break
        }
    if (this.right) landings.reverse()
    for (const { even, cell, has } of this.lines) {
      if (has >= 0 && b.cells[has] !== OPPONENT) continue
      const found = landings.find(c => even ? (c - c % b.columns) / b.columns % 2 === 1 : c === cell)
      if (found !== undefined) return found
    }
    return landings[0]
  }
}

// ---- Certificates with zones

const OPEN_CELL = 0, WINNER = 1, LOSER = 2
const WAYS = [[1, 0], [0, 1], [1, 1], [-1, 1]]

/**
 * Zones checks a strategy tree by scanning the board; it keeps no counters. A zone is an array with a 1 for each of its
 * cells.
 */
class Zones {
  constructor(claim, body, limits) {
    Object.assign(this, { claim, body, limits, size: claim.columns * claim.rows, trees: 0, held: 0, kept: [] })
    this.stones = Uint8Array.from(claim.cells, c => c === '.' ? OPEN_CELL : (c === 'X') === ((claim.turn === 'first') === (claim.value === 'win')) ? WINNER : LOSER)
    this.lines = []
    for (let c = 0; c < this.size; c++)
      for (const [dx, dy] of claim.k === 1 ? WAYS.slice(0, 1) : WAYS)
        if (this.at(c, dx, dy, claim.k - 1) >= 0) {
          const cells = Array.from({ length: claim.k }, (_, i) => this.at(c, dx, dy, i))
          this.lines.push({ cells, ends: [this.at(c, dx, dy, -1), this.at(c, dx, dy, claim.k)] })
        }
    const whole = l => [WINNER, LOSER].some(s => l.cells.every(c => this.stones[c] === s))
    if (!this.stones.includes(OPEN_CELL) || this.lines.some(whole)) refuse(NO_POSITION)
    this.maps = mirrors({ ...claim, falls: false }, Uint16Array)
  }

  /** at returns the cell some steps from another one, or -1 beyond the edge. */
  at(from, dx, dy, steps) {
    const { columns, rows } = this.claim, x = from % columns + steps * dx, y = Math.floor(from / columns) + steps * dy
    return x < 0 || y < 0 || x >= columns || y >= rows ? -1 : x + y * columns
  }

  /** winner checks the tree of the winner, who is to move, and returns its zone, or null for the mark that there is none. */
  async winner(unseen, optional) {
    const t = await this.body.varint(), n = this.size
    if (t === 2 * n && optional) return null
    if (t > 2 * n && t <= 2 * n + this.maps.length) {
      const back = await this.body.varint()
      this.enter()
      return this.image(this.maps[t - 2 * n - 1], back, unseen)
    }
    const c = t % n
    if (t >= 2 * n || this.stones[c] !== OPEN_CELL) refuse('a move cannot be played')
    this.trees++
    this.enter()
    this.stones[c] = WINNER
    const won = this.row(c)
    if (!won && this.claim.rule === 'renju' && this.foul(c)) refuse('a move makes an overline, two fours or two threes')
    const zone = won ?? await this.loser(unseen)
    this.stones[c] = OPEN_CELL
    zone[c] = 1
    if (t >= n) this.keep(zone, unseen)
    return zone
  }

  /** enter counts a tree or an image. */
  enter() {
    if (++this.limits.entered > this.limits.most) refuse(`its walk enters more than ${this.limits.most} positions`)
  }

  /** keep keeps a tree: for each cell a byte, its stone + 4 if it is in the zone. */
  keep(zone, unseen) {
    const n = this.size, at = this.held++ % PIECE
    if (at === 0) {
      if ((this.held + PIECE) * (n + 2) > ROOM) refuse('its trees need more memory than ' + ROOM + ' bytes')
      this.kept.push({ cells: new Uint8Array(PIECE * n), unseen: new Uint16Array(PIECE) })
    }
    const { cells, unseen: seen } = this.kept.at(-1)
    for (let c = 0; c < n; c++) cells[at * n + c] = this.stones[c] + 4 * zone[c]
    seen[at] = unseen
  }

  /** loser checks the answers of the other side. */
  async loser(unseen) {
    const passed = await this.winner(unseen + 1, true), zone = passed ? passed.slice() : new Uint8Array(this.size)
    let answers = 0
    for (let c = 0; c < this.size; c++) {
      if (this.stones[c] !== OPEN_CELL || passed && !passed[c]) continue
      answers++
      this.stones[c] = LOSER
      const more = await this.winner(unseen, false)
      this.stones[c] = OPEN_CELL
      more.forEach((in_, i) => { if (in_) zone[i] = 1 })
    }
    if (answers === 0) refuse('there is no answer')
    for (let j = await this.body.varint(); j > 0; j--) {
      const c = await this.body.varint()
      if (this.stones[c] !== OPEN_CELL || zone[c]) refuse('a cell that joins is not free, or has joined before')
      zone[c] = 1
    }
    for (const l of this.lines) {
      const free = l.cells.filter(c => this.stones[c] === OPEN_CELL)
      if (free.length > unseen + 1 || l.cells.some(c => this.stones[c] === WINNER) || this.vain(l)) continue
      if (free.length - Math.min(unseen, free.filter(c => !zone[c]).length) < 2) refuse('the other side may complete a row')
    }
    return zone
  }

  /** vain says if a line is not the place of a row that wins, whatever is played. */
  vain({ ends }) {
    const is = s => ends.map(c => c >= 0 && this.stones[c] === s)
    return this.claim.rule === 'exact' ? is(LOSER).some(Boolean) : this.claim.rule === 'caro' && is(WINNER).every(Boolean)
  }

  /** row returns the zone of a row that wins through a cell, or null. */
  row(c) {
    let found = null
    for (const [dx, dy] of WAYS) {
      let a = -1, b = 1
      while (this.stones[this.at(c, dx, dy, a)] === WINNER) a--
      while (this.stones[this.at(c, dx, dy, b)] === WINNER) b++
      const long = b - a - 1, zone = new Uint8Array(this.size)
      if (long < this.claim.k || long > this.claim.k && ['exact', 'renju'].includes(this.claim.rule)) continue
      const ends = [this.at(c, dx, dy, a), this.at(c, dx, dy, b)]
      if (this.claim.rule !== 'caro' || ends.includes(-1)) return zone
      const end = ends.find(e => this.stones[e] === OPEN_CELL)
      if (end === undefined || found) continue
      zone[end] = 1
      found = zone
    }
    return found
  }

  /**
   * foul says if a stone of the winner makes an overline, two fours or two threes in renju. It reads each line through the cell as a
   * text: x is the winner's stone, a dot a free cell, o everything else. The stone itself is in the middle, at place 5.
   */
  foul(c) {
    let fours = 0, threes = 0
    for (const [dx, dy] of WAYS) {
      let text = ''
      for (let i = -5; i <= 5; i++) text += { [WINNER]: 'x', [OPEN_CELL]: '.' }[this.stones[this.at(c, dx, dy, i)]] ?? 'o'
      const row = /x*$/.exec(text.slice(0, 6))[0].length + /^x*/.exec(text.slice(6))[0].length
      const lacksOne = part => part.includes('.') && part.replaceAll('x', '').length === 1
      const fives = [1, 2, 3, 4, 5].filter(i => lacksOne(text.slice(i, i + 5)) && text[i - 1] !== 'x' && text[i + 5] !== 'x').length
      if (row > 5) return true
      fours += row === 4 ? Math.min(fives, 1) : fives
      if ([2, 3, 4, 5].some(i => lacksOne(text.slice(i, i + 4)) && text[i - 1] === '.' && text[i + 4] === '.' && text[i - 2] !== 'x' && text[i + 5] !== 'x')) threes++
    }
    return fours > 1 || threes > 1
  }

  /** image returns the zone of the image of a kept tree, which must serve here. */
  image(map, back, unseen) {
    const tree = this.held - 1 - back
    if (tree < 0) refuse('there is no such tree')
    const { cells, unseen: seen } = this.kept[Math.floor(tree / PIECE)], at = tree % PIECE
    const zone = new Uint8Array(this.size)
    let more = 0
    for (let c = 0; c < this.size; c++) {
      const t = cells[at * this.size + c], stone = t & 3, here = this.stones[map[c]]
      zone[map[c]] = t >> 2
      if (stone === here) continue
      if (stone !== OPEN_CELL || here !== LOSER || zone[map[c]]) refuse('a tree does not serve')
      more++
    }
    if (more + unseen > seen[at]) refuse('a tree has not seen enough')
    return zone
  }
}

/** checkZones checks a certificate with zones, or one of version 9, and returns its positions. */
async function checkZones(claim, deflated, limits) {
  const body = new Body(deflated), zones = claim.tree ? new Tree(claim, body, limits) : new Zones(claim, body, limits)
  let walked = false
  try {
    if (claim.tree) await zones.walk(zones.start)
    else if (claim.value === 'win') await zones.winner(0, false)
    else await zones.loser(0)
    walked = true
    await body.end()
  } catch (e) {
    if (e instanceof Refusal && !walked) e.message = `position ${zones.trees}: ${e.message}`
    throw e
  } finally {
    body.close()
  }
  return zones.trees
}

// ---- Certificates of games with captures, or with turns of several stones

const AROUND = [...WAYS, ...WAYS.map(([dx, dy]) => [-dx, -dy])]

/**
 * Tree plays the winner's stones against every answer. It makes a new position for each stone: the cells, the side to move, the
 * stones that this side has left in its turn, and the captures of WINNER and LOSER.
 */
class Tree extends Zones {
  constructor(claim, body, limits) {
    super(claim, body, limits)
    const same = (claim.turn === 'first') === (claim.value === 'win'), [x, o] = claim.taken
    this.start = { cells: this.stones, side: claim.value === 'win' ? WINNER : LOSER, left: claim.left, taken: [0, ...(same ? [x, o] : [o, x])] }
    this.met = new Table((this.size + 15 >> 4) + 1)
    if (claim.rule === 'atarigo' && this.start.cells.some((s, c) => s !== OPEN_CELL && this.liberties(this.start.cells, c).size === 0)) refuse('a group has no liberty')
    if (!this.wins(this.start) && this.moves(this.start).length === 0) refuse('its side to move has no move')
  }

  /** near lists the cells next to a cell in a row or column. */
  near(c) { return [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => this.at(c, dx, dy, 1)).filter(d => d >= 0) }

  /** liberties returns the free cells next to the group of the stone on c. */
  liberties(cells, c) {
    const group = new Set([c]), free = new Set()
    for (const d of group) // also those that are added on the way
      for (const e of this.near(d)) {
        if (cells[e] === OPEN_CELL) free.add(e)
        else if (cells[e] === cells[c]) group.add(e)
      }
    return free
  }

  /** prey lists the stones that a stone on c captures between it and another stone of its side. */
  prey({ cells, side }, c) {
    const all = []
    for (const [dx, dy] of this.claim.captures > 0 ? AROUND : []) {
      let n = 0
      while (cells[this.at(c, dx, dy, n + 1)] === 3 - side) n++
      if (cells[this.at(c, dx, dy, n + 1)] !== side || n !== 2 && !(n === 3 && this.claim.rule === 'keryo')) continue
      for (let i = 1; i <= n; i++) all.push(this.at(c, dx, dy, i))
    }
    return all
  }

  /** counts says for how many captures some stones count. */
  counts(prey) { return this.claim.rule === 'pente' ? prey.length / 2 : prey.length }

  /** shortest lists the free cells of the line that a side fills with the fewest stones, or nothing if it needs more than most. */
  shortest(cells, side, most) {
    let found = []
    for (const l of this.lines) {
      if (l.cells.some(c => cells[c] === 3 - side)) continue
      const free = l.cells.filter(c => cells[c] === OPEN_CELL)
      if (free.length <= most && (found.length === 0 || free.length < found.length)) found = free
    }
    return found
  }

  /** wins says if the side to move completes a row or makes a capture that wins, in this turn. */
  wins(p) {
    const { cells, side, left, taken } = p, { rule, captures } = this.claim
    if (rule === 'atarigo') return cells.some((s, c) => s === 3 - side && this.liberties(cells, c).size === 1)
    if (this.shortest(cells, side, left).length > 0) return true
    return captures > 0 && cells.some((s, c) => s === OPEN_CELL && taken[side] + this.counts(this.prey(p, c)) >= captures)
  }

  /** moves lists the cells on which the side to move can play; it cannot win in this turn. */
  moves({ cells, side }) {
    const breathes = c => {
      const after = cells.slice()
      after[c] = side
      return this.liberties(after, c).size > 0
    }
    return [...cells.keys()].filter(c => cells[c] === OPEN_CELL && (this.claim.rule !== 'atarigo' || breathes(c)))
  }

  /** after returns the position after a stone on c. */
  after(p, c) {
    const prey = this.prey(p, c), cells = p.cells.slice(), taken = p.taken.slice(), on = p.left > 1
    cells[c] = p.side
    for (const d of prey) cells[d] = OPEN_CELL
    taken[p.side] += this.counts(prey)
    return { cells, taken, side: on ? p.side : 3 - p.side, left: on ? p.left - 1 : this.claim.each }
  }

  /** remember keeps a position, or the least of its images, and says if it is new. */
  remember({ cells, taken }) {
    const { key, image } = this.met
    this.maps.forEach((map, i) => {
      image.fill(0)
      cells.forEach((s, c) => { image[map[c] >> 4] |= s << 2 * (map[c] & 15) })
      const at = image.findIndex((w, j) => w !== key[j])
      if (i === 0 || at >= 0 && image[at] < key[at]) key.set(image)
    })
    key[key.length - 1] = taken[WINNER] + 256 * taken[LOSER]
    return this.met.add()
  }

  /** walk checks that the winner wins from a position. */
  async walk(p) {
    const lost = 'its steps do not win'
    this.enter()
    if (this.wins(p)) return p.side === WINNER ? undefined : refuse(lost)
    let moves = this.moves(p)
    if (moves.length === 0 && !(this.claim.rule === 'atarigo' && p.side === LOSER)) refuse(lost)
    if (p.side === WINNER) {
      if (!this.remember(p)) return
      this.trees++
      const c = await this.body.varint()
      if (!moves.includes(c)) refuse('a step cannot be played')
      moves = [c]
    } else if (this.claim.rule === 'connect') {
      const threat = this.shortest(p.cells, WINNER, this.claim.each)
      if (threat.length > 0) moves = threat.sort((a, b) => a - b)
    }
    for (const c of moves) await this.walk(this.after(p, c))
  }
}

// ---- Certificates of ultimate tic-tac-toe

// A small board is a number, its code: a digit to the base of 3 for each cell, 0 for a free one, 1 for the prover's and 2 for
// the opponent's. The owners of the small boards are such a number too. Everything else is looked up by it.
const CODES = 3 ** 9, SHUT = 0x3ffff, ANY = 9
const power = i => 3 ** i, digit = (code, i) => Math.floor(code / power(i)) % 3
const THREES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]

/** tables returns what is to be known of each code, by side where there are two. */
function tables() {
  const t = {
    lined: [new Uint8Array(CODES), new Uint8Array(CODES)], // the side has three in a row
    alive: [new Uint16Array(CODES), new Uint16Array(CODES)], // the cells on rows without a stone of the other side
    free: Array(CODES), // the free cells
    trim: new Uint32Array(CODES), // two bits a cell: the digit, or 3 for a stone on no row that its side can fill
    blank: new Uint32Array(CODES), // the same, as if no stone were on such a row
  }
  for (let code = 0; code < CODES; code++) {
    const cells = Array.from({ length: 9 }, (_, i) => digit(code, i))
    for (const side of [PROVER, OPPONENT])
      for (const row of THREES) {
        if (row.every(i => cells[i] === side + 1)) t.lined[side][code] = 1
        if (row.every(i => cells[i] !== 2 - side)) for (const i of row) t.alive[side][code] |= 1 << i
      }
    t.free[code] = cells.flatMap((d, i) => d === 0 ? [i] : [])
    cells.forEach((d, i) => {
      t.trim[code] |= (d > 0 && !(t.alive[d - 1][code] >> i & 1) ? 3 : d) << 2 * i
      t.blank[code] |= (d > 0 ? 3 : 0) << 2 * i
    })
  }
  return t
}

/** Nested is the walk of one part. */
class Nested {
  constructor(claim, prover, wins, limits) {
    Object.assign(this, { claim, wins, limits, met: new Table(10) })
    Nested.tables ??= tables()
    const mine = prover === 'first' ? 'X' : 'O', number = c => c === '.' ? 0 : c === mine ? 1 : 2
    const code = text => [...text].reduce((sum, c, i) => sum + number(c) * power(i), 0)
    const small = Array.from({ length: 9 }, (_, b) => code(claim.cells.slice(9 * b, 9 * b + 9)))
    const p = { small, owners: code(claim.owners), place: claim.forced === 'any' ? ANY : claim.forced - 1, side: prover === claim.turn ? PROVER : OPPONENT }
    small.forEach((s, b) => {
      const rows = [PROVER, OPPONENT].filter(side => Nested.tables.lined[side][s]), owner = digit(p.owners, b) - 1
      if (rows.length > 1 && !claim.open || (owner < 0 ? rows.length > 0 : !rows.includes(owner))) refuse('a small board has the wrong owner')
    })
    if (this.end(p) !== undefined) refuse('its game is over')
    if (p.place !== ANY && this.shut(p, p.place)) refuse('nobody can play in its small board')
    this.start = p
  }

  /** shut says if a small board takes no more stones. */
  shut(p, b) { return Nested.tables.free[p.small[b]].length === 0 || !this.claim.open && digit(p.owners, b) > 0 }

  /** moves lists the moves, from the lowest up. */
  moves(p) {
    const all = []
    for (let b = 0; b < 9; b++)
      if ((p.place === ANY || p.place === b) && !this.shut(p, b)) for (const c of Nested.tables.free[p.small[b]]) all.push(9 * b + c)
    return all
  }

  /** after returns the position after a move. */
  after(p, m) {
    const c = m % 9, b = (m - c) / 9, q = { small: p.small.slice(), owners: p.owners, place: c, side: 1 - p.side }
    q.small[b] += (p.side + 1) * power(c)
    if (digit(p.owners, b) === 0 && Nested.tables.lined[p.side][q.small[b]]) q.owners += (p.side + 1) * power(b)
    if (this.shut(q, c)) q.place = ANY
    return q
  }

  /** count returns how many small boards a side has won. */
  count(p, side) { return p.small.filter((_, b) => digit(p.owners, b) === side + 1).length }

  /** end returns 1 if the prover has won, -1 if the opponent has, 0 for a draw, and nothing before the end. */
  end(p) {
    if (Nested.tables.lined[PROVER][p.owners]) return 1
    if (Nested.tables.lined[OPPONENT][p.owners]) return -1
    for (let b = 0; b < 9; b++) if (!this.shut(p, b)) return undefined
    return this.claim.counts ? Math.sign(this.count(p, PROVER) - this.count(p, OPPONENT)) : 0
  }

  good(end) { return end > 0 || end === 0 && !this.wins }

  /** hopes returns the code of the small boards in which those that a side has not, and cannot get, are the other's. */
  hopes(p, side) {
    let code = 0
    for (let b = 0; b < 9; b++) {
      const owner = digit(p.owners, b)
      const gone = owner === 0 ? this.shut(p, b) || !Nested.tables.alive[side][p.small[b]] : owner !== side + 1
      if (gone) code += (2 - side) * power(b)
    }
    return code
  }

  /** settled says if the prover reaches his goal whatever is played. */
  settled(p) {
    const hopes = this.hopes(p, OPPONENT)
    if (Nested.tables.alive[OPPONENT][hopes]) return false
    if (!this.claim.counts) return !this.wins
    const more = this.count(p, PROVER) - Nested.tables.free[hopes].length
    return more > 0 || more === 0 && !this.wins
  }

  /** key writes what matters of the position to the table's room for it. */
  key(p) {
    const { alive, trim, blank } = Nested.tables
    const use = [PROVER, OPPONENT].map(s => this.claim.counts ? 511 : alive[s][this.hopes(p, s)])
    for (let b = 0; b < 9; b++) {
      const owner = digit(p.owners, b), s = p.small[b]
      const dull = owner > 0 || this.claim.open && !((use[PROVER] | use[OPPONENT]) >> b & 1)
      const stones = this.shut(p, b) ? SHUT : (dull ? blank : trim)[s]
      this.met.key[b] = (owner > 0 && use[owner - 1] >> b & 1 ? owner << 18 : 0) | stones
    }
    this.met.key[9] = p.place
  }

  /** walk follows the steps of the part to its end. */
  async walk(body) {
    const branches = []
    for (let p = this.start; p;) {
      let next
      if (!this.settled(p)) {
        if (p.side === PROVER) next = await this.step(p, body)
        else branches.push({ p, moves: this.moves(p), at: 0 })
      }
      while (!next && branches.length > 0) {
        const top = branches.at(-1)
        if (top.at === top.moves.length) branches.pop()
        else next = this.play(top.p, top.moves[top.at++])
      }
      p = next
    }
  }

  /** play returns the position after a move, or nothing where the prover has reached his goal. */
  play(p, m) {
    const q = this.after(p, m), end = this.end(q)
    if (end === undefined) return q
    if (!this.good(end)) refuse(this.wins ? 'its steps do not win' : 'its steps do not hold the draw')
    return undefined
  }

  /** step returns the position after the prover's move, or nothing where none is needed. */
  async step(p, body) {
    const moves = this.moves(p)
    if (moves.some(m => this.good(this.end(this.after(p, m))))) return undefined
    if (++this.limits.entered > this.limits.most) refuse(`its walk enters more than ${this.limits.most} positions`)
    this.key(p)
    if (!this.met.add()) return undefined
    const m = await body.byte()
    if (!moves.includes(m)) refuse('a step cannot be played')
    return this.play(p, m)
  }
}

// ---- A draw held by pairs and zones

/**
 * Holder is the walk of a part in which the prover breaks lines, and answers outside a zone are settled together. For each line
 * it counts what breaks it: stones of the prover, and pairs of which he gets one cell. A line that nothing breaks is open. What
 * is asked of each position, such as how many cells a line lacks, is counted as stones and pairs come and go. Sets of cells
 * are arrays of 0 and 1.
 */
class Holder {
  constructor(claim, prover, limits) {
    const part = new Part(claim, prover, false, true, limits), b = part.b
    Object.assign(this, { b, limits, plans: claim.plans, mirrors: part.mirrors })
    this.met = { size: 0 } // positions with the opponent to move
    this.usable = Uint8Array.from(b.cells, s => s === FREE ? 1 : 0) // free, and in no pair
    this.room = b.free // usable cells
    this.broken = b.has[PROVER].slice()
    this.lacks = b.has[PROVER].map((n, l) => b.k - n - b.has[OPPONENT][l]) // line -> its usable cells
    this.open = Uint8Array.from(b.through, ls => ls.filter(l => this.broken[l] === 0).length) // cell -> the open lines through it
    this.left = this.broken.reduce((n, x) => n + (x === 0), 0) // open lines
    this.on = new Uint8Array(b.count * b.size) // line, cell -> if it leads through it
    b.lines.forEach((c, i) => { this.on[Math.floor(i / b.k) * b.size + c] = 1 })
    this.counts = new Float64Array(b.size) // what the open lines through a cell count
    this.made = [] // pairs, with the lines that they broke
    this.kept = new Kept(b.count, b.size)
    const name = (l, to) => Array.from(b.lines.subarray(l * b.k, (l + 1) * b.k), c => to ? to[c] : c).sort((x, y) => x - y).join()
    const at = new Map(Array.from({ length: b.count }, (_, l) => [name(l), l]))
    this.images = this.mirrors.map(to => Int32Array.from({ length: b.count }, (_, l) => at.get(name(l, to))))
  }

  empty() { return new Uint8Array(this.b.size) }

  break(l) {
    if (this.broken[l]++ > 0) return
    this.left--
    const { k, lines } = this.b
    for (let i = l * k; i < (l + 1) * k; i++) this.open[lines[i]]--
  }

  mend(l) {
    if (--this.broken[l] > 0) return
    this.left++
    const { k, lines } = this.b
    for (let i = l * k; i < (l + 1) * k; i++) this.open[lines[i]]++
  }

  /** use takes a cell away from what is usable, and give gives it back. */
  use(c) {
    this.usable[c] = 0
    this.room--
    for (const l of this.b.through[c]) this.lacks[l]--
  }

  give(c) {
    this.usable[c] = 1
    this.room++
    for (const l of this.b.through[c]) this.lacks[l]++
  }

  /** pair makes a pair, and unpair takes pairs back until so many are left. */
  pair(a, c) {
    const lines = []
    for (const l of this.b.through[a]) if (this.broken[l] === 0 && this.on[l * this.b.size + c]) lines.push(l)
    for (const l of lines) this.break(l)
    this.use(a)
    this.use(c)
    this.made.push({ a, c, lines })
  }

  unpair(n) {
    while (this.made.length > n) {
      const { a, c, lines } = this.made.pop()
      this.give(c)
      this.give(a)
      for (const l of lines) this.mend(l)
    }
  }

  async walk(body, side) {
    if (side === OPPONENT) {
      await this.tree(body, this.empty())
      return
    }
    this.leaveOut()
    this.pairAlone()
    if (this.left > 0) await this.reply(body, await body.varint(), this.empty())
  }

  /** reply plays the prover's move and returns the zone of what follows. */
  async reply(body, c, last) {
    if (!(c < this.b.size && this.usable[c] && this.open[c] > 0)) refuse('a step is on a cell that cannot be played')
    this.use(c)
    for (const l of this.b.through[c]) this.break(l)
    const zone = await this.tree(body, last)
    for (const l of this.b.through[c]) this.mend(l)
    this.give(c)
    zone[c] = 1
    return zone
  }

  /** tree returns the zone of a position with the opponent to move. Cells of last are paired last. */
  async tree(body, last) {
    this.met.size++
    if (++this.limits.entered > this.limits.most) refuse(`its walk enters more than ${this.limits.most} positions`)
    const before = this.made.length, out = this.leaveOut()
    this.pairAlone()
    const zone = this.matching(last) ?? await this.answers(body)
    for (let i = before; i < this.made.length; i++) zone[this.made[i].a] = zone[this.made[i].c] = 1
    this.unpair(before)
    for (const l of out) this.mend(l)
    return zone
  }

  /** within says if the usable cells of line m are all on line l. */
  within(m, l) {
    const { k, lines, size } = this.b
    for (let i = m * k; i < (m + 1) * k; i++) if (this.usable[lines[i]] && !this.on[l * size + lines[i]]) return false
    return true
  }

  /**
   * leaveOut counts as broken the lines whose usable cells include those of another open line, of a number that differs by
   * less than k, and lists them.
   */
  leaveOut() {
    const { b, broken, lacks } = this, out = []
    for (let l = 0; l < b.count; l++) {
      if (broken[l] !== 0) continue
      for (let m = Math.max(0, l - b.k + 1); m < Math.min(b.count, l + b.k); m++) {
        if (m === l || broken[m] !== 0 || lacks[m] > lacks[l] || m > l && lacks[m] === lacks[l] || !this.within(m, l)) continue
        this.break(l)
        out.push(l)
        break
      }
    }
    return out
  }

  /** pairAlone makes pairs of cells that are on one open line alone, the same one. */
  pairAlone() {
    const { b } = this
    for (let found = true; found;) {
      found = false
      for (let l = 0; l < b.count; l++) {
        let first = -1
        for (let i = l * b.k; i < (l + 1) * b.k && this.broken[l] === 0; i++) {
          const c = b.lines[i]
          if (!this.usable[c] || this.open[c] !== 1) continue
          if (first >= 0) {
            this.pair(first, c)
            found = true
          } else first = c
        }
      }
    }
  }

  /** cells lists the usable cells of a line, the lowest first. */
  cells(l) {
    const { k, lines } = this.b, found = []
    for (let i = l * k; i < (l + 1) * k; i++) if (this.usable[lines[i]]) found.push(lines[i])
    return found
  }

  /** matching returns the cells of pairs that break all open lines, or undefined. */
  matching(last) {
    const { b } = this, groups = []
    let row = -1, group = []
    for (let l = 0; l < b.count; l++) {
      if (this.broken[l] !== 0) continue
      let both = 0
      if (b.row[l] === row) for (const c of group) both += this.on[l * b.size + c]
      if (both >= 2 && both === group.length) continue
      if (both >= 2) group = groups[groups.length - 1] = group.filter(c => this.on[l * b.size + c])
      else if (2 * groups.push(group = this.cells(l)) > this.room) return undefined
      row = b.row[l]
    }
    for (const g of groups) g.sort((x, y) => last[x] - last[y] || x - y)
    const owner = matched(groups, b.size)
    if (!owner) return undefined
    const zone = this.empty()
    for (let c = 0; c < b.size; c++) if (owner[c] >= 0) zone[c] = 1
    return zone
  }

  /** above lists the other usable cells that are on all open lines through a live one, the lowest first. */
  above(c) {
    let cells
    for (const l of this.b.through[c]) {
      if (this.broken[l] !== 0) continue
      cells = cells ? cells.filter(d => this.on[l * this.b.size + d]) : this.cells(l).filter(d => d !== c)
      if (cells.length === 0) break
    }
    return cells
  }

  /** answers returns the zone of a position in which some moves of the opponent have to be answered. */
  async answers(body) {
    const { b, open, usable } = this, cells = [], zone = this.empty(), left = this.empty()
    for (let c = 0; c < b.size; c++) if (usable[c] && open[c] > 0) cells.push(c)
    const above = new Map(cells.map(c => [c, this.above(c)]))
    for (const [c, others] of above) if (!others.some(d => d < c || open[d] > open[c])) left[c] = 1
    for (const [c, others] of above) if (!left[c]) zone[others.find(d => left[d])] = 1
    const order = this.heaviest(cells.filter(c => left[c]))
    if (order.length === 0) refuse('its steps do not hold the draw')
    const lines = this.kept.pack(this.broken, 0)
    for (const [i, c] of order.entries()) {
      if (!left[c]) continue
      const r = await body.varint()
      if (i === 0 && r >= b.size && r < b.size + this.mirrors.length) return this.shared(await body.varint(), r - b.size)
      if (i === 0 && this.plans && r === b.size + this.mirrors.length) return this.plan(body)
      left[c] = 0
      this.use(c)
      const after = await this.reply(body, r, left.slice())
      this.give(c)
      for (let d = 0; d < b.size; d++)
        if (after[d]) zone[d] = 1
        else left[d] = 0
    }
    this.kept.add(lines, this.kept.pack(zone, 1))
    return zone
  }

  /** heaviest sorts cells by what their open lines count, the greatest first. */
  heaviest(cells) {
    const counts = this.counts.fill(0)
    for (const c of cells) for (const l of this.b.through[c]) if (this.broken[l] === 0) counts[c] += COUNTS[this.lacks[l]]
    return cells.sort((x, y) => counts[y] - counts[x] || x - y)
  }

  /** plan makes the pairs of a plan and returns the cells of the lines that it leaves, which must count less than one half. */
  async plan(body) {
    for (let pairs = await body.varint(); pairs > 0; pairs--) {
      let cells = [], least = 129
      for (let l = 0; l < this.b.count; l++)
        if (this.broken[l] === 0 && this.lacks[l] < least) cells = this.cells(l), least = this.lacks[l]
      const pair = this.ranked(cells)[await body.varint()]
      if (!pair) refuse('its plan has no such pair')
      this.pair(pair.a, pair.c)
    }
    const { b } = this, zone = this.empty()
    let sum = 0
    for (let l = 0; l < b.count; l++) {
      if (this.broken[l] !== 0) continue
      sum += COUNTS[this.lacks[l]]
      for (const c of this.cells(l)) zone[c] = 1
    }
    return sum < 2 ** 19 ? zone : refuse('its plan leaves too much')
  }

  /** ranked lists the pairs of some cells by what they add: lines with both count no longer, and those with one count double. */
  ranked(cells) {
    const { size, through } = this.b, { broken, lacks, on } = this, pairs = []
    const sum = (c, other, both) => {
      const lines = through[c]
      let n = 0
      for (let i = 0; i < lines.length; i++) {
        const l = lines[i]
        if (broken[l] === 0) n += (on[l * size + other] ? both : 1) * COUNTS[lacks[l]]
      }
      return n
    }
    for (let i = 0; i < cells.length; i++)
      for (let j = i + 1; j < cells.length; j++) {
        const a = cells[i], c = cells[j]
        pairs.push({ a, c, adds: sum(a, c, -1) + sum(c, a, 0) })
      }
    return pairs.sort((p, q) => p.adds - q.adds)
  }

  /** shared returns the zone of the image of a tree that was kept so many trees ago. */
  shared(back, symmetry) {
    const { kept, b } = this, to = this.mirrors[symmetry], lines = this.images[symmetry], zone = this.empty()
    const t = kept.size - 1 - back
    if (t < 0) refuse('it shares a tree that does not fit')
    for (let l = 0; l < b.count; l++)
      if (this.broken[lines[l]] === 0 && !kept.line(t, l)) refuse('it shares a tree that does not fit')
    for (let c = 0; c < b.size; c++) {
      if (!kept.cell(t, c) || this.open[to[c]] === 0) continue
      if (!this.usable[to[c]]) refuse('it shares a tree that does not fit')
      zone[to[c]] = 1
    }
    return zone
  }
}

/** COUNTS is what a line counts that lacks so many cells: half as much for each. */
const COUNTS = Float64Array.from({ length: 129 }, (_, n) => 2 ** (20 - Math.min(20, n)))

/** Kept is a list of trees: a bit for each line that was open, and for each cell of the zone. */
class Kept {
  constructor(lines, cells) {
    this.lines = (lines + 31) >> 5
    this.words = this.lines + ((cells + 31) >> 5)
    this.size = 0
    this.parts = [] // of PIECE trees each
  }

  /** pack returns a bit for each entry that has a value. */
  pack(entries, value) {
    const bits = new Uint32Array((entries.length + 31) >> 5)
    for (let i = 0; i < entries.length; i++) if (entries[i] === value) bits[i >> 5] |= 1 << (i & 31)
    return bits
  }

  add(lines, zone) {
    const at = this.size++ % PIECE * this.words
    if (at === 0) {
      if (this.size * this.words * 4 > ROOM) refuse('its trees need more memory than ' + ROOM + ' bytes')
      this.parts.push(new Uint32Array(PIECE * this.words))
    }
    this.parts.at(-1).set(lines, at)
    this.parts.at(-1).set(zone, at + this.lines)
  }

  line(tree, l) { return this.bit(tree, l) }

  cell(tree, c) { return this.bit(tree, 32 * this.lines + c) }

  bit(tree, i) { return this.parts[Math.floor(tree / PIECE)][tree % PIECE * this.words + (i >> 5)] >> (i & 31) & 1 }
}

/** Table is a set of whole positions: none is taken for another one. */
class Table {
  constructor(words) {
    this.words = words
    this.key = new Uint32Array(words) // the position to look for
    this.image = new Uint32Array(words)
    this.size = 0
    this.room(1 << 10)
  }

  room(slots) {
    if (slots * this.words > ROOM / 4) refuse('its positions need more memory than ' + ROOM + ' bytes')
    this.slots = slots
    this.keys = new Uint32Array(slots * this.words)
    this.taken = new Uint8Array(slots)
  }

  /** add keeps the key and says if it is new. */
  add() {
    if (2 * this.size >= this.slots) this.grow()
    return this.put()
  }

  put() {
    const { key, keys, words, taken, slots } = this
    let s = 0
    for (let w = 0; w < words; w++) s = Math.imul(s ^ key[w], 0x9e3779b1), s ^= s >>> 15
    for (s &= slots - 1; taken[s]; s = s + 1 & slots - 1) {
      let w = 0
      while (w < words && keys[s * words + w] === key[w]) w++
      if (w === words) return false
    }
    keys.set(key, s * words)
    taken[s] = 1
    this.size++
    return true
  }

  grow() {
    const { keys, taken, words } = this, key = this.key.slice()
    this.room(2 * this.slots)
    this.size = 0
    for (let s = 0; s < taken.length; s++) {
      if (!taken[s]) continue
      this.key.set(keys.subarray(s * words, (s + 1) * words))
      this.put()
    }
    this.key.set(key)
  }
}

// ---- The certificate

/** check returns what a certificate proves, or throws a Refusal. */
async function check(file, most) {
  const { claim, body: deflated } = open(file)
  const other = claim.turn === 'first' ? 'second' : 'first'
  // A draw has two parts: the other side does not lose, and the side to move does not.
  const parts = { win: [claim.turn], loss: [other], draw: [other, claim.turn] }[claim.value]
  const limits = { entered: 0, most }
  if (claim.zones || claim.tree) return proved(claim, await checkZones(claim, deflated, limits))
  const body = new Body(deflated)
  let positions = 0
  try {
    for (const prover of parts) {
      if (claim.nested) {
        positions += await follow(new Nested(claim, prover, claim.value !== 'draw', limits), body)
        continue
      }
      const kind = await body.byte(), wins = claim.value !== 'draw'
      // By a rule not every row of k wins, and a stone more can hurt: the prover has to break every line.
      if (claim.rule && kind !== 1 && kind !== 3) refuse('its part ' + kind + ' does not prove that')
      if (kind === 2 && !wins && prover === claim.turn && !claim.falls && !/[XO]/.test(claim.cells)) continue
      if (kind === 3 && claim.holds && !wins && !claim.falls) {
        positions += await follow(new Holder(claim, prover, limits), body, prover === claim.turn ? PROVER : OPPONENT)
        continue
      }
      if (kind > 1 || kind === 1 && (wins || claim.falls)) refuse('its part ' + kind + ' does not prove that')
      const part = new Part(claim, prover, wins, kind === 1, limits)
      positions += await follow(part, body, prover === claim.turn ? PROVER : OPPONENT)
    }
    await body.end()
  } finally {
    body.close()
  }
  return proved(claim, positions)
}

/** proved names all of a claim that was proved: board, rule, stones, side to move and value. */
function proved(claim, positions) {
  const [x, o] = ['X', 'O'].map(letter => claim.cells.split(letter).length - 1)
  const turns = {
    connect: `, ${claim.each} in a turn, ${claim.left} left`,
    pente: ` or ${claim.captures} pairs, captured ${claim.taken}`,
    keryo: ` or ${claim.captures} stones, captured ${claim.taken}`,
  }[claim.tree && claim.rule] ?? ''
  let rule = claim.rule === 'renju' ? 'renju' : claim.rule === 'exact' ? `exactly ${claim.k} in a row` : `${claim.k} or more in a row` +
    (claim.falls ? ', falling stones' : claim.rule === 'caro' ? ', not between two stones of the other side' : '') + turns
  if (claim.rule === 'atarigo') rule = 'first capture'
  const board = claim.nested ? `ultimate, ${claim.rule}` : `${claim.columns} x ${claim.rows}, ${rule}`
  const stones = x + o === 0 ? 'empty board' : `stones X ${x}, O ${o}`
  const place = claim.nested ? `, small board ${claim.forced}` : ''
  return `${board}, ${stones}${place}, ${claim.turn} to move: ${claim.value} for ${claim.turn}, ${positions} positions`
}

/** follow walks through a part and returns its positions. */
async function follow(part, body, side) {
  try {
    await part.walk(body, side)
  } catch (e) {
    if (e instanceof Refusal) e.message = `position ${part.met.size}: ${e.message}`
    throw e
  }
  return part.met.size
}

/** read reads a file that is one, and not too long. */
function read(name) {
  const s = statSync(name)
  if (!s.isFile() || s.size > BIGGEST) refuse('this is no file of at most ' + BIGGEST + ' bytes')
  return readFileSync(name)
}

/** main checks the files and returns the exit status. */
async function main() {
  let names, most
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'max-positions': { type: 'string', default: '100000000' } } })
    names = positionals
    most = /^[1-9][0-9]{0,14}$/.test(values['max-positions']) && Number(values['max-positions'])
  } catch {} // an unknown option
  if (!most || names.length === 0) {
    console.error('usage: node check.mjs [--max-positions N] FILE...')
    return 2
  }
  let status = 0
  for (const name of names) {
    try {
      console.log(`${name}: ${await check(read(name), most)}`)
    } catch (e) {
      // A RangeError is an array for which there is no memory.
      if (!(e instanceof Refusal) && !(e instanceof RangeError) && !e.syscall) throw e
      console.log(`${name}: refused: ${e.message}`)
      status = 1
    }
  }
  return status
}

process.exitCode = await main()
