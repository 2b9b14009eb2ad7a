import { poolCallerAbi } from '@braid-swap/contracts/testing'
import { type AlgebraV1Pool, getSqrtPriceAtTick } from '@braid-swap/core/families'
import {
  type AlgebraV1,
  algebraV1PoolCalls,
  algebraV1PoolOf,
  type Call,
  deployAlgebraV1,
} from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { approveAll, type BareChain, pairsOf } from './bareChain.js'
import { anyBits, anyInteger } from './integers.js'

const abi = parseAbi([
  'struct Config { uint16 alpha1; uint16 alpha2; uint32 beta1; uint32 beta2; uint16 gamma1; uint16 gamma2; uint32 volumeBeta; uint16 volumeGamma; uint16 baseFee; }',
  'function changeFeeConfiguration(Config)',
  'function setCommunityFee(uint8, uint8)',
])
const GAS = 3_000_000n
const SPACING = 60

/** The pools and contracts that the moves change. */
export type AlgebraV1World = {
  readonly bare: BareChain
  readonly algebra: AlgebraV1
}

/**
 * Deploys Algebra V1 with a pool for each pair of tokens. The positions overlap, leave gaps or are
 * dust.
 */
export async function createAlgebraV1Pools(bare: BareChain): Promise<AlgebraV1> {
  const { chain, random } = bare
  const algebra = await deployAlgebraV1(chain, 'bytecode-algebra-v1')
  await approveAll(bare, algebra.router)
  for (const tokens of pairsOf(bare.tokens)) {
    const tick = anyInteger(random, -100_000, 100_000)
    const sqrtPriceX96 = getSqrtPriceAtTick(tick) + 1n
    await chain.execute(algebraV1PoolCalls(chain, algebra, { tokens, sqrtPriceX96, positions: [] }))
    const { address } = algebraV1PoolOf(algebra, { tokens, feePpm: 0 })
    const mints = Array.from({ length: anyInteger(random, 3, 8) }, () => {
      const middle = Math.round((tick + random.normal() * 3_000) / SPACING)
      const half = anyInteger(random, 1, 200)
      return mintCall({ bare, algebra }, address, {
        ...{ lower: (middle - half) * SPACING, upper: (middle + half) * SPACING },
        liquidity: anyBits(random, 10, 90),
      })
    })
    await chain.send(mints)
    await chain.mine()
  }
  return algebra
}

/** The moves that change a setting, by name. */
export const algebraV1Settings = { configureFee, keepFees }

/** Changes a setting of the operator contract, which emits its own log. */
function configureFee({ bare }: AlgebraV1World, pool: AlgebraV1Pool): Call {
  const { random, chain } = bare
  const config = {
    ...{ alpha1: anyInteger(random, 0, 9_000), alpha2: anyInteger(random, 0, 20_000) },
    ...{ beta1: anyInteger(random, 0, 1_000), beta2: anyInteger(random, 0, 90_000) },
    ...{ gamma1: anyInteger(random, 1, 200), gamma2: anyInteger(random, 1, 20_000) },
    ...{ volumeBeta: anyInteger(random, 0, 500), volumeGamma: anyInteger(random, 1, 200) },
    baseFee: anyInteger(random, 0, 5_000),
  }
  const data = encodeFunctionData({ abi, functionName: 'changeFeeConfiguration', args: [config] })
  return {
    ...{ label: 'configure the fee', from: chain.deployer, gas: GAS },
    ...{ to: pool.watched![0]!, data },
  }
}

/** Sets the community's part of the fees, which does not affect swappers. */
function keepFees({ bare }: AlgebraV1World, pool: AlgebraV1Pool): Call {
  const { random, chain } = bare
  const args = [anyInteger(random, 0, 250), anyInteger(random, 0, 250)] as const
  const data = encodeFunctionData({ abi, functionName: 'setCommunityFee', args })
  return { label: 'keep fees', from: chain.deployer, to: pool.id, data, gas: GAS }
}

function mintCall(
  { bare, algebra }: AlgebraV1World,
  pool: AlgebraV1Pool['id'],
  position: { readonly lower: number; readonly upper: number; readonly liquidity: bigint },
): Call {
  const { lower, upper, liquidity } = position
  return {
    ...{ label: 'mint', from: bare.chain.deployer, to: algebra.router, gas: GAS },
    data: encodeFunctionData({
      ...{ abi: poolCallerAbi, functionName: 'mintAlgebra' },
      args: [pool, lower, upper, liquidity],
    }),
  }
}
