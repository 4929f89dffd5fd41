// SPDX-License-Identifier: Apache-2.0
// The board as a picture: its drawing with the styles written into it.

const looks = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'stop-color']

// Mixed colours have a form that not every program reads: they are painted once, and read back.
const painted = new Map<string, string>()
function plain(value: string): string {
  if (!/^(color|oklab|oklch|lab|lch)\(/.test(value)) return value
  if (!painted.has(value)) {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
    pen.fillStyle = value
    pen.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data
    painted.set(value, `rgba(${r}, ${g}, ${b}, ${(a / 255).toFixed(3)})`)
  }
  return painted.get(value)!
}

/** The drawing of the board that is shown, as a file of its own, so many pixels wide. */
export function svgOf(board: SVGSVGElement, width = 1000): string {
  const copy = board.cloneNode(true) as SVGSVGElement
  const box = board.viewBox.baseVal // of a zoomed board, what is seen
  const from = board.querySelectorAll('*')
  copy.querySelectorAll('*').forEach((node, i) => {
    const style = getComputedStyle(from[i])
    for (const a of looks) {
      const value = style.getPropertyValue(a)
      if (value) node.setAttribute(a, plain(value).replace(/"/g, "'"))
    }
    for (const a of ['class', 'style']) node.removeAttribute(a)
  })
  copy.querySelectorAll('[role=row]').forEach((row) => row.remove())
  for (const { name } of [...copy.attributes]) if (name !== 'viewBox') copy.removeAttribute(name)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(Math.round((width * box.height) / box.width)))
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  for (const [a, v] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height, fill: getComputedStyle(document.documentElement).backgroundColor }))
    ground.setAttribute(a, String(v))
  copy.insertBefore(ground, copy.querySelector('g'))
  return new XMLSerializer().serializeToString(copy)
}

/** The same as PNG. */
export async function pngOf(board: SVGSVGElement, width = 1200): Promise<Blob> {
  const image = new Image()
  const url = URL.createObjectURL(new Blob([svgOf(board, width)], { type: 'image/svg+xml' }))
  try {
    await new Promise((done, failed) => {
      image.onload = done
      image.onerror = failed
      image.src = url
    })
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d')!.drawImage(image, 0, 0)
    return await new Promise((done, failed) => canvas.toBlob((b) => (b ? done(b) : failed(new Error('PNG'))), 'image/png'))
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Lets the browser save a file. */
export function save(name: string, content: string | Blob, type = 'text/plain') {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }))
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 1000)
}
