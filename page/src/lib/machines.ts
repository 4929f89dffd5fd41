// SPDX-License-Identifier: Apache-2.0
// What the server says about the machines that work for it.
import { call } from './api'

export interface Worker {
  name: string
  build: string
  cores: number
  doing?: string[]
  done: number
  failed: number
  busy: number
  waiting?: string
}

export interface Run {
  name: string
  title: string
  priority: number
  paused?: boolean
  done: number
  total?: number
  open: number
  queued: number
  per_second: number
  seconds_left?: number
  banned?: string[]
  trouble?: string
}

export interface State {
  on: boolean
  join?: string
  workers: Worker[]
  runs: Run[]
}

export interface Order {
  pause?: boolean
  cancel?: boolean
  priority?: number
}

export const machines = {
  look: () => call<State>('GET', '/machines'),
  steer: (run: string, order: Order) => call<State>('POST', `/machines/runs/${run}`, order),
}
