/**
 * Checks that the node still serves our chain. A node that is moved to another chain with the same
 * blocks, such as a fork that is given another id, changes nothing that the market follows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@braid-swap/chain'
import type { Logger } from 'pino'
import { callNode } from './callNode.js'

/** Tells if the node serves the chain of the API. */
export type NodeChain = {
  /** Describes the chain that the node serves instead; undefined while it serves ours. */
  readonly fault: () => string | undefined
}

/** The node to check, and how often. */
export type NodeChainOptions = {
  readonly client: Client
  readonly nodeTimeoutMs: number
  readonly rpcUrls: readonly string[]
  readonly routerCheckMs: number
  readonly signal: AbortSignal
  readonly log: Logger
  /** Called when the fault begins, changes or ends. */
  readonly onChange?: () => void
}

/** A node whose chain is checked periodically. */
export type NodeChainWatch = NodeChain & {
  /** Resolves when the signal has aborted and the last check has ended. */
  readonly ended: Promise<void>
}

/**
 * Asks the node for its chain id, as often as for the router, until the signal aborts. A silent node
 * changes nothing; a process without a node asks nobody.
 */
export function watchNodeChain(options: NodeChainOptions): NodeChainWatch {
  const { client, rpcUrls, nodeTimeoutMs, routerCheckMs, signal, log } = options
  let fault: string | undefined
  const run = async () => {
    while (rpcUrls.length > 0 && !signal.aborted) {
      await sleep(routerCheckMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const got = await callNode(() => client.getChainId(), nodeTimeoutMs).catch(() => undefined)
      if (got === undefined) continue
      const before = fault
      fault = got === client.chain.id ? undefined : `chain ${got} instead of ${client.chain.id}`
      if (fault === before) continue
      if (fault === undefined) log.info('the node serves our chain again')
      else log.error({ fault }, 'the node serves another chain')
      options.onChange?.()
    }
  }
  return { fault: () => fault, ended: run() }
}
