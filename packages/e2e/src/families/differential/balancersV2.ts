import {
  type Address,
  applySwap,
  type BalancerV2Pool,
  type Direction,
  getAmountOut,
} from '@braid-swap/core'
import type { Call } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeAbiParameters, encodeFunctionData, maxUint256 } from 'viem'
import {
  balancerV2Abi as abi,
  type BalancerV2Spec,
  type BalancerV2Venue,
  balancerV2Call,
  type CreatedV2Pool,
  createBalancerV2Pools,
  deployBalancerV2,
  joinCall,
} from '../doubles/balancerV2.js'
import { anyAmount } from './amounts.js'
import { approveAll, type BareChain, readPools } from './bareChain.js'
import { anyBelow, anyBits, anyInteger } from './integers.js'
import { type SimulatedCall, simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Balancer's own V2 vault with weighted and stable pools, and their states as loaded. */
export type BalancersV2 = BareChain & {
  readonly balancer: BalancerV2Venue
  readonly created: ReadonlyMap<Address, CreatedV2Pool>
  readonly pools: readonly BalancerV2Pool[]
}

const E18 = 10n ** 18n
const DAY = 86_400n
// A third of the rates never last, a third expire soon, a third never.
const RATE_SECONDS = [0, 20, 1_000_000] as const

/** Half weighted and half stable pools of every size, tilt and fee, a third with rate providers. */
export async function createBalancerV2Market(bare: BareChain, count: number): Promise<BalancersV2> {
  const { chain } = bare
  const balancer = await deployBalancerV2(chain)
  const decimals = await Promise.all(
    bare.tokens.map(async (address) => {
      const data = await chain.client.call({ to: address, data: '0x313ce567' })
      return BigInt(data.data!)
    }),
  )
  const specs = Array.from({ length: count }, (_, p) => anySpec(bare, decimals, p))
  const created = await createBalancerV2Pools(chain, balancer, specs)
  await approveAll(bare, balancer.vault)
  const market = { ...bare, balancer, created: new Map(created.map((pool) => [pool.id, pool])) }
  await chain.execute(created.flatMap((pool) => anyRateCalls(market, pool)))
  // Every fourth stable pool changes its amplification.
  const stable = created.filter((_, p) => 'amp' in specs[p]! && p % 8 === 1)
  for (const { id } of stable) await chain.execute(await rampCalls(market, id))
  return { ...market, pools: (await readPools(chain, balancer.venue)) as readonly BalancerV2Pool[] }
}

function anySpec(
  { tokens, random }: BareChain,
  decimals: readonly bigint[],
  p: number,
): BalancerV2Spec {
  const isStable = p % 2 === 1
  const length = anyInteger(random, 2, Math.min(tokens.length, isStable ? 5 : 8))
  const first = anyInteger(random, 0, tokens.length - length)
  const size = anyInteger(random, 58, 90)
  const own = tokens.slice(first, first + length)
  const spec = {
    tokens: own,
    amounts: own.map(
      (_, k) => anyBits(random, size, size + 6) / 10n ** (18n - decimals[first + k]!) + 1n,
    ),
    fee: BigInt(anyInteger(random, 1, random.next() < 0.2 ? 100_000 : 3_000)) * 10n ** 12n,
  }
  if (isStable) {
    const rateSeconds = own.map(() =>
      p % 6 >= 4 && random.next() < 0.6 ? random.pick(RATE_SECONDS) : undefined,
    )
    return { ...spec, amp: BigInt(anyInteger(random, 1, 5_000)), rateSeconds }
  }
  return { ...spec, weights: anyWeights(random.next() < 0.25 ? undefined : random, length) }
}

/** Weights of at least a hundredth, whose sum is 1; equal or nearly so without a random source. */
function anyWeights(random: BareChain['random'] | undefined, length: number): readonly bigint[] {
  const parts = Array.from({ length }, () => (random ? anyInteger(random, 8, 100) : 1))
  const whole = BigInt(parts.reduce((sum, part) => sum + part, 0))
  const weights = parts.map((part) => (BigInt(part) * E18) / whole)
  const rest = E18 - weights.reduce((sum, weight) => sum + weight, 0n)
  return weights.with(0, weights[0]! + rest)
}

function anyRateCalls(
  { random, chain }: Pick<BalancersV2, 'random' | 'chain'>,
  pool: CreatedV2Pool,
) {
  return pool.rates.flatMap((rate) => {
    if (BigInt(rate) === 0n) return []
    const args = [E18 / 2n + anyBelow(random, 2n * E18)]
    return [balancerV2Call(chain.deployer, rate, { functionName: 'setRate', args })]
  })
}

/** A ramp to the double of the amplification, or to half of it, in two days. */
async function rampCalls({ chain }: BareChain, id: Address): Promise<readonly Call[]> {
  const { data } = await chain.client.call({ to: id, data: '0x6daccffa' })
  return [rampCall(chain, id, BigInt(data!.slice(0, 66)))]
}

function rampCall(chain: BareChain['chain'], id: Address, amp: bigint): Call {
  const whole = amp / 1_000n
  const end = whole * 2n <= 5_000n ? whole * 2n : (whole + 1n) / 2n
  const args = [end, 1_700_000_000n + 20n * DAY]
  const functionName = 'startAmplificationParameterUpdate'
  return balancerV2Call(chain.deployer, id, { functionName, args })
}

function anyDirection({ random }: BareChain, { tokens }: BalancerV2Pool): Direction {
  const from = anyInteger(random, 0, tokens.length - 1)
  return { in: from, out: (from + anyInteger(random, 1, tokens.length - 1)) % tokens.length }
}

// The trader has 2²⁵³ wei.
const MOST = 1n << 251n

/**
 * Swaps three times in a row in one pool, by any pairs of its tokens. Core must compute each output to
 * the wei, refuse what the vault refuses, and end with the balances that the vault reports.
 */
export async function checkBalancerV2Swaps(market: BalancersV2, tally: Tally): Promise<void> {
  const { chain, trader, random, balancer } = market
  const pool = random.pick(market.pools)
  const swaps: (Swap & { readonly pool: BalancerV2Pool })[] = []
  let state = pool
  for (let turn = 0; turn < 3; turn++) {
    const direction = anyDirection(market, state)
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < MOST ? drawn : MOST
    swaps.push({ pool: state, direction, amountIn })
    state = applySwap(state, direction, amountIn)
  }
  const { registered } = market.created.get(pool.id)!
  const read = encodeFunctionData({ abi, functionName: 'getPoolTokens', args: [pool.poolId] })
  const calls: SimulatedCall[] = [
    ...swaps.map((swap) => ({
      ...{ from: trader, to: balancer.vault, data: swapDataOf(trader, swap.pool, swap) },
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
  const info = { abi, functionName: 'getPoolTokens', data: results[3]!.data } as const
  const [, balances] = decodeFunctionResult(info)
  const left = balances.filter((_, k) => registered[k] !== pool.id)
  compare(tally, swaps.at(-1)!, { what: 'balances', core: state.balances, chain: left })
}

export function swapDataOf(
  trader: Address,
  { poolId, tokens }: BalancerV2Pool,
  { direction, amountIn: amount }: { readonly direction: Direction; readonly amountIn: bigint },
) {
  const [assetIn, assetOut] = [tokens[direction.in]!, tokens[direction.out]!]
  const single = { poolId, kind: 0, assetIn, assetOut, amount, userData: '0x' } as const
  const funds = { sender: trader, recipient: trader, fromInternalBalance: false }
  const args = [single, { ...funds, toInternalBalance: false }, 0n, maxUint256] as const
  return encodeFunctionData({ abi, functionName: 'swap', args })
}

/** One random move of a pool: a swap, liquidity, a new fee, amplification or rate. */
export function anyBalancerV2Move(market: BalancersV2, pool: BalancerV2Pool): readonly Call[] {
  const { random, trader, chain, balancer } = market
  const created = market.created.get(pool.id)!
  const kind = random.next()
  if (kind < 0.1) {
    const args = [BigInt(anyInteger(random, 1, 100_000)) * 10n ** 12n]
    const functionName = 'setSwapFeePercentage'
    return [balancerV2Call(chain.deployer, pool.id, { functionName, args })]
  }
  if (kind < 0.2) return anyRateCalls(market, created)
  if (kind < 0.25 && pool.form.kind === 'composableStable' && !pool.form.ramp) {
    return [rampCall(chain, pool.id, pool.form.amp)]
  }
  if (kind < 0.4) {
    // Exact amounts in, for any number of shares. The protocol's fees are due at the same time.
    const amounts = pool.balances.map((raw) => raw / BigInt(anyInteger(random, 8, 50)))
    const types = [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }] as const
    const userData = encodeAbiParameters(types, [1n, amounts, 0n])
    return [joinCall(trader, balancer, { ...created, userData })]
  }
  const direction = anyDirection(market, pool)
  const amountIn = pool.balances[direction.in]! / BigInt(anyInteger(random, 4, 10_000)) + 1n
  if (getAmountOut(pool, direction, amountIn) === 0n) return []
  const data = swapDataOf(trader, pool, { direction, amountIn })
  return [{ label: 'swap', from: trader, to: balancer.vault, data, gas: 2_000_000n }]
}
