import { BaseError as ViemError } from 'viem'
import { NodeError } from '../errors.js'

/**
 * What a node answers; its failures as one error. URLs may hold keys, so of the node's own message
 * only the short form is told.
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
