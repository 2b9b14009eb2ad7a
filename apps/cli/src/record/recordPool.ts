import type { Client } from '@braid-swap/chain'
import type { Direction, Pool, Snapshot } from '@braid-swap/core'
import * as uniswapV2 from './uniswapV2.js'
import * as uniswapV3 from './uniswapV3.js'
import type { PoolVector } from './vector.js'

const DIRECTIONS: readonly Direction[] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]

/**
 * Records the outputs of a pool's bytecode in both directions. Returns `undefined` for a pool whose
 * family has no published bytecode.
 */
export async function recordPool(
  client: Client,
  snapshot: Snapshot,
  given: Pool,
): Promise<PoolVector | undefined> {
  const { number: block, timestamp: quotedAt } = snapshot.block
  // Quote at the block's own timestamp, because the calls run in that block and not in the next.
  const pool = 'quotedAt' in given ? { ...given, quotedAt } : given
  const swaps: PoolVector['swaps'][number][] = []
  let call = ''
  for (const direction of DIRECTIONS) {
    const asked = await askPool(client, block, { pool, direction })
    if (!asked) return undefined
    call = asked.call
    swaps.push(...asked.swaps.map((swap) => ({ direction, ...swap })))
  }
  const source = { chainId: snapshot.chainId, block, contract: pool.id, call }
  return { source, pool: asOfBlock(pool, snapshot), swaps }
}

// The bytecode runs in the snapshot's own block, but a snapshot quotes for the block after it.
function asOfBlock(pool: Pool, { block }: Snapshot): Pool {
  return 'quotedAt' in pool ? { ...pool, quotedAt: block.timestamp } : pool
}

type Asked = {
  readonly call: string
  readonly swaps: readonly { readonly amountIn: bigint; readonly amountOut: bigint }[]
}

async function askPool(
  client: Client,
  block: bigint,
  { pool, direction }: { readonly pool: Pool; readonly direction: Direction },
): Promise<Asked | undefined> {
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
): Promise<Asked['swaps']> {
  const answers = await Promise.all(
    amounts.map(async (amountIn) => ({ amountIn, amountOut: await ask(amountIn) })),
  )
  return answers.flatMap(({ amountIn, amountOut }) =>
    amountOut === undefined ? [] : [{ amountIn, amountOut }],
  )
}
