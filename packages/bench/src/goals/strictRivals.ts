import { createPrng } from '../prng.js'
import { toRequest } from '../request.js'
import { coveragePairs } from '../requests.js'
import { singlePath } from '../routers/singlePath.js'
import { tryOne } from '../trial.js'
import { isServable } from './coverage.js'
import type { Goal, Lab, Measured } from './goal.js'
import { allDuels, ratesOf } from './neverLose.js'
import { sweptOnce } from './sweep.js'

const WANTED = 0.999
const CAPS = [2, 3, 4, 5]
const MOST_TIMES = 1e5

/** H5: never lose, with the thresholds of H, and a route wherever there is one. */
export const strictRivals: Goal = {
  id: 'H5',
  title: 'never lose, strictly',
  target:
    'not lost to each peer on ≥ 99.9 % at equal legs, to single paths on 100 %; no pair without a route that an exhaustive search serves at any cap; no looser cap that nets less',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const { duelsBySet, proofs } = await allDuels(lab)
  const rates = ratesOf([...duelsBySet.values()].flat())
  const { reversals } = await sweptOnce(lab)
  const { asked, missed } = await missedRoutes(lab)
  const isGood = ({ peer, rate }: (typeof rates)[number]) =>
    rate >= (peer === singlePath.name ? 1 : WANTED)
  const least = rates.reduce((a, b) => (b.rate < a.rate ? b : a))
  const isReached = rates.every(isGood) && proofs.failed === 0 && missed === 0 && reversals === 0
  return {
    measured: `least: ${(100 * least.rate).toFixed(2)} % not lost to ${least.peer}; ${missed} of ${asked} orders without a route that there is; ${reversals} times a looser cap netted less`,
    isReached: isReached && !lab.hasPeers ? undefined : isReached,
    figures: [
      { name: 'least not lost %', value: 100 * least.rate, better: 'high' },
      { name: 'routes missed', value: missed, better: 'low' },
    ],
  }
}

/** Orders of up to 100,000 times $100 at narrow caps, for which only an exhaustive search has a route. */
async function missedRoutes(lab: Lab) {
  const market = lab.ethereum.clean
  const ready = await lab.ours.ready(market)
  const prng = createPrng(lab.seed + 24)
  const count = lab.isQuick ? 10 : 1_000
  const pairs = coveragePairs(market, { count, seed: lab.seed + 24, everyToken: false })
  let [asked, missed] = [0, 0]
  for (const { from, to, amountIn: unit } of pairs) {
    const amountIn = unit * BigInt(Math.round(prng.logBetween(1, MOST_TIMES)))
    const order = { tokenIn: from, tokenOut: to, amountIn }
    for (const maxLegs of CAPS) {
      const ask = { id: 'missed', label: 'missed', order, gwei: 0, maxLegs }
      const { worth } = await tryOne(ready, toRequest(market, ask))
      asked++
      if (!worth && isServable(market, { from, to, amountIn }, maxLegs)) missed++
    }
  }
  return { asked, missed }
}
