import { type Client, profilesOf } from '@braid-swap/chain'
import { type Address, concatHex, type Hex, sliceHex, toHex } from '@braid-swap/core'
import { callNode } from '../sources/node.js'

/** Code that replaces the code of an address during one call. */
export type Placed = { readonly address: Address; readonly code: Hex }

/** The result of a call in the node's EVM. */
export type Outcome = { readonly isSuccess: boolean; readonly returned: Hex }

/**
 * Calls a contract at a block from the forwarder's address, with some code replaced during the call.
 * A revert is an outcome, and a failure of the node is an error. Throws RPC_FAILED.
 */
export async function probe(
  client: Client,
  block: bigint,
  call: { readonly to: Address; readonly data: Hex; readonly placed?: readonly Placed[] },
): Promise<Outcome> {
  const { data } = await callNode(() =>
    client.call({
      to: FORWARDER,
      data: concatHex(toHex(BigInt(call.to), 32), call.data),
      blockNumber: block,
      gas: callGasOf(client),
      stateOverride: [{ address: FORWARDER, code: FORWARDER_CODE }, ...(call.placed ?? [])],
    }),
  )
  const answer = data ?? '0x'
  return {
    isSuccess: BigInt(sliceHex(answer, 0, 32)) === 1n,
    returned: `0x${answer.slice(2 + 64)}`,
  }
}

/** The caller as the contracts see it: an unused address. */
export const FORWARDER: Address = '0x000000000000000000000000000000000b4a1d01'

// More than a block's gas, so that a walk over thousands of empty bitmap words can finish.
const CALL_GAS = 500_000_000n

/** The gas of a call: as much as a node is known to allow. */
function callGasOf(client: Client): bigint {
  return profilesOf(client).reduce(
    (least, { callGas }) => (callGas < least ? callGas : least),
    CALL_GAS,
  )
}

/** Code that returns one word for every call. */
export function answering(word: bigint): Hex {
  // PUSH32 word, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  return concatHex('0x7f', toHex(word, 32), '0x5f5260205ff3')
}

/**
 * Calls `address ++ data` of its calldata and returns `success ++ returndata`. In the callback of a V3
 * pool, of any name, it reverts with the two deltas of the swap, so they arrive as return data.
 */
const FORWARDER_CODE: Hex = concatHex(
  // if (caller != origin) goto 0x26
  '0x32331415602657',
  // memory[0…] = calldata[32…]
  '0x602036038060205f37',
  // success = call(gas, calldata[0], value 0, memory[0…])
  '0x5f5f825f5f5f355af1',
  // return success ++ returndata
  '0x5f523d5f60203e60203d015ff3',
  // 0x26: revert(calldata[4…68])
  '0x5b604060045f3760405ffd',
)
