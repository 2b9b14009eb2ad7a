import { BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'

/** A cause for which the market has not advanced for some seconds. */
export type Trouble = {
  /** The error's code, or its class if it has none. */
  readonly code: string
  /** What happened, and what an operator can do about it if waiting does not help. */
  readonly message: string
  readonly lastsMs: number
}

/** Failures in a row become trouble after this time. */
const LASTING_MS = 5_000

/** Advice for causes that do not end by waiting. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['NO_MULTICALL', 'every read needs Multicall3: use a node of the chain, or deploy it there'],
  ['WRONG_CHAIN', 'BRAID_RPC_URLS must name nodes of the chain of BRAID_CHAIN'],
  [
    'NO_WRAPPED_NATIVE',
    'the node serves another chain than BRAID_CHAIN, or its state is incomplete',
  ],
  [
    'FEED_OTHER',
    'its indexer has other BRAID_VENUES, another BRAID_ROUTER or another version; start one like this process',
  ],
  ['FEED_EMPTY', 'start an indexer'],
  ['RPC_BUSY', 'set BRAID_RPC_REQUESTS_PER_MINUTE to the limit of the node, or add an endpoint'],
])

/** The causes of failed rounds: each that lasts is one line in the log. */
export type Troubles = {
  /** Records a failed attempt to load or to advance the market. */
  readonly failed: (error: unknown) => void
  /** Records that the market advanced. */
  readonly succeeded: () => void
  /** The cause that has lasted for five seconds, if any. */
  readonly lasting: () => Trouble | undefined
}

/** Watches the failures of a market. `nowMs` is a clock that does not step. */
export function createTroubles(log: Logger, nowMs: () => number): Troubles {
  let since: number | undefined
  let newest: { readonly code: string; readonly message: string } | undefined
  let told: string | undefined
  const lasting = () => {
    if (since === undefined || !newest) return undefined
    const lastsMs = nowMs() - since
    return lastsMs < LASTING_MS ? undefined : { ...newest, lastsMs }
  }
  return {
    lasting,
    failed: (error) => {
      since ??= nowMs()
      newest = describe(error)
      log.debug({ err: error }, 'an attempt to advance the market failed')
      const trouble = lasting()
      if (!trouble || trouble.code === told) return
      told = trouble.code
      log.warn({ err: error, ...trouble }, 'the market does not advance')
    },
    succeeded: () => {
      if (told !== undefined) log.info({ code: told }, 'the market advances again')
      since = undefined
      newest = undefined
      told = undefined
    },
  }
}

function describe(error: unknown): { readonly code: string; readonly message: string } {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof BaseError ? error.code : name
  const first = message.split('\n')[0]!.replace(/\.$/, '')
  const advice = ADVICE.get(code)
  // What the node said; viem's own sentence names only the kind of its code.
  const { details } = Object(error) as { readonly details?: unknown }
  const said = typeof details === 'string' && details !== '' ? [details] : []
  return { code, message: [first, ...said, ...(advice === undefined ? [] : [advice])].join('; ') }
}
