import { type Client, type ClientOptions, createClient } from '@braid-swap/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFaultProxy } from './faults/proxy.js'
import { anyMove, createDice } from './moves.js'
import { type Ask, createTamperedClient, noReceipts, type Request, rpcError } from './tampered.js'
import { type ChainWorld, chainReads, startChainWorld } from './world.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

const { load, refreshed, expectFresh } = chainReads(() => ({ world, client }))

const dice = createDice(11)
async function mineBusyBlocks(blocks: number) {
  for (let i = 0; i < blocks; i++) {
    for (let moves = 0; moves < 3; moves++) await world.chain.send(await anyMove(world, dice))
    await world.chain.mine()
  }
}

type AnyLog = { readonly blockNumber: string; readonly logIndex: string }
type Filter = {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly address?: unknown
}
const isRange = ({ method, params }: Request) =>
  method === 'eth_getLogs' && (params as [Filter])[0].blockHash === undefined

/** Follows a few busy blocks through a node whose log responses are tampered with. */
async function follow(tamper: (logs: readonly AnyLog[], request: Request) => unknown) {
  const market = await load()
  await mineBusyBlocks(3)
  const asked: Request[] = []
  const by = createTamperedClient(world.chain.rpcUrl, async (request: Request, ask: Ask) => {
    asked.push(request)
    if (request.method === 'eth_getBlockReceipts') throw noReceipts(request)
    const answer = await ask(request)
    return isRange(request) ? tamper(answer as readonly AnyLog[], request) : answer
  })
  await expectFresh(await refreshed(market, by))
  const count = (method: string) => asked.filter((request) => request.method === method).length
  return { count, asked }
}

describe('the receipts of followed blocks', () => {
  it('prove each block, so that its logs are not asked for', async () => {
    const market = await load()
    await mineBusyBlocks(3)
    const asked: string[] = []
    const by = createTamperedClient(world.chain.rpcUrl, (request: Request, ask: Ask) => {
      asked.push(request.method)
      return ask(request)
    })
    await expectFresh(await refreshed(market, by))
    expect(asked.filter((method) => method === 'eth_getBlockReceipts')).toHaveLength(3)
    expect(asked).not.toContain('eth_getLogs')
  })

  it.each<readonly [string, (receipts: readonly object[]) => unknown]>([
    ['without one of them', (receipts) => receipts.slice(1)],
    ['without the logs of one', ([first, ...more]) => [{ ...first, logs: [] }, ...more]],
    ['null', () => null],
  ])('are not believed where the node answers %s', async (_, tamper) => {
    const market = await load()
    await mineBusyBlocks(1)
    const asked: string[] = []
    const by = createTamperedClient(world.chain.rpcUrl, async (request: Request, ask: Ask) => {
      asked.push(request.method)
      const answer = await ask(request)
      return request.method === 'eth_getBlockReceipts' ? tamper(answer as object[]) : answer
    })
    await expectFresh(await refreshed(market, by))
    expect(asked).toContain('eth_getLogs')
  })
})

describe('the logs of followed blocks', () => {
  it('come from one request without addresses and are verified by the headers', async () => {
    const { count, asked } = await follow((logs) => logs)
    expect(count('eth_getLogs')).toBe(1)
    const [{ params }] = asked.filter(isRange) as [Request]
    expect(Object.keys((params as [Filter])[0]).sort()).toEqual(['fromBlock', 'toBlock'])
  })

  it.each<readonly [string, number, (logs: readonly AnyLog[]) => readonly AnyLog[]]>([
    // A node that lags: another one behind the same URL may have the newest block.
    [
      'without the newest block',
      3,
      (logs) => logs.filter(({ blockNumber }) => blockNumber !== logs.at(-1)!.blockNumber),
    ],
    ['without any', 3, () => []],
    ['without the last log', 1, (logs) => logs.slice(0, -1)],
    [
      'without the first log of each',
      1,
      (logs) => logs.filter(({ logIndex }) => logIndex !== '0x0'),
    ],
    ['without one in the middle', 1, (logs) => logs.filter((_, i) => i !== logs.length >> 1)],
  ])(
    'are replaced by reads of the pools where a range is answered %s',
    async (_, asked, tamper) => {
      const { count } = await follow(tamper)
      expect(count('eth_getLogs')).toBe(asked)
      expect(count('eth_call')).toBeGreaterThan(1)
    },
  )

  it('are requested by address if a block is too full for one response', async () => {
    const isOfAll = ({ params }: Request) => (params as [Filter])[0].address === undefined
    const { count } = await follow((logs, request) => {
      if (!isOfAll(request)) return logs
      throw rpcError(request, { code: -32008, message: 'Response is too big' })
    })
    expect(count('eth_getLogs')).toBe(2)
  })

  it('are requested for half of the addresses if a block is still too full', async () => {
    const market = await load()
    await mineBusyBlocks(1)
    let refused = 0
    const by = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (request.method === 'eth_getBlockReceipts') throw noReceipts(request)
      const isFew = ([filter]: readonly Filter[]) =>
        Array.isArray(filter?.address) && filter.address.length <= 3
      if (request.method === 'eth_getLogs' && !isFew(request.params as [Filter])) {
        refused += 1
        throw rpcError(request, { code: -32008, message: 'Response is too big' })
      }
      return ask(request)
    })
    await expectFresh(await refreshed(market, by))
    expect(refused).toBeGreaterThan(2)
  })

  it('are never requested for more than the operator’s block range', async () => {
    const { rpcUrl } = world.chain
    await world.chain.client.mine({ blocks: 120 })
    const refusalsBy = async (options?: ClientOptions) => {
      const proxy = await startFaultProxy({ nodeUrl: rpcUrl, seed: 1, logRange: 50 })
      const by = createClient(proxy.url, options)
      await expectFresh(await load(undefined, by))
      await proxy.stop()
      return proxy.counts().faults.refused
    }
    expect(await refusalsBy()).toBeGreaterThan(0)
    expect(await refusalsBy({ logRange: 50 })).toBe(0)
    expect(await refusalsBy({ logRange: 7 })).toBe(0)
  })

  it('are requested for half of the range, not of the addresses, if a range is too full', async () => {
    const spans: bigint[] = []
    const ranges: string[] = []
    const by = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (!isRange(request)) return ask(request)
      const [{ fromBlock, toBlock }] = request.params as [Required<Filter>]
      ranges.push(`${fromBlock} ${toBlock}`)
      spans.push(BigInt(toBlock) - BigInt(fromBlock) + 1n)
      if (spans.at(-1)! <= 40n) return ask(request)
      const message = 'query returned more than 10000 results'
      throw rpcError(request, { code: -32005, message })
    })
    await expectFresh(await load(undefined, by))
    expect(spans.filter((span) => span > 40n).length).toBeLessThan(8)
    expect(new Set(ranges).size).toBe(ranges.length)
  })
})
