// Reads whether an account uses big blocks, because that decides how much gas its
// transactions may use.

import type { Address } from '@braid-swap/core'
import type { Client } from '../transport/client.js'
import { isPassing } from '../transport/rpcErrors.js'

/**
 * Returns true if an account's transactions go into big blocks. Where a chain has two kinds of blocks, each account
 * chooses; the node reports it by `eth_usingBigBlocks`. `null` if the node does not know the method or answers
 * something other than a boolean. Throws the client's error if the node does not answer.
 */
export async function readUsesBigBlocks(client: Client, account: Address): Promise<boolean | null> {
  try {
    const answer: unknown = await client.request<UsingBigBlocks>({
      ...{ method: 'eth_usingBigBlocks', params: [account] },
    })
    return typeof answer === 'boolean' ? answer : null
  } catch (error) {
    if (isPassing(error)) throw error
    return null
  }
}

type UsingBigBlocks = {
  readonly Method: 'eth_usingBigBlocks'
  readonly Parameters: readonly [Address]
  readonly ReturnType: unknown
}
