import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { toHex } from '../../hex.js'
import { quote } from '../../quote.js'
import { replay } from '../../replay.js'
import { pair, snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import type { CurveStableSwapPool } from './index.js'

// A swap in a base pool raises the value of its share, and so changes what its meta pools pay.

const E18 = 10n ** 18n
const deep = 1_000_000n * E18
const [FIRST, SECOND, COIN, SHARE] = [1, 2, 3, 4].map(token)
const base: CurveStableSwapPool = {
  ...{ family: 'curveStableSwap', id: toHex(0xba5e, 20), venue: 'test', isNg: true },
  ...{ tokens: [FIRST!, SECOND!], balances: [deep, deep], rates: [E18, E18], rounding: 'once' },
  ...{ A: 200_00n, aPrecision: 100n, fee: 4_000_000n, offpegFeeMultiplier: 0n, adminFee: 0n },
}
const meta: CurveStableSwapPool = {
  ...base,
  ...{ id: toHex(0x3e7a, 20), tokens: [COIN!, SHARE!], rates: [E18, (103n * E18) / 100n] },
  ...{ ratedBy: base.id, sampledAt: 1n, quotedAt: 2n },
}
const good = pair(7, [2, 3], [deep, deep])
// A direct way between the first coin and the meta pool's, at a worse price in the direction of the order.
const less = (deep * 9n) / 10n
const [poorTo, poorFrom] = [pair(8, [1, 3], [deep, less]), pair(8, [1, 3], [less, deep])]
const used = (hops: readonly { readonly pool: { readonly id: string } }[]) =>
  hops.map(({ pool }) => pool.id)

it('is not entered after its base pool, which would change what it pays', () => {
  const order = { tokenIn: FIRST!, tokenOut: SHARE!, amountIn: 1_000n * E18 }
  const graphOf = (own: CurveStableSwapPool) => buildGraph(snapshotOf([base, own, good, poorTo]))
  const hops = [base, good, meta].map((pool) => ({ pool, direction: { in: 0, out: 1 }, share: 0 }))
  expect(replay(hops, order)).toBeUndefined()
  const { ratedBy: _, ...free } = meta
  expect(used(quote(graphOf(free), order).route)).toEqual([base.id, good.id, meta.id])
  expect(used(quote(graphOf(meta), order).route)).toEqual([poorTo.id, meta.id])
})

it('is entered before its base pool, which does not change what it has paid', () => {
  const order = { tokenIn: SHARE!, tokenOut: FIRST!, amountIn: 1_000n * E18 }
  const { route } = quote(buildGraph(snapshotOf([base, meta, good, poorFrom])), order)
  expect(used(route)).toEqual([meta.id, good.id, base.id])
})
