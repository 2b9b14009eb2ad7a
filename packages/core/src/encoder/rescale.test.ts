import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, type Graph } from '../graph.js'
import { type Address, NATIVE, toHex } from '../hex.js'
import { quote, quoteHops } from '../quote.js'
import type { PlannedHop } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
import { pair, snapshotOf, token, WRAPPED } from '../testing/arbitraryMarkets.js'
import { anyMarketOfEveryFamily } from '../testing/everyFamily.js'
import { propertyRuns } from '../testing/propertyRuns.js'
import { decodeRouterCall } from './calldata.js'
import { readIntent, replayIntent } from './intent.js'
import { withPayment } from './payment.js'
import { rescale } from './rescale.js'
import { routerCallOf, type SwapCall, swapCallOf } from './swapCall.js'

const ROUTER: Address = toHex(0xffff, 20)
const terms = {
  ...{ wrappedNative: WRAPPED, executor: toHex(0xeee, 20) },
  ...{ slippagePpm: 10_000n, deadline: 1_700_000_000n },
}
const E18 = 10n ** 18n

/** One hop through each pool of a market, in both directions, that takes an amount. */
function hopsOf(snapshot: Snapshot): readonly PlannedHop[] {
  return snapshot.pools
    .filter(({ family }) => family !== 'wrap')
    .flatMap((pool) => [
      { pool, direction: { in: 0, out: 1 }, share: 0 },
      { pool, direction: { in: 1, out: 0 }, share: 0 },
    ])
}

function swapOf(graph: Graph, hop: PlannedHop, amountIn: bigint): SwapCall | undefined {
  const { pool, direction } = hop
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  const quoted = quoteHops(graph, { tokenIn, tokenOut, amountIn }, [hop])
  const own = { ...terms, wrappedNative: graph.snapshot.wrappedNative }
  return quoted && swapCallOf(ROUTER, routerCallOf(quoted, own))
}

describe('a rescaled swap', () => {
  it('of every family pays from 0.1 to 2 times the amount what a quote of that amount says', () => {
    const paid = new Map<string, number>()
    fc.assert(
      fc.property(
        anyMarketOfEveryFamily,
        fc.bigInt({ min: 1_000n, max: 10n ** 21n }),
        fc.integer({ min: 100, max: 2_000 }),
        (snapshot, amount, thousandths) => {
          const own = buildGraph(snapshot)
          for (const hop of hopsOf(snapshot)) {
            const swap = swapOf(own, hop, amount)
            if (!swap) continue
            const amountIn = (amount * BigInt(thousandths)) / 1_000n
            const scaled = rescale(swap, { amountIn })
            const wanted = swapOf(own, hop, amountIn)
            const { amountIn: _, minAmountOut: floor, ...call } = decodeRouterCall(scaled.data)
            const { amountIn: __, minAmountOut: old, ...before } = decodeRouterCall(swap.data)
            expect([call, scaled.to]).toEqual([before, swap.to])
            expect(floor * amount).toBeGreaterThanOrEqual(old * amountIn)
            const replayed = replayIntent(readIntent(scaled.data, snapshot.wrappedNative), snapshot)
            if (!wanted) {
              expect(replayed).toHaveProperty('why')
              continue
            }
            const direct = replayIntent(readIntent(wanted.data, snapshot.wrappedNative), snapshot)
            const { data: free } = rescale(swap, { amountIn, minAmountOut: 1n })
            const intent = readIntent(free, snapshot.wrappedNative)
            expect(replayIntent(intent, snapshot)).toEqual(direct)
            const isLow = 'amountOut' in direct && direct.amountOut < floor
            // Where the floor would stop the swap, so may the least rate of its hop.
            if (isLow && 'why' in replayed) {
              expect(replayed.why).toContain('least rate')
              continue
            }
            expect(replayed).toEqual(direct)
            paid.set(hop.pool.family, (paid.get(hop.pool.family) ?? 0) + 1)
          }
        },
      ),
      { numRuns: propertyRuns(5) },
    )
    expect(paid.size).toBeGreaterThanOrEqual(12)
  })

  const market = snapshotOf([
    { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' },
    pair(1, [1, 0], [1_000n * E18, 2_000n * E18]),
    pair(2, [1, 0], [3_000n * E18, 6_100n * E18]),
  ])
  const graph = buildGraph(market)
  const swapFor = (tokenIn: Address, tokenOut: Address, amountIn = E18) => {
    const quoted = quote(graph, { tokenIn, tokenOut, amountIn })
    return swapCallOf(ROUTER, routerCallOf(quoted, terms))
  }

  it('sends another value if the native token is sold', () => {
    const swap = swapFor(NATIVE, token(1))
    const scaled = rescale(swap, { amountIn: 3n * E18 })
    expect([scaled.value, decodeRouterCall(scaled.data).amountIn]).toEqual([3n * E18, 3n * E18])
    expect(rescale(scaled, { amountIn: E18 }).value).toBe(E18)
  })

  it('keeps its bytes for the same amount, and takes a floor of the caller', () => {
    const swap = swapFor(token(1), NATIVE)
    expect(rescale(swap, { amountIn: E18 })).toEqual(swap)
    const { data } = rescale(swap, { amountIn: 7n, minAmountOut: 13n })
    expect(decodeRouterCall(data)).toMatchObject({ amountIn: 7n, minAmountOut: 13n })
  })

  it.each<[string, Parameters<typeof rescale>[1], string]>([
    ['no amount', { amountIn: 0n }, 'CANNOT_RESCALE'],
    ['no floor', { amountIn: 1n, minAmountOut: 0n }, 'CANNOT_RESCALE'],
    ['an amount below zero', { amountIn: -1n, minAmountOut: 1n }, 'BAD_CALL'],
    ['more than a uint256', { amountIn: 1n << 256n, minAmountOut: 1n }, 'BAD_CALL'],
  ])('is refused for %s', (_, amounts, code) => {
    const swap = swapFor(token(1), NATIVE)
    expect(() => rescale(swap, amounts)).toThrow(expect.objectContaining({ code }))
  })

  it('is refused if a signature pays, because that covers one amount', () => {
    const swap = swapFor(token(1), NATIVE)
    const data = withPayment(swap.data, { by: 'permit', signature: `0x${'00'.repeat(65)}` })
    expect(() => rescale({ ...swap, data }, { amountIn: 5n })).toThrow(/signature/)
  })
})
