import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, type Graph, piecesOf } from './graph.js'
import { toHex } from './hex.js'
import { getSqrtPriceAtTick, getTickAtSqrtPrice } from './math/tickMath.js'
import { BadFamilyError, type Pool } from './pools/index.js'
import { referenceOf, setAsideOf, throughputOf } from './reference/referencePrices.js'
import { leastGas } from './replay.js'
import { advance, type Snapshot } from './snapshot.js'
import { pair, snapshotOf } from './testing/arbitraryMarkets.js'

const TOKENS = 8

/** Few distinct depths, so that many pools are equally deep; some are empty or far off the market. */
const anyDepth = fc.oneof(
  fc.constantFrom(10n ** 15n, 10n ** 18n, 2n * 10n ** 18n, 10n ** 21n),
  fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }),
)
const anySkew = fc.constantFrom(1000n, 1000n, 1000n, 1001n, 999n, 1300n, 0n)

const anyPair = fc
  .record({
    id: fc.nat(30),
    ends: fc.tuple(fc.nat(TOKENS - 1), fc.nat(TOKENS - 1)).filter(([a, b]) => a !== b),
  })
  .map(({ id, ends: [a, b] }) => ({
    id: id * 100 + a * 10 + b,
    ends: [Math.min(a, b), Math.max(a, b)] as const,
  }))

const anyState = fc.record({
  depth: anyDepth,
  skew: anySkew,
  tick: fc.integer({ min: -400, max: 400 }),
  isAtTick: fc.boolean(),
})

type State = typeof anyState extends fc.Arbitrary<infer T> ? T : never
type Place = { readonly id: number; readonly ends: readonly [number, number] }

function poolOf({ id, ends }: Place, state: State) {
  const { depth, skew, tick, isAtTick } = state
  const base = pair(id, ends, [depth, (depth * skew) / 1000n])
  // The family of a pool stays the same in all its states.
  const kind = id % 4
  if (kind === 0 || base.family !== 'uniswapV2') return base
  const { venue, tokens } = base
  if (kind === 1) {
    const units = [10n ** 18n, 10n ** 18n] as const
    const fee = { variant: 'solidly', stable: id % 8 === 1, units, feePpm: 100 } as const
    const reserves = base.reserves.map((reserve) => reserve * 1000n) as [bigint, bigint]
    return { family: 'solidly', id: base.id, venue, tokens, reserves, ...fee } satisfies Pool
  }
  const price = getSqrtPriceAtTick(tick) + (isAtTick ? 0n : 10n ** 20n)
  const ticks = [-600, -120, -60, 0, 60, 180, 600].map((index, n) => ({
    index,
    liquidityNet: n < 3 ? depth : n === 3 ? 0n : -depth,
  }))
  const at = getTickAtSqrtPrice(price)
  const liquidity = ticks.reduce((sum, t) => (t.index <= at ? sum + t.liquidityNet : sum), 0n)
  const state3 = { sqrtPriceX96: price, tick: at, liquidity, ticks }
  const feePpm = kind === 2 ? 0 : 500
  const shape = { family: 'uniswapV3', tickSpacing: 60, feePpm } as const
  return { ...shape, id: base.id, venue, tokens, ...state3 } satisfies Pool
}

const anyPlaces = fc.uniqueArray(anyPair, {
  minLength: 1,
  maxLength: 24,
  selector: ({ id }) => id,
})

/** Every value of a graph and its reference as bytes, but not the caches that fill on use. */
function valuesOf(graph: Graph) {
  const reference = referenceOf(graph)
  const allPieces = Array.from(graph.from, (_, e) => inBytes(piecesOf(graph, e)))
  const { made: _made, pieces: _pieces, piecesFrom: _from, ...values } = graph
  return {
    ...{ ...inBytes(values), allPieces, reference: inBytes(reference) },
    ...{ tree: inBytes(reference.tree), throughput: throughputOf(graph, reference).ranked },
    aside: setAsideOf(graph, reference),
  }
}

function inBytes(values: object) {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    ArrayBuffer.isView(value) ? Buffer.from(value.buffer).toString('hex') : value,
  ])
  return { ...Object.fromEntries(entries), tree: undefined }
}

const leastGasOf = (graph: Graph) =>
  Array.from(graph.from, (_, e) => {
    const pool = graph.stateOf[graph.poolOf[e]!]!
    return leastGas(pool, { in: graph.directionOf[e]!, out: 1 - graph.directionOf[e]! })
  })

describe('a graph that follows its market', () => {
  it('equals a graph built from the snapshot alone, bit for bit', () => {
    fc.assert(
      fc.property(
        anyPlaces,
        fc.infiniteStream(anyState),
        fc.array(
          fc.record({
            moved: fc.array(fc.nat(23), { maxLength: 12 }),
            added: fc.option(anyPair, { freq: 6 }),
            removed: fc.option(fc.nat(23), { freq: 6 }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (places, states, blocks) => {
          const nextState = () => states.next().value
          const seen = new Map<string, Place>()
          const made = (place: Place) => {
            const pool = poolOf(place, nextState())
            seen.set(pool.id, place)
            return pool
          }
          let snapshot: Snapshot = snapshotOf(places.map(made))
          let graph = buildGraph(snapshot)
          referenceOf(graph)
          const earlier: { graph: Graph; snapshot: Snapshot }[] = []
          for (const { moved, added, removed } of blocks) {
            earlier.push({ graph, snapshot })
            const { pools } = snapshot
            const changed = [...new Set(moved.filter((n) => n < pools.length))].map((n) =>
              made(seen.get(pools[n]!.id)!),
            )
            const isNew = added && !seen.has(toHex(0x1000 + added.id, 20))
            const gone = removed !== null && pools.length > 1 ? pools[removed]?.id : undefined
            const kept = changed.filter(({ id }) => id !== gone)
            const next = { block: snapshot.block, pools: isNew ? [...kept, made(added)] : kept }
            snapshot = advance(snapshot, gone ? { ...next, removed: [gone] } : next)
            const followed = buildGraph(snapshot, graph)
            referenceOf(followed, graph)
            graph = followed
            expect(valuesOf(graph)).toEqual(valuesOf(buildGraph(snapshot)))
            expect([...graph.gas]).toEqual(leastGasOf(graph))
          }
          // The graphs of earlier blocks keep their values, although later ones share their arrays.
          for (const { graph: old, snapshot: at } of earlier) {
            expect(valuesOf(old)).toEqual(valuesOf(buildGraph(at)))
          }
        },
      ),
      { numRuns: 60, endOnFailure: true },
    )
  })

  it('updates the least gas of a pool whose price reaches a tick', () => {
    const place = { id: 2, ends: [0, 1] as const }
    const state = { depth: 10n ** 18n, skew: 1000n, isAtTick: false } as const
    const before = poolOf(place, { ...state, tick: 30 })
    const after = poolOf(place, { ...state, tick: 60, isAtTick: true })
    const first = buildGraph(snapshotOf([before]))
    const next = advance(first.snapshot, { block: first.snapshot.block, pools: [after] })
    expect([...buildGraph(next, first).gas]).toEqual([...buildGraph(next).gas])
    expect([...buildGraph(next).gas]).not.toEqual([...first.gas])
  })
})

it('refuses a pool of an unknown family, also under a name that every object inherits', () => {
  for (const family of ['unknown', 'toString']) {
    const strange = { ...pair(0, [1, 2], [1_000n, 5_000n]), family } as unknown as Pool
    expect(() => buildGraph(snapshotOf([strange]))).toThrow(BadFamilyError)
  }
})
