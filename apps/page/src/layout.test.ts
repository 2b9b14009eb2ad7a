import type { GraphEntry } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOut, partsOf } from './layout.js'

const name = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const hop = (from: number, to: number, amountIn: bigint, pool = 0): GraphEntry => ({
  ...{ from: name(from), to: name(to), pool: name(1_000 + pool), exchange: 'v', poolType: 'p' },
  ...{ amountIn, amountOut: amountIn, share: 0n, gas: 0n, fee: 0, percentage: 0 },
  takesRemainder: false,
})

/** Routes from token 0 to the last one: every token passes on all it got, in execution order. */
const routes = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(), { minLength: 1, maxLength: 12 }))
  .map(([last, seeds]) => {
    const held = new Map([[0, 1_000_000n]])
    const graph: GraphEntry[] = []
    for (let token = 0; token < last; token++) {
      const all = held.get(token) ?? 0n
      if (all === 0n) continue
      const count = BigInt(1 + ((seeds[token % seeds.length] ?? 0) % 4))
      for (let i = 0n; i < count; i++) {
        const to = token + 1 + ((seeds[Number(i) % seeds.length] ?? 0) % (last - token))
        const amount = i === count - 1n ? all - (all / count) * i : all / count
        graph.push(hop(token, to, amount, graph.length))
        held.set(to, (held.get(to) ?? 0n) + amount)
      }
    }
    return { graph, last }
  })

describe('the parts of a route', () => {
  it('are conserved: all that leaves the first token arrives at the last', () => {
    fc.assert(
      fc.property(routes, ({ graph, last }) => {
        const parts = partsOf(graph)
        const sum = (isIn: (entry: GraphEntry) => boolean) =>
          graph.reduce((total, entry, i) => total + (isIn(entry) ? parts[i]! : 0), 0)
        expect(sum(({ from }) => from === name(0))).toBeCloseTo(1, 9)
        expect(sum(({ to }) => to === name(last))).toBeCloseTo(1, 9)
      }),
    )
  })
})

describe('the picture of a route', () => {
  const rooms = fc.record({
    ...{ width: fc.integer({ min: 250, max: 1_200 }), height: fc.integer({ min: 250, max: 600 }) },
    isUpright: fc.boolean(),
  })

  it('stays in its room, with every token and every hop in it once', () => {
    fc.assert(
      fc.property(routes, rooms, ({ graph }, room) => {
        const { tokens, ribbons } = layOut(graph, room)
        const names = new Set(graph.flatMap(({ from, to }) => [from, to]))
        expect(new Set(tokens.map(({ token }) => token))).toEqual(names)
        expect(tokens).toHaveLength(names.size)
        expect(ribbons.map(({ index }) => index)).toEqual(graph.map((_, i) => i))
        for (const { x, y, width, height } of tokens) {
          expect(Math.min(x, y, width, height)).toBeGreaterThanOrEqual(-0.01)
          expect(x + width).toBeLessThanOrEqual(room.width + 0.01)
          expect(y + height).toBeLessThanOrEqual(room.height + 0.01)
        }
        expect(ribbons.map(({ path }) => path).join()).not.toMatch(/NaN|Infinity/)
      }),
      { endOnFailure: true },
    )
  })

  it('runs from the first token to the last', () => {
    const graph = [hop(0, 1, 40n), hop(0, 2, 60n), hop(1, 2, 40n)]
    const { tokens } = layOut(graph, { width: 600, height: 300, isUpright: false })
    expect(tokens.map(({ x, isFirst, isLast }) => [Math.round(x), isFirst, isLast])).toEqual([
      [0, true, false],
      [294, false, false],
      [588, false, true],
    ])
    expect(layOut([], { width: 600, height: 300, isUpright: false }).ribbons).toEqual([])
  })
})
