// What swaps pay where no call can be paid for: on a node without state overrides, and of a token whose storage is not
// known. Pools with V3's swap are asked in their callback, pairs after another pool lent their input, and others by
// their own quotes: those that their loader proves the formula with.

import type { Address, Direction, Pool } from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import { toFunctionSelector } from 'viem'
import { load } from '../loaders/loaders.js'
import { callbacks } from '../pools/callbacks.js'
import type { PoolRef } from '../pools/loader.js'
import { runLoads } from '../pools/runLoads.js'
import { callData, wordAt } from '../reads/abiWords.js'
import type { BlockSeen } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import { payingTerms } from '../reads/payingCalls.js'
import type { Client } from '../transport/client.js'
import { askPools, canLend, isRanged } from './askPools.js'

/** A swap, and what core says that it pays. */
export type AskedSwap = {
  readonly pool: Pool
  readonly direction: Direction
  readonly amountIn: bigint
  readonly quoted: bigint
}

/** What a swap pays; `undefined` if it is refused, and less than the quote if only that is known. */
export type Answer = { readonly paid: bigint | undefined; readonly seen: readonly BlockSeen[] }

type Place = {
  readonly header: Header
  readonly refs: ReadonlyMap<string, PoolRef>
  /** Pools that may lend. */
  readonly lenders: readonly Pool[]
}

/** Asks for what swaps pay; `undefined` where nobody can tell. Throws as the node does. */
export async function askDirectly(
  client: Client,
  swaps: readonly AskedSwap[],
  place: Place,
): Promise<readonly (Answer | undefined)[]> {
  const answers = new Map<AskedSwap, Answer | undefined>()
  const ways = [askInCallbacks, askQuotes, loadAgain]
  let rest = swaps
  for (const ask of ways) {
    const { can, told } = await ask(client, rest, place)
    for (const [i, swap] of can.entries()) answers.set(swap, told[i])
    const done = new Set(can)
    rest = rest.filter((swap) => !done.has(swap))
  }
  return swaps.map((swap) => answers.get(swap))
}

type Told = {
  readonly can: readonly AskedSwap[]
  readonly told: readonly (Answer | undefined)[]
}

/** Pools with V3's swap, and pairs. */
async function askInCallbacks(
  client: Client,
  swaps: readonly AskedSwap[],
  { header, lenders }: Place,
): Promise<Told> {
  const can = swaps.filter((swap) => isRanged(swap.pool) || lenderOf(swap, lenders))
  const asks = can.map((swap) => {
    const lender = isRanged(swap.pool) ? undefined : lenderOf(swap, lenders)
    return { ...swap, ...(lender && { lender }) }
  })
  const results = await askPools(client, header, asks)
  const told = can.map(({ pool, quoted }, i): Answer | undefined => {
    const result = results[i]
    if (!result) return undefined
    const { callback, amountOut, seen } = result
    // A pair that does not pay the quote tells no more.
    if (!isRanged(pool)) return { paid: amountOut || quoted - 1n, seen: [seen] }
    // The executor answers only the callbacks that it knows.
    const isPaid = amountOut > 0n && callbacks.has(callback)
    return { paid: isPaid ? amountOut : undefined, seen: [seen] }
  })
  return { can, told }
}

function lenderOf({ pool, direction }: AskedSwap, lenders: readonly Pool[]): Pool | undefined {
  if (pool.family !== 'uniswapV2') return undefined
  const token = pool.tokens[direction.in]!
  return richest(
    lenders.filter((one) => one.id !== pool.id && canLend(one, token)),
    token,
  )
}

/** The pair with the most of a token; without a pair, the first pool. */
function richest(pools: readonly Pool[], token: Address): Pool | undefined {
  const held = (pool: Pool) =>
    pool.family === 'uniswapV2' ? pool.reserves[pool.tokens.indexOf(token)]! : 0n
  return pools.reduce<Pool | undefined>(
    (best, pool) => (!best || held(pool) > held(best) ? pool : best),
    undefined,
  )
}

const GET_AMOUNT_OUT = toFunctionSelector('function getAmountOut(uint256,address)')
/** Families whose pairs quote themselves, some of them one wei more than they pay. */
export const quoting: ReadonlySet<string> = new Set(['solidly', 'camelot'])

/** Pairs that quote themselves. */
async function askQuotes(
  client: Client,
  swaps: readonly AskedSwap[],
  { header }: Place,
): Promise<Told> {
  const can = swaps.filter(({ pool }) => quoting.has(pool.family))
  const calls = can.map(({ pool, direction, amountIn }) => {
    const token = BigInt(pool.tokens[direction.in]!)
    return { to: pool.id, data: callData(GET_AMOUNT_OUT, amountIn, token) }
  })
  const results = await createReader(client, header, payingTerms(client, header))(calls)
  const told = results.map(({ success, data, seen }) => {
    if (!seen) return undefined
    return { paid: success && data.length === 66 ? wordAt(data, 0) : undefined, seen: [seen] }
  })
  return { can, told }
}

/** Others are read again: their loaders compare core's formula with what they say of themselves. */
async function loadAgain(
  client: Client,
  swaps: readonly AskedSwap[],
  { header, refs }: Place,
): Promise<Told> {
  const can = swaps.filter(({ pool }) => pool.family !== 'uniswapV2' && refs.has(pool.id))
  const ids = [...new Set(can.map(({ pool }) => pool.id))]
  const loads = ids.map((id) => load(refs.get(id)!))
  const outcomes = await runLoads(client, loads, header)
  const told = can.map(({ pool, direction, amountIn }): Answer => {
    const outcome = outcomes[ids.indexOf(pool.id)]!
    const { seen } = outcome
    if ('failure' in outcome) return { paid: undefined, seen }
    const { sampledAt, quotedAt } = pool
    const times = {
      ...(sampledAt !== undefined && { sampledAt }),
      ...(quotedAt !== undefined && { quotedAt }),
    }
    const paid = getAmountOut({ ...outcome.value, ...times } as Pool, direction, amountIn)
    return { paid: paid > 0n ? paid : undefined, seen }
  })
  return { can, told }
}
