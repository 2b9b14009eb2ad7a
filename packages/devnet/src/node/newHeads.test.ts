import { createClient, type Head, watchHeads } from '@braid-swap/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Anvil, spawnAnvil } from './anvil.js'

let anvil: Anvil
beforeAll(async () => {
  anvil = await spawnAnvil(0, ['--chain-id', '999', '--no-mining'])
})
afterAll(() => anvil?.stop())

const NEVER_MS = 3_600_000

it('new heads arrive by WebSocket when they are made, long before the next poll', async () => {
  const client = createClient([anvil.rpcUrl.replace('http', 'ws'), anvil.rpcUrl])
  const stop = new AbortController()
  const seen: bigint[] = []
  const given = watchHeads(client, { pollMs: NEVER_MS, signal: stop.signal })
  const watch = (async () => {
    for await (const { header } of given as AsyncGenerator<Head>) seen.push(header.number)
  })()
  await expect.poll(() => seen).toEqual([0n])
  for (const number of [1n, 2n, 3n]) {
    await createClient(anvil.rpcUrl).request({ method: 'evm_mine' as never })
    await expect.poll(() => seen.at(-1), { timeout: 10_000 }).toBe(number)
  }
  stop.abort()
  await watch
})
