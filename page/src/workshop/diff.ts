// SPDX-License-Identifier: Apache-2.0
// What changed between two versions, line by line.

export interface Changed {
  kind: 'same' | 'old' | 'new'
  text: string
  /** How many equal lines were left out here; text is empty. */
  left?: number
}

const around = 3 // equal lines that are shown beside a change
const most = 4_000_000 // cells of the table; beyond it all lines are said to have changed

/** The lines of two texts: those of both, of the old one alone and of the new one alone. */
export function diff(old: string, now: string): Changed[] {
  const a = old.split('\n')
  const b = now.split('\n')
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  let end = 0
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const middle = compare(a.slice(from, a.length - end), b.slice(from, b.length - end))
  const same = (text: string): Changed => ({ kind: 'same', text })
  return fold([...a.slice(0, from).map(same), ...middle, ...a.slice(a.length - end).map(same)])
}

/** The longest common subsequence, by the table of the lengths of all ends. */
function compare(a: string[], b: string[]): Changed[] {
  const gone = (text: string): Changed => ({ kind: 'old', text })
  const come = (text: string): Changed => ({ kind: 'new', text })
  if (a.length * b.length > most) return [...a.map(gone), ...b.map(come)]
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1])
  const all: Changed[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) all.push({ kind: 'same', text: a[i] }), i++, j++
    else if (j >= b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) all.push(gone(a[i++]))
    else all.push(come(b[j++]))
  }
  return all
}

/** Leaves out equal lines that are far from every change. */
function fold(all: Changed[]): Changed[] {
  const near = all.map((_, i) => all.slice(Math.max(i - around, 0), i + around + 1).some((c) => c.kind !== 'same'))
  const out: Changed[] = []
  all.forEach((c, i) => {
    const before = out[out.length - 1]
    if (near[i]) out.push(c)
    else if (before?.left) before.left++
    else out.push({ kind: 'same', text: '', left: 1 })
  })
  return out
}
