import { describe, expect, it } from 'vitest'
import { addConductance, factor, makeLaplacian, solveFactored } from './laplacian.js'

describe('the Newton system', () => {
  it('has a finite step if conductances cancel to the last digit', () => {
    const laplacian = makeLaplacian(Int32Array.of(1, 1, 0), 2)
    for (const i of [0, 1]) {
      laplacian.damping[i] = 1
      laplacian.matrix[i * laplacian.size + i] = 1
    }
    // Tokens 0 and 1 move together, limited only by their damping: in exact numbers by 1 each.
    addConductance(laplacian, 0, 1, 1e25)
    factor(laplacian)
    const step = Float64Array.of(1, 1)
    solveFactored(laplacian, step)
    expect(step[0]).toBeCloseTo(step[1]!, 9)
    // Floats lose a pivot of 2. With its lower bound instead, the step is at most twice too long.
    expect(step[0]).toBeGreaterThanOrEqual(1)
    expect(step[0]).toBeLessThanOrEqual(2)
  })
})
