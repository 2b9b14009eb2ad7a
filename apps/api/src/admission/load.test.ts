import { EventEmitter, once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Koa from 'koa'
import { expect, it } from 'vitest'
import { close, createHttpServer, listen } from '../http/httpServer.js'
import { createMetrics } from '../http/metrics.js'
import type { RequestState } from '../middleware/state.js'
import type { Entry } from './admission.js'
import { limitLoad } from './load.js'

const limits = { rate: 1, burst: 1 }
const key = { id: 'k', limits, bucket: 'k', isActive: async () => true }

it.each([
  ['waits leaves its place at once, and is counted', false, [1, 1], ['gone']],
  ['is under way keeps its place until its work ends', true, [0, 1], []],
] as const)(
  'a request whose client leaves while it %s',
  async (_, isStarted, [before, after], reasons) => {
    const metrics = createMetrics({ current: () => null }, () => 0)
    const work = new EventEmitter()
    // The turns of a real admission come at once.
    const entries: Entry[] = []
    const left: Entry[] = []
    const admission = {
      enter: (_key: string, entry: Entry) => {
        entries.push(entry)
        return { leave: () => void left.push(entry) }
      },
      ...{ accepted: () => {}, waiting: () => 0, total: () => 0 },
    }
    const app = new Koa<RequestState>()
    app.silent = true
    let closed: Promise<unknown> | undefined
    app.use((ctx, next) => {
      ctx.state.key = key
      closed = once(ctx.res, 'close')
      return next()
    })
    app.use(limitLoad(admission, { config: { maxConcurrent: 1, maxRequestMs: 60_000 }, metrics }))
    app.use(() => once(work, 'end'))
    const server = createHttpServer(app.callback())
    const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
    const client = new AbortController()
    const asked = fetch(`http://127.0.0.1:${port}/`, { signal: client.signal }).catch(() => {})
    await expect.poll(() => entries.length).toBe(1)
    if (isStarted) entries[0]!.start()
    client.abort()
    await Promise.all([asked, closed])
    await nextTurn()
    expect(left).toHaveLength(before)
    work.emit('end')
    await nextTurn()
    expect(left).toHaveLength(after)
    const shed = (await metrics.shed.get()).values.filter(({ value }) => value > 0)
    expect(shed.map(({ labels }) => labels.reason)).toEqual(reasons)
    const ended = close(server)
    // After the abort fetch opens another connection, and would keep it idle for four seconds.
    server.closeAllConnections()
    await ended
  },
)
