import { getAmountOut, type Pool } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import type { Client } from '../client.js'
import type { Finding } from '../finding.js'
import { readHeader } from '../headers.js'
import { createReader } from '../multicall.js'
import { runLoads } from '../runLoads.js'
import { callData, wordAt } from '../words.js'
import type { Load, PoolRef } from './loader.js'

const GET_AMOUNT_OUT = toFunctionSelector('function getAmountOut(uint256,address)')

/** Parts of the reserve that are asked for: from a millionth to a tenth. */
const PARTS = [1_000_000n, 100_000n, 10_000n, 1_000n, 100n, 10n]

/**
 * What a pair that quotes for itself answers, against what we do. A wei more than ours is what some
 * pairs say and then refuse to pay.
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
  const finding = { subject: ref.venue, check, assumed: 'what we quote, or a wei more' }
  const found = `${equal} of ${asked.length} like ours`
  return [{ ...finding, found, ...(asked.length > 0 && { holds: equal === asked.length }) }]
}
