import { nodeFailed } from '@braid-swap/core/advanced'
import { BaseError as ViemError } from 'viem'

/** Calls a node. What its library throws is thrown as one error, without URLs, which may contain keys. Throws RPC_FAILED. */
export async function callNode<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw error instanceof ViemError ? nodeFailed(error) : error
  }
}
