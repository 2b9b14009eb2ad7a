/**
 * Gas of a local edge for an input: its least, custody, and each further piece or distance that its
 * price moves. Used wherever a route is valued before it is replayed.
 */
import { edgeAt } from '../../graph.js'
import { pieceAt, priceOf } from '../../math/pieces.js'
import { canBePaidDirectly } from '../../pools/index.js'
import type { Problem } from './problem.js'

/**
 * Gas of a local edge for an input `amount`, by default the dual's flow. Each piece after the first
 * costs gas, and so does the distance that the price moves. In a split, funds usually pass through
 * the executor before the hop, so that is included.
 */
export function gasAt(problem: Problem, i: number, amount = problem.x[i]!): number {
  const gas = gasOfSteps(problem, i, stepsOf(problem, i, amount))
  const { graph, edges, rate, pieces } = problem
  const moveGas = graph.moveGas[edges[i]!]!
  if (moveGas === 0) return gas
  return gas + moveGas * Math.max(0, Math.log(rate[i]! / priceOf(pieces[i]!, amount)))
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
 * above that of the pool, as the distance that the price moves is left out.
 */
export function gasAfter(problem: Problem, before: number, i: number, x: number): number {
  const { graph, edges } = problem
  const gas = gasOfSteps(problem, i, stepsOf(problem, i, x))
  const custodyGas = graph.custodyGas[edges[i]!]!
  if (custodyGas === 0) return gas
  const poolOf = (edge: number) => edgeAt(graph, edges[edge]!).pool
  const payer = before < 0 ? undefined : poolOf(before)
  const isStraight = canBePaidDirectly(graph.families, poolOf(i), payer)
  return isStraight ? gas - custodyGas : gas
}
