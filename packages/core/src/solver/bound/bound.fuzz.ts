import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyBoundCase, checkBound } from '../../testing/checkBound.js'

// BRAID_FUZZ_BOUNDS random markets, a thousand for each seed from BRAID_FUZZ_SEED on, so that runs
// with other first seeds share the work. A failure prints the seed and the path of its market.
const markets = Number(process.env['BRAID_FUZZ_BOUNDS'] ?? 10_000)
const firstSeed = Number(process.env['BRAID_FUZZ_SEED'] ?? 1)
const MARKETS_OF_SEED = 1000

for (let n = 0; n * MARKETS_OF_SEED < markets; n++) {
  const seed = firstSeed + n
  const numRuns = Math.min(MARKETS_OF_SEED, markets - n * MARKETS_OF_SEED)
  it(`finds no route above the bound, ${numRuns} markets of seed ${seed}`, () => {
    let checked = 0
    fc.assert(
      fc.property(anyBoundCase, (one) => {
        if (checkBound(one)) checked++
      }),
      { numRuns, seed, endOnFailure: true },
    )
    console.log(JSON.stringify({ seed, markets: numRuns, checked }))
    expect(checked).toBeGreaterThan(numRuns / 10)
  })
}
