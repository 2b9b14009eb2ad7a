import {
  advanceMarket,
  createClient,
  loadSnapshot,
  type Market,
  readHeader,
  readPrices,
  type Venue,
} from '@braid-swap/chain'
import { type Address, buildGraph, encodeProgram, encodeRouterCall, quote } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import { getAmountOut, type LadderPool } from '@braid-swap/core/families'
import { approveCall, createRandom, deployRouter } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { anyBits } from './differential/integers.js'
import { simulate } from './differential/simulate.js'
import { deployLadderMarket, moveLadderPrices, sampleLadders } from './doubles/ladderMarket.js'
import { refuseBatchesCall } from './doubles/ladders.js'
import { deployOrderBook, removeOrderBook, setBook, setSizeDecimals } from './doubles/orderBook.js'

// The double is ours. It proves that the pool pays at least the sampled output, but not that a venue's
// pool behaves like it.
const SEED = 20_261_121
const SWAPS = scaled(2_000)
const ORDERS = scaled(200)

let bare: BareChain
let venues: readonly Venue[]

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 4, [6, 8, 18])
  venues = await deployLadderMarket(bare)
}, 120_000)

afterAll(() => bare?.chain.stop())

const load = () =>
  loadSnapshot(createClient(bare.chain.rpcUrl), {
    ...{ venues, wrappedNative: bare.chain.wrappedNative },
  })

const laddersOf = ({
  state,
}: {
  readonly state: Pick<Market['state'], 'snapshot'>
}): readonly LadderPool[] => state.snapshot.pools.filter((pool) => pool.family === 'ladder')

async function follow(market: Market): Promise<Market> {
  const client = createClient(bare.chain.rpcUrl)
  const header = await readHeader(client, 'latest')
  return advanceMarket(client, market, { head: { header, receivedAtMs: 1 }, venues })
}

it('never quotes from a sample of an earlier block', async () => {
  const {
    state: { snapshot },
  } = await load()
  const { block } = snapshot
  const next = { ...block, number: block.number + 1n, timestamp: block.timestamp + 1n }
  const later = advance(snapshot, { block: next, pools: [] })
  const stale = laddersOf({ state: { snapshot: later } })
  expect(stale.length).toBeGreaterThan(0)
  for (const pool of stale) {
    for (const [i, ladder] of pool.ladders.entries()) {
      const direction = { in: i, out: 1 - i }
      for (const [amountIn] of ladder) expect(getAmountOut(pool, direction, amountIn)).toBe(0n)
    }
  }
})

it('quotes the pool’s own output at the samples, and no more and hardly less between them', async () => {
  const shortfalls: number[] = []
  const count = { rungs: 0, between: 0 }
  while (count.between < SWAPS) {
    const pools = laddersOf(await load())
    for (const { promised, paid, isRung } of await sampleLadders(bare, pools)) {
      if (isRung) expect(promised).toBe(paid)
      else expect(promised <= paid).toBe(true)
      if (!isRung && paid > 10n ** 9n) shortfalls.push(1 - Number(promised) / Number(paid))
      count[isRung ? 'rungs' : 'between'] += 1
    }
    await moveLadderPrices(bare, pools)
  }
  shortfalls.sort((a, b) => a - b)
  const most = shortfalls.at(-1)!
  const median = shortfalls[shortfalls.length >> 1]!
  console.log(
    `${count.rungs} rungs to the wei, ${count.between} between; short by ${median}, ${most} at most`,
  )
  expect(shortfalls.length).toBeGreaterThan(scaled(500))
  // Half a basis point at the median; much more where the pool runs dry between two samples.
  expect(median).toBeLessThan(5e-5)
})

