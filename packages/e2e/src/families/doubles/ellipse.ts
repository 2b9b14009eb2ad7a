// The parameters of a Gyro E-CLP from its price range, as its constructor takes them.

/** Prices of token 0 in token 1, both in whole tokens, and the stretch. */
export type EllipseShape = {
  /** The lowest and the highest price. */
  readonly alpha: number
  readonly beta: number
  /** The price at which the ellipse is flattest. */
  readonly price: number
  /** At least 1. */
  readonly lambda: number
}

type Point = { readonly x: bigint; readonly y: bigint }

const [E18, E36, E38] = [10n ** 18n, 10n ** 36n, 10n ** 38n]

/** The five parameters with 18 decimals and the nine derived ones with 38. */
export function ellipseOf(shape: EllipseShape) {
  const [alpha, beta, price, lambda] = [shape.alpha, shape.beta, shape.price, shape.lambda].map(
    (value) => BigInt(Math.round(value * 1e9)) * 10n ** 9n,
  ) as [...[bigint, bigint, bigint, bigint]]
  const norm = root(price ** 2n + E36)
  const [c, s] = [(E18 * E18) / norm, (price * E18) / norm]
  const tauAt = (bound: bigint): Point => {
    const [x, y] = [lambda * (c * bound - s * E18), (s * bound + c * E18) * E18]
    const length = root(x ** 2n + y ** 2n)
    return { x: (x * E38) / length, y: (y * E38) / length }
  }
  const [tauAlpha, tauBeta] = [tauAt(alpha), tauAt(beta)]
  const of = (product: bigint, value: bigint) => (product * value) / E36
  const derived = {
    ...{ tauAlpha, tauBeta },
    u: of(s * c, tauBeta.x - tauAlpha.x),
    v: of(s * s, tauBeta.y) + of(c * c, tauAlpha.y),
    w: of(s * c, tauBeta.y - tauAlpha.y),
    z: of(c * c, tauBeta.x) + of(s * s, tauAlpha.x),
    dSq: (c * c + s * s) * 100n,
  }
  return [{ alpha, beta, c, s, lambda }, derived] as const
}

/** The root of a positive integer, rounded down. */
function root(n: bigint): bigint {
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (let next = (x + n / x) >> 1n; next < x; next = (x + n / x) >> 1n) x = next
  return x
}
