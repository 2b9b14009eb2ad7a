import { block } from './block.js'
import { capped } from './capped.js'
import { exactOutput } from './exactOutput.js'
import { gap } from './gap.js'
import type { Goal } from './goal.js'
import { growth } from './growth.js'
import { intermediates } from './intermediates.js'
import { latency } from './latency.js'
import { monotone } from './monotone.js'
import { rivals } from './rivals.js'
import { small } from './small.js'

/** Every goal, in the order of the report. */
export const goals: readonly Goal[] = [
  rivals,
  gap,
  capped,
  small,
  monotone,
  intermediates,
  exactOutput,
  latency,
  growth,
  block,
]
