import type { Random } from '@braid-swap/devnet'

/** A whole number in [min, max], each as likely. */
export function anyInteger(random: Random, min: number, max: number): number {
  return min + Math.floor(random.next() * (max - min + 1))
}

/** A bigint in [0, limit), each as likely up to a bias of 2⁻⁶⁴. */
export function anyBelow(random: Random, limit: bigint): bigint {
  let value = 0n
  for (let range = 1n; range < limit << 64n; range <<= 32n) {
    value = (value << 32n) | BigInt(Math.floor(random.next() * 2 ** 32))
  }
  return value % limit
}

/** A bigint spread evenly over its number of bits, so that small and huge come equally often. */
export function anyBits(random: Random, minBits: number, maxBits: number): bigint {
  const bits = BigInt(anyInteger(random, minBits, maxBits))
  if (bits === 0n) return 0n
  const top = 1n << (bits - 1n)
  return top + anyBelow(random, top)
}
