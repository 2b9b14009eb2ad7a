// Powers of 18-decimal fixed-point numbers by x^y = exp(y·ln x), in the integers of Balancer's
// contracts: the same constants, series lengths and truncations, so that every wei is the same.
//
//   ln x   repeated division by e^(2^k), then 2·artanh((a − 1)/(a + 1)) as a series of six terms
//   exp x  repeated multiplication by e^(2^k), then a Taylor series of twelve terms
//
// Near 1, ln is a series of eight terms with 36 decimals.

const E18 = 10n ** 18n
const E20 = 10n ** 20n
const E36 = 10n ** 36n
const MIN_EXPONENT = -41n * E18
const MAX_EXPONENT = 130n * E18
const NEAR_ONE_FROM = 9n * 10n ** 17n
const NEAR_ONE_TO = 11n * 10n ** 17n

/** A power of two and e to it. */
type Step = { readonly x: bigint; readonly a: bigint }

/** 2^7 and 2^6 with 18 decimals, and e to them as integers. */
const LARGE_POWERS: readonly Step[] = [
  { x: 128n * E18, a: 38877084059945950922200000000000000000000000000000000000n },
  { x: 64n * E18, a: 6235149080811616882910000000n },
]

/** 2^5 to 2^−4, and e to them, both with 20 decimals. */
const SMALL_POWERS: readonly Step[] = [
  { x: 32n * E20, a: 7896296018268069516100000000000000n },
  { x: 16n * E20, a: 888611052050787263676000000n },
  { x: 8n * E20, a: 298095798704172827474000n },
  { x: 4n * E20, a: 5459815003314423907810n },
  { x: 2n * E20, a: 738905609893065022723n },
  { x: E20, a: 271828182845904523536n },
  { x: E20 / 2n, a: 164872127070012814685n },
  { x: E20 / 4n, a: 128402541668774148407n },
  { x: E20 / 8n, a: 113314845306682631683n },
  { x: E20 / 16n, a: 106449445891785942956n },
]

// `exp` stops at 2^−2; its series does the rest.
const OF_EXP = SMALL_POWERS.slice(0, 8)
const EXP_TERMS = 12n
const LN_TERMS = 6
const NEAR_ONE_TERMS = 8

/** x^y for an x up to 1, all with 18 decimals; `undefined` if the contract reverts. `LogExpMath.pow`. */
export function powFixed(x: bigint, y: bigint): bigint | undefined {
  if (y === 0n) return E18
  if (x === 0n) return 0n
  const exponent = lnTimes(x, y)
  if (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT) return undefined
  return expFixed(exponent)
}

function lnTimes(x: bigint, y: bigint): bigint {
  if (x <= NEAR_ONE_FROM || x >= NEAR_ONE_TO) return (lnFixed(x) * y) / E18
  const ln = lnNearOne(x)
  return ((ln / E18) * y + ((ln % E18) * y) / E18) / E18
}

/** eˣ for an x from −41 to 130. */
function expFixed(exponent: bigint): bigint {
  let x = exponent < 0n ? -exponent : exponent
  const whole = LARGE_POWERS.find((step) => x >= step.x)
  if (whole) x -= whole.x
  x *= 100n
  let product = E20
  for (const step of OF_EXP) {
    if (x < step.x) continue
    x -= step.x
    product = (product * step.a) / E20
  }
  let term = x
  let sum = E20 + term
  for (let n = 2n; n <= EXP_TERMS; n++) {
    term = (term * x) / E20 / n
    sum += term
  }
  const result = (((product * sum) / E20) * (whole?.a ?? 1n)) / 100n
  return exponent < 0n ? E36 / result : result
}

/** ln x for an x away from 1, with 18 decimals. */
function lnFixed(x: bigint): bigint {
  if (x < E18) return -lnFixed(E36 / x)
  let a = x
  let sum = 0n
  for (const step of LARGE_POWERS) {
    if (a < step.a * E18) continue
    a /= step.a
    sum += step.x
  }
  sum *= 100n
  a *= 100n
  for (const step of SMALL_POWERS) {
    if (a < step.a) continue
    a = (a * E20) / step.a
    sum += step.x
  }
  return (sum + artanhTwice(a, { one: E20, terms: LN_TERMS })) / 100n
}

/** ln x for an x from 0.9 to 1.1, with 36 decimals. */
function lnNearOne(x: bigint): bigint {
  return artanhTwice(x * E18, { one: E36, terms: NEAR_ONE_TERMS })
}

/** 2·artanh((a − 1)/(a + 1)), which is ln a, as z + z³/3 + z⁵/5 + … */
function artanhTwice(
  a: bigint,
  { one, terms }: { readonly one: bigint; readonly terms: number },
): bigint {
  const z = ((a - one) * one) / (a + one)
  const square = (z * z) / one
  let power = z
  let sum = power
  for (let k = 1; k < terms; k++) {
    power = (power * square) / one
    sum += power / BigInt(2 * k + 1)
  }
  return 2n * sum
}
