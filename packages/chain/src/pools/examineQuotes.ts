// Compares our quotes with the quote function of a pair, for `braid doctor`.

import { type Direction, getAmountOut, type Pool, stringify } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData, wordAt } from '../reads/abiWords.js'
import { type Header, readHeader } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import type { Finding } from './check.js'
import type { Load, PoolRef } from './loader.js'
import { runLoads } from './runLoads.js'

const GET_AMOUNT_OUT = toFunctionSelector('function getAmountOut(uint256,address)')

/** Divisors of the reserve to quote: from a millionth to a tenth of it. */
const PARTS = [1_000_000n, 100_000n, 10_000n, 1_000n, 100n, 10n]

type Quoting = Pool & { readonly reserves: readonly [bigint, bigint] }

/** How often a pair that traded while it was asked is asked again. */
const TRIES = 4

/**
 * Compares a pair's own `getAmountOut` with ours. One wei more than ours is accepted, because some
 * pairs quote it and then refuse to pay it. A difference counts if the pair's state is the same afterwards,
 * because a node may answer from a later block than that of the state.
 */
export async function examineQuotes(
  client: Client,
  ref: PoolRef,
  load: () => Load<Quoting>,
): Promise<readonly Finding[]> {
  const finding = {
    ...{ subject: ref.venue, check: 'quotes of the pair itself' },
    assumed: 'our quote or one wei more',
  }
  let before = await loadNow(client, load)
  for (let i = 0; i < TRIES && before; i++) {
    const { equal, asked } = await compare(client, before)
    const after = equal === asked ? before : await loadNow(client, load)
    if (after && stringify(after.pool) === stringify(before.pool)) {
      const found = `${equal} of ${asked} match`
      return [{ ...finding, found, ...(asked > 0 && { holds: equal === asked }) }]
    }
    before = after
  }
  return before ? [{ ...finding, found: 'undecided: the pair traded while it was asked' }] : []
}

/** The call of a pair's own quote. */
export function ownQuoteCall(
  { id, tokens }: Pick<Pool, 'id' | 'tokens'>,
  direction: Direction,
  amountIn: bigint,
) {
  return { to: id, data: callData(GET_AMOUNT_OUT, amountIn, BigInt(tokens[direction.in]!)) }
}

type Loaded = { readonly pool: Quoting; readonly header: Header }

async function loadNow(client: Client, load: () => Load<Quoting>): Promise<Loaded | undefined> {
  const header = await readHeader(client, 'latest')
  const [outcome] = await runLoads(client, [load()], header)
  return outcome && 'value' in outcome ? { pool: outcome.value, header } : undefined
}

async function compare(
  client: Client,
  { pool, header }: Loaded,
): Promise<{ readonly equal: number; readonly asked: number }> {
  const swaps = ([0, 1] as const).flatMap((i) =>
    PARTS.map((part) => ({ direction: { in: i, out: 1 - i }, amountIn: pool.reserves[i] / part })),
  )
  const calls = swaps.map(({ direction, amountIn }) => ownQuoteCall(pool, direction, amountIn))
  const answers = await createReader(client, header)(calls)
  const asked = swaps.flatMap(({ direction, amountIn }, i) => {
    const ours = getAmountOut(pool, direction, amountIn)
    const { success, data } = answers[i]!
    return success && ours > 0n ? [wordAt(data, 0) - ours] : []
  })
  const equal = asked.filter((more) => more === 0n || more === 1n).length
  return { equal, asked: asked.length }
}
