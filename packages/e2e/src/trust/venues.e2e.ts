// A venue is in answers only while simulated swaps of it pay what Braid says.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey, type StartOptions, startApi, type wire } from '@braid-swap/api'
import type { Venue } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE, toHex } from '@braid-swap/core'
import {
  type Chain,
  createToken,
  createV2Pool,
  createV3Pool,
  deployRouter,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  sortTokens,
  startChain,
  toSqrtPriceX96,
} from '@braid-swap/devnet'
import { describeWithRedis, startRedis } from '@braid-swap/feed/testing'
import { pino } from 'pino'
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileDoubles } from '../families/doubles/compile.js'
import { startNodeDouble } from '../nodes/double/nodeDouble.js'

const HYPE = 10n ** 18n

let chain: Chain
let router: Address
let money: Address
let folder: string
let keysFile: string
let apikey: string
/** The good venue, and each wrong one by its fault, all with a better price. */
let good: Venue
let wrong: Readonly<Record<'fee' | 'formula' | 'callback' | 'decimals', Venue>>
let proxied: {
  readonly venue: Venue
  readonly pool: Address
  readonly code: Hex
  readonly changed: Hex
}

/** The code with one part replaced, each time it occurs. */
function patched(code: Hex, from: string, to: string): Hex {
  expect(code).toContain(from)
  return code.replaceAll(from, to) as Hex
}

const change = (address: Address, code: Hex) =>
  chain.client.request({ method: 'anvil_setCode', params: [address, code] } as never)

beforeAll(async () => {
  chain = await startChain()
  router = (await deployRouter(chain)).router
  money = (await createToken(chain, { symbol: 'MONEY', name: 'Money', decimals: 18 })).address
  folder = await mkdtemp(join(tmpdir(), 'braid-venues-'))
  keysFile = join(folder, 'keys.json')
  apikey = (await createKey(keysFile, { label: 'test', rate: 1_000, burst: 100_000 })).key
  const tokens = sortTokens(chain.wrappedNative, money)
  const pair = async (id: string, price: bigint) => {
    const v2 = await deployUniswapV2(chain, id)
    const amounts = [10_000n * HYPE, 10_000n * price * HYPE] as const
    const { address } = await createV2Pool(chain, v2, {
      tokens,
      amounts: tokens[0] === money ? [amounts[1], amounts[0]] : amounts,
    })
    const code = (await chain.client.getCode({ address }))!
    return { venue: v2.venue, pool: address, code }
  }
  good = (await pair('good', 40n)).venue
  const cheap = await pair('wrong-fee', 42n)
  // Pairs multiply a balance by 1000 and subtract the amount in three times; this one subtracts it nine times.
  const bent = await pair('wrong-formula', 42n)
  await change(bent.pool, patched(bent.code, '6003', '6009'))
  const v3 = await deployUniswapV3(chain, 'wrong-callback')
  const { address } = await createV3Pool(chain, v3, {
    ...{ tokens, feePpm: 3000 },
    sqrtPriceX96: toSqrtPriceX96(tokens[0] === money ? 1 / 42 : 42),
    positions: [{ ...fullRange(v3.tickSpacings[3000]!), liquidity: 100_000n * HYPE }],
  })
  const code = (await chain.client.getCode({ address }))!
  const selector = toFunctionSelector('function uniswapV3SwapCallback(int256,int256,bytes)')
  await change(address, patched(code, selector.slice(2), 'b4a1d001'))
  const scaled = await pair('wrong-decimals', 42n)
  proxied = await addProxied(tokens)
  wrong = {
    fee: { ...cheap.venue, feePpm: 100 },
    formula: bent.venue,
    callback: v3.venue,
    // A family that reads decimals where the pair has none.
    decimals: { ...scaled.venue, family: 'solidly' },
  }
})
/** A V3 pool, and its code with a fee in swaps that its getter does not tell. */
async function addProxied(tokens: readonly [Address, Address]) {
  const v3 = await deployUniswapV3(chain, 'proxied')
  const { address } = await createV3Pool(chain, v3, {
    ...{ tokens, feePpm: 3000 },
    sqrtPriceX96: toSqrtPriceX96(tokens[0] === money ? 1 / 42 : 42),
    positions: [{ ...fullRange(v3.tickSpacings[3000]!), liquidity: 100_000n * HYPE }],
  })
  const code = (await chain.client.getCode({ address }))!
  const fee = (ppm: number) => ppm.toString(16).padStart(64, '0')
  const parts = code.split(fee(3000))
  for (const kept of parts.keys()) {
    const changed = parts.reduce((all, part, i) => all + fee(i === kept ? 3000 : 10_000) + part)
    await change(address, changed as Hex)
    const { data } = await chain.client.call({
      to: address,
      data: toFunctionSelector('function fee()'),
    })
    if (kept > 0 && BigInt(data!) === 3000n) {
      await change(address, code)
      return { venue: v3.venue, pool: address, code, changed: changed as Hex }
    }
  }
  throw new Error('the code has no fee')
}

