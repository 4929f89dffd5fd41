// SPDX-License-Identifier: Apache-2.0
// The sound of a stone: a short knock, made of noise through a filter. No file is loaded.
import type { Look } from './api'

let audio: AudioContext | undefined
let noise: AudioBuffer | undefined

/** Sounds as a stone on a board, or as a disc in its rack. A browser that makes no sound is silent. */
export function knock(look: Look) {
  try {
    audio ??= new AudioContext()
    void audio.resume()
    if (!noise) {
      noise = audio.createBuffer(1, audio.sampleRate * 0.12, audio.sampleRate)
      const data = noise.getChannelData(0)
      for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp(-i / (audio.sampleRate * 0.012))
    }
    const source = audio.createBufferSource()
    const filter = audio.createBiquadFilter()
    const volume = audio.createGain()
    source.buffer = noise
    filter.type = 'bandpass'
    filter.frequency.value = look === 'falling' ? 700 : look === 'points' ? 1500 : 2600
    filter.Q.value = look === 'points' ? 2.5 : 1.2
    volume.gain.value = 0.5
    source.connect(filter).connect(volume).connect(audio.destination)
    source.start()
  } catch {
    // as where the browser has no audio
  }
}
