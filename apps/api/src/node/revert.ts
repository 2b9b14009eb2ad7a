// What a node says of a call that reverts.

import { routerAbi } from '@braid-swap/contracts'
import { BaseError, type Hex } from '@braid-swap/core'
import { decodeErrorResult, ExecutionRevertedError, BaseError as ViemError } from 'viem'

/** True if the node answered that the call reverts. */
export function isRevert(error: unknown): boolean {
  const cause = error instanceof BaseError ? error.cause : undefined
  const isReverted = (link: unknown) => link instanceof ExecutionRevertedError
  return cause instanceof ViemError && cause.walk(isReverted) !== null
}

/** The bytes that a call reverted with; none if the node gave none. */
export function revertBytesOf(error: unknown): Hex {
  const cause = error instanceof Error ? error.cause : undefined
  const inner: unknown = cause instanceof ViemError ? cause.walk() : undefined
  const held =
    inner !== null && typeof inner === 'object' && 'data' in inner ? inner.data : undefined
  const nested = typeof held === 'object' && held !== null && 'data' in held ? held.data : held
  return typeof nested === 'string' && /^0x[0-9a-f]*$/i.test(nested) ? (nested as Hex) : '0x'
}

/** The router's or executor's own error with its arguments, otherwise the first four bytes of the revert data. */
export function revertText(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: routerAbi, data })
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch {
    return data === '0x' ? 'no reason given' : data.slice(0, 10)
  }
}
