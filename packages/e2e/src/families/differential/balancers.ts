import type { Address } from '@braid-swap/core'
import type { BalancerV3Pool } from '@braid-swap/core/families'
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
import { approveAll, type BareChain, readPools } from './bareChain.js'
import { anyInteger } from './integers.js'
import {
  anyDeposits,
  anyPoolMove,
  anyRate,
  anyWeights,
  type PoolMoves,
  type VaultPools,
} from './vaultPools.js'

/** Balancer's own vault with its pools and doubles of E-CLPs, and their states as loaded. */
export type Balancers = VaultPools<BalancerV3Pool> & { readonly balancer: BalancerVenue }

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
  const specs: BalancerSpec[] = []
  for (let p = 0; p < count; p++) specs.push(await anySpec(bare, p))
  const created = await createBalancerPools(chain, balancer, specs)
  await approveAll(bare, balancer.trader)
  await chain.execute(created.flatMap((pool) => rateCalls(bare, pool)))
  // Every fourth stable pool changes its amplification.
  const stable = created.filter((_, p) => 'amp' in specs[p]! && p % 12 === 1)
  await chain.execute(stable.flatMap(({ id }) => rampCalls(bare, id)))
  const pools = (await readPools(chain, balancer.venue)) as readonly BalancerV3Pool[]
  return marketOf(bare, { balancer, pools, created })
}

function marketOf(
  bare: BareChain,
  { balancer, pools, created }: Pick<Balancers, 'balancer' | 'pools'> & Created,
): Balancers {
  const { trader, chain, random } = bare
  const createdOf = new Map(created.map((pool) => [pool.id as string, pool]))
  const calls: Pick<Balancers, 'swapCall' | 'balancesData' | 'readBalances' | 'balancesOf'> = {
    swapCall: ({ id, tokens }, { direction, amountIn }) => {
      const args = [id, tokens[direction.in]!, tokens[direction.out]!, amountIn] as const
      const data = encodeFunctionData({ abi, functionName: 'swap', args })
      return { from: trader, to: balancer.trader, data }
    },
    balancesData: ({ id }) =>
      encodeFunctionData({ abi, functionName: 'getPoolTokenInfo', args: [id] }),
    readBalances: (_, data) =>
      decodeFunctionResult({ abi, functionName: 'getPoolTokenInfo', data })[2],
    balancesOf: ({ balancesRaw }) => balancesRaw,
  }
  const moves: PoolMoves<BalancerV3Pool> = {
    fee: ({ id }) => {
      const args = [id, BigInt(anyInteger(random, 100, 30_000)) * FEE_STEP]
      const functionName = 'setStaticSwapFeePercentage'
      return [balancerCall(chain.deployer, balancer.vault, { functionName, args })]
    },
    rates: ({ id }) => rateCalls(bare, createdOf.get(id)!),
    ramp: ({ id }) => rampCalls(bare, id),
    join: ({ id }, amounts) => [
      balancerCall(trader, balancer.trader, { functionName: 'add', args: [id, amounts] }),
    ],
  }
  return {
    ...{ ...bare, ...calls, balancer, pools, venue: balancer.venue, vault: balancer.vault },
    kindOf: ({ pool }) => pool.form.kind,
    move: (pool) => anyPoolMove({ random, ...calls }, moves, pool),
  }
}

type Created = { readonly created: readonly CreatedPool[] }

async function anySpec(bare: BareChain, p: number): Promise<BalancerSpec> {
  const { random } = bare
  const deposits = await anyDeposits(bare, { most: [8, 5, 2][p % 3]!, bits: [56, 96], spread: 8 })
  const { length } = deposits.tokens
  const spec = {
    ...deposits,
    fee: BigInt(anyInteger(random, 100, random.next() < 0.2 ? 1_000_000 : 30_000)) * FEE_STEP,
    withRates: p % 6 >= 4 ? [...deposits.tokens.keys()].filter(() => random.next() < 0.5) : [],
  }
  if (p % 3 === 2) return { ...spec, ellipse: anyEllipse(random) }
  if (p % 3 === 1) return { ...spec, amp: BigInt(anyInteger(random, 1, 50_000)) }
  return { ...spec, weights: anyWeights(random, length) }
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

function rateCalls({ random, chain }: BareChain, { rates }: CreatedPool): readonly Call[] {
  const functionName = 'setRate'
  return rates
    .filter((rate) => BigInt(rate) !== 0n)
    .map((rate) => balancerCall(chain.deployer, rate, { functionName, args: [anyRate(random)] }))
}

function rampCalls({ chain, random }: BareChain, id: Address): readonly Call[] {
  // The parameter is at most doubled or halved per day; the call reverts if this is more.
  const args = [BigInt(anyInteger(random, 1, 50_000)), 1_700_000_000n + 20_000n * DAY]
  const functionName = 'startAmplificationParameterUpdate'
  return [balancerCall(chain.deployer, id, { functionName, args })]
}
