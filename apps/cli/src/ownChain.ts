// The chain that this program serves: of `BRAID_CHAIN`, and of the markets in files.

import { BadChainError, type ChainRecord, hyperEvm, knownChain, readChain } from '@braid-swap/chain'
import { UsageError } from './errors.js'

let own = hyperEvm

/** Sets the chain of this program from its environment. Throws USAGE. */
export function useChain({ BRAID_CHAIN }: Readonly<Record<string, string | undefined>>): void {
  try {
    own = readChain(BRAID_CHAIN || undefined)
  } catch (error) {
    if (!(error instanceof BadChainError)) throw error
    throw new UsageError('BRAID_CHAIN is no chain that is served', { got: error.lines.join('; ') })
  }
}

/** The chain of this program. */
export function ownChain(): ChainRecord {
  return own
}

/** What is known of the chain of a market in a file; undefined if nothing is. */
export function chainOf(chainId: number): ChainRecord | undefined {
  return chainId === own.id ? own : knownChain(chainId)
}
