// SPDX-License-Identifier: Apache-2.0
// What happened in the last step of a search, in words.
import { t } from '../texts'
import { worth, type Replay } from './replay'

export function explain(r: Replay): string {
  const last = r.last
  if (!last) return t('lab.say.before')
  const nodes = r.tree.nodes
  const n = nodes[last.node]
  const v = worth(n.value)
  if (last.kind === 'enter') {
    if (n.parent < 0) return t('lab.say.root')
    if (n.end) return t(`lab.say.leaf.${n.end}`, { move: n.move!, v })
    const who = n.max ? 'max' : 'min'
    return t('lab.say.enter', { move: n.move!, who }) + window(r, last.node)
  }
  if (n.parent < 0) return t(r.tree.complete ? 'lab.say.end' : 'lab.say.broken', { v, move: r.tree.best ?? '' })
  const p = nodes[n.parent]
  const key = { better: p.max ? 'lab.say.raise' : 'lab.say.lower', same: 'lab.say.same', none: 'lab.say.keep' } as const
  let text = t(key[r.change], { move: n.move!, v, now: worth(r.value[n.parent]) })
  if (r.cutting(n.parent) && r.state[n.parent] !== 2) {
    text += ' ' + t('lab.say.cut', { a: worth(r.alpha[n.parent]), b: worth(r.beta[n.parent]), n: p.cut! })
  }
  return text
}

function window(r: Replay, i: number): string {
  const n = r.tree.nodes[i]
  return n.alpha === undefined && n.beta === undefined ? '' : ' ' + t('lab.say.window', { a: worth(r.alpha[i]), b: worth(r.beta[i]) })
}
