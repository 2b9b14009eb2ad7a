import { Refusal } from '../wire/rpcServer.js'
import { type AskUpstream, blockWithHash } from '../wire/upstream.js'
import type { Quirks } from './quirks.js'

/** One node, or one of several backends, while it answers a request. */
export type Backend = {
  readonly ask: AskUpstream
  readonly quirks: Quirks
  /** The height of its newest block. */
  readonly head: () => Promise<number>
  /** Milliseconds since the double first saw a block of this height. */
  readonly ageMsOf: (number: number) => number
}

/** The height that a block parameter names. */
export function heightOf(tag: unknown, head: number): number {
  if (tag === 'earliest') return 0
  return typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head
}

/** The height of the block with a hash; throws a {@link Refusal} if the backend does not have it. */
export async function heightOfHash({ ask, head }: Backend, hash: string): Promise<number> {
  const block = await blockWithHash(ask, hash)
  const number = Number(block?.number)
  if (!block || number > (await head())) throw new Refusal(-32001, 'header not found')
  return number
}

/** Throws a {@link Refusal} for a block that the node has dropped. */
export function checkKept({ quirks }: Backend, number: number, head: number): void {
  if (number >= head - quirks.keptBlocks) return
  throw new Refusal(-32603, `invalid block height: ${number}`)
}
