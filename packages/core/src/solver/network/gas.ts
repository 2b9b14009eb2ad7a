/**
 * Gas of a local edge for an input: its least, custody, and each further piece or interval that its
 * price enters, as the pool's own estimate counts them. Used wherever a route is valued before it is replayed.
 */
import { enteredAt, lowestPrice } from '../../math/intervals.js'
import { inputAtOf, pieceAt, priceOf } from '../../math/pieces.js'
import { canBePaidDirectly } from '../../pools/index.js'
import type { Problem } from './problem.js'

/**
 * Gas of a local edge for an input, by default the dual's flow: its least, its steps and intervals, and custody, because
 * in a split funds usually pass through the executor before the hop.
 */
export function gasAt(problem: Problem, i: number, amount = problem.x[i]!): number {
  const gas = gasOfSteps(problem, i, stepsOf(problem, i, amount))
  const { graph, edges, rate, pieces } = problem
  const intervals = graph.intervals[edges[i]!]
  if (!intervals) return gas
  return gas + intervals.gas * enteredAt(intervals, rate[i]!, priceOf(pieces[i]!, amount))
}

/** The most input that saves so much gas of intervals; 0 if none does. */
export function inputSaving(problem: Problem, i: number, gas: number): number {
  const { graph, edges, rate, pieces, x } = problem
  const intervals = graph.intervals[edges[i]!]
  if (!intervals) return 0
  const entered = enteredAt(intervals, rate[i]!, priceOf(pieces[i]!, x[i]!))
  const left = entered - Math.ceil(gas / intervals.gas)
  return left < 0 ? 0 : inputAtOf(pieces[i]!, lowestPrice(intervals, rate[i]!, left))
}

/** Gas of a local edge that crosses a number of steps: its least, custody, and that of the steps. */
export function gasOfSteps({ graph, edges }: Problem, i: number, steps: number): number {
  const e = edges[i]!
  return graph.gas[e]! + graph.custodyGas[e]! + graph.stepGas[e]! * steps
}

/** The steps that an input crosses, counted where they cost gas. */
export function stepsOf({ graph, edges, pieces }: Problem, i: number, amount: number): number {
  return graph.stepGas[edges[i]!] === 0 ? 0 : pieceAt(pieces[i]!, amount)
}

/**
 * Gas of a local edge in a path, for an input of x; `before` is the previous edge, −1 if none. Never
 * above that of the pool, as the intervals that the price enters are left out.
 */
export function gasAfter(problem: Problem, before: number, i: number, x: number): number {
  const { graph, edges } = problem
  const gas = gasOfSteps(problem, i, stepsOf(problem, i, x))
  const custodyGas = graph.custodyGas[edges[i]!]!
  if (custodyGas === 0) return gas
  const poolOf = (edge: number) => graph.stateOf[graph.poolOf[edges[edge]!]!]!
  const payer = before < 0 ? undefined : poolOf(before)
  const isStraight = canBePaidDirectly(poolOf(i), payer)
  return isStraight ? gas - custodyGas : gas
}
