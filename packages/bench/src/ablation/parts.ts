import type { Part } from './ablate.js'

/** The heuristics of the solver, each a function of its own. */
export const parts: readonly Part[] = [
  {
    name: 'further seeds',
    function: 'seedsOf',
    instead: '[prune(a[0].problem, a[0].problem.all, a[0].terms)]',
  },
  { name: 'paths for parts of the order', function: 'bestPathsOfParts', instead: '[]' },
  { name: 'local search over columns', function: 'searchColumns', instead: 'undefined' },
  {
    name: 'moves made together',
    function: 'together',
    instead: '{ columns: [], gas: 0, gain: 0 }',
  },
  { name: 'moves through a further token', function: 'pairsOf', instead: '[]' },
  { name: 'moves of one to four ticks', function: 'extensionsOf', instead: '[]' },
  { name: 'cuts within a tick', function: 'inputSaving', instead: '0' },
  { name: 'moves not taken back', function: 'leadsBack', instead: 'false' },
  { name: 'rows of pools given up', function: 'withRows', instead: '[]' },
  { name: 'pools in place of others', function: 'replacements', instead: '[]' },
  { name: 'stops at hull corners', function: 'capAtHullCorner', instead: 'undefined' },
  { name: 'room beside drained pools', function: 'refill', instead: 'undefined' },
  { name: 'growing by the path of a bound', function: 'growByPath', instead: 'undefined' },
  { name: 'balance of the flows', function: 'largestImbalance', instead: '0' },
  { name: 'tokens from outside', function: 'promisingTokens', instead: '[]' },
  { name: 'polishing shares in integers', function: 'refineRealised', instead: 'a[0]' },
]
