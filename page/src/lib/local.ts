// SPDX-License-Identifier: Apache-2.0
// Answers the page where there is no server: the engine runs in workers of this browser, which keeps the games.
// One worker answers at once; those that search end when nobody waits for them any more.
import type { Bot, BotVersion, Game } from './api.gen'
import { arriving } from './arriving.svelte'
import { all, bytes, forget, get, set, some } from './kept'
import type { Events } from './transport'

interface Answer {
  status: number
  type: string
  body: Uint8Array<ArrayBuffer>
  kept: string
}

/** The program, once it is there. Bytes are counted before they are unpacked. */
async function load(): Promise<WebAssembly.Module> {
  const file = await fetch('krow.wasm.gz')
  if (!file.ok || !file.body) throw new Error(file.statusText)
  arriving.size = Number(file.headers.get('content-length')) || arriving.size
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, to) {
      arriving.here += part.length
      to.enqueue(part)
    },
  })
  // Some hosts unpack the file on its way, so its first bytes say what it is. It is compiled while it arrives.
  const [part, start] = file.body.pipeThrough(count).tee()
  const reader = start.getReader()
  const packed = (await reader.read()).value?.[0] === 0x1f
  void reader.cancel()
  const unpacked = packed ? part.pipeThrough(new DecompressionStream('gzip')) : part
  const module = await WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }))
  arriving.ready = true
  setTimeout(keepSite, 5_000) // first come the files that the engine needs now
  return module
}

/** Keeps the files of the site for use without a network. Another version waits until the person takes it. */
async function keepSite() {
  const kept = await navigator.serviceWorker?.register('sw.js').catch(() => undefined)
  if (!kept) return
  const waits = () => {
    if (!kept.waiting || !navigator.serviceWorker.controller) return
    arriving.update = () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
      kept.waiting?.postMessage('take over')
    }
  }
  waits()
  kept.addEventListener('updatefound', () => kept.installing?.addEventListener('statechange', waits))
}

interface Written {
  bot: Bot
  versions: (BotVersion & { source: string })[]
}

/** What a worker is told first: the bots of the person are players, and in the worker that has them the certificates. */
async function players(proofs: boolean) {
  const bots = (await all<Written>('bot/')).map(({ bot, versions: [{ source }] }) => ({
    path: '/local/bot?name=' + bot.name,
    body: new TextEncoder().encode(JSON.stringify({ source })),
  }))
  const files = proofs ? await all<string>('proof/') : []
  return [...bots, ...files.map((file) => ({ path: '/local/proof', body: bytes(file) }))]
}

let program: Promise<WebAssembly.Module> | undefined
/** The program; one that did not come is asked for again the next time. */
const ready = () =>
  (program ??= load().catch((e) => {
    program = undefined
    arriving.here = 0
    throw e
  }))

let generation = 0 // of the players that workers know

/** A worker with the program. */
class Engine {
  readonly players = generation
  private worker = new Worker('worker.js')
  private waiting = new Map<number, (data: any) => void>()
  private last = 0
  gone = false

  constructor(proofs = false) {
    this.worker.onmessage = ({ data }) => this.waiting.get(data.id)?.(data)
    this.worker.onerror = () => this.end()
    void Promise.all([ready(), players(proofs)]).then(([module, first]) => this.worker.postMessage({ module, first }), () => this.end())
  }
  ask(method: string, path: string, body: BodyInit = '', kept = ''): Promise<Answer> {
    return new Promise((take, fail) => {
      if (this.gone) return fail(new Error('the engine has ended'))
      const id = ++this.last
      this.waiting.set(id, (data) => {
        this.waiting.delete(id)
        if (data.ended) fail(new Error('the engine has ended'))
        else take(data)
      })
      void new Response(body).arrayBuffer().then((b) => this.worker.postMessage({ id, method, path, kept, body: new Uint8Array(b) }))
    })
  }
  stream(path: string, hear: (event: string, data: string) => void, body = '') {
    const id = ++this.last
    this.waiting.set(id, (data) => {
      if (data.event === 'done' || data.ended) this.waiting.delete(id)
      hear(data.ended ? 'error' : data.event, data.data)
    })
    this.worker.postMessage({ id, path, body })
  }
  end() {
    if (this.gone) return
    this.gone = true
    this.worker.terminate()
    for (const tell of [...this.waiting.values()]) tell({ ended: true })
  }
}

