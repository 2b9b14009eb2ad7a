/** The head of a change as text, which carriers between processes send. */
import { parse, stringify } from '@braid-swap/core/advanced'
import { type ChangeHead, FeedFormatError, FORMAT } from './feed.js'

/** A head as JSON in one line. */
export function encodeHead(head: ChangeHead): string {
  const { status, ...rest } = head
  return stringify({ ...rest, status: `:${status}` })
}

/** The inverse of {@link encodeHead}. Throws a {@link FeedFormatError} for another version. */
export function decodeHead(text: string): ChangeHead {
  const { status, ...rest } = parse(text) as ChangeHead
  if (rest.format !== FORMAT) throw new FeedFormatError(rest.format)
  return { ...rest, status: status.slice(1) }
}
