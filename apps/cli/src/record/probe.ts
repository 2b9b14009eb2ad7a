import type { Client } from '@braid-swap/chain'
import { type Address, concatHex, type Hex, sliceHex, toHex } from '@braid-swap/core'
import { askNode } from '../sources/node.js'

/** A contract placed for the length of one call. */
export type Placed = { readonly address: Address; readonly code: Hex }

/** What a call inside the node's machine came to. */
export type Outcome = { readonly isSuccess: boolean; readonly returned: Hex }

/**
 * Calls a contract at a block from the forwarder's address, with some code replaced for the length
 * of the call; a revert is an outcome, a failing node an error. Throws RPC_FAILED.
 */
export async function probe(
  client: Client,
  block: bigint,
  call: { readonly to: Address; readonly data: Hex; readonly placed?: readonly Placed[] },
): Promise<Outcome> {
  const { data } = await askNode(() =>
    client.call({
      to: FORWARDER,
      data: concatHex(toHex(BigInt(call.to), 32), call.data),
      blockNumber: block,
      // More than a block holds: a walk over thousands of empty words must not end half way.
      gas: CALL_GAS,
      stateOverride: [{ address: FORWARDER, code: FORWARDER_CODE }, ...(call.placed ?? [])],
    }),
  )
  const answer = data ?? '0x'
  return {
    isSuccess: BigInt(sliceHex(answer, 0, 32)) === 1n,
    returned: `0x${answer.slice(2 + 64)}`,
  }
}

/** Who calls, as the contracts see it: an address where nothing is. */
export const FORWARDER: Address = '0x000000000000000000000000000000000b4a1d01'

const CALL_GAS = 500_000_000n

/** Code that answers every call with one word. */
export function answering(word: bigint): Hex {
  // PUSH32 word, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  return concatHex('0x7f', toHex(word, 32), '0x5f5260205ff3')
}

/**
 * Calls `address ++ data` of its calldata and returns `success ++ returndata`. Called back by a V3
 * pool, under whatever name, it reverts with the two deltas the pool wants paid, which so arrive as
 * returndata.
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
