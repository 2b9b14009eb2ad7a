/**
 * Checks that the code of the router and its executors on chain is the published one. A call or an approval to an
 * address without that code may succeed and lose the funds, so the API returns no transaction until
 * the node has returned the code, or after the node returns other code.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@braid-swap/chain'
import { checkDeployment, type KnownExecutor, knownExecutors } from '@braid-swap/contracts'
import { type Address, BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { getAddress } from 'viem'
import { ApiError } from '../errors.js'
import { callNode } from './callNode.js'

/** Tells if the code of the router is confirmed. */
export type RouterCode = {
  /** Why the router must not be used now, as text; `undefined` if its code is confirmed. */
  readonly fault: () => string | undefined
  /** The executors that calls may name, newest first: the deployed ones, once the router is confirmed. */
  readonly executors: () => readonly KnownExecutor[]
}

/** A router whose code is checked periodically. */
export type RouterWatch = RouterCode & {
  /** Resolves when the signal has aborted and the last check has ended. */
  readonly ended: Promise<void>
}

/** The router to check, and how often. */
export type RouterWatchOptions = {
  readonly client: Client
  readonly router: Address
  /** True if it may be deployed later. */
  readonly awaitsRouter?: boolean | undefined
  readonly wrappedNative: Address
  /** Time limit of the node for one check. */
  readonly nodeTimeoutMs: number
  /** Time between two checks of a confirmed router. */
  readonly routerCheckMs: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Checks of a router that is not confirmed, in the time between two of one that is. */
const RETRIES = 12

/**
 * Checks the router periodically until the signal aborts. A node that does not answer does not stop
 * the start, but the router is then not confirmed. Throws {@link RouterUnconfirmedError} if the router
 * is absent and not awaited, has other code or another wrapped token, or if no executor of it is deployed,
 * or one has other code.
 */
export async function watchRouter(options: RouterWatchOptions): Promise<RouterWatch> {
  const { router, routerCheckMs, awaitsRouter = false, signal, log } = options
  const first = await check(options)
  const isAwaited = awaitsRouter && first.isAbsent
  if (first.isAnswered && first.fault !== undefined && !isAwaited) {
    throw new RouterUnconfirmedError(router, first.fault)
  }
  let now = first
  const report = (before: Checked) => {
    const executor = now.executors?.[0]?.address
    if (now.fault === before.fault && executor === before.executors?.[0]?.address) return
    if (now.fault === undefined) log.info({ router, executor }, 'router confirmed')
    else if (now.isAbsent) log.warn({ router }, 'no router is there: quotes are served, swaps wait')
    else log.error({ router, fault: now.fault }, 'router not confirmed')
  }
  report({ isAnswered: true })
  const run = async () => {
    while (!signal.aborted) {
      const pauseMs = now.fault === undefined ? routerCheckMs : routerCheckMs / RETRIES
      const pause = sleep(pauseMs, undefined, { signal })
      await Promise.race([pause, now.late ?? pause]).catch(() => {})
      if (signal.aborted) return
      const before = now
      const next = await check(options, before)
      // A silent node does not unconfirm a router. The market becomes stale anyway.
      if (next.isAnswered || before.fault !== undefined) now = next
      report(before)
    }
  }
  return { fault: () => now.fault, executors: () => now.executors ?? [], ended: run() }
}

type Checked = {
  readonly isAnswered: boolean
  readonly fault?: string
  /** True if the router's address has no code. */
  readonly isAbsent?: boolean
  /** The executors whose code was confirmed. */
  readonly executors?: readonly KnownExecutor[]
  /** The check that took too long, whose requests may still wait for their turn at a limited node. */
  readonly late?: Promise<Checked>
}

/** One check, or the rest of one that was late: asked again, its requests would wait again. */
async function check(options: RouterWatchOptions, before?: Checked): Promise<Checked> {
  const asked = before?.late ?? compare(options)
  try {
    return await callNode(() => asked, options.nodeTimeoutMs)
  } catch (error) {
    const isLate = error instanceof ApiError && error.code === 'DEADLINE_EXCEEDED'
    const fault = 'the node has not returned the code of the router yet'
    return { isAnswered: false, fault, ...(isLate && { late: asked }) }
  }
}

async function compare({ client, router, wrappedNative }: RouterWatchOptions): Promise<Checked> {
  const known = knownExecutors(router, wrappedNative)
  const wanted = { router, wrappedNative, executors: known }
  const { faults, executors, codeHash } = await checkDeployment(client, wanted)
  const isAbsent = codeHash === undefined
  if (faults.length > 0) return { isAnswered: true, fault: faults.join('; '), isAbsent }
  return { isAnswered: true, executors }
}

/** The contract at the router's address is not our router. */
export class RouterUnconfirmedError extends BaseError {
  readonly code = 'ROUTER_UNCONFIRMED'

  constructor(router: Address, fault: string) {
    super(`the router ${getAddress(router)} must not be used: ${fault}`, {
      got: fault,
      wanted: 'the router and executor that `braid-api router` names, deployed and unchanged',
    })
  }
}
