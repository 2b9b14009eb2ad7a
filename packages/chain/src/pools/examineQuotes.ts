// Compares our quotes with the quote function of a pair, for `braid doctor`.

import { getAmountOut, type Pool } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData, wordAt } from '../reads/abiWords.js'
import { readHeader } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import type { Finding } from './check.js'
import type { Load, PoolRef } from './loader.js'
import { runLoads } from './runLoads.js'

const GET_AMOUNT_OUT = toFunctionSelector('function getAmountOut(uint256,address)')

/** Divisors of the reserve to quote: from a millionth to a tenth of it. */
const PARTS = [1_000_000n, 100_000n, 10_000n, 1_000n, 100n, 10n]

/**
 * Compares a pair's own `getAmountOut` with ours. One wei more than ours is accepted, because some
 * pairs quote it and then refuse to pay it.
 */
export async function examineQuotes(
  client: Client,
  ref: PoolRef,
  load: Load<Pool & { readonly reserves: readonly [bigint, bigint] }>,
): Promise<readonly Finding[]> {
  const header = await readHeader(client, 'latest')
  const [outcome] = await runLoads(client, [load], header)
  if (!outcome || 'failure' in outcome) return []
  const pool = outcome.value
  const swaps = ([0, 1] as const).flatMap((i) =>
    PARTS.map((part) => ({ direction: { in: i, out: 1 - i }, amountIn: pool.reserves[i] / part })),
  )
  const calls = swaps.map(({ direction, amountIn }) => ({
    to: ref.id,
    data: callData(GET_AMOUNT_OUT, amountIn, BigInt(pool.tokens[direction.in]!)),
  }))
  const answers = await createReader(client, header)(calls)
  const asked = swaps.flatMap(({ direction, amountIn }, i) => {
    const ours = getAmountOut(pool, direction, amountIn)
    const { success, data } = answers[i]!
    return success && ours > 0n ? [wordAt(data, 0) - ours] : []
  })
  const equal = asked.filter((more) => more === 0n || more === 1n).length
  const check = 'quotes of the pair itself'
  const finding = { subject: ref.venue, check, assumed: 'our quote or one wei more' }
  const found = `${equal} of ${asked.length} match`
  return [{ ...finding, found, ...(asked.length > 0 && { holds: equal === asked.length }) }]
}
