/** A reproducible stream of random numbers. */
export type Random = {
  /** Uniform in [0, 1). */
  readonly next: () => number
  /** Standard normal. */
  readonly normal: () => number
  /** One of the items, with equal probability. */
  readonly pick: <T>(items: readonly T[]) => T
}

/** One of the streams of a seed: sfc32 of Chris Doty-Humphrey's PractRand, warmed up. */
export function createRandom(seed: number, stream = 0): Random {
  let [a, b, c, counter] = [seed | 0, (seed / 2 ** 32) | 0, stream | 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 16; i++) next()
  // Box-Muller; 1 − u keeps the logarithm finite.
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  return { next, normal, pick }
}
