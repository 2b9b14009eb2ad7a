import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { type CurveStableSwapPool, getAmountOut } from '@braid-swap/core/families'
import type { Call, Random } from '@braid-swap/devnet'
import { isFullRun } from '../../draws.js'
import {
  createStableSwaps,
  deployCurveDoubles,
  type StableSwapSpec,
  stableSwapCall,
} from '../doubles/stableSwaps.js'
import { anyDirection } from './amounts.js'
import { approveAll, type BareChain, readPools } from './bareChain.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'

/** Our doubles of Curve's pools, and their states as loaded. */
export type StableSwaps = BareChain & {
  readonly venue: Venue
  readonly pools: readonly CurveStableSwapPool[]
}

const E10 = 10n ** 10n
const POOLS = isFullRun ? 24 : 12
const META_POOLS = isFullRun ? 6 : 2

/**
 * Pools of two to all coins, NG and older, of every size, tilt and A, with static and dynamic fees; and
 * meta pools, each of one of the first NG pools.
 */
export async function createStableSwapMarket(bare: BareChain): Promise<StableSwaps> {
  const { chain, random } = bare
  const venue = await deployCurveDoubles(chain)
  const specs = Array.from({ length: POOLS }, (_, p) => anySpec(bare, p))
  const metas = specs
    .flatMap((spec, p) => (spec.isNg ? [p] : []))
    .slice(0, META_POOLS)
    .map((base) => ({ ...anySpec(bare, 0, 2), base }))
  const ids = await createStableSwaps(chain, venue, [...specs, ...metas])
  await chain.execute(
    metas.map(({ base }, m) =>
      stableSwapCall(chain.deployer, ids[POOLS + m]!, {
        ...{ functionName: 'setBase', args: [ids[base]!] },
      }),
    ),
  )
  // A third of the NG pools have a coin with a rate of its own.
  await chain.execute(
    specs.flatMap((spec, p) =>
      spec.isNg && p % 3 === 0 ? [anyRateCall(random, chain.deployer, ids[p]!, spec)] : [],
    ),
  )
  for (const id of ids) await approveAll(bare, id)
  return { ...bare, venue, pools: await readStableSwaps(bare, venue) }
}

/** Loads their current states. */
async function readStableSwaps(
  { chain }: Pick<BareChain, 'chain'>,
  venue: Venue,
): Promise<readonly CurveStableSwapPool[]> {
  return (await readPools(chain, venue)) as readonly CurveStableSwapPool[]
}

function anySpec({ tokens, random }: BareChain, p: number, most = tokens.length): StableSwapSpec {
  const isNg = p % 4 !== 3
  const first = anyInteger(random, 0, tokens.length - 2)
  const count = anyInteger(random, 2, Math.min(most, tokens.length - first))
  const own = tokens.slice(first, first + count)
  const size = anyInteger(random, 30, 90)
  const aPrecision = isNg || p % 8 === 3 ? 100n : 1n
  return {
    ...{ tokens: own, isNg, aPrecision, A: BigInt(anyInteger(random, 1, 20_000)) * aPrecision },
    // All coins have 18 decimals here: a pool before NG reads its rates from them.
    balances: own.map(() => anyBits(random, size, size + 8)),
    rates: own.map(() => 10n ** 18n),
    fee: BigInt(anyInteger(random, 0, 50_000_000)),
    offpegFeeMultiplier: isNg && random.next() < 0.6 ? E10 + anyBelow(random, 19n * E10) : 0n,
    adminFee: random.next() < 0.3 ? 0n : anyBelow(random, E10 + 1n),
  }
}

function anyRateCall(random: Random, from: Address, id: Address, { tokens }: StableSwapSpec): Call {
  const k = BigInt(anyInteger(random, 0, tokens.length - 1))
  const rate = 10n ** 18n / 2n + anyBelow(random, 10n ** 18n)
  return stableSwapCall(from, id, { functionName: 'setRate', args: [k, rate] })
}

/** One random move of a pool: a swap, liquidity, a new fee, A or rate. */
export function anyStableSwapMove(
  { random, trader, chain }: StableSwaps,
  pool: CurveStableSwapPool,
  timestamp: bigint,
): readonly Call[] {
  const from = chain.deployer
  const call = (functionName: 'ramp' | 'setFee', ...args: readonly bigint[]) => [
    stableSwapCall(from, pool.id, { functionName, args }),
  ]
  const kind = random.next()
  if (kind < 0.08) {
    const target = BigInt(anyInteger(random, 1, 20_000)) * pool.aPrecision
    return call('ramp', target, timestamp + BigInt(anyInteger(random, 2, 40)))
  }
  if (kind < 0.16 && pool.isNg) {
    return call('setFee', BigInt(anyInteger(random, 0, 50_000_000)), anyBelow(random, 20n * E10))
  }
  if (kind < 0.24 && pool.sampledAt !== undefined) return [anyRateCall(random, from, pool.id, pool)]
  if (kind < 0.32) return [stableSwapCall(from, pool.id, { functionName: 'fill', args: [] })]
  const direction = anyDirection(random, pool)
  const amountIn = pool.balances[direction.in]! / BigInt(anyInteger(random, 3, 10_000)) + 1n
  if (getAmountOut(pool, direction, amountIn) === 0n) return []
  const args = [BigInt(direction.in), BigInt(direction.out), amountIn, 0n]
  return [stableSwapCall(trader, pool.id, { functionName: 'exchange', args })]
}