let quick: Engine | undefined
/** The worker that answers at once. */
const answers = () => (quick = quick && !quick.gone ? quick : new Engine())
let follows: Engine | undefined
/** The worker with the certificates, which may be large: no other has them. */
const follower = () => (follows = follows && !follows.gone ? follows : new Engine(true))
const idle: Engine[] = []
const proved = (text: string) => /\bproof\b/.test(text) // whether the player of a request follows certificates
/** A worker that may search for a request. It comes back by rest. */
const searcher = (text = '') => (proved(text) ? follower() : (idle.pop() ?? new Engine()))
const rest = (e: Engine) => (e === follows ? undefined : e.players === generation ? void (!e.gone && idle.push(e)) : e.end())
/** Workers from now on know other players; those that search finish. */
async function renew(bot: string, body: string) {
  generation++
  for (const e of idle.splice(0)) e.end()
  for (const e of new Set([answers(), follows])) await e?.ask('POST', '/local/bot?name=' + bot, body)
}

const json = (value: unknown, status = 200) => new Response(status === 204 ? null : JSON.stringify(value), { status })
const response = (a: Answer) => new Response(a.body, { status: a.status, headers: { 'Content-Type': a.type } })

// What was answered while the site was made: the first board is there before the engine.
const first: Promise<Record<string, unknown>> = fetch('first.json').then((r) => r.json(), () => ({}))

/** A stream of events that this page makes. */
class Source implements Events {
  private target = new EventTarget()
  onerror: ((e: Event) => void) | null = null
  readyState = 1
  constructor(private ended: () => void) {}
  addEventListener = (name: string, hear: (e: Event) => void) => this.target.addEventListener(name, hear)
  send(name: string, data: string) {
    if (this.readyState === 2) return
    if (name === 'error') this.onerror?.(new Event('error'))
    else this.target.dispatchEvent(new MessageEvent(name, { data }))
  }
  close = () => {
    if (this.readyState === 2) return
    this.readyState = 2
    this.ended()
  }
}

function search(path: string): Events {
  const engine = searcher(path)
  let done = false
  const source = new Source(() => !done && engine.end())
  engine.stream(path, (event, data) => {
    if (event === 'done') {
      done = true
      rest(engine)
    }
    source.send(event, data)
  })
  return source
}

/** A game of a bot, move by move, as lines of JSON. */
function trial({ body, signal }: RequestInit): Response {
  const engine = searcher(String(body))
  signal?.addEventListener('abort', () => engine.end())
  const lines = new ReadableStream({
    start(to) {
      const line = (text: string) => to.enqueue(new TextEncoder().encode(text + '\n'))
      const hear = (event: string, data: string) => {
        if (event === 'move' || event === 'end') return line(`{"${event}":${data}}`)
        const { error } = event === 'done' ? JSON.parse(data) : { error: 'the engine has ended' }
        if (error && !signal?.aborted) line(JSON.stringify({ error }))
        rest(engine)
        to.close()
      }
      engine.stream('/workshop/try', hear, String(body))
    },
  })
  return new Response(lines)
}

/** The bots of the person, which this browser keeps with their versions. */
async function bots(method: string, [name, act]: string[], query: URLSearchParams, body: string): Promise<Response> {
  const every = (await all<Written>('bot/')).sort((a, b) => b.bot.updated.localeCompare(a.bot.updated))
  if (!name) return json(every.map((w) => w.bot))
  const known = every.find((w) => w.bot.name.toLowerCase() === name.toLowerCase())
  const versions = known?.versions ?? []
  if (method === 'POST') {
    const { source } = JSON.parse(body)
    const [version, at] = [(known?.bot.latest ?? 0) + 1, new Date().toISOString()]
    const bot: Bot = { kind: 'starlark', name: known?.bot.name ?? name, published: 0, updated: at, latest: version }
    await set('bot/' + bot.name, { bot, versions: [{ version, at, size: source.length, published: false, source }, ...versions.slice(0, 499)] })
    await renew(bot.name, body)
    return json({ version })
  }
  if (!known) return json({ code: 'no-bot' }, 404)
  if (method === 'DELETE') {
    await forget('bot/' + known.bot.name)
    await renew(known.bot.name, '{"source":""}')
    return json(undefined, 204)
  }
  if (act === 'source') return json(versions.find((v) => v.version === Number(query.get('version'))) ?? versions[0])
  return json(known)
}