it('pays at least the quote through the router', async () => {
  const { chain, random, tokens, trader } = bare
  const { router, executor } = await deployRouter(chain)
  await chain.execute(tokens.map((token) => approveCall(token, { owner: trader, spender: router })))
  const seen = { orders: 0, sampled: 0, more: 0, hops: 0, most: 0 }
  const isComplete = () => seen.orders >= ORDERS && seen.sampled > ORDERS / 4
  for (let tries = 0; !isComplete() && tries < 3 * ORDERS; tries++) {
    const market = await load()
    const [tokenIn, tokenOut] = drawTwo(tokens)
    const order = { tokenIn, tokenOut, amountIn: anyBits(random, 30, 84) }
    const answer = (() => {
      try {
        return quote(buildGraph(market.state.snapshot), order)
      } catch {
        return undefined
      }
    })()
    if (!answer) continue
    const call = {
      ...order,
      minAmountOut: answer.amountOut,
      receiver: trader,
      deadline: 1n << 64n,
      executor,
      program: encodeProgram(answer.route, order),
    }
    const [result] = await simulate(chain.client, [
      { from: trader, to: router, data: encodeRouterCall(call) },
    ])
    const sampled = answer.route.filter(({ pool }) => pool.sampledAt !== undefined).length
    // The floor is the quote, so one wei less would have reverted.
    expect({ order, succeeded: result!.succeeded }).toEqual({ order, succeeded: true })
    const received = BigInt(result!.data)
    expect(received >= answer.amountOut).toBe(true)
    if (sampled === 0) expect(received).toBe(answer.amountOut)
    seen.orders += 1
    seen.hops += answer.route.length
    if (sampled > 0) seen.sampled += 1
    if (received > answer.amountOut) seen.more += 1
    seen.most = Math.max(seen.most, Number(received) / Number(answer.amountOut) - 1)
    if (tries % 8 === 0) await moveLadderPrices(bare, laddersOf(market))
  }
  console.log(
    `${seen.orders} orders, ${seen.hops} hops; ${seen.sampled} through ladders, of which ${seen.more} brought more, by ${seen.most} at most`,
  )
  expect(seen.sampled).toBeGreaterThan(ORDERS / 4)
  expect(seen.more).toBeGreaterThan(0)

  function drawTwo(all: readonly Address[]): readonly [Address, Address] {
    const first = random.pick(all)
    return [first, random.pick(all.filter((token) => token !== first))]
  }
})

it('reads a pool again in the blocks after a read of it failed', async () => {
  const { chain } = bare
  const whole = await load()
  const [{ id: address }] = laddersOf(whole) as [LadderPool]
  const bytecode = (await chain.client.getCode({ address }))!
  const codesOf = ({ state }: Market) => state.setAside.map(({ id, code }) => [id, code])
  const step = async (market: Market) => {
    await chain.mine()
    return follow(market)
  }
  // Returns a byte, which is no list of outputs.
  await chain.client.setCode({ address, bytecode: '0x60015ff3' })
  let market = await step(whole)
  expect(codesOf(market)).toEqual([[address, 'POOL_CALL_FAILED']])
  market = await step(market)
  expect(codesOf(market)).toEqual([[address, 'POOL_CALL_FAILED']])
  await chain.client.setCode({ address, bytecode })
  market = await step(market)
  expect(codesOf(market)).toEqual([])
  expect(comparable(market)).toEqual({ ...comparable(await load()), setAside: [] })
})

const ASSET = 10_107

