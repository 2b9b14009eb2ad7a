import { absoluteQuality } from './absolute.js'
import { blockGas } from './blockGas.js'
import { cappedOrders } from './cappedOrders.js'
import { coverage } from './coverage.js'
import { determinism } from './determinism.js'
import { exactness } from './exactness.js'
import { exactOutput } from './exactOutput.js'
import { floatSum } from './floatSum.js'
import { footprint } from './footprint.js'
import { certifiedGap } from './gap.js'
import type { Goal } from './goal.js'
import { grid } from './grid.js'
import { growth } from './growth.js'
import { latency } from './latency.js'
import { moreIn } from './moreIn.js'
import { neverLose } from './neverLose.js'
import { numerics } from './numerics.js'
import { simplicity } from './simplicity.js'
import { smallOrders } from './smallOrders.js'
import { strictRivals } from './strictRivals.js'
import { sweep } from './sweep.js'
import { blockUpdates, updates } from './updates.js'

/** Every goal, in the order of the report. */
export const goals: readonly Goal[] = [
  neverLose,
  certifiedGap,
  absoluteQuality,
  exactness,
  latency,
  updates,
  coverage,
  numerics,
  determinism,
  grid,
  footprint,
  sweep,
  floatSum,
  blockGas,
  moreIn,
  smallOrders,
  cappedOrders,
  strictRivals,
  growth,
  blockUpdates,
  simplicity,
  exactOutput,
]

/** The goals that measure time and need an idle machine. */
export const speedGoals: readonly Goal[] = [latency, updates, growth, blockUpdates]
