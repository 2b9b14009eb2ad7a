import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './chain.js'
import { BASE_FEE } from './transactions.js'

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})

afterAll(() => chain.stop())

async function rpc<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = (await response.json()) as { readonly result: T }
  return result
}

test('every client gets the gas price of the next block, however often it asks', async () => {
  const wrong: string[] = []
  let isMining = true
  let polls = 0
  const poll = async () => {
    while (isMining) {
      const [price, { baseFeePerGas }] = await Promise.all([
        rpc<string>('eth_gasPrice'),
        rpc<{ readonly baseFeePerGas: string }>('eth_getBlockByNumber', ['pending', false]),
      ])
      for (const got of [price, baseFeePerGas]) if (BigInt(got) !== BASE_FEE) wrong.push(got)
      polls += 1
    }
  }
  const polling = Promise.all([poll(), poll(), poll(), poll()])
  // Without the gate about two in five answers are wrong.
  for (let blocks = 0; blocks < 100 || polls < 300; blocks++) await chain.mine()
  isMining = false
  await polling
  expect(wrong).toEqual([])
})

test('a request that waits for a block does not delay the block', async () => {
  const [from] = chain.accounts
  const waiting = rpc<{ readonly blockNumber: string } | undefined>('eth_sendTransactionSync', [
    {
      from: from!.address,
      to: from!.address,
      gas: '0x5208',
      gasPrice: `0x${BASE_FEE.toString(16)}`,
    },
  ])
  const before = await chain.client.getBlockNumber()
  const isDone = waiting.then(() => true)
  while (!(await Promise.race([isDone, sleep(20, false)]))) await chain.mine()
  expect(BigInt((await waiting)?.blockNumber ?? 0)).toBeGreaterThan(before)
})

/** What a browser asks before a site may send JSON, and what a site may send without asking. */
const ofSite = (origin: string) =>
  Promise.all([
    fetch(chain.rpcUrl, { method: 'OPTIONS', headers: { origin } }),
    fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
    }),
  ])

test.each([
  'http://127.0.0.1:8080',
  'http://localhost:5173',
  'https://[::1]',
  'chrome-extension://abcdefghijklmnop',
])('a site of this machine and a wallet are answered: %s', async (origin) => {
  for (const { ok, headers } of await ofSite(origin)) {
    expect([ok, headers.get('access-control-allow-origin')]).toEqual([true, origin])
    expect(headers.get('vary')).toBe('origin')
  }
})

test.each([
  'https://example.org',
  'http://127.0.0.1.example.org',
  'http://localhost.example.org:8080',
  'http://example.org:8545',
  'null',
])('a site of another machine is refused, and nothing reaches the node: %s', async (origin) => {
  for (const { status, headers } of await ofSite(origin)) {
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null])
  }
})

test('a program without an origin is answered, also about an unknown path', async () => {
  expect(await rpc('eth_chainId')).toBe('0x3e7')
  expect((await fetch(`${chain.rpcUrl}/nothing`)).status).toBe(404)
})

test('a port in use is rejected, and no node stays behind', async () => {
  await expect(startChain({ port: chain.port })).rejects.toMatchObject({
    code: 'ANVIL_START',
    details: { port: chain.port, reason: expect.stringContaining('EADDRINUSE') },
  })
})
