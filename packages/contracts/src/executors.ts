import type { Address } from 'viem'
import { executorDeployment, type KnownExecutor } from './deployment.js'
import { withPublished } from './shipped.js'

/** The executors of a router that this package knows, newest first: its own, and those published before. */
export function knownExecutors(
  router: Address,
  wrappedNative: Address,
): readonly [KnownExecutor, ...KnownExecutor[]] {
  return withPublished(router, executorDeployment(router, wrappedNative).executor)
}

/** The first of `executors` whose programs may name all of `families`; `undefined` if there is none. */
export function executorFor(
  executors: readonly KnownExecutor[],
  families: readonly string[],
): KnownExecutor | undefined {
  return executors.find((executor) => families.every((name) => executor.families.includes(name)))
}
