// Ten tokens, each with two pools of $100 that together are 2 % better than the market. They behave, then no longer,
// and then again, while everyday orders of the main pairs are asked in every block of a market that trades.

import type { wire } from '@braid-swap/api'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { hyperEvmGuard, steadyMs } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import {
  approveCall,
  borrowDevnet,
  type Call,
  type Devnet,
  mintCalls,
  type Random,
  SMALL_BLOCK_GAS,
} from '@braid-swap/devnet'
import {
  addBait,
  announceCall,
  armCalls,
  type Bait,
  type BaitPool,
  behaviours,
  flipCalls,
  moodCall,
  tokensOf,
  venueOf,
} from './baits.js'

/** Tokens of the attacker that may be passed between the ends, by number, or all tokens there are. */
export type Opening = readonly number[] | 'all'

/** What happened to everyday orders. */
export type Outcome = {
  /** Asked after the third block of a wave, and those of them that passed on the chain. */
  readonly asked: number
  readonly passed: number
  /** Tokens that routes passed while they behaved, by number. */
  readonly baited: ReadonlySet<number>
  /** What the failures were, those of the first blocks too. */
  readonly failures: readonly string[]
}

const ONE = 10n ** 18n
/** Blocks for which a token misbehaves; the orders of the first are answered before. */
const BAD_BLOCKS = 6
/** Blocks after which orders count. */
const FIRST_SIGN = 3
/** Blocks within which thirty tokens are tested, sixteen in twenty, and some to read their pools. */
const RETURN_WITHIN = 44
const ORDERS_PER_BLOCK = 3
const BIG_BLOCK_GAS = 30_000_000n
/** Longer than the longest pause. */
const REST_MS = 3 * 3_600_000

/** A devnet with the ten tokens, all behaving. */
export type Attack = {
  /** Sends the waves, each a set of numbers of tokens that misbehave at once, against an API. */
  readonly run: (waves: readonly (readonly number[])[], opening: Opening) => Promise<Outcome>
  readonly stop: () => Promise<void>
}

/** Starts the devnet and deploys the tokens. */
export async function startAttack(random: Random): Promise<Attack> {
  const devnet = await borrowDevnet()
  await devnet.client.setBlockGasLimit({ gasLimit: BIG_BLOCK_GAS })
  const baits: Bait[] = []
  for (const [i, behaviour] of behaviours.entries()) baits.push(await addBait(devnet, behaviour, i))
  const { USDC, UBTC } = tokensOf(devnet)
  const { deployer, wallet, router, wrappedNative } = devnet
  await devnet.execute([
    ...[USDC, UBTC].map((token) => approveCall(token, { owner: wallet.address, spender: router })),
    ...[USDC, wrappedNative].flatMap((token) => [
      ...mintCalls(deployer, { token, to: deployer, amount: 1_000_000n * ONE }),
      approveCall(token, { owner: deployer, spender: venueOf(devnet).router }),
    ]),
  ])
  await devnet.client.setBlockGasLimit({ gasLimit: SMALL_BLOCK_GAS })
  await devnet.mine()
  return {
    run: (waves, opening) => run({ devnet, baits, random }, waves, opening),
    stop: devnet.stop,
  }
}

type World = { readonly devnet: Devnet; readonly baits: readonly Bait[]; readonly random: Random }

