// SPDX-License-Identifier: Apache-2.0
import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { settings } from './lib/settings.svelte'
import { speak } from './texts/spoken.svelte'

// The first text that is shown is in the language that was chosen.
void speak(settings.language).then(() => mount(App, { target: document.getElementById('app')! }))
