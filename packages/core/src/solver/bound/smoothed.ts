/**
 * The relaxed bound with its kinks smoothed. Input: a relaxation and a point.
 * Output: a value, and what each edge in use contributes to its derivatives. Next to a deep pool or a
 * tick worth its gas the bound has a kink, and its minimum is at such kinks, where Newton's method
 * needs a smooth function.
 *
 * An edge gets a few columns k: an input x_k, the output h(x_k) and the gas g_k. With the worth
 * r_k = ν_b·h(x_k) − ν_a·x_k − λ·g_k − μ, it adds δ·ln(1 + Σ exp(r_k/δ)) instead of the largest of 0
 * and all r. Log barriers keep λ above the price of gas and μ above 0. The weight of a column is how
 * much of it the relaxation uses.
 */
import { inputAtOf, limitOf, outOf, pieceAt } from '../../math/pieces.js'
import { gasOfPiece } from './columns.js'
import { edgeOf, type Relaxation } from './relaxation.js'

/** Prices, and what the multipliers are above the least that they can be. */
export type Interior = {
  /** ln ν by local token. */
  readonly u: Float64Array
  /** λ less the price of gas; 0 for good if the block cannot bind. */
  readonly gasAbove: number
  /** μ; 0 for good if the cap on legs cannot bind. */
  readonly legPrice: number
}

/** How a bound is smoothed: over δ, in sink units, by the columns of edges near the start. */
export type Smoothing = {
  readonly start: Interior
  readonly δ: number
  /** The columns of each edge, built when its price first comes near. */
  readonly choices: (Choices | undefined)[]
}

/** The columns of an edge, ascending. */
type Choices = {
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly gas: readonly number[]
}

/**
 * What an edge in use adds. `d` are the derivatives by u of the token in and out and by λ; that by μ
 * is −`weight`. The second derivatives are covariances over δ; those with μ are −d·`unused`.
 */
export type Use = {
  readonly edge: number
  /** How much of the edge the bound uses, from 0 to 1. */
  readonly weight: number
  readonly dIn: number
  readonly dOut: number
  readonly dGas: number
  readonly inIn: number
  readonly inOut: number
  readonly outOut: number
  readonly inGas: number
  readonly outGas: number
  readonly gasGas: number
  readonly unused: number
}

/** The smoothed bound at a point, before the gas of the router. */
export type Smoothed = { readonly value: number; readonly uses: readonly Use[] }

// Exponents below this add nothing.
const FAR = 40
// Prices move by at most this factor, so that no column trades beyond.
const MOST_MOVE = 0.5
// Columns are so close that the curve is within this part of δ of the chord between them.
const CHORD = 1 / 4
const MOST_HALVINGS = 8
// The input at a tick belongs to the piece before it.
const BELOW = 1 - 1e-12

/** A smoothing without columns yet. */
export function smoothOver({ edges }: Relaxation, start: Interior, δ: number): Smoothing {
  return { start, δ, choices: new Array(edges.length).fill(undefined) }
}

/** The smoothed bound at a point inside the barriers. */
export function smoothedBound(
  relaxation: Relaxation,
  smoothing: Smoothing,
  { u, gasAbove, legPrice }: Interior,
): Smoothed {
  const { edges, from, to, spot, mostIn, source, amount, room, legs } = relaxation
  const { δ, choices } = smoothing
  const ν = u.map(Math.exp)
  const λ = relaxation.terms.gasCost + gasAbove
  let value = amount * ν[source]!
  if (gasAbove > 0) value += gasAbove * room - δ * Math.log(gasAbove)
  if (legPrice > 0) value += legPrice * legs - δ * Math.log(legPrice)
  const uses: Use[] = []
  for (let i = 0; i < edges.length; i++) {
    const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
    const below = νIn - νOut * spot[i]!
    if (below * mostIn[from[i]!]! > FAR * δ) continue
    choices[i] ??= chooseColumns(relaxation, smoothing, i)
    const { x, gas } = choices[i]!
    if (x.length === 0 || below * x[0]! + λ * gas[0]! + legPrice > FAR * δ) continue
    const { added, use } = soften(choices[i]!, { νIn, νOut, λ, μ: legPrice }, δ)
    value += added
    uses.push({ ...use, edge: i })
  }
  return { value, uses }
}

