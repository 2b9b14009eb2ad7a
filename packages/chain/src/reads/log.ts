import type { Address, Hex } from '@braid-swap/core'

/** The fields of a log that loaders use; address and topics in lower case. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly logIndex: number
  /** Unix seconds of its block; absent if neither the node's log nor a header that was read says it. */
  readonly timestamp?: bigint
}

/** The fields of a log that `applyLog` uses. */
export type LogBody = Pick<Log, 'topics' | 'data' | 'timestamp'>
