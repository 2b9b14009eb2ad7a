import { BaseError as ViemError } from 'viem'
import { NodeError } from '../errors.js'

/**
 * Calls a node and converts its failures to one error. The error has only the short form of the node's
 * message, because URLs may contain keys. Throws RPC_FAILED.
 */
export async function askNode<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ViemError)) throw error
    const details = error.details && !error.details.includes('://') ? ` ${error.details}` : ''
    throw new NodeError(`the node failed: ${error.shortMessage}${details}`, {}, error)
  }
}