it('sets a pool aside while it is off the order book, and serves it again when it is back', async () => {
  const { chain } = bare
  const client = createClient(chain.rpcUrl)
  const { wrappedNative } = chain
  const whole = await load()
  const [pool] = laddersOf(whole)
  const [a, b] = pool!.tokens
  const decimalsOf = new Map(
    whole.state.snapshot.tokens.map((token) => [token.address, token.decimals]),
  )
  const [x, y] = pool!.ladders[0].find(([, paid]) => paid > 10n ** 6n)!
  const paid = (Number(y) / Number(x)) * 10 ** (decimalsOf.get(a)! - decimalsOf.get(b)!)
  // The book is that of the dearer token, so that its decimals keep nine digits of the price.
  const [token, unit, price] = paid > 1 ? [a, b, paid] : [b, a, 1 / paid]
  const sizeDecimals = Math.ceil(Math.log10(price))
  const priceDecimals = 8 - sizeDecimals
  const guard = { books: [{ token, asset: ASSET }], units: [unit], maxOffBps: 100 }
  const only = { ...venues[0]!, pairs: [[a, b]] as const }
  const quoteBook = (part: number) => {
    const at = BigInt(Math.round(price * part * 10 ** priceDecimals))
    return setBook(chain, ASSET, { bid: at, offer: at + 1n })
  }
  const loadGuarded = () => loadSnapshot(client, { venues: [only], wrappedNative, guard })
  const codesOf = ({ state }: Market) => state.setAside.map(({ code }) => code)
  const step = async (market: Market) => {
    await chain.mine()
    const header = await readHeader(client, 'latest')
    return advanceMarket(client, market, {
      head: { header, receivedAtMs: 1 },
      venues: [only],
      guard,
    })
  }

  const silent = await loadGuarded()
  expect([codesOf(silent), silent.trust.pricesCompared]).toEqual([[], false])
  await deployOrderBook(chain)
  await setSizeDecimals(chain, ASSET, sizeDecimals)
  expect(codesOf(await loadGuarded())).toEqual(['POOL_OFF_MARKET'])
  await quoteBook(1)
  let market = await loadGuarded()
  expect([codesOf(market), market.trust.pricesCompared]).toEqual([[], true])
  await quoteBook(1.02)
  market = await step(market)
  expect(codesOf(market)).toEqual(['POOL_OFF_MARKET'])
  expect(laddersOf(market)).toEqual([])
  market = await step(market)
  expect(codesOf(market)).toEqual(['POOL_OFF_MARKET'])
  await quoteBook(0.995)
  market = await step(market)
  expect(codesOf(market)).toEqual([])
  expect(laddersOf(market)).toEqual(laddersOf(await loadGuarded()))
  await quoteBook(0.98)
  expect(codesOf(await step(market))).toEqual(['POOL_OFF_MARKET'])
  await removeOrderBook(chain)
  market = await step(market)
  expect([codesOf(market), market.trust.pricesCompared]).toEqual([[], false])
  const off = await loadSnapshot(client, { venues: [only], wrappedNative })
  expect(off.trust.pricesCompared).toBeUndefined()
})

it('reads the decimals of a book from the exchange, once', async () => {
  const { chain } = bare
  const [token, unit] = bare.tokens
  const book = { books: [{ token: token!, asset: ASSET }], units: [unit!] }
  const read = async (client = createClient(chain.rpcUrl)) =>
    (await readPrices(client, book, await readHeader(client, 'latest')))?.get(token!)
  await deployOrderBook(chain)
  await setBook(chain, ASSET, { bid: 39_500_000n, offer: 39_600_000n })
  await setSizeDecimals(chain, ASSET, 2)
  const client = createClient(chain.rpcUrl)
  expect(await read(client)).toEqual({ bid: 39.5, offer: 39.6 })
  await setSizeDecimals(chain, ASSET, 4)
  expect(await read()).toEqual({ bid: 3_950, offer: 3_960 })
  expect(await read(client)).toEqual({ bid: 39.5, offer: 39.6 })
  await removeOrderBook(chain)
})

// The last test, because the pool refuses batches from then on.
it('serves only the pairs that the venue names, with its haircut, and pools without a batch', async () => {
  const [ladders] = venues
  const {
    state: { snapshot },
  } = await load()
  const [one, ...others] = laddersOf({ state: { snapshot } }).map(({ tokens }) => tokens)
  const client = createClient(bare.chain.rpcUrl)
  const { wrappedNative } = bare.chain
  const only = { ...ladders!, pairs: [[one![1], one![0]]] as const, haircutPpm: 100 }
  const [pool, ...rest] = laddersOf(await loadSnapshot(client, { venues: [only], wrappedNative }))
  expect(others.length).toBeGreaterThan(0)
  expect(rest).toEqual([])
  const whole = laddersOf({ state: { snapshot } }).find(({ id }) => id === pool!.id)!
  const cut = whole.ladders[0].map(([x, y]) => [x, (y * 999_900n) / 1_000_000n])
  const [a, b] = pool!.ladders
  const ordered = pool!.tokens[0] === whole.tokens[0] ? a : b
  expect(ordered).toEqual(cut)
  const { chain } = bare
  await chain.execute([refuseBatchesCall(chain.deployer, pool!.id)])
  const [single] = laddersOf(await loadSnapshot(client, { venues: [only], wrappedNative }))
  const rungs = pool!.ladders[0]
  expect(single!.ladders[0].length).toBeGreaterThan(10)
  for (const rung of single!.ladders[0]) expect(rungs).toContainEqual(rung)
})
