/** A deterministic random generator: equal seeds give equal sequences on every machine. */
export type Prng = {
  /** Uniform in [0, 1), with 32 bits. */
  readonly next: () => number
  /** Uniform integer in [0, n). */
  readonly below: (n: number) => number
  /** Uniform in [low, high). */
  readonly between: (low: number, high: number) => number
  /** Log-uniform in [low, high). */
  readonly logBetween: (low: number, high: number) => number
  /** Standard normal, by Box and Muller. */
  readonly normal: () => number
  readonly pick: <T>(items: readonly T[]) => T
}

/** A splitmix32 generator: it passes the usual statistical tests and has four lines. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let z = state ^ (state >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + (high - low) * next()
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    between,
    logBetween: (low, high) => Math.exp(between(Math.log(low), Math.log(high))),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('cannot pick from an empty list')
      return item
    },
  }
}
