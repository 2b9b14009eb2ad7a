import { tines } from '../peers/tines.js'
import { ANY_LEGS } from '../request.js'
import { referenceRequests, stratifiedRequests } from '../requests.js'
import type { ReadyRouter } from '../routers/router.js'
import { singlePath } from '../routers/singlePath.js'
import { waterFill } from '../routers/waterFill.js'
import { judge } from '../score.js'
import { mean } from '../stats.js'
import { tryAll } from '../trial.js'
import { type Goal, type Lab, type Measured, once } from './goal.js'

const GWEIS = [0.05, 1, 10, 50]
const CAPS = [4, 8, 16, 24, ANY_LEGS]

/** S1: routes adapt to the gas price and the leg cap: a looser cap never lowers the net output. */
export const sweep: Goal = {
  id: 'S1',
  title: 'gas and leg sweep',
  target: 'at every gas price: no loss to the single path at any cap; a looser cap never nets less',
  measure: (lab) => sweptOnce(lab).then(({ measured }) => measured),
}

/** The sweep, and how often a looser cap netted less, for S1 and H5. */
export const sweptOnce = once(measure)

async function measure(
  lab: Lab,
): Promise<{ readonly measured: Measured; readonly reversals: number }> {
  const market = lab.ethereum.clean
  const ours = await lab.ours.ready(market)
  const capped = CAPS.map(
    (maxLegs): ReadyRouter => ({
      ...ours,
      name: `≤ ${maxLegs === ANY_LEGS ? 'any' : maxLegs}`,
      quote: (request) => ours.quote({ ...request, maxLegs }),
    }),
  )
  const rivals = [singlePath, waterFill(256), ...(lab.hasPeers ? [tines('auto')] : [])]
  const peers: ReadyRouter[] = []
  for (const rival of rivals) peers.push(await rival.ready(market))
  const rows: (readonly (string | number)[])[] = []
  const values: Record<string, unknown>[] = []
  let losses = 0
  let reversals = 0
  for (const gwei of lab.isQuick ? [0.05, 10] : GWEIS) {
    lab.log(`sweep at ${gwei} gwei`)
    const requests = [
      ...referenceRequests(lab.ethereum, { gwei }),
      ...stratifiedRequests(market, { count: lab.isQuick ? 5 : 60, seed: lab.seed + 4, gwei }),
    ].slice(0, lab.isQuick ? 8 : undefined)
    const bps = new Map<string, number[]>()
    const legs = new Map<string, number[]>()
    for (const request of requests) {
      const trials = await tryAll([...capped, ...peers], request)
      const loosest = trials[capped.length - 1]!
      for (const [i, trial] of trials.entries()) {
        const { bps: above } = judge(trial.worth, loosest.worth)
        append(bps, trial.router, above)
        append(legs, trial.router, trial.worth?.legs ?? Number.NaN)
        const isCapped = i < capped.length
        const single = trials[capped.length]!
        // A loss with fewer legs than the single path has is not a fault.
        const isFair = (single.worth?.legs ?? 0) <= (CAPS[i] ?? 0)
        if (isCapped && isFair && judge(trial.worth, single.worth).outcome === 'loss') losses++
        if (isCapped && i > 0 && judge(trial.worth, trials[i - 1]!.worth).outcome === 'loss') {
          reversals++
        }
      }
    }
    for (const [router, own] of bps) {
      const [bp, used] = [meanOf(own), meanOf(legs.get(router) ?? [])]
      rows.push([gwei, router, bp, used])
      values.push({ gwei: `${gwei} gwei`, router, bp, legs: used })
    }
  }
  const measured: Measured = {
    measured: `${losses} losses to the single path, ${reversals} times a looser cap netted less`,
    isReached: losses === 0 && reversals === 0,
    tables: [
      {
        title: 'mean bp against ours without a cap, and mean legs',
        columns: ['gwei', 'router', 'bp', 'legs'],
        rows,
      },
    ],
    charts: [
      {
        name: 'sweep',
        spec: {
          title: 'Loss and legs by gas price',
          data: { values },
          mark: { type: 'point', filled: true, size: 60 },
          encoding: {
            x: { field: 'legs', type: 'quantitative', title: 'mean legs' },
            y: { field: 'bp', type: 'quantitative', title: 'mean bp against no cap' },
            color: { field: 'router', type: 'nominal' },
            shape: { field: 'gwei', type: 'nominal' },
          },
        },
      },
    ],
    figures: [
      { name: 'losses to the single path', value: losses, better: 'low' },
      { name: 'looser caps that netted less', value: reversals, better: 'low' },
    ],
  }
  return { measured, reversals }
}

function append(into: Map<string, number[]>, key: string, value: number): void {
  into.set(key, [...(into.get(key) ?? []), value])
}

function meanOf(values: readonly number[]): number {
  return mean(values.filter((value) => Number.isFinite(value)))
}
