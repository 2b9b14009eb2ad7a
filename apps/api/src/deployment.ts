/**
 * Whether the router that requests are answered with is the one published here. A call or an approval
 * to an address without that code succeeds and loses what it moves, so nothing to be signed is handed
 * out before the node has shown the code, nor after it shows another.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@braid-swap/chain'
import { checkDeployment } from '@braid-swap/contracts'
import { type Address, BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { getAddress, type Hex, keccak256 } from 'viem'
import { askNode } from './node.js'

/** What is known of the router's code. */
export type RouterCode = {
  /** Why the router must not be used now, in words; `undefined` where its code is confirmed. */
  readonly fault: () => string | undefined
}

/** A router whose code is asked for now and then. */
export type RouterWatch = RouterCode & {
  /** Resolves after the signal aborted and the last check is over. */
  readonly ended: Promise<void>
}

/** Which router to check, and how often. */
export type RouterWatchOptions = {
  readonly client: Client
  readonly router: Address
  readonly wrappedNative: Address
  /** How long the node may take for one check. */
  readonly nodeTimeoutMs: number
  /** Time between two checks of a router that was confirmed. */
  readonly routerCheckMs: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Time to the next check of a router that is not confirmed. */
const RETRY_MS = 1_000

/**
 * Checks the router, and again until the signal aborts. A node that does not answer is no reason not
 * to start, but the router is then not confirmed. Throws {@link RouterUnconfirmedError} where the node
 * answers that the router or its executor is not there, runs other code, or is of another token.
 */
export async function watchRouter(options: RouterWatchOptions): Promise<RouterWatch> {
  const { router, routerCheckMs, signal, log } = options
  const first = await check(options)
  if (first.isAnswered && first.fault !== undefined) {
    throw new RouterUnconfirmedError(router, first.fault)
  }
  let now = first
  const tell = (before: Checked) => {
    if (now.fault === before.fault) return
    if (now.fault === undefined) log.info({ router }, 'the router is confirmed')
    else log.error({ router, fault: now.fault }, 'the router is not confirmed')
  }
  tell({ isAnswered: true })
  const run = async () => {
    while (!signal.aborted) {
      const pauseMs = now.fault === undefined ? routerCheckMs : RETRY_MS
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const before = now
      const next = await check(options, before.codeHash)
      // A silent node says nothing against a router that was confirmed; the market grows stale by itself.
      if (next.isAnswered || before.fault !== undefined) now = next
      tell(before)
    }
  }
  return { fault: () => now.fault, ended: run() }
}

type Checked = {
  readonly isAnswered: boolean
  readonly fault?: string
  /** Keccak-256 of the code that was confirmed. */
  readonly codeHash?: Hex | undefined
}

/** One check; a router whose code is still what it was needs no more than one question. */
async function check(
  { client, router, wrappedNative, nodeTimeoutMs }: RouterWatchOptions,
  confirmed?: Hex,
): Promise<Checked> {
  const ask = async (): Promise<Checked> => {
    if (confirmed !== undefined) {
      const code = await client.getCode({ address: router })
      if (code && keccak256(code) === confirmed) return { isAnswered: true, codeHash: confirmed }
    }
    const { faults, codeHash } = await checkDeployment(client, wrappedNative, router)
    if (faults.length > 0) return { isAnswered: true, fault: faults.join('; ') }
    return { isAnswered: true, codeHash }
  }
  try {
    return await askNode(ask, nodeTimeoutMs)
  } catch {
    return { isAnswered: false, fault: 'the node did not show its code yet' }
  }
}

/** The node has something else than our router where the router should be. */
export class RouterUnconfirmedError extends BaseError {
  readonly code = 'ROUTER_UNCONFIRMED'

  constructor(router: Address, fault: string) {
    super(`the router ${getAddress(router)} must not be used: ${fault}`, {
      got: fault,
      wanted: 'the router and executor that `braid-api router` names, deployed and unchanged',
    })
  }
}
