import type { Address } from '@braid-swap/core'
import type { BalancerV2Pool } from '@braid-swap/core/families'
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

/** Balancer's own V2 vault with weighted and stable pools, and their states as loaded. */
export type BalancersV2 = VaultPools<BalancerV2Pool> & { readonly balancer: BalancerV2Venue }

const DAY = 86_400n
// A third of the rates never last, a third expire soon, a third never.
const RATE_SECONDS = [0, 20, 1_000_000] as const

/** Half weighted and half stable pools of every size, tilt and fee, a third with rate providers. */
export async function createBalancerV2Market(bare: BareChain, count: number): Promise<BalancersV2> {
  const { chain } = bare
  const balancer = await deployBalancerV2(chain)
  const specs: BalancerV2Spec[] = []
  for (let p = 0; p < count; p++) specs.push(await anySpec(bare, p))
  const created = await createBalancerV2Pools(chain, balancer, specs)
  await approveAll(bare, balancer.vault)
  await chain.execute(created.flatMap((pool) => rateCalls(bare, pool)))
  // Every fourth stable pool changes its amplification.
  for (const [p, spec] of specs.entries()) {
    if ('amp' in spec && p % 8 === 1) {
      await chain.execute(rampCalls(bare, created[p]!.id, spec.amp))
    }
  }
  const pools = (await readPools(chain, balancer.venue)) as readonly BalancerV2Pool[]
  return marketOf(bare, { balancer, pools, created })
}

function marketOf(
  bare: BareChain,
  { balancer, pools, created }: Pick<BalancersV2, 'balancer' | 'pools'> & Created,
): BalancersV2 {
  const { trader, chain, random } = bare
  const createdOf = new Map(created.map((pool) => [pool.id as string, pool]))
  const calls: Pick<BalancersV2, 'swapCall' | 'balancesData' | 'readBalances' | 'balancesOf'> = {
    swapCall: ({ poolId, tokens }, { direction, amountIn: amount }) => {
      const [assetIn, assetOut] = [tokens[direction.in]!, tokens[direction.out]!]
      const single = { poolId, kind: 0, assetIn, assetOut, amount, userData: '0x' } as const
      const funds = { sender: trader, recipient: trader, fromInternalBalance: false }
      const args = [single, { ...funds, toInternalBalance: false }, 0n, maxUint256] as const
      const data = encodeFunctionData({ abi, functionName: 'swap', args })
      return { from: trader, to: balancer.vault, data }
    },
    balancesData: ({ poolId }) =>
      encodeFunctionData({ abi, functionName: 'getPoolTokens', args: [poolId] }),
    readBalances: ({ id }, data) => {
      const { registered } = createdOf.get(id)!
      const [, balances] = decodeFunctionResult({ abi, functionName: 'getPoolTokens', data })
      return balances.filter((_, k) => registered[k] !== id)
    },
    balancesOf: ({ balances }) => balances,
  }
  const moves: PoolMoves<BalancerV2Pool> = {
    fee: ({ id }) => {
      const args = [BigInt(anyInteger(random, 1, 100_000)) * 10n ** 12n]
      const functionName = 'setSwapFeePercentage'
      return [balancerV2Call(chain.deployer, id, { functionName, args })]
    },
    rates: ({ id }) => rateCalls(bare, createdOf.get(id)!),
    ramp: ({ id, form }) => ('amp' in form ? rampCalls(bare, id, form.amp / 1_000n) : []),
    // Exact amounts in, for any number of shares. The protocol's fees are due at the same time.
    join: ({ id }, amounts) => {
      const types = [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }] as const
      const userData = encodeAbiParameters(types, [1n, amounts, 0n])
      return [joinCall(trader, balancer, { ...createdOf.get(id)!, userData })]
    },
  }
  return {
    ...{ ...bare, ...calls, balancer, pools, venue: balancer.venue, vault: balancer.vault },
    kindOf: ({ pool }) => pool.form.kind,
    move: (pool) => anyPoolMove({ random, ...calls }, moves, pool),
  }
}

type Created = { readonly created: readonly CreatedV2Pool[] }

async function anySpec(bare: BareChain, p: number): Promise<BalancerV2Spec> {
  const { random } = bare
  const isStable = p % 2 === 1
  const deposits = await anyDeposits(bare, { most: isStable ? 5 : 8, bits: [58, 90], spread: 6 })
  const { length } = deposits.tokens
  const fee = BigInt(anyInteger(random, 1, random.next() < 0.2 ? 100_000 : 3_000)) * 10n ** 12n
  const spec = { ...deposits, fee }
  if (!isStable) return { ...spec, weights: anyWeights(random, length) }
  const rateSeconds = deposits.tokens.map(() =>
    p % 6 >= 4 && random.next() < 0.6 ? random.pick(RATE_SECONDS) : undefined,
  )
  return { ...spec, amp: BigInt(anyInteger(random, 1, 5_000)), rateSeconds }
}

function rateCalls({ random, chain }: BareChain, { rates }: CreatedV2Pool): readonly Call[] {
  const functionName = 'setRate'
  return rates
    .filter((rate) => BigInt(rate) !== 0n)
    .map((rate) => balancerV2Call(chain.deployer, rate, { functionName, args: [anyRate(random)] }))
}

/** A ramp to the double of the amplification, or to half of it, in some days. */
function rampCalls({ chain }: BareChain, id: Address, amp: bigint): readonly Call[] {
  const end = amp * 2n <= 5_000n ? amp * 2n : (amp + 1n) / 2n
  const args = [end, 1_700_000_000n + 20n * DAY]
  const functionName = 'startAmplificationParameterUpdate'
  return [balancerV2Call(chain.deployer, id, { functionName, args })]
}
