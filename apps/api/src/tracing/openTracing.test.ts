import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openTracing } from './openTracing.js'

type Sent = { readonly path: string; readonly type: string; readonly body: Buffer }

const sent: Sent[] = []
let isWell = true
let url: string
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [path, type] = [request.url!, request.headers['content-type']!]
  sent.push({ path, type, body: Buffer.concat(chunks) })
  response.writeHead(isWell ? 200 : 400, { 'content-type': type }).end()
})
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  url = `http://127.0.0.1:${port}/v1/traces`
})
afterEach(() => {
  sent.length = 0
  isWell = true
})
afterAll(() => receiver.close())

const LONG_MS = 60_000
const NO_LOG = { warn: () => {} }
const request = {
  ...{ startMs: 1, endMs: 9, status: 200, headers: {}, facts: { 'braid.chain_id': 999 } },
  parts: [{ name: 'solve' as const, startMs: 2, endMs: 8 }],
}

it('sends JSON, under the name of the service', async () => {
  const tracing = await openTracing({ protocol: 'http/json' }, { log: NO_LOG, url })
  tracing.add(request)
  await tracing.close(LONG_MS)
  expect(sent.map(({ path, type }) => [path, type])).toEqual([['/v1/traces', 'application/json']])
  const { resourceSpans } = JSON.parse(`${sent[0]!.body}`)
  const names = resourceSpans[0].scopeSpans[0].spans.map((span: { name: string }) => span.name)
  expect(names.sort()).toEqual(['http', 'solve'])
  const service = { key: 'service.name', value: { stringValue: 'braid-api' } }
  expect(resourceSpans[0].resource.attributes).toContainEqual(service)
})

it('sends protobuf to the same place', async () => {
  const tracing = await openTracing({ protocol: 'http/protobuf' }, { log: NO_LOG, url })
  tracing.add(request)
  await tracing.close(LONG_MS)
  expect(sent.map(({ path, type }) => [path, type])).toEqual([
    ['/v1/traces', 'application/x-protobuf'],
  ])
  for (const text of ['solve', 'braid-api']) expect(`${sent[0]!.body}`).toContain(text)
})

it('says once that traces cannot be sent', async () => {
  isWell = false
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => void warnings.push(line) }
  const tracing = await openTracing({ protocol: 'http/json' }, { log, url })
  // A full batch is sent at once, the rest at the end: both are refused.
  for (let i = 0; i < 300; i++) tracing.add(request)
  await tracing.close(LONG_MS)
  expect(sent.length).toBeGreaterThan(1)
  expect(warnings.length).toBe(1)
})
