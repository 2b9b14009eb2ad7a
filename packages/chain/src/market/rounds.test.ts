// Loads a chain that the tests write block by block, and reads it round by round.
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import { describe, expect, it } from 'vitest'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import { changed } from '../testing/changed.js'
import {
  advanced,
  client,
  E18,
  eachOnPairs,
  expectFresh,
  headNow,
  load,
  methods,
  node,
  PAIRS,
  p0,
  p1,
  p2,
  reservesOf,
  venues,
  withoutSampled,
  wrappedNative,
} from '../testing/pairMarket.js'
import {
  type Asked,
  answerKey,
  FACTORY,
  pairVenue,
  sampledAt,
  TOKENS,
  trade,
  unknownLog,
} from '../testing/scriptedNode.js'
import { advanceMarket } from './advanceMarket.js'
import { loadSnapshot } from './loadMarket.js'

eachOnPairs()

describe('a load', () => {
  it('has every pool of the venues at one block, and what it cannot serve with the reason', async () => {
    node.mine(({ answers }) => {
      answers.set(answerKey(p1, GET_RESERVES), '0x')
      answers.set(answerKey(TOKENS[3]!, '0x313ce567'), '0x')
      return []
    })
    const market = await load()
    expect(market.state.snapshot.block).toMatchObject({
      ...{ number: 3n, hash: node.head().hash, gasLimit: 3_000_000n, gasPrice: 100n },
    })
    const codes = Object.fromEntries(market.state.setAside.map(({ id, code }) => [id, code]))
    expect(codes).toEqual({
      [p1]: 'POOL_CALL_FAILED',
      [p2]: 'TOKEN_WITHOUT_DECIMALS',
      [PAIRS[3]!]: 'TOKEN_WITHOUT_DECIMALS',
    })
    expect(market.trust.flawed.map(({ address }) => address)).toEqual([TOKENS[3]])
    expect(market.state.snapshot.pools.map(({ id }) => id).sort()).toEqual(
      [wrappedNative, p0, sampledAt(0)].sort(),
    )
    expect(reservesOf(market, p0)).toEqual([E18, 2n * E18])
    expect(market.state.pools).toHaveLength(5)
  })

  it('takes the gas limit of the smaller of two blocks, and so does a round', async () => {
    node.mine()
    const small = await load()
    node.tamper = ({ method, params }, honest) => {
      const answer = honest()
      const isHead = method === 'eth_getBlockByNumber' && params[0] === 'latest'
      return isHead ? { ...(answer as object), gasLimit: '0x1c9c380' } : answer
    }
    expect((await load()).state.snapshot.block.gasLimit).toBe(3_000_000n)
    node.mine()
    expect((await advanced(small)).state.snapshot.block.gasLimit).toBe(3_000_000n)
  })

  it('serves sampled pools uncompared where no book answers, and says so', async () => {
    const guard = { books: [{ token: TOKENS[1]!, asset: 10_107 }], units: [], maxOffBps: 1_000_000 }
    const market = await loadSnapshot(client, { venues, wrappedNative, guard })
    expect(market.trust.pricesCompared).toBe(false)
    expect(market.state.setAside).toEqual([])
    await expectFresh(market)
  })

  it('of another chain, or without the wrapped token, is an error', async () => {
    await expect(
      loadSnapshot(client, { venues, wrappedNative: toHex(0xdead, 20) }),
    ).rejects.toMatchObject({ code: 'NO_WRAPPED_NATIVE' })
    node.tamper = ({ method }, honest) => (method === 'eth_chainId' ? '0x1' : honest())
    await expect(load()).rejects.toMatchObject({ code: 'WRONG_CHAIN' })
  })

  it('is one block although the node answers calls from its newest', async () => {
    node.isLatestOnly = true
    let calls = 0
    node.tamper = ({ method, params }, honest) => {
      const isBatch = method === 'eth_call' && 'to' in (params[0] as object)
      if (isBatch && ++calls < 12) node.mine(trade(PAIRS[calls % 4]!, [E18, BigInt(calls) * E18]))
      return honest()
    }
    const market = await load()
    expect(market.state.snapshot.block.number).toBeGreaterThan(2n)
    node.tamper = (_, honest) => honest()
    await expectFresh(await advanced(market))
  })
})

