// SPDX-License-Identifier: Apache-2.0
// Keeps the site for use without a network. make site writes the version, and the names of the files, in the first line.
const ours = 'krow ' + registration.scope + ' '
const cached = ours + version

addEventListener('install', (e) => e.waitUntil(caches.open(cached).then((c) => c.addAll(files)))) // a first version takes over at once, a later one when the page says so

addEventListener('message', () => skipWaiting())

addEventListener('activate', (e) =>
  e.waitUntil(
    caches
      .keys()
      .then((all) => Promise.all(all.filter((name) => name.startsWith(ours) && name !== cached).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  ),
)

addEventListener('fetch', (e) => {
  const url = new URL(e.request.url)
  if (e.request.method !== 'GET' || url.origin !== location.origin) return
  e.respondWith(caches.open(cached).then((c) => c.match(e.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(e.request)))
})
