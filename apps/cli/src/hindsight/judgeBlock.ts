// Holds the swaps that others settled in a block against what Braid answers on the market before it, and at their place.

import {
  type BlockTransaction,
  type Market,
  type SetAside,
  snapshotAfter,
  type Venue,
} from '@braid-swap/chain'
import {
  type Address,
  BaseError,
  buildGraph,
  type Graph,
  type Hex,
  type Order,
  quote,
  type Snapshot,
} from '@braid-swap/core'
import { type Changes, changesOf, orderOf, type Trade, tradesOf } from './changes.js'
import { nameOfRouter } from './knownRouters.js'

/** Verdicts on a swap of others, in the order in which they are told. */
export const verdicts = ['won', 'lost', 'equal', 'missed', 'sandwiched', 'unsolved'] as const

/** A pool that took part in a swap of others and is in none of Braid's answers. */
export type MissedPool = {
  readonly pool: Hex
  /** Both only of a pool that is known and set aside. */
  readonly venue?: string
  readonly code?: string
}

/** What Braid pays, its gas, and by how much more it pays than was received; or why it has no answer. */
export type Answer =
  | { readonly amountOut: bigint; readonly gas: number; readonly gapBps: number }
  | { readonly error: string }

/** A swap that others settled, and the verdict on it; amounts in wei. */
export type JudgedSwap = Order & {
  readonly transaction: Hex
  readonly block: bigint
  readonly index: number
  readonly sender: Address
  readonly router?: Address
  /** The router's name, if it is known. */
  readonly name?: string
  readonly received: bigint
  readonly gasUsed: bigint
  readonly pools: readonly Hex[]
  readonly verdict: (typeof verdicts)[number]
  readonly missed?: readonly MissedPool[]
  readonly sandwichedBy?: Address
  /** On the market of the block before. */
  readonly before: Answer
  /** On that market after the transactions before it in its block, which the verdict is about. */
  readonly atPlace: Answer
}

/** A block that others traded in. */
export type TradedBlock = {
  readonly number: bigint
  readonly settled: readonly BlockTransaction[]
  /** The native wei that a transaction carried, where it was read. */
  readonly weiOf: (transaction: Hex) => bigint
  /** The market of the block before; absent if the node no longer knew it. */
  readonly before?: Market
  /** The market by which pools are known. */
  readonly known: Market
  readonly venues: readonly Venue[]
  /** Braid's own router, whose swaps are not of others. */
  readonly ownRouter: Address
}

/** A swap that paid more than Braid would have, and the market at its place. */
export type LostSwap = { readonly swap: JudgedSwap; readonly snapshot: Snapshot }

type Read = {
  readonly tx: BlockTransaction
  readonly changes: Changes
  readonly trades: readonly Trade[]
}

/** The judged swaps of a block, and the number of transactions that traded and show no order of one token for one other. */
export function judgeBlock(block: TradedBlock): {
  readonly swaps: readonly JudgedSwap[]
  readonly lost: readonly LostSwap[]
  readonly unread: number
} {
  const { wrappedNative } = block.known.state.snapshot
  const pools = knownPools(block.known)
  const isKnown = (id: Hex) => pools.served.has(id)
  // A pool may also mint and burn shares of its own, which is no swap.
  const isSwapOf = ({ pool, got, paid }: Trade) =>
    [got, paid].every((token) => token && pools.served.get(pool)?.includes(token))
  const traded = block.settled.flatMap((tx): readonly Read[] => {
    const changes = changesOf(tx, wrappedNative)
    const trades = tradesOf(tx, changes, isKnown)
    const isSwap = tx.swaps.length > 0 || trades.some(isSwapOf)
    const isNamed = trades.length > 0 && nameOfRouter(tx.to) !== undefined
    return isSwap || isNamed ? [{ tx, changes, trades }] : []
  })
  const graph = block.before && buildGraph(block.before.state.snapshot)
  const others = traded.filter(({ tx }) => tx.to !== block.ownRouter)
  const judged = others.flatMap(({ tx, changes, trades }) => {
    const settled = orderOf(tx, changes, { wrappedNative, value: block.weiOf(tx.hash) })
    if (!settled) return []
    const { owner: _, received, ...order } = settled
    const name = nameOfRouter(tx.to)
    const taken = trades.map(({ pool }) => pool)
    const missed = taken.flatMap((pool) => (isKnown(pool) ? [] : missedPool(pool, pools.aside)))
    const { snapshot, ...answers } = answersTo(block, graph, {
      index: tx.index,
      order,
      received,
      taken,
    })
    const by = sandwicherOf(tx, traded)
    const swap: JudgedSwap = {
      ...{ transaction: tx.hash, block: block.number, index: tx.index, sender: tx.from },
      ...(tx.to && { router: tx.to }),
      ...(name && { name }),
      ...{ ...order, received, gasUsed: tx.gasUsed, pools: taken, ...answers },
      verdict: verdictOf({
        isMissed: missed.length > 0,
        isSandwiched: by !== undefined,
        ...answers,
      }),
      ...(missed.length > 0 && { missed }),
      ...(by && { sandwichedBy: by }),
    }
    return [{ swap, snapshot }]
  })
  const lost = judged.flatMap(({ swap, snapshot }) =>
    swap.verdict === 'lost' && snapshot ? [{ swap, snapshot }] : [],
  )
  const swaps = judged.map(({ swap }) => swap)
  return { swaps, lost, unread: others.length - swaps.length }
}

