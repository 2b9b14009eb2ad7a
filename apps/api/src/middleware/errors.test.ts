import Koa from 'koa'
import { expect, it } from 'vitest'
import { ApiError } from '../errors.js'
import { close, createHttpServer, listen } from '../http/httpServer.js'
import { createLog } from '../http/log.js'
import { answerErrors } from './errors.js'
import type { RequestState } from './state.js'

const cause = new Error('http://node.test/secret does not answer')

it.each<[string, unknown, object[]]>([
  [
    'all of a bug',
    new TypeError('x is undefined'),
    [{ level: 50, requestId: 'R', err: { stack: expect.stringContaining('errors.test') } }],
  ],
  [
    'of a node only the name of its error',
    new ApiError('UPSTREAM_RPC', 'no answer', { cause }),
    [{ level: 40, requestId: 'R', code: 'UPSTREAM_RPC', cause: 'Error' }],
  ],
  ['nothing of what a caller got wrong', new ApiError('NO_ROUTE', 'no route'), []],
  [
    'that this process is overloaded, and a proxy is not sent to another',
    new ApiError('OVERLOADED', 'full'),
    [{ level: 40, code: 'OVERLOADED' }],
  ],
  [
    'that this process is late, and a proxy is sent to another',
    new ApiError('STATE_STALE', 'old'),
    [{ level: 40, code: 'STATE_STALE' }],
  ],
])('the log has %s', async (what, thrown, lines) => {
  const logged: string[] = []
  const log = createLog({ level: 'info', rpcUrls: [] }, { write: (line) => logged.push(line) })
  const app = new Koa<RequestState>()
  app.use((ctx, next) => {
    ctx.state.requestId = 'R'
    return next()
  })
  app.use(answerErrors({ log, now: () => 0, proxies: 1 }))
  app.use(() => {
    throw thrown
  })
  const server = createHttpServer(app.callback())
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const { headers } = await fetch(`http://127.0.0.1:${port}/`)
  expect(headers.has('x-accel-redirect')).toBe(what.endsWith('is sent to another'))
  expect(logged.map((line) => JSON.parse(line))).toMatchObject(lines)
  expect(logged.join()).not.toContain('secret')
  await close(server)
})