async function run(
  { devnet, baits, random }: World,
  waves: readonly (readonly number[])[],
  opening: Opening,
): Promise<Outcome> {
  let restedMs = 0
  const api = await startDevnetApi({
    devnet,
    intermediates: opening === 'all' ? 'all' : opening.map((i) => baits[i]!.token),
    clock: { unixMs: Date.now, steadyMs: () => steadyMs() + restedMs },
    maxStateAgeMs: Number.MAX_SAFE_INTEGER,
    // A price 2 % off is set aside at once; here the behaviour alone must tell.
    guard: { ...hyperEvmGuard, maxOffBps: 0 },
  })
  const baited = new Set<number>()
  const failures: string[] = []
  let [asked, passed] = [0, 0]
  const step = async (name: string, calls: readonly Call[]) => {
    const orders = everyday(devnet, random)
    await api.catchUp()
    const answers = await Promise.all(
      orders.map((order) => api.get<wire.SwapBody & wire.ErrorBody>('/swap/v1/999/swap', order)),
    )
    // The attacker is always first in the block. Orders are called on what it leaves, each for itself: sent in one
    // block, they would eat the same $100.
    await devnet.send(calls)
    await devnet.trade(1)
    await devnet.mine()
    const ends = await Promise.all(answers.map((answer) => endOf(devnet, answer)))
    for (const [k, end] of ends.entries()) {
      const { src, dst } = orders[k]!
      if (end !== 'passed') failures.push(`${name}, ${src} to ${dst}: ${end}`)
      else if (name === 'count') passed += 1
    }
    return answers.map(({ body }) => body.tx?.data ?? '')
  }
  try {
    for (const wave of waves) {
      const now = wave.map((i) => baits[i]!)
      await devnet.arbitrage()
      await devnet.send(now.flatMap((bait) => armCalls(devnet, bait)))
      await devnet.mine(6)
      const bad = await Promise.all(now.map((bait) => flipCalls(devnet, bait)))
      const routes = await step(
        'first',
        bad.flatMap(([change]) => change),
      )
      for (const i of wave) {
        const { out, back } = baits[i]!
        const passes = (pool: BaitPool) =>
          routes.some((data) => data.includes(pool.address.slice(2)))
        if (passes(out) && passes(back)) baited.add(i)
      }
      for (let block = 1; block <= BAD_BLOCKS; block++) {
        const switched = now.filter(({ behaviour }) => behaviour.includes('switched'))
        const calls = switched.map((bait) =>
          moodCall(devnet, bait, block % 2 === 0 ? 'taxed' : 'good'),
        )
        await step(block < FIRST_SIGN ? 'soon' : 'count', calls)
        if (block >= FIRST_SIGN) asked += ORDERS_PER_BLOCK
      }
      // Half of the time it is told, otherwise the tests in turn must find it.
      const telling = random.next() < 0.5 ? now.map((bait) => announceCall(devnet, bait)) : []
      await step('count', bad.flatMap(([, undo]) => undo).concat(telling))
      asked += ORDERS_PER_BLOCK
      restedMs += REST_MS
      await untilServed(devnet, api, now)
    }
    return { asked, passed, baited, failures }
  } finally {
    await api.stop()
  }
}

/** Three orders of some $60. */
function everyday(devnet: Devnet, random: Random) {
  const { USDC, 'USD₮0': USDT, UBTC, UETH } = tokensOf(devnet)
  const pairs = [
    [NATIVE, UBTC, 1.5e18],
    [UBTC, NATIVE, 60_000],
    [NATIVE, USDT, 1.5e18],
    [USDC, UETH, 60e6],
  ] as const
  // Those that the attacker aims at are asked in every block.
  const two = [
    [NATIVE, USDC, 1.5e18],
    [USDC, NATIVE, 60e6],
  ] as const
  return [...two, random.pick(pairs)].map(([src, dst, about]) => {
    const amount = BigInt(Math.round(about * (0.8 + 0.4 * random.next())))
    return { src, dst, amount: `${amount}`, from: devnet.wallet.address, slippage: '1' }
  })
}

/** How a swap ends at the newest block; the refusal of one that was not answered. */
async function endOf(
  { client }: Devnet,
  { status, body }: { readonly status: number; readonly body: wire.SwapBody & wire.ErrorBody },
): Promise<string> {
  if (!body.tx) return `${status} ${body.code} ${JSON.stringify(body.details)}`
  const { from, to, data, value, gas } = body.tx
  const call = { to: to as Address, data: data as Hex, value: BigInt(value), gas: BigInt(gas) }
  return client.call({ ...call, account: from as Address }).then(
    () => 'passed',
    (error: Error) => error.message.split('\n')[0]!,
  )
}

/** Mines until all pools are served again, no longer than the tests of tokens may take. */
async function untilServed(devnet: Devnet, api: DevnetApi, baits: readonly Bait[]): Promise<void> {
  const missing = () => {
    const served = new Set<string>(api.market.current()!.graph.snapshot.pools.map(({ id }) => id))
    return baits.filter(({ out, back }) => !served.has(out.address) || !served.has(back.address))
  }
  for (let block = 0; block < RETURN_WITHIN && missing().length > 0; block++) {
    await devnet.mine()
    await api.catchUp()
  }
  const left = missing().map(({ behaviour }) => behaviour)
  if (left.length > 0) {
    const aside = JSON.stringify(api.market.discovery?.().setAside)
    throw new Error(`not served after ${RETURN_WITHIN} blocks: ${left.join(', ')}; ${aside}`)
  }
}
