import {
  type Address,
  applySwap,
  type BalancerV3Pool,
  type Direction,
  getAmountOut,
} from '@braid-swap/core'
import type { Call } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import {
  balancerAbi as abi,
  type BalancerSpec,
  type BalancerVenue,
  balancerCall,
  type CreatedPool,
  createBalancerPools,
  deployBalancer,
} from '../doubles/balancer.js'
import type { EllipseShape } from '../doubles/ellipse.js'
import { anyAmount } from './amounts.js'
import { approveAll, type BareChain, readPools } from './bareChain.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'
import { type SimulatedCall, simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Balancer's own vault with its pools and doubles of E-CLPs, and their states as loaded. */
export type Balancers = BareChain & {
  readonly balancer: BalancerVenue
  readonly created: ReadonlyMap<Address, CreatedPool>
  readonly pools: readonly BalancerV3Pool[]
}

const E18 = 10n ** 18n
// The vault stores fees in steps of 10⁻⁷.
const FEE_STEP = 10n ** 11n
const DAY = 86_400n

/**
 * A third each of weighted pools, stable pools and doubles of E-CLPs, of every size, tilt and fee; a
 * third with rate providers.
 */
export async function createBalancerMarket(bare: BareChain, count: number): Promise<Balancers> {
  const { chain } = bare
  const balancer = await deployBalancer(chain)
  const decimals = await Promise.all(
    bare.tokens.map(async (address) => {
      const data = await chain.client.call({ to: address, data: '0x313ce567' })
      return BigInt(data.data!)
    }),
  )
  const specs = Array.from({ length: count }, (_, p) => anySpec(bare, decimals, p))
  const created = await createBalancerPools(chain, balancer, specs)
  await approveAll(bare, balancer.trader)
  const market = { ...bare, balancer, created: new Map(created.map((pool) => [pool.id, pool])) }
  await chain.execute(created.flatMap((pool) => anyRateCalls(market, pool)))
  // Every fourth stable pool changes its amplification.
  const stable = created.filter((_, p) => 'amp' in specs[p]! && p % 12 === 1)
  await chain.execute(stable.flatMap(({ id }) => anyRampCall(market, id)))
  return { ...market, pools: (await readPools(chain, balancer.venue)) as readonly BalancerV3Pool[] }
}

function anySpec(
  { tokens, random }: BareChain,
  decimals: readonly bigint[],
  p: number,
): BalancerSpec {
  const most = [8, 5, 2][p % 3]!
  const length = anyInteger(random, 2, Math.min(tokens.length, most))
  const first = anyInteger(random, 0, tokens.length - length)
  const size = anyInteger(random, 56, 96)
  const own = tokens.slice(first, first + length)
  const spec = {
    tokens: own,
    amounts: own.map(
      (_, k) => anyBits(random, size, size + 8) / 10n ** (18n - decimals[first + k]!) + 1n,
    ),
    fee: BigInt(anyInteger(random, 100, random.next() < 0.2 ? 1_000_000 : 30_000)) * FEE_STEP,
    withRates: p % 6 >= 4 ? own.flatMap((_, k) => (random.next() < 0.5 ? [k] : [])) : [],
  }
  if (p % 3 === 2) return { ...spec, ellipse: anyEllipse(random) }
  if (p % 3 === 1) return { ...spec, amp: BigInt(anyInteger(random, 1, 50_000)) }
  return { ...spec, weights: anyWeights(random.next() < 0.25 ? undefined : random, length) }
}

/** A price range from a thousandth around a price to ten times it, with a stretch that fits it. */
function anyEllipse(random: BareChain['random']): EllipseShape {
  const price = 10 ** (4 * random.next() - 2)
  const half = 10 ** (4 * random.next() - 3)
  return {
    ...{ alpha: price / (1 + half), beta: price * (1 + half) },
    price: price * (1 + (random.next() - 0.5) * Math.min(half, 1)),
    lambda: Math.max(1, 10 ** (2 * random.next()) / half),
  }
}

/** Weights of at least a hundredth, whose sum is 1; equal or nearly so without a random source. */
function anyWeights(random: BareChain['random'] | undefined, length: number): readonly bigint[] {
  const parts = Array.from({ length }, () => (random ? anyInteger(random, 3, 100) : 1))
  const whole = BigInt(parts.reduce((sum, part) => sum + part, 0))
  const weights = parts.map((part) => (BigInt(part) * E18) / whole)
  const rest = E18 - weights.reduce((sum, weight) => sum + weight, 0n)
  return weights.with(0, weights[0]! + rest)
}

function anyRateCalls({ random, chain }: Pick<Balancers, 'random' | 'chain'>, pool: CreatedPool) {
  return pool.rates.flatMap((rate) => {
    if (BigInt(rate) === 0n) return []
    const args = [E18 / 2n + anyBelow(random, 2n * E18)]
    return [balancerCall(chain.deployer, rate, { functionName: 'setRate', args })]
  })
}

function anyRampCall({ chain, random }: BareChain, id: Address): readonly Call[] {
  // The parameter is at most doubled or halved per day; the call reverts if this is more.
  const args = [BigInt(anyInteger(random, 1, 50_000)), 1_700_000_000n + 20_000n * DAY]
  const functionName = 'startAmplificationParameterUpdate'
  return [balancerCall(chain.deployer, id, { functionName, args })]
}

function anyDirection({ random }: BareChain, { tokens }: BalancerV3Pool): Direction {
  const from = anyInteger(random, 0, tokens.length - 1)
  return { in: from, out: (from + anyInteger(random, 1, tokens.length - 1)) % tokens.length }
}

// The trader has 2²⁵³ wei.
const MOST = 1n << 251n

/**
 * Swaps three times in a row in one pool, by any pairs of its tokens. Core must compute each output to
 * the wei, refuse what the vault refuses, and end with the balances that the vault reports.
 */
export async function checkBalancerSwaps(market: Balancers, tally: Tally): Promise<void> {
  const { chain, trader, random, balancer } = market
  const pool = random.pick(market.pools)
  const swaps: (Swap & { readonly pool: BalancerV3Pool })[] = []
  let state = pool
  for (let turn = 0; turn < 3; turn++) {
    const direction = anyDirection(market, state)
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < MOST ? drawn : MOST
    swaps.push({ pool: state, direction, amountIn })
    state = applySwap(state, direction, amountIn)
  }
  const read = encodeFunctionData({ abi, functionName: 'getPoolTokenInfo', args: [pool.id] })
  const calls: SimulatedCall[] = [
    ...swaps.map((swap) => ({
      ...{ from: trader, to: balancer.trader, data: swapData(swap.pool, swap) },
    })),
    { from: trader, to: balancer.vault, data: read },
  ]
  const results = await simulate(chain.client, calls, pool.quotedAt)
  for (const [i, swap] of swaps.entries()) {
    const { succeeded, data } = results[i]!
    const paid = succeeded ? decodeFunctionResult({ abi, functionName: 'swap', data }) : 0n
    const core = getAmountOut(swap.pool, swap.direction, swap.amountIn)
    compare(tally, swap, { what: 'amount out', core, chain: paid })
    count(tally, paid > 0n ? 'paid to the wei' : 'refused by both')
    if (paid > 0n) count(tally, `paid by ${pool.form.kind}`)
    // A swap for nothing is refused by the executor, and changes the balances all the same.
    if (succeeded && paid === 0n) return
  }
  // The first swap also takes the yield fees that are due, which our state has taken already.
  if (state === pool) return
  const info = { abi, functionName: 'getPoolTokenInfo', data: results[3]!.data } as const
  const [, , left] = decodeFunctionResult(info)
  compare(tally, swaps.at(-1)!, { what: 'balances', core: state.balancesRaw, chain: left })
}

function swapData(
  { id, tokens }: BalancerV3Pool,
  { direction, amountIn }: { readonly direction: Direction; readonly amountIn: bigint },
) {
  const args = [id, tokens[direction.in]!, tokens[direction.out]!, amountIn] as const
  return encodeFunctionData({ abi, functionName: 'swap', args })
}

/** One random move of a pool: a swap, liquidity, a new fee, amplification or rate. */
export function anyBalancerMove(market: Balancers, pool: BalancerV3Pool): readonly Call[] {
  const { random, trader, chain, balancer } = market
  const kind = random.next()
  if (kind < 0.1) {
    const args = [pool.id, BigInt(anyInteger(random, 100, 30_000)) * FEE_STEP]
    const functionName = 'setStaticSwapFeePercentage'
    return [balancerCall(chain.deployer, balancer.vault, { functionName, args })]
  }
  if (kind < 0.2) return anyRateCalls(market, market.created.get(pool.id)!)
  if (kind < 0.25 && pool.form.kind === 'stable' && !pool.form.ramp) {
    return anyRampCall(market, pool.id)
  }
  if (kind < 0.35) {
    const args = [pool.id, pool.balancesRaw.map((raw) => raw / BigInt(anyInteger(random, 5, 50)))]
    return [balancerCall(trader, balancer.trader, { functionName: 'add', args })]
  }
  const direction = anyDirection(market, pool)
  const amountIn = pool.balancesRaw[direction.in]! / BigInt(anyInteger(random, 4, 10_000)) + 1n
  if (getAmountOut(pool, direction, amountIn) === 0n) return []
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  const args = [pool.id, tokenIn, tokenOut, amountIn]
  return [balancerCall(trader, balancer.trader, { functionName: 'swap', args })]
}
