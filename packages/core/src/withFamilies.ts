/**
 * Families from outside, without a fork: every function that computes pools, for the families of a
 * registry instead of the built-in ones. A bundler that sees only this function and one family leaves
 * the other families out.
 */
import { recomputeBoundWith } from './certificate/recomputeBound.js'
import { recomputeInputBoundWith } from './certificate/recomputeInputBound.js'
import { findMismatchesWith, readIntentWith, replayIntentWith } from './encoder/intent.js'
import { decodeProgramWith, encodeProgramWith } from './encoder/program.js'
import { routerCallWith } from './encoder/swapCall.js'
import { buildGraphWith } from './graph.js'
import { type AnyFamily, BadFamilyError, type Registry } from './pools/index.js'
import { leastGasWith, replayWith } from './replay.js'
import {
  checkPoolWith,
  checkSnapshotWith,
  parseSnapshotWith,
  snapshotSchemaWith,
} from './snapshotFile.js'

/** The arguments of a function after its registry. */
type Rest<F> = F extends (families: Registry, ...rest: infer R) => unknown ? R : never

/** What {@link withFamilies} returns. */
export type WithFamilies = ReturnType<typeof withFamilies>

/**
 * The functions of core that depend on the families of pools, with those of a registry. Each does what
 * the export of the same name does. Functions that take a graph, such as `quote`, use the families that
 * the graph was built with. Throws a {@link BadFamilyError} for an entry that is not a family.
 *
 * @example
 * const market = withFamilies({ ...families, myFamily })
 * const graph = market.buildGraph(market.parseSnapshot(text))
 * const best = quote(graph, order)
 * const call = market.routerCallOf(best, terms)
 */
export function withFamilies(registry: Registry) {
  for (const [name, family] of Object.entries(registry)) requireFamily(name, family)
  return {
    /** The registry itself. */
    families: registry,
    parseSnapshot: (...rest: Rest<typeof parseSnapshotWith>) =>
      parseSnapshotWith(registry, ...rest),
    checkSnapshot: (...rest: Rest<typeof checkSnapshotWith>) =>
      checkSnapshotWith(registry, ...rest),
    checkPool: (...rest: Rest<typeof checkPoolWith>) => checkPoolWith(registry, ...rest),
    snapshotSchema: () => snapshotSchemaWith(registry),
    buildGraph: (...rest: Rest<typeof buildGraphWith>) => buildGraphWith(registry, ...rest),
    replay: (...rest: Rest<typeof replayWith>) => replayWith(registry, ...rest),
    leastGas: (...rest: Rest<typeof leastGasWith>) => leastGasWith(registry, ...rest),
    recomputeBound: (...rest: Rest<typeof recomputeBoundWith>) =>
      recomputeBoundWith(registry, ...rest),
    recomputeInputBound: (...rest: Rest<typeof recomputeInputBoundWith>) =>
      recomputeInputBoundWith(registry, ...rest),
    encodeProgram: (...rest: Rest<typeof encodeProgramWith>) =>
      encodeProgramWith(registry, ...rest),
    decodeProgram: (...rest: Rest<typeof decodeProgramWith>) =>
      decodeProgramWith(registry, ...rest),
    routerCallOf: (...rest: Rest<typeof routerCallWith>) => routerCallWith(registry, ...rest),
    readIntent: (...rest: Rest<typeof readIntentWith>) => readIntentWith(registry, ...rest),
    replayIntent: (...rest: Rest<typeof replayIntentWith>) => replayIntentWith(registry, ...rest),
    findMismatches: (...rest: Rest<typeof findMismatchesWith>) =>
      findMismatchesWith(registry, ...rest),
  }
}

const FUNCTIONS = [
  ...['getAmountOut', 'applySwap', 'isEmpty', 'toCurve', 'feeRate', 'estimateGas', 'encodeSwap'],
] as readonly (keyof AnyFamily)[]

/** JavaScript has no types, and a family without a function would fail in the middle of a quote. */
function requireFamily(name: string, family: AnyFamily): void {
  const missing = FUNCTIONS.find((key) => typeof family?.[key] !== 'function')
  const field = missing ?? (family.shape?.kind === undefined ? 'shape' : undefined)
  if (field === undefined) return
  throw new BadFamilyError(`the family ${name} has no ${field}`, {
    ...{ family: name, field, wanted: 'what the type Family lists' },
  })
}
