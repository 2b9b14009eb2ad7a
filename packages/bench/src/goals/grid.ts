import { SHARE_ONE } from '@braid-swap/core'
import { onGrid, outOf, polish, toContinuous } from '../continuous.js'
import { referenceRequests, stratifiedRequests } from '../requests.js'
import { percentile } from '../stats.js'
import { tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const UINT16 = 0xffff
const MAX_BPS_24 = 0.001
const MAX_BPS_16 = 0.05

/** G10: the loss by integer shares, compared with the best real splits of the same route. */
export const grid: Goal = {
  id: 'G10',
  title: 'executor grid',
  target: 'quantisation loss ≤ 0.001 bp at uint24, ≤ 0.05 bp at uint16',
  measure,
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const ours = await lab.ours.ready(market)
  const requests = [
    ...referenceRequests(lab.ethereum, { gwei: 0, maxLegs: 20 }),
    ...stratifiedRequests(market, {
      count: lab.isQuick ? 4 : 100,
      seed: lab.seed + 7,
      gwei: 0,
      maxLegs: 24,
    }),
  ]
  const rows: (readonly (string | number)[])[] = []
  const losses: { readonly at24: number; readonly at16: number }[] = []
  for (const request of requests) {
    const { answer, worth } = await tryOne(ours, request)
    const route = answer && toContinuous(market, answer.hops)
    if (!route || !worth || worth.legs < 2) continue
    const ideal = polish(route, request)
    const best = outOf(ideal, request)
    const lossOf = (out: number) => Math.max(0, (1 - out / best) * 10_000)
    // Both grids round the best real splits. For a token with few units our own shares deviate from
    // them on purpose, because the rounding to whole wei costs more than the grid.
    const at24 = lossOf(outOf(onGrid(ideal, SHARE_ONE), request))
    const at16 = lossOf(outOf(onGrid(ideal, UINT16), request))
    losses.push({ at24, at16 })
    const inWei = lossOf(Number(worth.gross))
    if (request.id.startsWith('reference'))
      rows.push([request.label, worth.legs, at24, at16, inWei])
  }
  const worst24 = Math.max(...losses.map(({ at24 }) => at24))
  const worst16 = Math.max(...losses.map(({ at16 }) => at16))
  const median24 = percentile(
    losses.map(({ at24 }) => at24),
    0.5,
  )
  return {
    measured: `${losses.length} split routes: uint24 worst ${worst24.toPrecision(2)} bp (median ${median24.toPrecision(2)}), uint16 worst ${worst16.toPrecision(2)} bp`,
    isReached: worst24 <= MAX_BPS_24 && worst16 <= MAX_BPS_16,
    tables: [
      {
        title:
          'bp below the best real splits of the same edges: on each grid, and for the route in exact wei',
        columns: ['trade', 'legs', 'uint24', 'uint16', 'the route in wei'],
        rows,
      },
    ],
  }
}
