/**
 * Refuses what cannot be encoded. Bytes are joined without separators, so an address of another length
 * would shift everything after it: the call would still be made, with other tokens and amounts.
 */
import { BaseError } from '../errors.js'
import { type Fee, MAX_FEE_PPM } from '../fee.js'
import { type Address, type Hex, sizeOfHex } from '../hex.js'
import { textOf } from '../shape/check.js'

const ADDRESS = /^0x[0-9a-f]{40}$/
const BYTES = /^0x([0-9a-f]{2})*$/i
const MAX_UINT256 = (1n << 256n) - 1n

/** Throws a {@link BadCallError} unless the value is 20 bytes of hex in lower case. */
export function requireAddress(field: string, value: Address): void {
  if (typeof value === 'string' && ADDRESS.test(value)) return
  throw badCall(field, value, '0x and 40 hex digits in lower case')
}

/** Throws a {@link BadCallError} unless the value is 20 bytes of hex in any case. */
export function requireReceiver(field: string, value: Address): void {
  if (typeof value === 'string' && ADDRESS.test(value.toLowerCase())) return
  throw badCall(field, value, '0x and 40 hex digits')
}

/** Throws a {@link BadCallError} unless the value is a uint256. */
export function requireAmount(field: string, value: bigint): void {
  if (typeof value === 'bigint' && value >= 0n && value <= MAX_UINT256) return
  throw badCall(field, value, 'a bigint from 0 to 2^256-1')
}

/** Returns whether a value is whole bytes as hex, in any case. */
export function isBytes(value: unknown): value is Hex {
  return typeof value === 'string' && BYTES.test(value)
}

/** Throws a {@link BadCallError} unless the value is whole bytes, of that number if one is given. */
export function requireBytes(field: string, value: Hex, count?: number): void {
  if (isBytes(value) && (count === undefined || sizeOfHex(value) === count)) return
  throw badCall(field, value, count === undefined ? 'whole bytes as hex' : `${count} bytes as hex`)
}

/** Throws a {@link BadCallError} unless the value is a share: a uint24. */
export function requireShare(field: string, value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffffff) return
  throw badCall(field, value, 'a whole number from 0 to 16777215')
}

export const FEE_PPM_WANTED = `a whole number from 1 to ${MAX_FEE_PPM}`

/** Returns whether a program can contain a fee of so many parts per million. */
export function isFeePpm(ppm: number): boolean {
  return Number.isInteger(ppm) && ppm >= 1 && ppm <= MAX_FEE_PPM
}

/** Throws a {@link BadCallError} for a fee that no program can contain, or beside no hops. */
export function requireFee(fee: Fee, hops: number): void {
  const { of, ppm, recipient } = Object(fee) as Fee
  if (of !== 'tokenIn' && of !== 'tokenOut') throw badCall('fee.of', of, 'tokenIn or tokenOut')
  if (!isFeePpm(ppm)) throw badCall('fee.ppm', ppm, FEE_PPM_WANTED)
  requireAddress('fee.recipient', recipient)
  if (hops === 0) throw badCall('fee', fee, 'no fee, because a program without hops pays none')
}

function badCall(field: string, value: unknown, wanted: string): BadCallError {
  return new BadCallError(`${field} is ${textOf(value)}`, { field, got: textOf(value), wanted })
}

/** A call or a program cannot be encoded; details name the field. */
export class BadCallError extends BaseError {
  readonly code = 'BAD_CALL'
}
