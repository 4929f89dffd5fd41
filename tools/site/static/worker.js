// SPDX-License-Identifier: Apache-2.0
// A worker with the engine. Its first message is the program, and the requests that come before all others; each later one is a request, or a stream if it has no method.
importScripts('wasm_exec.js')

/** Loads a network or a book when the engine needs it. If it does not come, the worker ends, and the next one asks again. */
globalThis.krowFile = async (name) => {
  try {
    const file = await fetch('files/' + name)
    if (!file.ok) throw new Error(name + ': ' + file.statusText)
    return new Uint8Array(await file.arrayBuffer())
  } catch (e) {
    setTimeout(() => {
      throw e // outside the promise: the page hears it
    })
    return new Promise(() => {}) // the engine waits until the worker has ended
  }
}

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
