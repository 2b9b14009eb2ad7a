import type { Random } from '@braid-swap/devnet'

/** A uniform integer in [min, max]. */
export function anyInteger(random: Random, min: number, max: number): number {
  return min + Math.floor(random.next() * (max - min + 1))
}

/** A uniform bigint in [0, limit), with a bias below 2⁻⁶⁴. */
export function anyBelow(random: Random, limit: bigint): bigint {
  let value = 0n
  for (let range = 1n; range < limit << 64n; range <<= 32n) {
    value = (value << 32n) | BigInt(Math.floor(random.next() * 2 ** 32))
  }
  return value % limit
}

/** A bigint with a uniform number of bits, so that small and huge values are equally likely. */
export function anyBits(random: Random, minBits: number, maxBits: number): bigint {
  const bits = BigInt(anyInteger(random, minBits, maxBits))
  if (bits === 0n) return 0n
  const top = 1n << (bits - 1n)
  return top + anyBelow(random, top)
}
