import type { GraphEntry } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import fc from 'fast-check'

/** The address of a numbered token. */
export const name = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

/** A hop between numbered tokens. */
export const hop = (from: number, to: number, amountIn: bigint, pool = 0): GraphEntry => ({
  ...{ from: name(from), to: name(to), pool: name(1_000 + pool), exchange: 'v', poolType: 'p' },
  ...{ amountIn, amountOut: amountIn, share: 0n, gas: 0n, fee: 0, percentage: 0 },
  takesRemainder: false,
})

/** Routes from token 0 to the last one, in execution order: every token spends all of its input. */
export const routes = fc
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
