import type { EthereumMarket } from '../markets/ethereum.js'
import type { BoundTally } from '../routers/countBounds.js'
import type { Router } from '../routers/router.js'

/** The inputs of every measurement. */
export type Lab = {
  readonly ethereum: EthereumMarket
  /** The router under test. */
  readonly ours: Router
  /** The bounds of that router which the checker has seen. */
  readonly bounds: BoundTally
  /** A run of about a minute instead of half an hour. */
  readonly isQuick: boolean
  readonly seed: number
  /** Whether rival packages may be installed and measured. */
  readonly hasPeers: boolean
  /** Solves of H1's own search for each order; its default if absent. */
  readonly searchSolves?: number
  /** Values of the figures in the report that this run replaces, by {@link figureKey}. */
  readonly previous: ReadonlyMap<string, number>
  readonly log: (line: string) => void
}

/** A table of the report; numbers are printed with significant digits only. */
export type Table = {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** A chart of the report, a Vega-Lite specification without its size. */
export type Chart = { readonly name: string; readonly spec: Readonly<Record<string, unknown>> }

/** A number that the next run is compared with. */
export type Figure = {
  readonly name: string
  readonly value: number
  readonly better: 'low' | 'high'
}

/** The name of a figure across goals. */
export function figureKey(goal: string, { name }: Pick<Figure, 'name'>): string {
  return `${goal} ${name}`
}

/** The result of one goal. */
export type Finding = {
  readonly id: string
  readonly title: string
  readonly target: string
  readonly measured: string
  readonly verdict: 'reached' | 'missed' | 'not measured'
  readonly tables: readonly Table[]
  readonly charts: readonly Chart[]
  readonly figures: readonly Figure[]
}

/** A goal and its measurement. */
export type Goal = {
  readonly id: string
  readonly title: string
  readonly target: string
  readonly measure: (lab: Lab) => Promise<Measured> | Measured
}

/** The outcome of a measurement; without a verdict if it could not be made. */
export type Measured = {
  readonly measured: string
  readonly isReached: boolean | undefined
  readonly tables?: readonly Table[]
  readonly charts?: readonly Chart[]
  readonly figures?: readonly Figure[]
}

/** Runs one goal. An error becomes a finding, so that the other goals are still measured. */
export async function pursue(goal: Goal, lab: Lab): Promise<Finding> {
  const before = { ...lab.bounds }
  const { isReached, tables = [], charts = [], figures = [], ...of } = await measureOf(goal, lab)
  const { id, title, target } = goal
  const [checked, refused] = [
    lab.bounds.checked - before.checked,
    lab.bounds.refused - before.refused,
  ]
  const measured = `${of.measured}${checked > 0 ? `; bounds checked: ${checked}, refused: ${refused}` : ''}`
  // A bound that the checker refuses is a fault of any goal.
  const isGood = isReached && refused === 0
  const verdict = isReached === undefined ? 'not measured' : isGood ? 'reached' : 'missed'
  return { id, title, target, measured, verdict, tables, charts, figures }
}

/**
 * A measurement that several goals judge, made once for each run of the bench. Goals with other
 * thresholds on the same figures then cost nothing.
 */
export function once<T>(measure: (lab: Lab) => Promise<T>): (lab: Lab) => Promise<T> {
  const made = new WeakMap<Lab, Promise<T>>()
  return (lab) => {
    const known = made.get(lab) ?? measure(lab)
    made.set(lab, known)
    return known
  }
}

async function measureOf(goal: Goal, lab: Lab): Promise<Measured> {
  try {
    return await goal.measure(lab)
  } catch (error) {
    lab.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return { measured: `could not be measured: ${error}`, isReached: undefined }
  }
}
