import type { Call } from '../../reads/call.js'
import { hyperEvm } from '../../transport/client.js'
import { BLOCK_TIMESTAMP } from './abi.js'

/** The time of the block in which a call runs. */
export const CLOCK: Call = { to: hyperEvm.contracts.multicall3.address, data: BLOCK_TIMESTAMP }
