// A router on a scripted node, through which trials simulate swaps: it pays what the pair of the tokens pays, or
// what a test says.
import { type Address, decodeRouterCall, type RouterCall } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { getAmountOut, type UniswapV2Pool } from '@braid-swap/core/families'
import type { EndpointProfile } from '../transport/profile.js'
import type { ChainState, ScriptedNode } from './scriptedNode.js'

/** The contracts of trials. */
export const TERMS = { router: toHex(0x40073, 20), executor: toHex(0xe8ec, 20) }
/** A node on which swaps can be paid for by state overrides. */
export const HONOURING: EndpointProfile = {
  ...{ pastState: 'pinned', overrides: 'honoured', callGas: 30_000_000n },
}

/** A router that a test writes. */
export type ScriptedRouter = {
  /** Every swap so far; a test empties it. */
  readonly asked: RouterCall[]
  /** What a swap pays, by what its pair pays; undefined: it is refused. */
  pays: (honest: bigint, call: RouterCall) => bigint | undefined
}

/** Puts the router on the chain, in a block of its own. */
export function mineRouter(node: ScriptedNode): ScriptedRouter {
  const router: ScriptedRouter = { asked: [], pays: (honest) => honest }
  node.mine(({ contracts }) => {
    contracts.set(TERMS.router, (data, state) => {
      const call = decodeRouterCall(data)
      router.asked.push(call)
      const paid = router.pays(paidBy(state, call), call)
      return paid === undefined ? undefined : toHex(paid, 32)
    })
    return []
  })
  return router
}

function paidBy({ pairs }: ChainState, { tokenIn, tokenOut, amountIn }: RouterCall): bigint {
  const isOf = (tokens: readonly Address[]) => tokens.includes(tokenIn) && tokens.includes(tokenOut)
  const [id, { tokens, reserves }] = [...pairs].find(([, pair]) => isOf(pair.tokens))!
  const pool: UniswapV2Pool = {
    ...{ family: 'uniswapV2', id, venue: 'pairs', tokens, reserves, feePpm: 3_000 },
  }
  const at = tokens.indexOf(tokenIn)
  return getAmountOut(pool, { in: at, out: 1 - at }, amountIn)
}
