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
])('the log has %s', async (_, thrown, lines) => {
  const logged: string[] = []
  const log = createLog({ level: 'info', rpcUrls: [] }, { write: (line) => logged.push(line) })
  const app = new Koa<RequestState>()
  app.use((ctx, next) => {
    ctx.state.requestId = 'R'
    return next()
  })
  app.use(answerErrors({ log, now: () => 0 }))
  app.use(() => {
    throw thrown
  })
  const server = createHttpServer(app.callback())
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  await fetch(`http://127.0.0.1:${port}/`)
  expect(logged.map((line) => JSON.parse(line))).toMatchObject(lines)
  expect(logged.join()).not.toContain('secret')
  await close(server)
})
