import { describe, expect, it } from 'vitest'
import { judge } from './goals/duels.js'
import { createPrng } from './prng.js'
import { bootstrapMean, mean, percentile } from './stats.js'

describe('percentile', () => {
  it('interpolates, and is NaN for an empty list', () => {
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(percentile([1, 2, 3], 1)).toBe(3)
    expect(percentile([Infinity, Infinity], 0.5)).toBe(Infinity)
    expect(percentile([], 0.5)).toBeNaN()
  })
})

describe('bootstrapMean', () => {
  it('contains the true mean, and is reproducible', () => {
    const prng = createPrng(1)
    const values = Array.from({ length: 400 }, () => 5 + prng.normal())
    const [low, high] = bootstrapMean(values)
    expect(low).toBeLessThan(mean(values))
    expect(high).toBeGreaterThan(mean(values))
    // ± 1.96/√400
    expect(high - low).toBeGreaterThan(0.15)
    expect(high - low).toBeLessThan(0.25)
    expect(bootstrapMean(values)).toEqual([low, high])
  })
})

describe('judge', () => {
  const worth = (net: bigint) => ({ gross: 1000n * 10n ** 6n, gas: 0, net, legs: 1 })

  it('lets a route win against none, and counts in basis points of the gross output', () => {
    expect(judge(undefined, worth(1n)).outcome).toBe('loss')
    expect(judge(worth(1n), undefined).outcome).toBe('win')
    expect(judge(undefined, undefined).outcome).toBe('tie')
    expect(judge(worth(1000n * 10n ** 6n), worth(999n * 10n ** 6n))).toEqual({
      outcome: 'win',
      bps: 10,
    })
  })
})
