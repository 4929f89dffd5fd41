// SPDX-License-Identifier: Apache-2.0
// The proof that the server wants before something that cannot be undone: it shows that nobody else uses the session.

export const proof: { asked?: { done: () => void; stop: () => void } } = $state({})

/** Asks for the proof. Without one it fails with the error why. */
export const prove = (why: Error) =>
  new Promise<void>((done, stop) => {
    proof.asked = { done, stop: () => stop(why) }
  })