async function dataURL(file: Blob): Promise<unknown> {
  const reader = new FileReader()
  await new Promise((read) => ((reader.onload = read), reader.readAsDataURL(file)))
  return reader.result
}

/** Keeps a certificate, whose winner can be played against from now on. */
async function keepProof(file: Blob): Promise<Response> {
  const a = await follower().ask('POST', '/local/proof', file)
  if (a.status === 200) await set('proof/' + crypto.randomUUID(), await dataURL(file))
  return response(a)
}

/** A collection of games for the explorer, as the files that the person added to it. */
interface Collected {
  to: string
  files: { name: string; game: string; file: unknown }[]
}

const query = (parts: Record<string, string>) => '?' + new URLSearchParams(parts)
const collect = (e: Engine, to: string, name: string, game: string, body: BodyInit) => e.ask('POST', '/local/collect' + query({ to, name, game }), body)

let explorer: Engine | undefined // the worker with the collections
let played = false // whether it gets the games of this browser as they are
let filled: Promise<unknown> | undefined // it has both

/** The worker that has all collections, and the games that were played. */
async function explored(): Promise<Engine> {
  const engine = answers()
  const files = async () => {
    for (const { to, files } of await all<Collected>('collection/'))
      for (const { name, game, file } of files) await collect(engine, to, name, game, bytes(String(file)))
  }
  const games = async () => engine.ask('POST', '/local/played', JSON.stringify((await all<Game>('game/')).filter((g) => g.outcome !== 'ongoing')))
  if (explorer !== engine) {
    explorer = engine
    played = false
    filled = files()
  }
  if (!played) {
    played = true
    filled = filled!.then(games)
  }
  await filled
  return engine
}

/** Answers what was played from a position, and keeps the collections. */
async function explore(method: string, path: string, [act, id]: string[], params: URLSearchParams, body: Blob): Promise<Response> {
  const engine = await explored()
  if (method === 'DELETE') {
    const sets: { id: number; name: string }[] = await response(await engine.ask('GET', '/explorer/collections')).json()
    const name = sets.find((c) => c.id === Number(id))?.name
    if (name === undefined) return json({ code: 'no-collection' }, 404)
    await forget('collection/' + name)
    await collect(engine, name, '', '', '')
    return json(undefined, 204)
  }
  if (act !== 'import') return response(await engine.ask('GET', path))
  const [to, name, game] = ['to', 'name', 'game'].map((p) => params.get(p)?.trim() ?? '')
  const a = await collect(engine, to, name, game, body)
  if (a.status !== 200) return response(a)
  const report = await response(a).json()
  if (report.added) {
    const files = (await get<Collected>('collection/' + to))?.files ?? []
    await set('collection/' + to, { to, files: [...files, { name, game, file: await dataURL(body) }] })
  }
  return new Response(JSON.stringify({ ...report, done: true }) + '\n') // the last line of a report
}

const watchers = new Map<string, Set<Source>>()
const thinking = new Map<string, Engine>()
const seen = new Set<string>()
const place = (id: string) => 'game/' + id

/** A game as it stands. Its clock stands still while no page shows it. */
async function game(id: string): Promise<Game | undefined> {
  const g = await get<Game>(place(id))
  if (g?.clock?.running && !seen.has(id)) {
    g.updated = new Date().toISOString()
    await set(place(id), g)
  }
  seen.add(id)
  return g
}

/** A game as it is shown: its clock has run since it was kept. */
function shown(g: Game): Game {
  const left = g.clock?.left.slice()
  if (g.clock?.running && left) left[g.board.turn === 'first' ? 0 : 1] -= Date.now() - Date.parse(g.updated)
  return { ...g, clock: g.clock && left && { ...g.clock, left } }
}

async function keep(g: Game) {
  thinking.get(g.id)?.end()
  thinking.delete(g.id)
  await set(place(g.id), g)
  if (g.outcome !== 'ongoing') played = false
  for (const w of watchers.get(g.id) ?? []) w.send('game', JSON.stringify(shown(g)))
  void think(g)
}

/** Lets the player to move play while somebody watches. */
async function think(g: Game) {
  if (!g.thinking || g.trouble || thinking.has(g.id) || !watchers.get(g.id)?.size) return
  const engine = searcher(g.first + ' ' + g.second)
  thinking.set(g.id, engine)
  const a = await engine.ask('POST', '/local/reply', JSON.stringify(g)).catch(() => undefined)
  rest(engine)
  if (thinking.get(g.id) !== engine) return // the game has changed meanwhile
  thinking.delete(g.id)
  const answer = a && (await response(a).json())
  if (a) await keep(a.status === 200 ? answer : { ...g, trouble: answer })
}

