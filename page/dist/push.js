// SPDX-License-Identifier: Apache-2.0
// The service worker that tells a member whose turn it is while no page is open. It keeps no files. The page that starts it gives it
// the sentence to show, in the language of the page.
const text = new URL(location.href).searchParams.get('text')
const pages = () => clients.matchAll({ type: 'window', includeUncontrolled: true })
const shows = (page, path) => new URL(page.url).pathname === path

addEventListener('push', (e) => {
  const { game, by } = e.data.json()
  const path = '/play/' + game
  const tell = async () => {
    if ((await pages()).some((page) => page.focused && shows(page, path))) return
    await registration.showNotification('krow', { body: `${text}: ${by}`, tag: path, icon: '/icon.svg' })
  }
  e.waitUntil(tell())
})

addEventListener('notificationclick', (e) => {
  const path = e.notification.tag
  const open = async () => ((await pages()).find((page) => shows(page, path))?.focus() ?? clients.openWindow(path))
  e.notification.close()
  e.waitUntil(open())
})
