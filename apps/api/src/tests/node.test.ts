import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hyperEvm } from '@braid-swap/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callNode } from '../node/callNode.js'
import { openClients } from '../node/clients.js'

const answer = (body: string) => {
  const requests = [JSON.parse(body)].flat() as { id: number }[]
  return JSON.stringify(requests.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })))
}
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.end(answer(body))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

it('a budget spent on wallets is UPSTREAM_RPC for them, and leaves the market its own part', async () => {
  const { client, reader } = openClients({
    chain: hyperEvm,
    rpcUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    rpcRequestsPerMinute: 100,
    maxStateAgeMs: 5_000,
    nodeTimeoutMs: 1_000,
  })
  const ask = (by: typeof client) => by.request({ method: 'eth_gasPrice' })
  // A process begins with one request of each part, and no burst.
  expect(await callNode(() => ask(reader), 30_000)).toBe('0x1')
  await expect(callNode(() => ask(reader), 30_000)).rejects.toMatchObject({ code: 'UPSTREAM_RPC' })
  expect(await ask(client)).toBe('0x1')
})
