import { describe, expect, it } from 'vitest'
import { compatNames } from '../config/compatNames.js'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { findFaults, hostileRequests, shortStreams } from '../testing/hostile.js'
import { sendRaw } from '../testing/sendRaw.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { startTestWorld } from '../testing/startTestWorld.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import { errorSchema } from '../wire/responses.js'

const world = useTestWorld({ config: { streams: shortStreams } })

describe('hostile requests', () => {
  it('get an answer in the shape of every answer, without 500, stack trace or key', async () => {
    expect(await findFaults(world.api, hostileRequests(1_000, 1))).toEqual([])
    expect((await world.api.get('/healthz')).status).toBe(200)
  })

  it.each(['//a@#', '//6U_&33@#?src=0x55', '/healthz#', '/swap/v1/999/quote#?src=0x55'])(
    'are 400 BAD_REQUEST where they ask for %s: a fragment is no part of a request',
    async (target) => {
      const { url, key } = world.api
      const head = ['host: x', 'connection: close', `apikey: ${key}`].join('\r\n')
      const answer = await sendRaw(url, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`, 20_000)
      const body = errorSchema.parse(JSON.parse(answer?.split('\r\n\r\n')[1] ?? ''))
      expect([body.statusCode, body.code]).toEqual([400, 'BAD_REQUEST'])
    },
  )

  it('get one where there is no market yet, and /readyz and /health say so', async () => {
    world.api.setState(null)
    const faults = await findFaults(world.api, hostileRequests(300, 2))
    const statuses = [await world.api.get('/readyz'), await world.api.get('/health')]
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
    expect(faults).toEqual([])
    expect(statuses.map(({ status }) => status)).toEqual([503, 503])
  })

  it.each(compatNames)('get one with the shape %s, as its document says', async (name) => {
    const compat = [name]
    const shaped = await startTestWorld({ config: { compat, streams: shortStreams } })
    const faults = await findFaults(shaped.api, hostileRequests(500, 3), compat)
    await shaped.stop()
    expect(faults).toEqual([])
  })

  it('are distinguished: an answer with a shape departs from the document without it', async () => {
    const shaped = await startTestWorld({ config: { compat: ['akka'] } })
    const path = `/swap/v1/999/dex-compare?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
    const { status, body } = await shaped.api.get(path)
    await shaped.stop()
    expect(checkAnswer({ path, status, body }, ['akka'])).toEqual([])
    expect(checkAnswer({ path, status, body })).not.toEqual([])
  })
})
