import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from './certificate/recomputeBound.js'
import { quoteExactOut } from './exactOut/quoteExactOut.js'
import { buildGraph } from './graph.js'
import * as core from './index.js'
import { type AnyFamily, families, type Pool, type Registry } from './pools/index.js'
import { quote } from './quote.js'
import type { Snapshot } from './snapshot.js'
import { TOKEN_A, TOKEN_B } from './testing/arbitrary.js'
import { pair, snapshotOf, token, WRAPPED } from './testing/arbitraryMarkets.js'
import { anyMarketOfEveryFamily } from './testing/everyFamily.js'
import { withFamilies } from './withFamilies.js'

const router = `0x${'ee'.repeat(20)}` as const
const terms = { wrappedNative: WRAPPED, slippagePpm: 5000n, deadline: 2_000_000_000n }

const renamed = (name: string) => `outside-${name}`
/** Every family under another name: a function that looks into the built-in list finds none. */
const outside: Registry = Object.fromEntries(
  Object.entries(families).map(([name, family]) => [
    renamed(name),
    { ...(family as AnyFamily), shape: { kind: 'any' } },
  ]),
)
const rename = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  pools: snapshot.pools.map((pool) => ({ ...pool, family: renamed(pool.family) }) as Pool),
})
/** A value with the names of families as they were. */
const restored = (value: unknown): unknown =>
  core.parse(core.stringify(value).replaceAll('"outside-', '"'))

describe('every family under another name', () => {
  const market = withFamilies(outside)
  const snapshots = fc.sample(anyMarketOfEveryFamily, { numRuns: 1, seed: 7 })

  it('gives the same quotes, bounds, exact outputs and calldata as the built-in ones', () => {
    for (const snapshot of snapshots) {
      const given = market.checkSnapshot(rename(snapshot))
      const [here, there] = [buildGraph(snapshot), market.buildGraph(given)]
      const order = { tokenIn: TOKEN_A, tokenOut: TOKEN_B, amountIn: 10n ** 15n }
      const [expected, found] = [quote(here, order), quote(there, order)]
      expect(restored(found)).toEqual(restored(expected))
      const bound = market.recomputeBound(given, order, found.bound!)
      expect(bound).toBe(recomputeBound(snapshot, order, expected.bound!))
      expect(market.replay(found.route, order)?.amountOut).toBe(expected.amountOut)

      const call = market.routerCallOf(found, terms)
      expect(call).toEqual(core.routerCallOf(expected, terms))
      const tx = core.swapCallOf(router, call)
      const intent = market.readIntent(tx.data, WRAPPED)
      expect(intent.faults).toEqual([])
      expect(market.replayIntent(intent, given)).toEqual({ amountOut: expected.amountOut })
      const wanted = { tokenIn: TOKEN_A, tokenOut: TOKEN_B }
      expect(market.findMismatches(tx, { router, wrappedNative: WRAPPED, wanted })).toEqual([])
      const ends = { tokenIn: TOKEN_A, tokenOut: TOKEN_B }
      expect(market.decodeProgram(call.program, ends).hops).toHaveLength(intent.hops.length)

      const exact = { tokenIn: TOKEN_A, tokenOut: TOKEN_B, amountOut: expected.amountOut / 2n + 1n }
      const least = quoteExactOut(there, exact)
      expect(restored(least)).toEqual(restored(quoteExactOut(here, exact)))
      if (least.inputBound) {
        expect(market.recomputeInputBound(given, exact, least.inputBound)).toBeTypeOf('bigint')
      }
    }
  })

  it('keeps its registry when a block moves pools', () => {
    const given = rename(snapshots[0]!)
    const graph = market.buildGraph(given)
    const next = { ...given, pools: given.pools.map((pool) => ({ ...pool })) }
    expect(market.buildGraph(next, graph).families).toBe(outside)
    // Another registry shares nothing with the graph before.
    expect(() => buildGraph(next, graph)).toThrow(core.BadFamilyError)
  })
})

describe('a registry', () => {
  const pools = [pair(0, [1, 2], [1_000n, 5_000n])]
  const snapshot = snapshotOf(pools)
  const codeOf = (run: () => unknown) => {
    try {
      run()
      return undefined
    } catch (error) {
      return error instanceof core.BaseError ? [error.code, error.details] : error
    }
  }

  it('refuses an entry that is not a family, by its name and what it has not', () => {
    const { isEmpty: _, ...broken } = families.uniswapV2
    expect(codeOf(() => withFamilies({ broken } as unknown as Registry))).toEqual([
      'BAD_FAMILY',
      { family: 'broken', field: 'isEmpty', wanted: expect.any(String) },
    ])
    const shapeless = { ...families.uniswapV2, shape: undefined }
    expect(codeOf(() => withFamilies({ shapeless } as unknown as Registry))).toMatchObject([
      'BAD_FAMILY',
      { field: 'shape' },
    ])
    expect(codeOf(() => withFamilies({ none: undefined } as unknown as Registry))).toMatchObject([
      'BAD_FAMILY',
      { family: 'none' },
    ])
  })

  it('is the only one that is asked: a pool of another family is refused by id', () => {
    const without = withFamilies({ wrap: families.wrap })
    const id = pools[0]!.id
    expect(codeOf(() => without.buildGraph(snapshot))).toMatchObject(['BAD_FAMILY', { pool: id }])
    expect(codeOf(() => without.checkSnapshot(snapshot))).toMatchObject([
      'BAD_SNAPSHOT',
      { pool: id, field: 'family', wanted: 'wrap' },
    ])
  })

  it('has no families of names that every object inherits', () => {
    const strange = { ...pools[0]!, family: 'toString' } as unknown as Pool
    expect(codeOf(() => buildGraph(snapshotOf([strange])))).toMatchObject(['BAD_FAMILY', {}])
  })

  it('describes its own families in the schema', () => {
    const schema = withFamilies({ mine: families.uniswapV2 }).snapshotSchema()
    expect(Object.keys(schema['$defs'] as object)).toEqual(['mine'])
  })

  it('cannot encode what the executor would read as something else', () => {
    const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 100n }
    const encodings = {
      ...{ 'no opcode': '0x', 'unknown opcode': `0x7f${pools[0]!.id.slice(2)}01` },
      'too long': `0x02${pools[0]!.id.slice(2)}0100`,
      'too short': `0x02${pools[0]!.id.slice(2)}`,
      'another contract': `0x02${'13'.repeat(20)}01`,
    }
    for (const [fault, swap] of Object.entries(encodings)) {
      const family = { ...families.uniswapV2, encodeSwap: () => swap as core.Hex }
      const market = withFamilies({ ...families, uniswapV2: family })
      const best = quote(market.buildGraph(snapshot), order)
      expect(
        codeOf(() => market.routerCallOf(best, terms)),
        fault,
      ).toMatchObject(['BAD_FAMILY', { pool: pools[0]!.id, got: swap }])
    }
  })
})

describe('the entry', () => {
  it('exports each family by its name', () => {
    for (const [name, family] of Object.entries(families)) {
      expect((core as Record<string, unknown>)[name], name).toBe(family)
    }
  })
})
