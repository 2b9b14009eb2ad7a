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
  /** True for a run of minutes, whose samples are too small for most targets. */
  readonly isQuick: boolean
  readonly seed: number
  /** True if the rival packages from npm are installed. */
  readonly hasPeers: boolean
  readonly log: (line: string) => void
}

/** A table of the report; numbers are printed with significant digits only. */
export type Table = {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** A number that the next run is compared with. */
export type Figure = {
  readonly name: string
  readonly value: number
  readonly better: 'low' | 'high'
}

/** The outcome of a measurement; `isReached` is undefined if the target could not be judged. */
export type Measured = {
  readonly measured: string
  readonly isReached: boolean | undefined
  readonly tables?: readonly Table[]
  readonly figures?: readonly Figure[]
}

/** A question that the benchmark asks, and its measurement. */
export type Goal = {
  /** The name on the command line. */
  readonly name: string
  readonly question: string
  readonly target: string
  readonly measure: (lab: Lab) => Promise<Measured> | Measured
}

/** The result of one goal. */
export type Finding = Omit<Goal, 'measure'> & {
  readonly measured: string
  readonly verdict: 'reached' | 'missed' | 'not measured'
  readonly tables: readonly Table[]
  readonly figures: readonly Figure[]
}

/**
 * Runs one goal. An error becomes a finding, so that the other goals are still measured. A bound
 * that the checker refuses misses any goal.
 */
export async function pursue({ measure, ...goal }: Goal, lab: Lab): Promise<Finding> {
  const before = { ...lab.bounds }
  const { isReached, tables = [], figures = [], ...of } = await measureSafely(measure, lab)
  const checked = lab.bounds.checked - before.checked
  const refused = lab.bounds.refused - before.refused
  const measured = `${of.measured}${checked > 0 ? `; bounds checked: ${checked}, refused: ${refused}` : ''}`
  const isGood = isReached && refused === 0
  const verdict = isReached === undefined ? 'not measured' : isGood ? 'reached' : 'missed'
  return { ...goal, measured, verdict, tables, figures }
}

async function measureSafely(measure: Goal['measure'], lab: Lab): Promise<Measured> {
  try {
    return await measure(lab)
  } catch (error) {
    lab.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return { measured: `could not be measured: ${error}`, isReached: undefined }
  }
}
