import { ROUTER_GAS } from '@braid-swap/core'
import { ANY_LEGS, type Request } from '../request.js'
import { referenceRequests, smallRequests, stratifiedRequests } from '../requests.js'
import { percentile } from '../stats.js'
import { type Trial, tryOne } from '../trial.js'
import type { Goal, Lab, Measured } from './goal.js'

const GWEI = 0.1
const SMALL_GWEI = 1
const CAP = 24
// An order is large if its gas is worth less than this part of its output.
const LARGE_GAS_PART = 1e-4

/** G2: every quote has a bound, which is recomputed here, and is close to it. */
export const certifiedGap: Goal = {
  id: 'G2',
  title: 'certified gap',
  target:
    'large, 24 legs: median ≤ 1 bp, p95 ≤ 10; large, no cap: median ≤ 0.05, p99 ≤ 1; small: UB − net ≤ 1.5 swaps of gas on ≥ 95 %',
  measure,
}

/** How far an answer is from its bound. */
export type Gap = {
  readonly request: Request
  readonly legs: number
  readonly isLarge: boolean
  /** 1 − net/bound in basis points. */
  readonly bps: number
  /** (bound − net) in units of one swap's gas. */
  readonly inSwaps: number
  /**
   * Whether the router claims a lower bound than the independent checker confirms at its prices.
   */
  readonly isOverclaimed: boolean
  /** Whether the net output of the route exceeds the claimed bound. */
  readonly isBroken: boolean
}

async function measure(lab: Lab): Promise<Measured> {
  const market = lab.ethereum.clean
  const ours = await lab.ours.ready(market)
  const gapsOf = async (requests: readonly Request[]): Promise<readonly Gap[]> => {
    const gaps: Gap[] = []
    for (const request of requests) {
      const gap = toGap(await tryOne(ours, request))
      if (gap) gaps.push(gap)
    }
    return gaps
  }
  const count = lab.isQuick ? 16 : 400
  const terms = { count, seed: lab.seed, gwei: GWEI }
  const large = (maxLegs: number) => [
    ...referenceRequests(lab.ethereum, { gwei: GWEI, maxLegs }),
    ...stratifiedRequests(market, { ...terms, maxLegs }),
  ]
  const capped = (await gapsOf(large(CAP))).filter(({ isLarge }) => isLarge)
  const free = (await gapsOf(large(ANY_LEGS))).filter(({ isLarge }) => isLarge)
  const small = await gapsOf(smallRequests(market, { ...terms, gwei: SMALL_GWEI }))
  if (capped.length === 0) {
    return { measured: 'the router claims no bound', isReached: undefined }
  }
  const bps = (gaps: readonly Gap[], part: number) =>
    percentile(
      gaps.map((gap) => gap.bps),
      part,
    )
  const nearPart = small.filter(({ inSwaps }) => inSwaps <= 1.5).length / Math.max(1, small.length)
  const all = [...capped, ...free, ...small]
  const overclaims = all.filter(({ isOverclaimed }) => isOverclaimed)
  const broken = all.filter(({ isBroken }) => isBroken)
  return {
    measured: `24 legs: median ${show(bps(capped, 0.5))}, p95 ${show(bps(capped, 0.95))} bp; no cap: median ${show(bps(free, 0.5))}, p99 ${show(bps(free, 0.99))} bp; small within 1.5 swaps: ${(100 * nearPart).toFixed(1)} %; bounds not proved: ${overclaims.length}, broken: ${broken.length}, of ${all.length}`,
    isReached:
      bps(capped, 0.5) <= 1 &&
      bps(capped, 0.95) <= 10 &&
      bps(free, 0.5) <= 0.05 &&
      bps(free, 0.99) <= 1 &&
      nearPart >= 0.95 &&
      overclaims.length + broken.length === 0,
    tables: [
      gapTable('large orders, 24 legs', capped),
      gapTable('large orders, no cap', free),
      gapTable('small orders', small),
    ],
    figures: [
      { name: '24 legs median bp', value: bps(capped, 0.5), better: 'low' },
      { name: '24 legs p95 bp', value: bps(capped, 0.95), better: 'low' },
      { name: 'no cap median bp', value: bps(free, 0.5), better: 'low' },
      { name: 'no cap p99 bp', value: bps(free, 0.99), better: 'low' },
      { name: 'small within 1.5 swaps %', value: 100 * nearPart, better: 'high' },
    ],
    charts: [gapChart({ 'large, 24 legs': capped, 'large, no cap': free, small })],
  }
}

/** The gap of an answer; `undefined` without a route or a bound. */
export function toGap({ request, answer, worth, isUnproved }: Trial): Gap | undefined {
  if (!worth || !answer?.bound) return undefined
  const { bound } = answer
  // Net at the router's own price of gas, which may differ a little from the request's.
  const net = Number(worth.gross) - worth.gas * bound.gasCost
  const above = Number(bound.amount) - net
  const swapGas = (worth.gas - ROUTER_GAS) / worth.legs
  return {
    request,
    legs: worth.legs,
    isLarge: worth.gas * request.gasCost < LARGE_GAS_PART * Number(worth.gross),
    bps: (above / Math.abs(Number(bound.amount))) * 10_000,
    inSwaps: bound.gasCost > 0 ? above / (swapGas * bound.gasCost) : 0,
    isOverclaimed: isUnproved,
    isBroken: above < 0,
  }
}

function gapTable(title: string, gaps: readonly Gap[]) {
  const row = (name: string, values: readonly number[]) => [
    name,
    ...[0.5, 0.9, 0.95, 0.99, 1].map((part) => percentile(values, part)),
  ]
  return {
    title: `${title} (${gaps.length})`,
    columns: ['', 'p50', 'p90', 'p95', 'p99', 'worst'],
    rows: [
      row(
        'gap to the bound, bp',
        gaps.map((gap) => gap.bps),
      ),
      row(
        'gap in swaps of gas',
        gaps.map((gap) => gap.inSwaps),
      ),
      row(
        'legs',
        gaps.map((gap) => gap.legs),
      ),
    ],
  }
}

function gapChart(sets: Readonly<Record<string, readonly Gap[]>>) {
  const values = Object.entries(sets).flatMap(([set, gaps]) => {
    const sorted = gaps.map(({ bps }) => Math.max(1e-6, bps)).sort((a, b) => a - b)
    return sorted.map((bp, i) => ({ set, bp, part: (i + 1) / sorted.length }))
  })
  return {
    name: 'certified-gap',
    spec: {
      title: 'Share of quotes within a gap of the proved bound',
      data: { values },
      mark: { type: 'line', interpolate: 'step-after' },
      encoding: {
        x: { field: 'bp', type: 'quantitative', scale: { type: 'log' }, title: 'gap, bp' },
        y: { field: 'part', type: 'quantitative', title: 'share of quotes' },
        color: { field: 'set', type: 'nominal', title: null },
      },
    },
  }
}

function show(value: number): string {
  return value.toPrecision(3)
}