function follow(id: string): Events {
  const source = new Source(() => {
    watchers.get(id)?.delete(source)
    if (watchers.get(id)?.size) return
    thinking.get(id)?.end()
    thinking.delete(id)
  })
  watchers.set(id, (watchers.get(id) ?? new Set()).add(source))
  void game(id).then((g) => {
    source.send(g ? 'game' : 'gone', JSON.stringify(g ? shown(g) : {}))
    if (g) void think({ ...g, trouble: undefined })
  })
  return source
}

async function change(g: Game, order: Record<string, unknown>): Promise<Response> {
  const engine = proved(g.first + ' ' + g.second) ? follower() : answers()
  const a = await engine.ask('POST', '/local/game', JSON.stringify({ ...order, game: { ...g, trouble: undefined } }))
  if (a.status !== 200) return response(a)
  const changed: Game = await response(a).json()
  await keep(changed)
  return json(shown(changed))
}

async function games(method: string, rest: string[], query: URLSearchParams, body: string): Promise<Response> {
  const [id, act] = rest
  if (!id && method === 'POST') {
    const asked = JSON.parse(body)
    const moves = asked.moves?.split(/\s+/) ?? []
    const fresh = { ...asked, id: crypto.randomUUID().slice(0, 13), moves, plies: moves.length, outcome: 'ongoing' }
    seen.add(fresh.id)
    return change(fresh, { do: 'begin' })
  }
  if (!id) {
    const list = (await all<Game>('game/')).sort((a, b) => b.updated.localeCompare(a.updated))
    const skip = Number(query.get('skip') ?? 0)
    const end = skip + Number(query.get('limit') ?? 30)
    return json({ games: list.slice(skip, end).map((g) => ({ ...g, you: -1 })), more: list.length > end })
  }
  if (method === 'DELETE') {
    thinking.get(id)?.end()
    await forget(place(id)) // at once: the page may be closing
    played = false
    for (const w of watchers.get(id) ?? []) w.send('gone', '{}')
    return json(undefined, 204)
  }
  const g = await game(id)
  if (!g) return json({ code: 'no-game' }, 404)
  if (method === 'GET') return json(shown(g))
  const sent = JSON.parse(body)
  return change(g, act === 'moves' ? { ...sent, do: 'move' } : sent)
}

// There is one person, who may do all that this page shows.
const me = { club: false, member: 0, name: '', role: 'member', passkeys: 'insecure' }

async function answer(path: string, init: RequestInit = {}): Promise<Response> {
  const method = init.method ?? 'GET'
  const { pathname, searchParams } = new URL(path, 'http://krow')
  const [, root, ...names] = pathname.split('/')
  if (root === 'club') return json(me)
  if (root === 'news') return json({ challenges: [], turns: [] })
  if (root === 'games') return games(method, names, searchParams, String(init.body ?? ''))
  if (root === 'bots') return bots(method, names, searchParams, String(init.body ?? ''))
  if (root === 'explorer') return explore(method, path, names, searchParams, init.body as Blob)
  if (root === 'proofs') return keepProof(init.body as Blob)
  if (pathname === '/workshop/try') return trial(init)
  const proofs = root === 'opponents' && (await some('proof/'))
  if (method === 'GET' && !arriving.ready && !proofs && !(root === 'opponents' && (await some('bot/')))) {
    const known = (await first)[path]
    if (known) {
      void ready() // it will be needed
      return json(known)
    }
  }
  const slow = root === 'lab' || pathname === '/workshop/test' || pathname === '/opening/answer'
  const engine = slow ? searcher(path) : proofs ? follower() : answers()
  init.signal?.addEventListener('abort', () => slow && engine.end())
  const kept = root === 'puzzles' ? ((await get<string>('training')) ?? '{}') : ''
  const a = await engine.ask(method, path, init.body ?? '', kept)
  if (slow) rest(engine)
  if (kept && method !== 'GET') await set('training', a.kept)
  return method === 'DELETE' && a.status === 200 ? json(undefined, 204) : response(a)
}

export const transport = {
  fetch: (path: string, init?: RequestInit) => answer(path, init),
  events: (path: string) => (path.startsWith('/games/') ? follow(path.split('/')[2]) : search(path)),
}
