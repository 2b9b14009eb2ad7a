import type { Address } from '@braid-swap/core'
import { isPassing } from './answers.js'
import type { Client } from './client.js'

/**
 * Whether an account's transactions go into big blocks, which HyperEVM lets every account choose, as
 * its `eth_usingBigBlocks` answers; `null` where the node does not know the method or says something
 * else. Throws what the client throws of a node that does not answer.
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
