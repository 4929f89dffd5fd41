// SPDX-License-Identifier: Apache-2.0
// A worker with the engine. Its first message is the program, and the requests that come before all others; each later one is a request, or a stream if it has no method.
importScripts('wasm_exec.js')

const started = new Promise((ready) => {
  globalThis.krowReady = ready
})

let known
const ready = new Promise((done) => {
  known = done
})

onmessage = async ({ data: { module, first, id, method, path, kept, body } }) => {
  if (module) {
    const go = new Go()
    go.run(await WebAssembly.instantiate(module, go.importObject))
    await started
    for (const { path, body } of first) await krowAnswer('POST', path, body, '')
    known()
    return
  }
  await ready
  if (method) {
    const [status, type, answer, now] = await krowAnswer(method, path, body, kept)
    postMessage({ id, status, type, body: answer, kept: now })
  } else await krowStream(path, body, (event, data) => postMessage({ id, event, data }))
}
