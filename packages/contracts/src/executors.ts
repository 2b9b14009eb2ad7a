import type { Address } from 'viem'
import { executorDeployment, type KnownExecutor } from './deployment.js'
import { deployments } from './generated/deployments.js'

/** The executors of a router that this package knows, newest first: its own, and those published before. */
export function knownExecutors(
  router: Address,
  wrappedNative: Address,
): readonly [KnownExecutor, ...KnownExecutor[]] {
  const { executor } = executorDeployment(router, wrappedNative)
  const published = Object.values(deployments)
    .filter((deployment) => deployment.router === router.toLowerCase())
    .flatMap(({ executors }) => executors)
  const older = new Map(published.map((one) => [one.address, one]))
  older.delete(executor.address)
  return [executor, ...[...older.values()].sort((a, b) => b.version - a.version)]
}

/** The first of `executors` whose programs may name all of `families`; `undefined` if there is none. */
export function executorFor(
  executors: readonly KnownExecutor[],
  families: readonly string[],
): KnownExecutor | undefined {
  return executors.find((executor) => families.every((name) => executor.families.includes(name)))
}
