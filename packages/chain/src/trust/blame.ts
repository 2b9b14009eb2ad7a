// Who is to blame for a swap that would revert: each pool of its route is asked by itself, so that neither the sender,
// nor the receiver, nor a token at another hop has a word in it. A revert is a reason to ask, and no evidence.

import { NATIVE, type Order, type Pool, type Route, type Snapshot } from '@braid-swap/core'
import { type PlannedHop, replay } from '@braid-swap/core/advanced'
import { getAmountOut } from '@braid-swap/core/families'
import { readHeader } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import { isAgainst, measure, type Question, type Terms } from './measure.js'

/** A pool that is to blame, and what it does. */
export type Culprit = { readonly pool: Pool; readonly reason: string }

/** The pools to blame, and those that nobody can speak for. */
export type Blame = {
  /** Pools that twice did not pay what core says, each asked alone. */
  readonly culprits: readonly Culprit[]
  /** Pools of the route with a token that may lie: the order may do without them, and they are not convicted. */
  readonly strange: readonly Pool[]
}

/**
 * The blame for a swap that would revert at the market's block; nobody's if the route no longer passes in the market's
 * own state, or the block is no longer on the chain. Throws as the node does.
 */
export async function findBlame(
  client: Client,
  { snapshot }: { readonly snapshot: Snapshot },
  { order, route, ...terms }: Terms & { readonly order: Order; readonly route: Route },
): Promise<Blame> {
  const now = new Map(snapshot.pools.map((pool) => [pool.id, pool]))
  const hops = route.flatMap((hop): PlannedHop[] => {
    const pool = now.get(hop.pool.id)
    return pool ? [{ ...hop, pool }] : []
  })
  const replayed = hops.length === route.length ? replay(hops, order) : undefined
  const header = await readHeader(client, snapshot.block.number)
  if (!replayed || header.hash !== snapshot.block.hash) return { culprits: [], strange: [] }
  const questions = replayed.route.flatMap(({ pool, direction, amountIn }): Question[] => {
    const quoted = getAmountOut(pool, direction, amountIn)
    return pool.tokens.includes(NATIVE) ? [] : [{ pool, direction, amountIn, quoted }]
  })
  const ask = async (some: readonly Question[]) => {
    const place = { ...terms, header, pools: [], lenders: snapshot.pools }
    const findings = await measure(client, some, place)
    return some.flatMap((one) => {
      const finding = findings.get(one)
      return finding && finding.kind !== 'agrees' && isAgainst(finding) ? [{ one, finding }] : []
    })
  }
  const first = await ask(questions)
  const again = first.length > 0 ? await ask(first.map(({ one }) => one)) : []
  const isStrange = ({ tokens }: Pool) =>
    tokens.some((token) => terms.trusted?.has(token) === false)
  const culprits = new Map(
    again.map(({ one: { pool }, finding: { reason } }) => [pool.id, { pool, reason }]),
  )
  return {
    culprits: [...culprits.values()],
    strange: [...new Set(questions.map(({ pool }) => pool).filter(isStrange))],
  }
}
