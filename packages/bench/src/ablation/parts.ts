import type { Part } from './ablate.js'

/** The heuristics of the solver. A part that the solver no longer has is left out of the table. */
export const parts: readonly Part[] = [
  { name: 'further seeds', function: 'seedsOf', instead: '[a[1]]' },
  { name: 'local search over columns', function: 'searchColumns', instead: 'undefined' },
  { name: 'stops at hull corners', function: 'capAtHullCorner', instead: 'undefined' },
  { name: 'growing by the path of a bound', function: 'growByPath', instead: 'undefined' },
  { name: 'loss by resistance', function: 'reroutingCosts', instead: '() => 0' },
  { name: 'balance of the flows', function: 'largestImbalance', instead: '0' },
  { name: 'polishing shares in integers', function: 'refineShares', instead: 'a[1]' },
]
