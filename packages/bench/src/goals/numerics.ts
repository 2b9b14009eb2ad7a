import type { Address, Bound, PlannedHop } from '@braid-swap/core'
import {
  type AdversarialCase,
  type AdversarialKind,
  adversarialCases,
} from '../markets/adversarial.js'
import { ANY_LEGS } from '../request.js'
import { bestSinglePath } from '../routers/singlePath.js'
import { tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const MAX_RELATIVE_GAP = 1e-6

const KINDS: readonly AdversarialKind[] = [
  'exhausted ranges',
  'input ≫ reserves',
  'odd decimals',
  'one wei',
  'identical pools',
  'flat pools in series',
]

/** G8: instances on which numeric solvers are known to fail, without gas. */
export const numerics: Goal = {
  id: 'G8',
  title: 'numerics',
  target:
    'raw reserves of 1 … 1e30 wei, input ≫ reserves, exhausted ranges, 1 wei: no NaN, gap ≤ 1e-6',
  measure,
}

type Verdict = { readonly fault: string; readonly gap: number }

async function measure(lab: Lab): Promise<Measured> {
  const cases = adversarialCases(lab.isQuick ? 2 : 40, lab.seed + 5)
  const byKind = new Map<AdversarialKind, Verdict[]>(KINDS.map((kind) => [kind, []]))
  for (const one of cases) byKind.get(one.kind)?.push(await verdictOf(lab, one))
  const all = [...byKind.values()].flat()
  const faults = all.filter(({ fault }) => fault !== '')
  const gaps = all.map(({ gap }) => gap).filter((gap) => !Number.isNaN(gap))
  const far = gaps.filter((gap) => gap > MAX_RELATIVE_GAP)
  return {
    measured: `${all.length} instances, ${faults.length} faults, ${gaps.length === 0 ? 'no bound to compare with' : `${far.length} gaps above 1e-6, worst ${Math.max(...gaps).toExponential(1)}`}`,
    isReached: faults.length > 0 ? false : gaps.length === 0 ? undefined : far.length === 0,
    tables: [
      {
        title: 'by kind',
        columns: ['kind', 'instances', 'faults', 'bounded', 'worst relative gap', 'first fault'],
        rows: [...byKind].map(([kind, verdicts]) => [
          kind,
          verdicts.length,
          verdicts.filter(({ fault }) => fault !== '').length,
          verdicts.filter(({ gap }) => !Number.isNaN(gap)).length,
          Math.max(0, ...verdicts.map(({ gap }) => gap).filter((gap) => !Number.isNaN(gap))),
          verdicts.find(({ fault }) => fault !== '')?.fault ?? '',
        ]),
      },
    ],
  }
}

async function verdictOf(lab: Lab, { market, request: priced }: AdversarialCase): Promise<Verdict> {
  const request = { ...priced, gasPrice: 0n, gasCost: 0, maxLegs: ANY_LEGS }
  try {
    const { answer, worth, error, isUnproved } = await tryOne(await lab.ours.ready(market), request)
    if (error) return { fault: `${request.id}: threw ${error}`, gap: Number.NaN }
    if (!worth) {
      const isServed = bestSinglePath(market, request) !== undefined
      return { fault: isServed ? `${request.id}: no route` : '', gap: Number.NaN }
    }
    if (!answer?.bound) return { fault: '', gap: Number.NaN }
    const { bound } = answer
    if (Object.values(bound.prices).some(Number.isNaN)) {
      return { fault: `${request.id}: a price is NaN`, gap: Number.NaN }
    }
    if (isUnproved) {
      return { fault: `${request.id}: the bound is not proved`, gap: Number.NaN }
    }
    const most = Number(bound.amount)
    const gap = Math.max(0, most - Number(worth.net) - roundingOf(answer.hops, bound.prices)) / most
    return { fault: '', gap }
  } catch (error) {
    return { fault: `${request.id}: threw ${error}`, gap: Number.NaN }
  }
}

// Integer rounding by pools and shares loses one or two wei of each hop's input and output, and a
// bound is rounded up by as much.
const WEI_LEFT = 2

/**
 * Largest loss of a route by rounding to wei, at the prices of its bound; large for coarse tokens.
 */
function roundingOf(hops: readonly PlannedHop[], prices: Bound['prices']): number {
  const worthOfWei = (token: Address) => WEI_LEFT * Math.exp(prices[token] ?? 0)
  return hops.reduce(
    (sum, { pool, direction }) =>
      sum + worthOfWei(pool.tokens[direction.in]!) + worthOfWei(pool.tokens[direction.out]!),
    WEI_LEFT,
  )
}
