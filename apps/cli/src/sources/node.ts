import { BaseError as ViemError } from 'viem'
import { NodeError } from '../errors.js'

/**
 * Calls a node and converts its failures to one error. The error names the node by its host and has
 * only the short form of its message, because URLs may contain keys. Throws RPC_FAILED.
 */
export async function callNode<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ViemError)) throw error
    const details = error.details && !error.details.includes('://') ? ` ${error.details}` : ''
    const host = hostOf(error)
    const node = host === undefined ? 'the node' : `the node ${host}`
    const named = host === undefined ? {} : { node: host }
    throw new NodeError(`${node} failed: ${error.shortMessage}${details}`, named, error)
  }
}

/** Host and port of the URL that a request failed at; `undefined` if the error has none. */
function hostOf(error: ViemError): string | undefined {
  const found = error.walk((cause) => typeof (cause as { url?: unknown }).url === 'string')
  const { url = '' } = (found ?? {}) as { readonly url?: string }
  return URL.canParse(url) ? new URL(url).host : undefined
}
