import { encodeProgram, type Hex } from '@braid-swap/core'
import type { Market } from '../market.js'
import { createPrng } from '../prng.js'
import { ANY_LEGS, type Request } from '../request.js'
import { referenceRequests, stratifiedRequests } from '../requests.js'
import type { ReadyRouter } from '../routers/router.js'
import type { Goal, Lab, Measured } from './goal.js'

const GWEI = 1
const SHUFFLES = 3

/** G9: the same request gives the same bytes, whatever ran before and in any order of pools. */
export const determinism: Goal = {
  id: 'G9',
  title: 'determinism',
  target: 'equal records give identical bytes, also after shuffling the pools',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const requests = [
    ...referenceRequests(lab.ethereum, { gwei: GWEI, maxLegs: 24 }),
    ...stratifiedRequests(market, {
      count: lab.isQuick ? 5 : 100,
      seed: lab.seed + 3,
      gwei: GWEI,
      maxLegs: ANY_LEGS,
    }),
  ]
  const first = await programsOf(await lab.ours.ready(market), requests)
  const rows: (readonly [string, number])[] = []
  const differing = (again: readonly Hex[]) => again.filter((hex, i) => hex !== first[i]).length
  rows.push(['repeated', differing(await programsOf(await lab.ours.ready(market), requests))])
  // In another order each quote sees different caches, which must not change the result.
  const backwards = [...requests].reverse()
  const reversed = await programsOf(await lab.ours.ready(market), backwards)
  rows.push(['in reverse order', differing([...reversed].reverse())])
  for (let i = 0; i < (lab.isQuick ? 1 : SHUFFLES); i++) {
    const ready = await lab.ours.ready(shuffled(market, lab.seed + i))
    rows.push([`pools shuffled ${i + 1}`, differing(await programsOf(ready, requests))])
  }
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  return {
    measured: `${total} of ${rows.length * requests.length} programs differ`,
    isReached: total === 0,
    tables: [
      { title: `programs that differ, of ${requests.length}`, columns: ['', 'differ'], rows },
    ],
  }
}

async function programsOf(
  router: ReadyRouter,
  requests: readonly Request[],
): Promise<readonly Hex[]> {
  const programs: Hex[] = []
  for (const request of requests) {
    const answer = await router.quote(request)
    programs.push(answer ? encodeProgram(answer.hops, request.order) : '0x')
  }
  return programs
}

function shuffled(market: Market, seed: number): Market {
  const prng = createPrng(seed)
  const pools = [...market.snapshot.pools]
  for (let i = pools.length - 1; i > 0; i--) {
    const j = prng.below(i + 1)
    const pool = pools[i]!
    pools[i] = pools[j]!
    pools[j] = pool
  }
  return { ...market, snapshot: { ...market.snapshot, pools } }
}
