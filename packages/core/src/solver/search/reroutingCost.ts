/**
 * Cost of rerouting an edge's flow, by effective resistance. Input: a problem at a minimum and its Newton
 * system. Output: what it costs to move flow away from each edge; pruning and cutting rank by it.
 */
import { type Laplacian, resistance, selectedInverse } from '../../math/laplacian.js'
import type { Problem } from '../network/problem.js'

/**
 * The cost, per squared value of flow, of moving flow from edge `i` to the rest of the network:
 * ½·R / (1 − c·R), R the effective resistance between its ends and c its conductance. R / (1 − c·R) is
 * the resistance without the edge.
 */
export function reroutingCosts(
  { from, to, c }: Problem,
  laplacian: Laplacian,
): (i: number) => number {
  const inverse = selectedInverse(laplacian)
  return (i) => {
    // Next to pools a trillion times as deep, cancellation can make R negative.
    const R = Math.max(0, resistance(laplacian, inverse, from[i]!, to[i]!))
    return (0.5 * R) / Math.max(1 - c[i]! * R, 1e-12)
  }
}
