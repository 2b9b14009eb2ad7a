import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type NodeDouble, startNodeDouble } from './nodeDouble.js'
import { noQuirks } from './quirks.js'
import { type AskUpstream, hex, type RpcLog, upstreamAt } from './upstream.js'

let devnet: Devnet
let double: NodeDouble
let [ask, node]: readonly AskUpstream[] = []
/** A block with many logs, and the one before it with others. */
let busy: number

beforeAll(async () => {
  devnet = await borrowDevnet()
  for (const swaps of [4, 7]) {
    await devnet.trade(swaps)
    await devnet.mine()
  }
  busy = Number(await devnet.client.getBlockNumber())
  double = await startNodeDouble(devnet.rpcUrl)
  ask = upstreamAt(double.url)
  node = upstreamAt(devnet.rpcUrl)
})
afterAll(async () => {
  await double?.stop()
  await devnet?.stop()
})
beforeEach(() => double.set(noQuirks))

async function logsOf(asked: AskUpstream, block: number): Promise<readonly RpcLog[]> {
  const filter = { fromBlock: hex(block), toBlock: hex(block) }
  return (await asked('eth_getLogs', [filter])) as readonly RpcLog[]
}

/** Code that returns the block's number, or the gas left, as a call that creates a contract. */
const [BLOCK_NUMBER, GAS_LEFT] = ['0x435f5260205ff3', '0x5a5f5260205ff3']
const call = async (...params: readonly unknown[]) => Number(await ask!('eth_call', params))

it('passes everything on without a quirk', async () => {
  expect(await logsOf(ask!, busy)).toEqual(await logsOf(node!, busy))
  const block = [hex(busy), false]
  expect(await ask!('eth_getBlockByNumber', block)).toEqual(
    await node!('eth_getBlockByNumber', block),
  )
  expect(await call({ data: BLOCK_NUMBER }, hex(busy - 1))).toBe(busy - 1)
})

it('has the first half of the logs of a new block, and all of them later', async () => {
  const whole = await logsOf(node!, busy)
  double.set({ lateLogsMs: 3_600_000 })
  await double.head()
  const half = whole.slice(0, Math.ceil(whole.length / 2))
  expect(await logsOf(ask!, busy)).toEqual(half)
  expect(half.length).toBeLessThan(whole.length)
  double.set({ lateLogsMs: 0 })
  expect(await logsOf(ask!, busy)).toEqual(whole)
})

it('has the logs of the block before under the hash of its child', async () => {
  double.set({ siblingLogsEvery: busy })
  const [logs, own, before] = await Promise.all([
    logsOf(ask!, busy),
    logsOf(node!, busy),
    logsOf(node!, busy - 1),
  ])
  const { blockNumber, blockHash } = own[0]!
  expect(logs).toEqual(before.map((log) => ({ ...log, blockNumber, blockHash })))
  expect(logs).not.toEqual(own)
})

it('puts two logs of the system before those of every third block', async () => {
  double.set({ systemLogsEvery: busy })
  const [logs, own] = await Promise.all([logsOf(ask!, busy), logsOf(node!, busy)])
  expect(logs.length).toBe(own.length + 2)
  expect(logs.map(({ logIndex }) => Number(logIndex))).toEqual(logs.map((_, i) => i))
})

it('has no block where one is null for ever', async () => {
  double.set({ nullBlock: busy - 1 })
  expect(await ask!('eth_getBlockByNumber', [hex(busy - 1), false])).toBeNull()
  await expect(logsOf(ask!, busy - 1)).rejects.toThrow('invalid block range')
  expect(await logsOf(ask!, busy)).toEqual(await logsOf(node!, busy))
})

it('answers a call at a block of the past from the newest state', async () => {
  double.set({ pastState: 'latest' })
  expect(await call({ data: BLOCK_NUMBER }, hex(busy - 1))).toBe(busy)
})

it('drops overrides, or refuses them', async () => {
  const to = `0x${'77'.repeat(20)}`
  const withCode = [{ to }, 'latest', { [to]: { code: '0x60015f5260205ff3' } }] as const
  expect(await call(...withCode)).toBe(1)
  double.set({ overrides: 'ignored' })
  expect(await ask!('eth_call', withCode)).toBe('0x')
  double.set({ overrides: 'refused' })
  await expect(call(...withCode)).rejects.toThrow('Invalid params')
})

it('gives a call less gas, or refuses it', async () => {
  const greedy = { data: GAS_LEFT, gas: hex(20_000_000) }
  double.set({ callGas: 5_000_000 })
  expect(await call(greedy)).toBeLessThan(5_000_000)
  double.set({ moreGas: 'refused' })
  await expect(call(greedy)).rejects.toThrow('intrinsic gas too high')
})

it('burns all gas in every call of some pools', async () => {
  const [pool, other] = devnet.pools
  double.set({ burningPools: [pool!.address] })
  await expect(call({ to: pool!.address, data: '0x0902f1ac' })).rejects.toThrow(/gas|invalid/i)
  expect(await ask!('eth_call', [{ to: other!.address, data: '0x0dfe1681' }])).toMatch(/^0x0{24}/)
})

it('answers so many requests in a minute, and counts the others', async () => {
  double.reset()
  double.set({ requestsPerMinute: 2, limitAnswer: 'json200' })
  const asked = () => ask!('eth_chainId', [])
  expect([await asked(), await asked()]).toEqual(['0x3e7', '0x3e7'])
  await expect(asked()).rejects.toThrow('rate limited')
  expect(double.counts()).toMatchObject({ requests: 3, limited: 1, methods: { eth_chainId: 2 } })
})

it('refuses batches above their size', async () => {
  double.set({ batchSize: 1 })
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))
  const send = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(double.url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  expect(await send(batch)).toMatchObject({ error: { message: 'Batch is too large' } })
  expect(await send(batch.slice(1))).toMatchObject([{ id: 2, result: '0x3e7' }])
})

it('stands still while it is frozen', async () => {
  double.set({ isFrozen: true })
  const before = await double.head()
  await devnet.mine()
  expect(await double.head()).toBe(before)
  double.set({ isFrozen: false })
  expect(await double.head()).toBe(before + 1)
})
