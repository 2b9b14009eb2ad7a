import type { Address, Hex } from '@braid-swap/core'

/** The fields of a log that loaders use; address and topics in lower case. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly logIndex: number
  /** Unix seconds of its block; absent if its header was not read. */
  readonly timestamp?: bigint
}

/** The fields of a log that `applyLog` uses. */
export type LogBody = Pick<Log, 'topics' | 'data' | 'timestamp'>
