import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, edgesFrom, type Graph } from './graph.js'
import { type Address, NATIVE, toHex } from './hex.js'
import type { Pool } from './pools/index.js'
import { NoRouteError, quote } from './quote.js'
import { replay, SHARE_ONE } from './replay.js'
import { advance, type Snapshot } from './snapshot.js'
import { parseSnapshot, stringifySnapshot } from './snapshotFile.js'
import { tryQuote } from './testing/checkExactOut.js'

const WRAPPED: Address = '0x5555555555555555555555555555555555555555'
const A = toHex(0xa, 20)
const B = toHex(0xb, 20)
const C = toHex(0xc, 20)
const E18 = 10n ** 18n

function pair(
  id: number,
  tokens: readonly [Address, Address],
  reserves: readonly [bigint, bigint],
): Pool {
  return { family: 'uniswapV2', id: toHex(id, 20), venue: 'test', tokens, reserves, feePpm: 3000 }
}

function snapshotOf(pools: readonly Pool[]): Snapshot {
  const wrap: Pool = { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' }
  const addresses = new Set(pools.flatMap((pool) => pool.tokens))
  return {
    chainId: 999,
    block: { number: 7n, hash: toHex(7, 32), timestamp: 1n, gasPrice: 0n, gasLimit: 2_000_000n },
    wrappedNative: WRAPPED,
    tokens: [...addresses].map((address) => ({ address, decimals: 18 })),
    pools: [wrap, ...pools],
  }
}

const anyMarket = fc
  .array(
    fc.record({
      ends: fc.tuple(fc.nat(4), fc.nat(4)).filter(([a, b]) => a !== b),
      depth: fc.tuple(fc.bigInt(10n ** 6n, 10n ** 24n), fc.bigInt(10n ** 6n, 10n ** 24n)),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((pools) =>
    pools.map(({ ends, depth }, i) =>
      pair(i + 100, [toHex(ends[0] + 1, 20), toHex(ends[1] + 1, 20)], depth),
    ),
  )

describe('quote', () => {
  it('wraps and unwraps one to one, with any pools', () => {
    const graph = buildGraph(snapshotOf([]))
    const wrap = quote(graph, { tokenIn: NATIVE, tokenOut: WRAPPED, amountIn: 5n })
    expect(wrap.amountOut).toBe(5n)
    expect(wrap.route).toHaveLength(1)
    expect(quote(graph, { tokenIn: WRAPPED, tokenOut: NATIVE, amountIn: 5n }).amountOut).toBe(5n)
  })

  it('throws NO_ROUTE if the options leave no route, even if the market has one', () => {
    const pools = [pair(1, [A, B], [E18, E18]), pair(2, [B, C], [E18, E18])]
    const graph = buildGraph(snapshotOf(pools))
    const order = { tokenIn: A!, tokenOut: C!, amountIn: 1000n }
    expect(quote(graph, order, { maxHops: 2 }).route).toHaveLength(2)
    const noRoute = expect.objectContaining({ code: 'NO_ROUTE' })
    expect(() => quote(graph, order, { maxHops: 1 })).toThrow(noRoute)
    const excludedPools = new Set([toHex(2, 20)])
    expect(() => quote(graph, order, { excludedPools })).toThrow(noRoute)
  })

  it('begins with a wrap and ends with an unwrap if the ends of the order are native', () => {
    const graph = buildGraph(snapshotOf([pair(1, [WRAPPED, A], [E18, E18])]))
    const families = (tokenIn: Address, tokenOut: Address) =>
      quote(graph, { tokenIn, tokenOut, amountIn: 1000n }).route.map((hop) => hop.pool.family)
    expect(families(NATIVE, A)).toEqual(['wrap', 'uniswapV2'])
    expect(families(A, NATIVE)).toEqual(['uniswapV2', 'wrap'])
  })

  it('splits in halves over two equal pools', () => {
    const pools = [pair(1, [A, B], [E18, E18]), pair(2, [A, B], [E18, E18])]
    const { route } = quote(buildGraph(snapshotOf(pools)), {
      tokenIn: A,
      tokenOut: B,
      amountIn: E18,
    })
    expect(route).toHaveLength(2)
    expect(route[0]!.share / SHARE_ONE).toBeCloseTo(0.5, 6)
    expect(route[1]!.share).toBe(0)
  })

  it('fans out and in again if the deep pools require it', () => {
    const pools = [
      pair(1, [A, B], [E18, E18]),
      pair(2, [A, B], [E18, E18]),
      pair(3, [B, C], [E18, E18]),
      pair(4, [B, C], [E18, E18]),
    ]
    const order = { tokenIn: A, tokenOut: C, amountIn: E18 }
    const { route, amountOut } = quote(buildGraph(snapshotOf(pools)), order)
    expect(route).toHaveLength(4)
    const single = quote(buildGraph(snapshotOf([pools[0]!, pools[2]!])), order)
    expect(amountOut).toBeGreaterThan(single.amountOut)
  })

  it('distinguishes no route, too small and too large', () => {
    const graph = buildGraph(
      snapshotOf([
        pair(1, [A, B], [1000n * E18, 1000n]),
        pair(2, [C, B], [(1n << 112n) - 9n, 1n << 90n]),
      ]),
    )
    const ask = (tokenIn: Address, tokenOut: Address, amountIn: bigint) => () =>
      quote(graph, { tokenIn, tokenOut, amountIn })
    expect(ask(A, WRAPPED, 1n)).toThrow(expect.objectContaining({ code: 'NO_ROUTE' }))
    expect(ask(A, B, 1n)).toThrow(expect.objectContaining({ code: 'AMOUNT_TOO_SMALL' }))
    expect(ask(A, B, 1n << 200n)).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_LIQUIDITY' }),
    )
  })

  it('conserves every token to the wei, in topological order, on random markets', () => {
    const tokens = fc.tuple(fc.nat(4), fc.nat(4)).filter(([a, b]) => a !== b)
    fc.assert(
      fc.property(anyMarket, tokens, fc.bigInt(1n, 10n ** 22n), (pools, [a, b], amountIn) => {
        const order = { tokenIn: toHex(a + 1, 20), tokenOut: toHex(b + 1, 20), amountIn }
        const graph = buildGraph(snapshotOf(pools))
        let answer: ReturnType<typeof quote>
        try {
          answer = quote(graph, order)
        } catch {
          return
        }
        const held = new Map<Address, bigint>([[order.tokenIn, amountIn]])
        for (const { pool, direction, amountIn: x, amountOut: y } of answer.route) {
          const [from, to] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
          expect(held.get(from) ?? 0n).toBeGreaterThanOrEqual(x)
          held.set(from, held.get(from)! - x)
          held.set(to, (held.get(to) ?? 0n) + y)
        }
        expect(held.get(order.tokenOut)).toBe(answer.amountOut)
        held.delete(order.tokenOut)
        expect([...held.values()].every((amount) => amount === 0n)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('returns at least the output of the best single pool', () => {
    let answered = 0
    fc.assert(
      fc.property(anyMarket, fc.bigInt(10n ** 6n, 10n ** 24n), (pools, amountIn) => {
        const [tokenIn, tokenOut] = pools[0]!.tokens as [Address, Address]
        const direct = pools.flatMap((pool) => {
          const i = pool.tokens.indexOf(tokenIn)
          if (i < 0 || pool.tokens[1 - i] !== tokenOut) return []
          const hops = [{ pool, direction: { in: i, out: 1 - i }, share: 0 }]
          return replay(hops, { tokenIn, tokenOut, amountIn })?.amountOut ?? []
        })
        const best = direct.reduce((a, b) => (a > b ? a : b), 0n)
        if (best === 0n) return
        const order = { tokenIn, tokenOut, amountIn }
        const found = tryQuote(buildGraph(snapshotOf(pools)), order, { objective: 'gross' })
        // Orders beyond the end of the market are refused.
        if (!found) return
        answered++
        expect(found.amountOut).toBeGreaterThanOrEqual(best)
      }),
      { numRuns: 300 },
    )
    expect(answered).toBeGreaterThan(150)
  })
})

describe('replay', () => {
  it('uses the state after the first hop if a pool is used twice', () => {
    const pool = pair(1, [A, B], [E18, E18])
    const twice = [
      { pool, direction: { in: 0, out: 1 }, share: 0x800000 },
      { pool, direction: { in: 0, out: 1 }, share: 0 },
    ]
    const ends = { tokenIn: A, tokenOut: B, amountIn: E18 }
    const once = replay([{ ...twice[1]! }], ends)!
    expect(Number(once.amountOut - replay(twice, ends)!.amountOut)).toBeGreaterThanOrEqual(0)
    const fresh = replay([twice[1]!], { ...ends, amountIn: E18 / 2n })
    expect(replay(twice, ends)!.amountOut).toBeLessThan(2n * fresh!.amountOut)
  })

  it('rejects a route that leaves a rest', () => {
    const hops = [
      { pool: pair(1, [A, B], [E18, E18]), direction: { in: 0, out: 1 }, share: 1 << 20 },
    ]
    expect(replay(hops, { tokenIn: A, tokenOut: B, amountIn: E18 })).toBeUndefined()
  })
})

describe('snapshots', () => {
  it('round-trip through text, and reject other text', () => {
    const snapshot = snapshotOf([pair(1, [A, B], [5n, 7n])])
    expect(parseSnapshot(stringifySnapshot(snapshot))).toEqual(snapshot)
    expect(() => parseSnapshot('{')).toThrow(expect.objectContaining({ code: 'BAD_SNAPSHOT' }))
    expect(() => parseSnapshot('{"version":9}')).toThrow('version')
    const other = stringifySnapshot(snapshot).replace('uniswapV2', 'unheardOf')
    expect(() => parseSnapshot(other)).toThrow('family')
  })

  it('share unchanged pools when they advance', () => {
    const snapshot = snapshotOf([pair(1, [A, B], [5n, 7n]), pair(2, [A, C], [5n, 7n])])
    const moved = pair(1, [A, B], [6n, 6n])
    const block = { ...snapshot.block, number: 8n }
    const next = advance(snapshot, { block, pools: [moved, pair(3, [B, C], [1n, 1n])] })
    expect(next.pools.map((pool) => pool.id)).toEqual(
      [WRAPPED, 1, 2, 3].map((id) => (typeof id === 'number' ? toHex(id, 20) : id)),
    )
    expect(next.pools[2]).toBe(snapshot.pools[2])
    const graph = buildGraph(snapshot)
    const edgeOf = (of: Graph, id: number) =>
      edgesFrom(of, A).find((edge) => edge.pool.id === toHex(id, 20))
    const unmoved = edgeOf(graph, 2)
    const same = buildGraph(advance(snapshot, { block, pools: [moved] }), graph)
    expect(edgeOf(same, 2)).toBe(unmoved)
    expect(edgeOf(same, 1)?.pool).toBe(moved)
    expect(edgeOf(graph, 1)?.pool).toBe(snapshot.pools[1])
    const { made: _, ...grown } = buildGraph(next, graph)
    expect({ ...grown, made: undefined }).toEqual({ ...buildGraph(next), made: undefined })
  })
})

it('trades the native token through no pool but the wrapping one', () => {
  const good = pair(1, [A, WRAPPED], [1000n * E18, 2000n * E18])
  const others = [
    pair(2, [A, NATIVE], [E18 << 30n, E18]),
    pair(2, [WRAPPED, NATIVE], [E18 << 30n, E18]),
  ]
  const ends = [NATIVE, WRAPPED, A].flatMap((tokenIn) =>
    [NATIVE, WRAPPED, A].flatMap((tokenOut) =>
      tokenIn === tokenOut ? [] : [{ tokenIn, tokenOut }],
    ),
  )
  for (const other of others) {
    const graph = buildGraph(snapshotOf([good, other]))
    for (const order of ends) {
      const { route } = quote(graph, { ...order, amountIn: E18 })
      expect(route.map(({ pool }) => pool.id)).not.toContain(other.id)
    }
    const alone = buildGraph(snapshotOf([other]))
    expect(() => quote(alone, { tokenIn: NATIVE, tokenOut: A, amountIn: E18 })).toThrow(
      NoRouteError,
    )
  }
})
