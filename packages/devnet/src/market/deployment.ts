import type { Chain } from '../node/chain.js'
import type { Call } from '../node/transactions.js'
import {
  type AlgebraIntegral,
  algebraPoolCalls,
  algebraSwapCall,
  readAlgebraPool,
} from '../pools/algebraIntegral.js'
import { type AlgebraV1, algebraV1PoolCalls, algebraV1PoolOf } from '../pools/algebraV1.js'
import { type PancakeV3, pancakePoolCalls, pancakePoolOf } from '../pools/pancakeV3.js'
import type { DevnetPool, PoolSwap } from '../pools/pool.js'
import { callerSwapCall } from '../pools/poolCaller.js'
import { readV2Pool, type UniswapV2, v2PoolCalls, v2SwapCall } from '../pools/uniswapV2.js'
import { readV3Pool, type UniswapV3, v3PoolCalls, v3SwapCall } from '../pools/uniswapV3.js'
import type { PlannedPool } from './marketPlan.js'

/** A venue's contracts. */
export type Deployment = UniswapV2 | UniswapV3 | PancakeV3 | AlgebraIntegral | AlgebraV1

/** The operations of a kind of deployment. */
type Kind<D extends Deployment> = {
  /** The calls that create and fill a pool. */
  readonly poolCalls: (chain: Chain, deployment: D, plan: PlannedPool) => readonly Call[]
  /** The pool of a plan, which must exist. */
  readonly readPool: (chain: Chain, deployment: D, plan: PlannedPool) => Promise<DevnetPool>
  readonly swapCall: (deployment: D, swap: PoolSwap) => Call
}

type Kinds = { readonly [K in Deployment['kind']]: Kind<Extract<Deployment, { kind: K }>> }

/** All kinds of deployments. There is no other list. */
const kinds: Kinds = {
  uniswapV2: {
    poolCalls: v2PoolCalls,
    readPool: (chain, v2, { tokens }) => readV2Pool(chain, v2, tokens),
    swapCall: v2SwapCall,
  },
  uniswapV3: {
    poolCalls: (chain, v3, plan) => v3PoolCalls(chain, v3, withPositions(plan)),
    readPool: readV3Pool,
    swapCall: (v3, swap) => v3SwapCall(v3, { ...swap, feePpm: swap.pool.feePpm }),
  },
  pancakeV3: {
    poolCalls: (chain, pancake, plan) => pancakePoolCalls(chain, pancake, withPositions(plan)),
    readPool: async (_, pancake, plan) => pancakePoolOf(pancake, plan),
    swapCall: callerSwapCall,
  },
  algebraIntegral: {
    poolCalls: (chain, algebra, plan) => algebraPoolCalls(chain, algebra, withPositions(plan)),
    readPool: readAlgebraPool,
    swapCall: algebraSwapCall,
  },
  algebraV1: {
    poolCalls: (chain, algebra, plan) => algebraV1PoolCalls(chain, algebra, withPositions(plan)),
    readPool: async (_, algebra, plan) => algebraV1PoolOf(algebra, plan),
    swapCall: callerSwapCall,
  },
}

/** The calls that create a planned pool and fill it from the deployer. */
export function poolCalls(
  chain: Chain,
  deployment: Deployment,
  plan: PlannedPool,
): readonly Call[] {
  return kindOf(deployment).poolCalls(chain, deployment, plan)
}

/** The pool of a plan, which must exist. */
export function readPool(
  chain: Chain,
  deployment: Deployment,
  plan: PlannedPool,
): Promise<DevnetPool> {
  return kindOf(deployment).readPool(chain, deployment, plan)
}

/** A swap through one pool by the venue's own router, which needs an approval. */
export function swapCall(deployment: Deployment, swap: PoolSwap): Call {
  return kindOf(deployment).swapCall(deployment, swap)
}

// The tag guarantees that the record's entry fits the deployment, which TypeScript cannot infer.
function kindOf({ kind }: Deployment): Kind<Deployment> {
  return kinds[kind] as unknown as Kind<Deployment>
}

function withPositions<P extends PlannedPool>(plan: P) {
  return { ...plan, positions: plan.positions ?? [] }
}
