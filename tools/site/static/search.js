// SPDX-License-Identifier: Apache-2.0
// Lists the pages of the documents that contain all words of the search. search.json has the title, name and text of each page.
const find = document.getElementById('find')
const found = document.getElementById('found')
const root = find.dataset.root
let pages

find.oninput = async () => {
  pages ??= fetch(root + 'search.json').then((file) => file.json())
  const all = await pages
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  const count = ({ title, text }) => {
    const [head, body] = [title.toLowerCase(), text.toLowerCase()]
    if (!words.every((w) => head.includes(w) || body.includes(w))) return 0
    return words.reduce((n, w) => n + body.split(w).length + (head.includes(w) ? 50 : 0), 0)
  }
  const hits = words.length ? all.map((p) => ({ ...p, n: count(p) })).filter((p) => p.n) : []
  found.replaceChildren(
    ...hits.sort((a, b) => b.n - a.n).slice(0, 10).map(({ title, name, text }) => {
      const [item, link, part] = ['li', 'a', 'small'].map((tag) => document.createElement(tag))
      link.href = root + name
      link.textContent = title
      const at = Math.max(text.toLowerCase().indexOf(words[0]) - 60, 0)
      part.textContent = ' … ' + text.slice(at, at + 160) + ' …'
      item.append(link, part)
      return item
    }),
  )
}
