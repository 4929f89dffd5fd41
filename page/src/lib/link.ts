// SPDX-License-Identifier: Apache-2.0
// A whole tree with comments in the fragment of a link: JSON, deflated, in the letters of base64 for addresses. The
// fragment stays in the browser: no server sees it.
import { drawing, longestComment, most, type Node } from './tree'

/** The longest fragment that is made: browsers take more, but mail and messages cut links. */
export const longest = 16_000

/** A node as a list: its move, its comment or 0, or a list of the comment and the drawing, and what follows. */
type Packed = [string, string | 0 | string[], ...Packed[]]

const pack = (n: Node): Packed => [n.move, n.drawn?.length ? [n.comment ?? '', ...n.drawn] : (n.comment ?? 0), ...n.next.map(pack)]

function unpack(p: unknown, left: { moves: number }): Node {
  if (!Array.isArray(p) || typeof p[0] !== 'string' || p[0].length > 8 || --left.moves < 0) throw new Error('no tree')
  const [text, ...drawn] = Array.isArray(p[1]) ? p[1] : [p[1]]
  const comment = typeof text === 'string' ? text.slice(0, longestComment) : undefined
  return { move: p[0], ...(comment ? { comment } : {}), ...(drawn.length ? { drawn: drawing(drawn) } : {}), next: p.slice(2).map((c) => unpack(c, left)) }
}

async function through(bytes: Uint8Array<ArrayBuffer>, way: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Blob([bytes]).stream().pipeThrough(way as ReadableWritablePair<Uint8Array, Uint8Array>)
  return new Uint8Array(await new Response(out as ReadableStream).arrayBuffer())
}

/** The fragment of a tree, with its #. */
export async function fragment(root: Node): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(pack(root))), new CompressionStream('deflate-raw'))
  let bytes = ''
  for (const b of packed) bytes += String.fromCharCode(b)
  return '#t=' + btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** The tree of a fragment, or nothing where it holds none. */
export async function treeOf(hash: string): Promise<Node | undefined> {
  if (!hash.startsWith('#t=')) return
  const bytes = Uint8Array.from(atob(hash.slice(3).replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
  const text = new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))
  return unpack(JSON.parse(text), { moves: most })
}
