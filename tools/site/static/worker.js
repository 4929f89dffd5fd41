// SPDX-License-Identifier: Apache-2.0
// A worker with the engine. Its first message is the program; each later one is a request, or a stream if it has no method.
importScripts('wasm_exec.js')

const started = new Promise((ready) => {
  globalThis.krowReady = ready
})

onmessage = async ({ data: { module, id, method, path, kept, body } }) => {
  if (module) {
    const go = new Go()
    go.run(await WebAssembly.instantiate(module, go.importObject))
    return
  }
  await started
  if (method) {
    const [status, type, answer, now] = await krowAnswer(method, path, body, kept)
    postMessage({ id, status, type, body: answer, kept: now })
  } else await krowStream(path, (event, data) => postMessage({ id, event, data }))
}
