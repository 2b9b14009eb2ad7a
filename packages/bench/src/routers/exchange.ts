import { netOfPaths, type PathFlow } from './pathSplit.js'

/**
 * Hill climbing between paths: moves `step` of the token in from one path to another if that raises
 * the net output, in at most `passes` passes over all pairs. Drops paths that become empty.
 */
export function exchange(
  flows: readonly PathFlow[],
  move: { readonly step: number; readonly passes: number; readonly gasCost: number },
): readonly PathFlow[] {
  let best = flows
  let bestNet = netOfPaths(best, move.gasCost)
  for (let pass = 0; pass < move.passes; pass++) {
    let isImproved = false
    for (let from = 0; from < best.length; from++) {
      for (let to = 0; to < best.length; to++) {
        if (from === to || best[from]!.amount <= 0) continue
        const next = moveBetween(best, from, to, Math.min(move.step, best[from]!.amount))
        const net = netOfPaths(next, move.gasCost)
        if (net <= bestNet) continue
        best = next
        bestNet = net
        isImproved = true
      }
    }
    if (!isImproved) break
  }
  return best.filter(({ amount }) => amount > 0)
}

function moveBetween(
  flows: readonly PathFlow[],
  from: number,
  to: number,
  amount: number,
): readonly PathFlow[] {
  return flows.map((flow, i) => {
    if (i === from) return { ...flow, amount: flow.amount - amount }
    return i === to ? { ...flow, amount: flow.amount + amount } : flow
  })
}
