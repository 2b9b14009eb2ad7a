// The time of the block in which a call runs.

import type { Address } from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import type { Call } from './call.js'

/** Where Multicall3 is on most chains. A load, which has no client, calls it here; a reader calls the chain's own. */
export const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Asks for the time of the block in which it runs, in Unix seconds. */
export const CLOCK: Call = {
  to: MULTICALL3,
  data: toFunctionSelector('function getCurrentBlockTimestamp()'),
}
