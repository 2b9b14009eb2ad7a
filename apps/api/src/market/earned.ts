/**
 * Tokens on no list that routes may pass all the same, because they have earned it: for a day, two pools or more have
 * held real depth against trusted tokens, swaps came in many blocks, and no test of them failed. It takes longer than an
 * attack that anybody would pay for, and ends with the first look at which the depth is gone. The court still takes
 * such a token for a stranger's.
 */
import type { Market as ChainMarket } from '@braid-swap/chain'
import type { Address, Graph, Snapshot } from '@braid-swap/core'
import { backedTokens, pricesOfTokens } from '@braid-swap/core/advanced'

/** Depth in each pool and in all of them, in dollars. */
const [EACH_DOLLARS, ALL_DOLLARS] = [100, 5_000]
/** For how long, and in how many blocks with a swap. */
const [LEAST_SECONDS, LEAST_SWAPS] = [86_400n, 20]
/** Seconds of the chain between two looks at the depth. */
const LOOK_SECONDS = 60n

type Record = { readonly pools: ReadonlySet<Address>; readonly since: bigint; swaps: number }

/** The tokens that have earned it at the newest block. */
export type Earned = {
  /** Takes the newest market and what is served of it: without flawed tokens, and as a graph if that is looked at. */
  readonly take: (
    cursor: Pick<ChainMarket['cursor'], 'trail'>,
    served: Pick<Snapshot, 'block'>,
    graphOf: () => Graph,
  ) => void
  readonly current: () => readonly Address[]
}

/** Whose tokens a token must be backed by; those that count as a dollar. */
export type Earning = {
  readonly trusted: ReadonlySet<Address>
  readonly usdTokens: readonly Address[]
}

/** Follows what tokens earn, if they can. A restart forgets it. */
export function createEarned(earning: Earning | undefined): Earned {
  if (!earning) return { take: () => {}, current: () => [] }
  const { trusted, usdTokens } = earning
  let records: ReadonlyMap<Address, Record> = new Map()
  let earned: readonly Address[] = []
  let [lookedAt, countedTo] = [0n, 0n]
  const look = (served: Graph, now: bigint) => {
    const usdWei = usdWeiOf(served, usdTokens)
    const least = { eachWei: EACH_DOLLARS * usdWei, allWei: ALL_DOLLARS * usdWei }
    const backed = backedTokens(served, trusted, least)
    records = new Map(
      [...backed].map(([token, pools]) => {
        const { since = now, swaps = 0 } = records.get(token) ?? {}
        return [token, { pools: new Set(pools), since, swaps }]
      }),
    )
    const hasEarned = ({ since, swaps }: Record) =>
      now - since >= LEAST_SECONDS && swaps >= LEAST_SWAPS
    earned = [...records].flatMap(([token, record]) => (hasEarned(record) ? [token] : []))
  }
  return {
    current: () => earned,
    take: ({ trail }, { block: { timestamp: now, number } }, graphOf) => {
      for (const { number: at, touched } of trail) {
        if (at <= countedTo) continue
        for (const record of records.values()) {
          if (touched.some((pool) => record.pools.has(pool))) record.swaps += 1
        }
      }
      countedTo = number
      if (now - lookedAt < LOOK_SECONDS && now >= lookedAt) return
      lookedAt = now
      look(graphOf(), now)
    },
  }
}

/** A dollar in wei of the native token; infinite where none has a price. */
function usdWeiOf(served: Graph, usdTokens: readonly Address[]): number {
  const prices = pricesOfTokens(served)
  const usd = usdTokens.find((token) => prices.has(token))
  const decimals = served.snapshot.tokens.find(({ address }) => address === usd)?.decimals
  if (usd === undefined || decimals === undefined) return Number.POSITIVE_INFINITY
  return 10 ** decimals * prices.get(usd)!
}