/** Puts a proxy at a pool, and the codes at addresses of their own. */
async function placeProxy(pool: Address, codes: readonly [Hex, Hex]) {
  const { ProxyDouble } = compileDoubles(['ProxyDouble.sol'])
  const data = ProxyDouble!.bytecode
  const [receipt] = await chain.execute([
    { label: 'deploy', from: chain.deployer, data, gas: 1_000_000n },
  ])
  const places = [toHex(0xc0de01, 20), toHex(0xc0de02, 20)] as const
  for (const [i, place] of places.entries()) await change(place, codes[i]!)
  await change(pool, (await chain.client.getCode({ address: receipt!.contractAddress! }))!)
  return places
}

afterAll(async () => {
  await chain?.stop()
  await rm(folder, { recursive: true })
})

type States = ReadonlyMap<string, 'shadow' | 'serving' | 'quarantined'>

async function serve(
  states: States = new Map(),
  {
    stateDir = join(folder, 'state'),
    rpcUrl = chain.rpcUrl,
    ...more
  }: Partial<Pick<StartOptions, 'stateDir' | 'role' | 'redisUrl'>> & {
    readonly rpcUrl?: string
  } = {},
) {
  const venues = [...Object.values(wrong), proxied.venue, good]
  const api = await startApi({
    ...{ rpcUrls: [rpcUrl], keysFile, router, wrappedNative: chain.wrappedNative, venues },
    ...{ usdTokens: [money], port: 0, metricsPort: 0, pollMs: 50, venueStates: states },
    ...{ maxStateAgeMs: 3_600_000, checksBlockTime: false, stateDir, saveEveryMs: 100 },
    ...{ nodeTimeoutMs: 30_000, maxRequestMs: 60_000, log: pino({ level: 'silent' }) },
    ...more,
  })
  await api.ready
  const get = async <T>(path: string) => {
    const response = await fetch(`${api.url}${path}`, { headers: { apikey } })
    return (await response.json()) as T
  }
  const catchUp = async () => {
    const number = await chain.client.getBlockNumber()
    while (api.market.current()?.graph.snapshot.block.number !== number) await sleep(5)
  }
  return {
    stop: api.stop,
    catchUp,
    mine: async () => {
      await chain.mine()
      await catchUp()
      // What the round asks comes after its market.
      await sleep(200)
    },
    served: () => {
      const { pools } = api.market.current()!.graph.snapshot
      return new Set(pools.map(({ venue }) => venue).filter((venue) => venue !== 'whype'))
    },
    states: async () => {
      const { venues: all } = await get<wire.ReadyBody>('/readyz')
      return Object.fromEntries(all.map(({ exchange, state }) => [exchange, state]))
    },
    quote: () => {
      const asked = { src: NATIVE, dst: money, amount: `${HYPE}`, includeMeta: 'true' }
      return get<wire.QuoteBody>(`/swap/v1/999/quote?${new URLSearchParams(asked)}`)
    },
    swap: () => {
      const asked = { src: NATIVE, dst: money, amount: `${HYPE}`, slippage: '0.1' }
      const query = new URLSearchParams({ ...asked, from: chain.accounts[2]!.address })
      return get<wire.SwapBody & wire.ErrorBody>(`/swap/v1/999/swap?${query}`)
    },
    metrics: async () => (await fetch(api.metricsUrl!)).text(),
  }
}

/** Blocks after the first sign of a change within which a venue must be out of answers. */
const OUT_AFTER_SIGN = 3
/** Blocks within which a venue that changed must be out without a sign: those between two questions, and two to be sure. */
const OUT_WITHIN = 22

it('answers from good venues at the first block, and never from a wrong one', async () => {
  const api = await serve()
  try {
    for (let block = 0; block < 22; block++) {
      expect([...api.served()].sort()).toEqual(['good', 'proxied'])
      if (block < 21) await api.mine()
    }
    expect(await api.states()).toEqual({
      ...{ good: 'serving', proxied: 'serving' },
      ...Object.fromEntries(Object.values(wrong).map(({ id }) => [id, 'shadow'])),
    })
    expect((await api.quote()).meta!['venues']).toEqual({ serving: 2, shadow: 4 })
    expect(await api.metrics()).toContain('braid_venue_state{venue="good",state="serving"} 1')
  } finally {
    await api.stop()
  }
}, 120_000)

it('sets a venue aside whose contract changes, and keeps that over a restart', async () => {
  let api = await serve()
  try {
    expect(api.served()).toContain('proxied')
    await change(proxied.pool, proxied.changed)
    for (let block = 0; block < OUT_WITHIN && api.served().has('proxied'); block++) await api.mine()
    expect([...api.served()]).toEqual(['good'])
    for (let block = 0; block < 2; block++) await api.mine()
    expect(await api.states()).toMatchObject({ proxied: 'quarantined', good: 'serving' })
    await api.stop()
    // It behaves again, which earns it nothing.
    await change(proxied.pool, proxied.code)
    api = await serve()
    expect([...api.served()]).toEqual(['good'])
    expect(await api.states()).toMatchObject({ proxied: 'quarantined' })
    await api.stop()
    api = await serve(new Map([['proxied', 'shadow']]))
    expect(await api.states()).toMatchObject({ proxied: 'canary' })
    await api.stop()
    // A change between two runs is seen before the first answer.
    await change(proxied.pool, proxied.changed)
    api = await serve()
    expect([...api.served()]).toEqual(['good'])
  } finally {
    await api.stop()
    await change(proxied.pool, proxied.code)
  }
}, 120_000)