/** What Braid answers before a block and at a place in it, and the market of that place, if both are known. */
function answersTo(
  { before, settled, venues }: TradedBlock,
  graph: Graph | undefined,
  of: {
    readonly index: number
    readonly order: Order
    readonly received: bigint
    readonly taken: readonly Hex[]
  },
) {
  const unknown = { error: 'STATE_NOT_RETAINED' }
  if (!before || !graph) return { before: unknown, atPlace: unknown }
  const { snapshot } = before.state
  const earlier = settled.filter(({ index }) => index < of.index).flatMap(({ logs }) => logs)
  const place = snapshotAfter(before, earlier, venues)
  const first = solve(graph, of)
  if (place === snapshot) return { before: first, atPlace: first, snapshot }
  // Without a pool that it took, the answer would say nothing about the search.
  const isGone = ({ id }: Snapshot['pools'][number]) =>
    of.taken.includes(id) && !place.pools.some((pool) => pool.id === id)
  if (snapshot.pools.some(isGone)) return { before: first, atPlace: unknown }
  return { before: first, atPlace: solve(buildGraph(place, graph), of), snapshot: place }
}

/** The pools and the contracts that hold them, and what is set aside. */
function knownPools({ state: { snapshot, pools, setAside } }: Market) {
  const holders = [
    ...snapshot.pools.flatMap(({ manager }) => manager ?? []),
    ...pools.flatMap(({ factory }) => factory ?? []),
  ]
  const served = new Map<Hex, readonly Address[]>(holders.map((holder) => [holder, []]))
  for (const { id, tokens } of snapshot.pools) served.set(id, tokens)
  return {
    served,
    aside: new Map<Hex, SetAside>(setAside.map((one) => [one.id, one])),
  }
}

function missedPool(pool: Hex, aside: ReturnType<typeof knownPools>['aside']): MissedPool {
  const { venue, code } = aside.get(pool) ?? {}
  return { pool, ...(venue && { venue }), ...(code && { code }) }
}

/** The route that pays most before gas, because what was received is before gas too. */
function solve(
  graph: Graph,
  { order, received }: { readonly order: Order; readonly received: bigint },
): Answer {
  try {
    const { amountOut, gas } = quote(graph, order, { objective: 'gross' })
    const gapBps = Number(((amountOut - received) * 1_000_000n) / received) / 100
    return { amountOut, gas, gapBps }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return { error: error.code }
  }
}

/** Below this difference, in basis points, nobody is better. */
const EQUAL_BPS = 0.1

/**
 * The verdict on a swap. One that used a pool that is not served says nothing about Braid's search, and one that was
 * sandwiched nothing about its router's.
 */
export function verdictOf({
  isMissed,
  isSandwiched,
  atPlace,
}: Pick<JudgedSwap, 'atPlace'> & {
  readonly isMissed: boolean
  readonly isSandwiched: boolean
}): JudgedSwap['verdict'] {
  if (isMissed) return 'missed'
  if (isSandwiched) return 'sandwiched'
  if ('error' in atPlace) return 'unsolved'
  if (Math.abs(atPlace.gapBps) < EQUAL_BPS) return 'equal'
  return atPlace.gapBps > 0 ? 'won' : 'lost'
}

type Sent = Pick<BlockTransaction, 'index' | 'from'>

/**
 * Who traded a pool of this transaction before it in its direction, and after it in the opposite one, in the same
 * block; `undefined` if nobody else did both.
 */
export function sandwicherOf(
  { index, from }: Sent,
  traded: readonly { readonly tx: Sent; readonly trades: readonly Trade[] }[],
): Address | undefined {
  const own = traded.find(({ tx }) => tx.index === index)?.trades ?? []
  const others = traded.filter(({ tx }) => tx.from !== from)
  const sendersOf = (wanted: Required<Trade>, isSide: (tx: Sent) => boolean) =>
    others
      .filter(({ tx, trades }) => isSide(tx) && trades.some((trade) => isSame(trade, wanted)))
      .map(({ tx }) => tx.from)
  for (const { pool, got, paid } of own) {
    if (!got || !paid) continue
    const before = sendersOf({ pool, got, paid }, (tx) => tx.index < index)
    const after = sendersOf({ pool, got: paid, paid: got }, (tx) => tx.index > index)
    const both = before.find((sender) => after.includes(sender))
    if (both) return both
  }
  return undefined
}

const isSame = (one: Trade, other: Trade) =>
  one.pool === other.pool && one.got === other.got && one.paid === other.paid
