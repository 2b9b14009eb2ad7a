import type { Client } from '@braid-swap/chain'
import type { Direction, Pool, Snapshot } from '@braid-swap/core'
import * as uniswapV2 from './uniswapV2.js'
import * as uniswapV3 from './uniswapV3.js'

const DIRECTIONS: readonly Direction[] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]

/** An input and the output of the bytecode for it, in wei. */
type ProbedSwap = {
  readonly amountIn: bigint
  /** 0 if the contract reverts, pays nothing or does not take the whole input. */
  readonly amountOut: bigint
}

/** A pool at a snapshot's own block, and the outputs of its bytecode there. */
export type ProbedPool = {
  readonly pool: Pool
  /** The method of probing the contract, in words. */
  readonly call: string
  readonly swaps: readonly (ProbedSwap & { readonly direction: Direction })[]
}

/**
 * Asks a pool's bytecode for its outputs in both directions. Returns `undefined` for a pool whose family
 * has no published bytecode. Throws RPC_FAILED.
 */
export async function probePool(
  client: Client,
  { block }: Snapshot,
  given: Pool,
): Promise<ProbedPool | undefined> {
  // A snapshot quotes for the block after it, but the calls run in its own block.
  const pool = 'quotedAt' in given ? { ...given, quotedAt: block.timestamp } : given
  const probed = []
  for (const direction of DIRECTIONS) {
    const found = await probeDirection(client, block.number, { pool, direction })
    if (!found) return undefined
    probed.push({ call: found.call, swaps: found.swaps.map((swap) => ({ direction, ...swap })) })
  }
  return { pool, call: probed[0]!.call, swaps: probed.flatMap(({ swaps }) => swaps) }
}

async function probeDirection(
  client: Client,
  block: bigint,
  { pool, direction }: { readonly pool: Pool; readonly direction: Direction },
): Promise<{ readonly call: string; readonly swaps: readonly ProbedSwap[] } | undefined> {
  switch (pool.family) {
    case 'uniswapV2': {
      const ask = (amountIn: bigint) =>
        uniswapV2.askAmountOut(client, block, { pool, direction, amountIn })
      const amounts = uniswapV2.amountsIn(pool, direction)
      return { call: uniswapV2.call, swaps: await askAll(amounts, ask) }
    }
    case 'algebraIntegral':
    case 'algebraV1':
    case 'uniswapV3': {
      const ask = (amountIn: bigint) =>
        uniswapV3.askAmountOut(client, block, { pool, direction, amountIn })
      const amounts = await uniswapV3.amountsIn(client, block, { pool, direction })
      return { call: uniswapV3.call, swaps: await askAll(amounts, ask) }
    }
    // Their bytecode is not published, and the results of our doubles prove nothing.
    case 'camelot':
    case 'curveCrypto':
    case 'curveStableSwap':
    case 'ladder':
    case 'liquidityBook':
    case 'solidly':
    case 'stex':
    // Tested swap by swap against code from packages instead.
    case 'balancerBuffer':
    case 'balancerV2':
    case 'balancerV3':
    case 'erc4626':
    case 'uniswapV4':
    case 'wrap':
      return undefined
  }
}

async function askAll(
  amounts: readonly bigint[],
  ask: (amountIn: bigint) => Promise<bigint | undefined>,
): Promise<readonly ProbedSwap[]> {
  const outputs = await Promise.all(amounts.map(ask))
  return amounts.flatMap((amountIn, i) => {
    const amountOut = outputs[i]
    return amountOut === undefined ? [] : [{ amountIn, amountOut }]
  })
}
