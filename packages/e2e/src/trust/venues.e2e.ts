// A venue is in answers only while simulated swaps of it pay what Braid says.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartOptions, wire } from '@braid-swap/api'
import { startServedApi } from '@braid-swap/api/testing'
import type { Venue } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { type Chain, deployRouter, startChain } from '@braid-swap/devnet'
import { createToken } from '@braid-swap/devnet/testing'
import { describeWithRedis, startRedis } from '@braid-swap/feed/testing'
import { startNodeDouble } from '@braid-swap/worlds/node'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type ChangingPool,
  createWrongVenues,
  placeProxy,
  setCode,
  type WrongVenues,
} from './wrongVenues.js'

const HYPE = 10n ** 18n

let chain: Chain
let router: Address
let money: Address
let folder: string
/** The good venue, and each wrong one by its fault, all with a better price. */
let good: Venue
let wrong: WrongVenues
let proxied: ChangingPool

beforeAll(async () => {
  chain = await startChain()
  router = (await deployRouter(chain)).router
  money = (await createToken(chain, { symbol: 'MONEY', name: 'Money', decimals: 18 })).address
  folder = await mkdtemp(join(tmpdir(), 'braid-venues-'))
  ;({ good, wrong, proxied } = await createWrongVenues(chain, money))
})

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
  const api = await startServedApi(chain, {
    ...{ rpcUrls: [rpcUrl], router, wrappedNative: chain.wrappedNative, venues },
    ...{ usdTokens: [money], metricsPort: 0, venueStates: states, stateDir, saveEveryMs: 100 },
    ...more,
  })
  const get = async <T>(path: string, params?: Readonly<Record<string, string>>) =>
    (await api.get<T>(path, params)).body
  const { catchUp } = api
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
      return get<wire.QuoteBody>('/swap/v1/999/quote', asked)
    },
    swap: () => {
      const asked = { src: NATIVE, dst: money, amount: `${HYPE}`, slippage: '0.1' }
      const from = chain.accounts[2]!.address
      return get<wire.SwapBody & wire.ErrorBody>('/swap/v1/999/swap', { ...asked, from })
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
    await setCode(chain, proxied.pool, proxied.changed)
    for (let block = 0; block < OUT_WITHIN && api.served().has('proxied'); block++) await api.mine()
    expect([...api.served()]).toEqual(['good'])
    for (let block = 0; block < 2; block++) await api.mine()
    expect(await api.states()).toMatchObject({ proxied: 'quarantined', good: 'serving' })
    await api.stop()
    // It behaves again, which earns it nothing.
    await setCode(chain, proxied.pool, proxied.code)
    api = await serve()
    expect([...api.served()]).toEqual(['good'])
    expect(await api.states()).toMatchObject({ proxied: 'quarantined' })
    await api.stop()
    api = await serve(new Map([['proxied', 'shadow']]))
    expect(await api.states()).toMatchObject({ proxied: 'canary' })
    await api.stop()
    // A change between two runs is seen before the first answer.
    await setCode(chain, proxied.pool, proxied.changed)
    api = await serve()
    expect([...api.served()]).toEqual(['good'])
  } finally {
    await api.stop()
    await setCode(chain, proxied.pool, proxied.code)
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
    await setCode(chain, proxied.pool, proxied.changed)
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
    await setCode(chain, proxied.pool, proxied.code)
  }
}, 120_000)

it('sets a venue aside within three blocks of the log of its upgrade', async () => {
  const abi = parseAbi(['function upgradeTo(address implementation)'])
  const before = await placeProxy(chain, proxied.pool, [proxied.code, proxied.changed])
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
    await setCode(chain, proxied.pool, proxied.code)
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
    await setCode(chain, proxied.pool, proxied.changed)
    await api.mine()
    await reader?.catchUp()
    expect(api.served()).toContain('proxied')
    // The order does without the pool that is to blame.
    expect((await swap()).code).toBeUndefined()
    // Lessons in Redis are read each second.
    const within = reader ? BEFORE_NEXT_TURN : OUT_AFTER_SIGN
    for (let block = 0; block < within && api.served().has('proxied'); block++) await api.mine()
    await reader?.catchUp()
    expect([...api.served()]).toEqual(['good'])
    expect((await swap()).code).toBeUndefined()
  } finally {
    await reader?.stop()
    await api.stop()
    await setCode(chain, proxied.pool, proxied.code)
  }
}

it(
  'sets a venue aside within three blocks of a swap of ours that it pays less',
  () => expectOutAfterSwap({ stateDir: join(folder, 'estimated') }),
  120_000,
)

describeWithRedis('an indexer', () => {
  it('sets a venue aside before its next turn after a swap at a reader that it pays less', async () => {
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
