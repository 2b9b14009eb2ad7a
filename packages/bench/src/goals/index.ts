import { absoluteQuality } from './absolute.js'
import { coverage } from './coverage.js'
import { determinism } from './determinism.js'
import { exactness } from './exactness.js'
import { floatSum } from './floatSum.js'
import { footprint } from './footprint.js'
import { certifiedGap } from './gap.js'
import type { Goal } from './goal.js'
import { grid } from './grid.js'
import { latency } from './latency.js'
import { neverLose } from './neverLose.js'
import { numerics } from './numerics.js'
import { sweep } from './sweep.js'
import { updates } from './updates.js'

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
]

/** The goals that measure time and need an idle machine. */
export const speedGoals: readonly Goal[] = [latency, updates]
