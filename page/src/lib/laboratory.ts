// SPDX-License-Identifier: Apache-2.0
// The interface of the server for the lab, matches, learning and studies: the pages that come when asked for.
import { away } from './away.svelte'
import { transport } from './transport'
import { at, call, query, type Place } from './api'
import type { Tree, Work, MatchSpec, MatchItem, MatchView as Match, Learning as LearnSpec, Data as Report, ExperimentItem, ValueItem as Value, RunItem, RunView as Run } from './api.gen'
export type { Node as LabNode, Tree, Work, MatchSpec, MatchItem, Meeting, Rating, PlayedGame as Replayed, MatchView as Match, Learning as LearnSpec, DataBlock as Block, Grid, Series, Data as Report, ExperimentItem, ValueItem as Value, RunItem, RunView as Run, Colony } from './api.gen'

/** A study as it is run: in small or whole, in one of its readings. */
export interface StudyRun {
  name: string
  reading: string
  small: boolean
}

export const studyPath = (s: StudyRun, verb = '') => `/experiments/${s.name}${verb}` + query({ reading: s.reading || undefined, small: s.small ? 'true' : undefined })

export const lab = {
  tree: (p: Place, o: { search: string; heuristic: string; depth: number; order: boolean; limit?: number }) =>
    call<Tree>('GET', '/lab' + query({ ...at(p), ...o, order: o.order ? 'true' : undefined })),

  matches: () => call<MatchItem[]>('GET', '/matches'),
  startMatch: (m: MatchSpec) => call<Match>('POST', '/matches', m),
  match: (id: number) => call<Match>('GET', `/matches/${id}`),
  stopMatch: (id: number) => call<Match>('POST', `/matches/${id}/stop`),
  forgetMatch: (id: number) => call<void>('DELETE', `/matches/${id}`),

  values: () => call<{ values: Value[] }>('GET', '/values'),
  experiments: () => call<{ experiments: ExperimentItem[]; values: number }>('GET', '/experiments'),
  report: (s: StudyRun) => call<Report>('GET', studyPath(s)),
  startStudy: (s: StudyRun) => call<Work>('POST', studyPath(s, '/start')),
  stopStudy: (s: StudyRun) => call<Work>('POST', studyPath(s, '/stop')),
}

/**
 * Follows a stream of the server until the returned function is called. A stream that ends does not begin again, but an
 * effect that returns listen begins another when a server that was away is back.
 */
export function listen(path: string, to: Record<string, (data: never) => void>, ended?: () => void): () => void {
  void away.back
  const source = transport.events(path)
  for (const [name, f] of Object.entries(to)) {
    source.addEventListener(name, (e) => f(JSON.parse((e as MessageEvent).data) as never))
  }
  source.onerror = () => {
    source.close()
    ended?.()
  }
  return () => source.close()
}

export const learning = {
  runs: () => call<RunItem[]>('GET', '/runs'),
  run: (id: number) => call<Run>('GET', `/runs/${id}`),
  start: (l: LearnSpec) => call<Run>('POST', '/runs', { learner: l.learner, game: l.game, seed: l.seed, bot: l.bot }),
  stop: (id: number) => call<Run>('POST', `/runs/${id}/stop`),
  forget: (id: number) => call<void>('DELETE', `/runs/${id}`),
}
