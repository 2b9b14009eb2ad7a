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

test('the node answers a browser’s preflight and an unknown path', async () => {
  const preflight = await fetch(chain.rpcUrl, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect((await fetch(`${chain.rpcUrl}/nothing`)).status).toBe(404)
})

test('a port in use is rejected, and no node stays behind', async () => {
  await expect(startChain({ port: chain.port })).rejects.toMatchObject({
    code: 'ANVIL_START',
    details: { port: chain.port, reason: expect.stringContaining('EADDRINUSE') },
  })
})