type Multipliers = {
  readonly νIn: number
  readonly νOut: number
  readonly λ: number
  readonly μ: number
}

/** What an edge adds to the smoothed bound, and to its derivatives. */
function soften(
  { x, y, gas }: Choices,
  { νIn, νOut, λ, μ }: Multipliers,
  δ: number,
): { readonly added: number; readonly use: Omit<Use, 'edge'> } {
  let most = 0
  for (let k = 0; k < x.length; k++) {
    most = Math.max(most, νOut * y[k]! - νIn * x[k]! - λ * gas[k]! - μ)
  }
  let sum = Math.exp(-most / δ)
  let [weight, dIn, dOut, dGas] = [0, 0, 0, 0]
  let [inIn, inOut, outOut, inGas, outGas, gasGas] = [0, 0, 0, 0, 0, 0]
  for (let k = 0; k < x.length; k++) {
    const [a, b, g] = [-νIn * x[k]!, νOut * y[k]!, -gas[k]!]
    const w = Math.exp((a + b + λ * g - μ - most) / δ)
    sum += w
    weight += w
    dIn += w * a
    dOut += w * b
    dGas += w * g
    inIn += w * a * a
    inOut += w * a * b
    outOut += w * b * b
    inGas += w * a * g
    outGas += w * b * g
    gasGas += w * g * g
  }
  const [a, b, g] = [dIn / sum, dOut / sum, dGas / sum]
  const use = {
    ...{ weight: weight / sum, dIn: a, dOut: b, dGas: g, unused: (1 - weight / sum) / δ },
    ...{ inIn: (inIn / sum - a * a) / δ, inOut: (inOut / sum - a * b) / δ },
    ...{ outOut: (outOut / sum - b * b) / δ, inGas: (inGas / sum - a * g) / δ },
    ...{ outGas: (outGas / sum - b * g) / δ, gasGas: (gasGas / sum - g * g) / δ },
  }
  return { added: most + δ * Math.log(sum), use }
}

/** The columns of an edge: at the ticks, and between them as close as its curvature asks for. */
function chooseColumns(relaxation: Relaxation, smoothing: Smoothing, i: number): Choices {
  const { start, δ } = smoothing
  const edge = edgeOf(relaxation, i)
  const { pieces, stepGas } = edge
  const { from, to, mostIn } = relaxation
  const [uIn, uOut] = [start.u[from[i]!]!, start.u[to[i]!]!]
  const νOut = Math.exp(uOut)
  const reached = inputAtOf(pieces, MOST_MOVE * Math.exp(uIn - uOut))
  const end = Math.min(mostIn[from[i]!]! + edge.extraIn, limitOf(pieces), reached)
  if (!(end > 0)) return { x: [], y: [], gas: [] }
  const ends: number[] = []
  const last = stepGas > 0 ? pieceAt(pieces, end) : 0
  for (let j = 1; j <= last; j++) if (pieces.startIn[j]! < end) ends.push(pieces.startIn[j]!)
  const x: number[] = []
  const between = (low: number, high: number, halvings: number) => {
    const middle = (low + high) / 2
    const chord = (outOf(pieces, low) + outOf(pieces, high)) / 2
    if (halvings > 0 && νOut * (outOf(pieces, middle) - chord) > CHORD * δ) {
      between(low, middle, halvings - 1)
      between(middle, high, halvings - 1)
    } else x.push(high)
  }
  for (const [n, high] of [...ends, end].entries()) between(ends[n - 1] ?? 0, high, MOST_HALVINGS)
  const pieceOf = (input: number) => Math.max(0, pieceAt(pieces, input * BELOW))
  return {
    x,
    y: x.map((input) => outOf(pieces, input)),
    gas: x.map((input) => gasOfPiece(edge, pieceOf(input))),
  }
}