it('keeps wrong venues out on a node that ignores state overrides too', async () => {
  const double = await startNodeDouble(chain.rpcUrl, { overrides: 'ignored' })
  const api = await serve(new Map(), { stateDir: join(folder, 'blind'), rpcUrl: double.url })
  try {
    for (let block = 0; block < 4; block++) {
      expect([...api.served()].sort()).toEqual(['good', 'proxied'])
      await api.mine()
    }
    await change(proxied.pool, proxied.changed)
    for (let block = 0; block < OUT_WITHIN && api.served().has('proxied'); block++) await api.mine()
    expect([...api.served()]).toEqual(['good'])
    expect(await api.states()).toMatchObject({
      ...{ good: 'canary', 'wrong-callback': 'shadow', 'wrong-decimals': 'shadow' },
      // A pair that was lent its input tells that it pays less, where the router is only refused.
      ...{ 'wrong-fee': 'quarantined', 'wrong-formula': 'quarantined' },
    })
  } finally {
    await api.stop()
    await double.stop()
    await change(proxied.pool, proxied.code)
  }
}, 120_000)

it('sets a venue aside within three blocks of the log of its upgrade', async () => {
  const abi = parseAbi(['function upgradeTo(address implementation)'])
  const before = await placeProxy(proxied.pool, [proxied.code, proxied.changed])
  const upgrade = (implementation: Address) =>
    chain.execute([
      {
        ...{ label: 'upgrade', from: chain.deployer, to: proxied.pool, gas: 100_000n },
        data: encodeFunctionData({ abi, functionName: 'upgradeTo', args: [implementation] }),
      },
    ])
  await upgrade(before[0])
  const api = await serve(new Map(), { stateDir: join(folder, 'upgraded') })
  try {
    // Until it is asked in every 20th block only.
    for (let block = 0; block < 22; block++) await api.mine()
    expect(await api.states()).toMatchObject({ proxied: 'serving' })
    await upgrade(before[1])
    for (let block = 1; block < OUT_AFTER_SIGN; block++) await api.mine()
    expect([...api.served()]).toEqual(['good'])
    await api.mine()
    expect(await api.states()).toMatchObject({ proxied: 'quarantined', good: 'serving' })
  } finally {
    await api.stop()
    await change(proxied.pool, proxied.code)
  }
}, 120_000)

/** Fewer blocks than are left until the venue is asked at its turn. */
const BEFORE_NEXT_TURN = 12

/** A swap that would revert is asked of this process, and the venue must be out where the market is followed. */
async function expectOutAfterSwap(more: Parameters<typeof serve>[1] = {}) {
  const api = await serve(new Map(), more)
  const reader =
    more.redisUrl === undefined
      ? undefined
      : await serve(new Map(), { ...more, stateDir: join(folder, 'reader'), role: 'api' })
  const { swap } = reader ?? api
  try {
    for (let block = 0; block < 22; block++) await api.mine()
    await change(proxied.pool, proxied.changed)
    await api.mine()
    await reader?.catchUp()
    expect(api.served()).toContain('proxied')
    expect((await swap()).code).toBe('SWAP_WOULD_REVERT')
    // Lessons in Redis are read each second.
    const within = reader ? BEFORE_NEXT_TURN : OUT_AFTER_SIGN
    for (let block = 0; block < within && api.served().has('proxied'); block++) await api.mine()
    await reader?.catchUp()
    expect([...api.served()]).toEqual(['good'])
    expect((await swap()).code).toBeUndefined()
  } finally {
    await reader?.stop()
    await api.stop()
    await change(proxied.pool, proxied.code)
  }
}

it(
  'sets a venue aside within three blocks of a swap of ours that it pays less',
  () => expectOutAfterSwap({ stateDir: join(folder, 'estimated') }),
  120_000,
)

describeWithRedis('an indexer', () => {
  it('sets a venue aside within three blocks of a swap at a reader that it pays less', async () => {
    const redis = await startRedis()
    try {
      const stateDir = join(folder, 'indexer')
      await expectOutAfterSwap({ stateDir, redisUrl: redis.url, role: 'indexer' })
    } finally {
      await redis.stop()
    }
  }, 120_000)
})

it('lets the operator set states', async () => {
  const given = [
    ['all', 'serving'],
    ['good', 'quarantined'],
  ] as const
  const api = await serve(new Map(given), { stateDir: join(folder, 'other') })
  try {
    expect(api.served()).not.toContain('good')
    expect(api.served()).toContain('wrong-fee')
    expect(await api.states()).toMatchObject({ good: 'quarantined', 'wrong-callback': 'serving' })
  } finally {
    await api.stop()
  }
}, 120_000)
