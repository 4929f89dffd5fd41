import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vite'

// notices writes the licences of the packages in the bundle to notices.txt, which `krow licenses` prints. A package without one
// ends the build.
const notices = {
  name: 'notices',
  generateBundle(_, bundle) {
    const folders = new Set()
    for (const chunk of Object.values(bundle)) {
      for (const id of chunk.moduleIds ?? chunk.originalFileNames ?? []) {
        const [folder] = resolve(id.replace(/^\0/, '')).match(/^.*\/node_modules\/(@[^/]+\/)?[^/]+/) ?? []
        if (folder) folders.add(folder)
      }
    }
    const texts = [...folders].map(folder => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find(file => /^licen[cs]e(\.(md|txt))?$/i.test(file))
      if (!file) throw new Error(`${name} ${version} has no licence`)
      return `==== ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    this.emitFile({ type: 'asset', fileName: 'notices.txt', source: texts.sort().join('\n') })
  },
}

// Names without hashes: dist is committed, and the server names its contents by ETag.
export default defineConfig({
  plugins: [svelte(), notices],
  // The files find each other in any folder; only index.html is answered at many addresses.
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? '/' + file : { relative: true }) },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the policy of the page allows no inlined code
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
