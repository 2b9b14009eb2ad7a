// What a node says of a call that reverts.

import { routerAbi } from '@braid-swap/contracts'
import { BaseError, type Hex } from '@braid-swap/core'
import {
  decodeErrorResult,
  ExecutionRevertedError,
  RpcRequestError,
  BaseError as ViemError,
} from 'viem'

/**
 * What nodes say of a call that reverts: "execution reverted" of geth and reth, "EVM error: Revert" and
 * "InvalidTransaction(Revert(…))" of those that pass the word of the EVM on. Not "revert" anywhere: a provider may say
 * that it reverted to another backend.
 */
const REVERTED =
  /\bexecution reverted\b|\bevm error: revert|\brevert ?(error)?\(|\bvm exception\b.*\brevert/i

/** True if the node answered that the call reverts. */
export function isRevert(error: unknown): boolean {
  const isReverted = (link: unknown) =>
    link instanceof ExecutionRevertedError ||
    (link instanceof RpcRequestError && (link.code === 3 || REVERTED.test(link.details)))
  return hasCause(error, isReverted)
}

function hasCause(error: unknown, isIt: (link: unknown) => boolean): boolean {
  const cause = error instanceof BaseError ? error.cause : undefined
  return cause instanceof ViemError && cause.walk(isIt) !== null
}

/**
 * Asks about a call at the price that its transaction has for gas, because a contract sees whether gas costs something.
 * Asks once more without terms if the node refuses for another reason than a revert, as it does if the sender cannot pay
 * for all the gas that the node tries.
 */
export async function askPriced<F extends object, T>(
  terms: F,
  ask: (terms: F | Partial<F>) => Promise<T>,
): Promise<T> {
  try {
    return await ask(terms)
  } catch (error) {
    if (isRevert(error) || !hasCause(error, (link) => link instanceof RpcRequestError)) throw error
    return ask({})
  }
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