describe('a round', () => {
  it('asks for the head and its receipts, and no more', async () => {
    const market = await load()
    node.mine(trade(p0, [3n * E18, E18]), unknownLog(FACTORY))
    node.asked.length = 0
    node.tamper = ({ method }, honest) => {
      if (method === 'eth_call') throw new Refusal(-32000, 'no call is needed')
      return honest()
    }
    const next = await advanceMarket(client, withoutSampled(market), {
      head: await headNow(),
      venues: [pairVenue],
    })
    expect(methods()).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts'])
    expect(reservesOf(next, p0)).toEqual([3n * E18, E18])
    expect(next.cursor.trail.at(-1)!.touched).toEqual([p0])
    expect(next.state.receivedAtMs).toBe(1)
    expect(next.state.snapshot.block.gasPrice).toBe(100n)
  })

  it('of many blocks asks for the head and one range, from the block known before', async () => {
    const market = await load()
    for (let i = 1; i < 9; i++) node.mine(trade(PAIRS[i % 4]!, [E18, BigInt(i) * E18]))
    node.asked.length = 0
    const next = await advanceMarket(client, withoutSampled(market), {
      head: await headNow(),
      venues: [pairVenue],
    })
    // Block 2 has no log that could name its hash.
    expect(methods()).toEqual(['eth_getBlockByNumber', 'eth_getLogs', 'eth_getBlockByNumber'])
    const [{ params }] = node.asked.filter(({ method }) => method === 'eth_getLogs') as [Asked]
    expect(params).toEqual([{ fromBlock: '0x2', toBlock: '0xa' }])
    expect(reservesOf(next, p0)).toEqual([E18, 8n * E18])
  })

  it('reads a pool again that could not be read, in the next block and then after as many as it failed', async () => {
    let market = await load()
    node.mine(unknownLog(p0), ({ answers }) => {
      answers.set(answerKey(p0, GET_RESERVES), '0x')
      return []
    })
    const reads: bigint[] = []
    for (let i = 0; i < 12; i++) {
      node.asked.length = 0
      market = await advanced(market)
      const isRead = node.asked.some(({ params }) => JSON.stringify(params).includes(p0.slice(2)))
      if (isRead) reads.push(market.state.snapshot.block.number)
      expect(market.state.setAside.map(({ id, code }) => [id, code])).toEqual([
        [p0, 'POOL_CALL_FAILED'],
      ])
      expect(reservesOf(market, p0)).toBeUndefined()
      node.mine()
    }
    expect(reads).toEqual([3n, 4n, 5n, 7n, 11n])
    node.mine(({ answers }) => {
      answers.clear()
      return []
    })
    for (let i = 0; i < 8; i++) {
      market = await advanced(market)
      node.mine()
    }
    await expectFresh(await advanced(market))
  })

  it.each([
    ['with the whole batch', true],
    ['and leaves the batch its last 64th', false],
  ])('tries a pool that burns all gas, %s, by one request when it is due', async (_, isWhole) => {
    let market = withoutSampled(await load())
    node.tamper = ({ method, params }, honest) => {
      const isOfPool = JSON.stringify(params).includes(p0.slice(2))
      if (method === 'eth_call' && isOfPool && isWhole) throw new Refusal(-32000, 'out of gas')
      return honest()
    }
    node.mine(unknownLog(p0), ({ answers }) => {
      if (!isWhole) answers.set(answerKey(p0, GET_RESERVES), '0x')
      return []
    })
    const calls: number[] = []
    for (let i = 0; i < 9; i++) {
      node.asked.length = 0
      const head = await headNow()
      market = await advanceMarket(client, market, { head, venues: [pairVenue] })
      calls.push(methods().filter((method) => method === 'eth_call').length)
      node.mine(unknownLog(p0))
    }
    expect(calls.slice(1)).toEqual([1, 1, 0, 1, 0, 0, 0, 1])
  })

  it('reads pools that join, and none whose token is flawed', async () => {
    const before = await load()
    const kept = changed(before, { pools: before.state.pools.filter(({ id }) => id !== p1) })
    const { snapshot } = before.state
    const pools = snapshot.pools.filter(({ id }) => id !== p1)
    const without = changed(kept, { snapshot: { ...snapshot, pools } })
    node.mine()
    const next = await advanced(changed(without, { pools: before.state.pools }))
    await expectFresh(next)
    const banned = changed(without, {
      pools: before.state.pools,
      setAside: [{ id: p1, venue: 'pairs', code: 'TOKEN_STUCK', message: '' }],
    })
    node.mine(trade(p1, [7n * E18, E18]), unknownLog(p1))
    const after = await advanced(banned)
    expect(reservesOf(after, p1)).toBeUndefined()
    expect(after.state.setAside.map(({ id }) => id)).toEqual([p1])
  })

  it('has the gas price of the block after its own, and keeps it while one is absurd', async () => {
    const market = await load()
    expect(market.state.snapshot.block.gasPrice).toBe(100n)
    const told = (baseFeePerGas: string) => {
      node.mine()
      node.tamper = ({ method }, honest) => {
        const answer = honest() as object
        return method === 'eth_getBlockByNumber' ? { ...answer, baseFeePerGas } : answer
      }
    }
    told('0x78')
    const next = await advanced(market)
    expect(next.state.snapshot.block.gasPrice).toBe(120n)
    told('0xffffff')
    const absurd = await advanced(next)
    expect(absurd.state.snapshot.block.gasPrice).toBe(120n)
    expect(absurd.state.gasPrices!.fault).toMatchObject({ code: 'GAS_PRICE_ABSURD' })
    told('0x70')
    const after = await advanced(absurd)
    expect(after.state.snapshot.block.gasPrice).toBe(112n)
    expect(after.state.gasPrices).not.toHaveProperty('fault')
  })
})
