// What is thrown where a node fails, in the same words by every package that asks one.

import { BaseError } from './errors.js'

/** A node did not answer, or refused. `details.node` is its host. */
export class NodeFailedError extends BaseError {
  readonly code = 'RPC_FAILED'
}

type Thrown = Readonly<Record<'shortMessage' | 'message' | 'details' | 'url' | 'cause', unknown>>

/**
 * The error for what a library threw; errors of ours pass unchanged. It names the node by its host, and has no URL,
 * because URLs may contain keys.
 */
export function nodeFailed(thrown: unknown): BaseError {
  if (thrown instanceof BaseError) return thrown
  const { shortMessage, message = thrown, details = '' } = Object(thrown) as Thrown
  const said = [shortMessage ?? message, details].map(String)
  const words = said.filter((text) => text !== '' && !text.includes('://'))
  const host = hostOf(thrown)
  const node = host === undefined ? 'the node' : `the node ${host}`
  const named = host === undefined ? {} : { node: host }
  return new NodeFailedError(`${node} failed: ${words.join(' ')}`, named, thrown)
}

/** Host and port of the URL that a request failed at; `undefined` if no cause has one. */
function hostOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const { url, cause } = thrown as Thrown
  return /^\w+:\/\/(?:[^/?#]*@)?([^/?#]+)/.exec(`${url}`)?.[1] ?? hostOf(cause)
}
