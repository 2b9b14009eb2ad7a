import type { Direction, Pool } from '@braid-swap/core'
import { toCurve } from '@braid-swap/core/families'
import type { Random } from '@braid-swap/devnet'
import { anyBelow, anyBits, anyInteger } from './integers.js'

const MAX_INT256 = (1n << 255n) - 1n

/** From any token of a pool to any other. */
export function anyDirection(random: Random, { tokens }: Pick<Pool, 'tokens'>): Direction {
  const from = anyInteger(random, 0, tokens.length - 1)
  return { in: from, out: (from + anyInteger(random, 1, tokens.length - 1)) % tokens.length }
}

/**
 * A random input for a pool, in wei: of any size from dust to the pool's limit, sometimes at the limit
 * and sometimes above it. The pool's curve is used only to find the limit.
 */
export function anyAmount(random: Random, pool: Pool, direction: Direction): bigint {
  const { limit } = toCurve(pool, direction)
  const most = Number.isFinite(limit) && limit >= 1 ? BigInt(Math.floor(limit)) : 1n << 64n
  const bits = most.toString(2).length
  const kind = random.next()
  if (kind < 0.08) return BigInt(anyInteger(random, 1, 9))
  if (kind < 0.78) return anyBits(random, 1, bits)
  if (kind < 0.9) {
    // Within a relative distance of 2^-k of the limit, on either side.
    const nearness = BigInt(anyInteger(random, 1, 60))
    const offset = anyBelow(random, (most >> nearness) + 3n)
    const amount = random.next() < 0.5 ? most - offset : most + offset
    return amount > 0n ? amount : 1n
  }
  if (kind < 0.99) return most * anyBits(random, 1, 40)
  return random.pick([MAX_INT256, MAX_INT256 + 1n, (1n << 112n) - 1n, 1n << 128n])
}
