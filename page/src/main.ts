// SPDX-License-Identifier: Apache-2.0
import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { settings } from './lib/settings.svelte'
import { local, transport } from './lib/transport'
import { speak } from './texts/spoken.svelte'

// The first text that is shown is in the language that was chosen.
const target = document.getElementById('app')!
const begin = async () => {
  if (local) Object.assign(transport, (await import('./lib/local')).transport)
  await speak(settings.language)
  target.textContent = '' // what is read where this does not run
  mount(App, { target })
}
void begin()
