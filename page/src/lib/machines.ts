// SPDX-License-Identifier: Apache-2.0
// What the server says about the machines that work for it.
import { call } from './api'
import type { Machines as State, Order } from './api.gen'
export type { WorkerState as Worker, RunState as Run, Machines as State, Order } from './api.gen'

export const machines = {
  look: () => call<State>('GET', '/machines'),
  steer: (run: string, order: Order) => call<State>('POST', `/machines/runs/${run}`, order),
}
