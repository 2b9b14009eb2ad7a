// The kinds of parameters, and how each is read; `requests.ts` says which request has which, and what they mean.

import { type Address, type Hex, NATIVE, parseSlippagePpm } from '@braid-swap/core'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { z } from 'zod'
import type { ErrorCode } from '../errors.js'
import { isChecksumWrong } from './addresses.js'

/** The pattern of an address in the interface. */
export const ADDRESS_PATTERN = '^0x[a-fA-F0-9]{40}$'
/** The pattern of an integer of any length; a value out of range has a separate code. */
const INTEGER_PATTERN = '^[0-9]+$'

/** The pattern of a state id. */
const ID_PATTERN = '^s1_[a-z2-7]{52}$'
/** The pattern of a list of names. */
const NAMES_PATTERN = '^[A-Za-z0-9._-]{1,64}(,[A-Za-z0-9._-]{1,64}){0,99}$'

const ADDRESS = new RegExp(ADDRESS_PATTERN)
const INTEGER = new RegExp(INTEGER_PATTERN)

/** The data of a parameter's fault that zod carries to the error body. */
export type Fault = {
  /** The code of the whole response. */
  readonly code: ErrorCode
  /** A more specific code for the issue, if there is one. */
  readonly reason?: string
  readonly expected: string
  readonly message: string
}

type Outcome<T> = { readonly value: T } | { readonly fault: Fault }

/** The value, or the fault if there is none. */
function orFault<T>(value: T | undefined, fault: Fault): Outcome<T> {
  return value === undefined ? { fault } : { value }
}

/** The OpenAPI description of a parameter. Every value arrives as text. */
type Description = {
  readonly description: string
  /** A string if absent. */
  readonly type?: 'boolean' | 'integer' | 'number' | undefined
  /** Of a value with several forms, which then has no `type`. */
  readonly anyOf?: object[]
  readonly pattern?: string
  readonly enum?: string[]
  readonly minimum?: number
  readonly maximum?: number
}

/** A parameter: its description, and the function that parses its text into a value or a fault. */
export function parameter<T>(schema: Description, read: (text: string) => Outcome<T>) {
  return z
    .string()
    .meta(schema)
    .transform((text, context): T => {
      const outcome = read(text)
      if ('value' in outcome) return outcome.value
      const { fault } = outcome
      context.addIssue({ code: 'custom', message: fault.message, params: fault })
      return z.NEVER
    })
}

/**
 * An address, in lower case. The zero address is refused unless `mayBeZero`: a receiver has a
 * separate error code for it.
 */
export function addressParameter(
  description: string,
  options: {
    readonly strictChecksum: boolean
    readonly isToken: boolean
    readonly mayBeZero?: boolean
  },
) {
  return parameter<Address>({ description, pattern: ADDRESS_PATTERN }, (text) => {
    const fault = (message: string, code: ErrorCode = 'INVALID_ADDRESS') => ({
      fault: { code, message, expected: ADDRESS_PATTERN },
    })
    if (!ADDRESS.test(text)) return fault('must be 0x and 40 hex digits')
    if (text === ZERO_ADDRESS && !options.mayBeZero) {
      return fault(
        options.isToken
          ? `must not be the zero address; the native token is ${NATIVE}`
          : 'must not be the zero address',
      )
    }
    if (options.strictChecksum && isChecksumWrong(text)) {
      return fault('must match its EIP-55 checksum', 'INVALID_CHECKSUM')
    }
    return { value: text.toLowerCase() as Address }
  })
}

type AmountRange = { readonly allowZero: boolean; readonly max: bigint }

/** An amount in the smallest unit, up to `max`. Zero has a separate code. */
export function amountParameter(description: string, range: AmountRange) {
  return parameter<bigint>({ description, pattern: INTEGER_PATTERN }, (text) =>
    readAmount(text, range),
  )
}

function readAmount(text: string, { allowZero, max }: AmountRange): Outcome<bigint> {
  if (!INTEGER.test(text)) {
    const message = 'must be a positive integer in decimal digits, in the smallest unit'
    const reason = 'NOT_DECIMAL_INTEGER'
    return { fault: { code: 'INVALID_AMOUNT', reason, message, expected: INTEGER_PATTERN } }
  }
  const value = BigInt(text)
  if (value === 0n && !allowZero) {
    return { fault: { code: 'AMOUNT_ZERO', message: 'must be above zero', expected: '>= 1' } }
  }
  if (value > max) {
    const message = `must be below 2^${max.toString(2).length}`
    return { fault: { code: 'AMOUNT_OUT_OF_RANGE', message, expected: `<= ${max}` } }
  }
  return { value }
}

/** Comma-separated amounts of such a range, at most `most`, in the order given. */
export function amountsParameter(
  description: string,
  { most, ...range }: AmountRange & { readonly most: number },
) {
  const pattern = `^[0-9]+(,[0-9]+){0,${most - 1}}$`
  return parameter<readonly bigint[]>({ description, pattern }, (text) => {
    if (!new RegExp(pattern).test(text)) {
      const message = `must be at most ${most} comma-separated integers in decimal digits, in the smallest unit`
      return { fault: { code: 'INVALID_AMOUNT', message, expected: pattern } }
    }
    const values: bigint[] = []
    for (const each of text.split(',')) {
      const outcome = readAmount(each, range)
      if ('fault' in outcome) {
        const { fault } = outcome
        return { fault: { ...fault, message: `each ${fault.message}` } }
      }
      values.push(outcome.value)
    }
    return { value: values }
  })
}

/** Describes an integer to OpenAPI: as an integer, or as a string if it may exceed 2^53. */
type IntegerOptions = { readonly min: bigint; readonly max: bigint; readonly isText?: boolean }

/** A decimal integer between two bounds, both inclusive. */
export function integerParameter(description: string, { min, max, isText }: IntegerOptions) {
  const schema = isText
    ? { description, pattern: INTEGER_PATTERN }
    : {
        ...{ description, type: 'integer' as const, minimum: Number(min) },
        ...(max <= BigInt(Number.MAX_SAFE_INTEGER) && { maximum: Number(max) }),
      }
  return parameter<bigint>(schema, (text) => {
    const expected = `integer from ${min} to ${max}`
    if (!INTEGER.test(text)) {
      const reason = 'NOT_DECIMAL_INTEGER'
      return {
        fault: { code: 'INVALID_AMOUNT', reason, message: `must be an ${expected}`, expected },
      }
    }
    const value = BigInt(text)
    return value < min || value > max
      ? { fault: { code: 'AMOUNT_OUT_OF_RANGE', message: `must be an ${expected}`, expected } }
      : { value }
  })
}

const MAX_PERCENT = 50

/** A percentage from 0 to 50, converted to parts per million, rounded down. */
export function percentParameter(description: string, code: ErrorCode) {
  const schema = { description, type: 'number', minimum: 0, maximum: MAX_PERCENT } as const
  return parameter<number>(schema, (text) => {
    const value = parseSlippagePpm(text)
    const expected = 'percentage, 0 <= x <= 50'
    return orFault(value, { code, message: `must be a ${expected}`, expected })
  })
}

/** A slippage: a percentage as {@link percentParameter}, or `auto` for the suggested one. */
export function slippageParameter(description: string) {
  const anyOf = [{ type: 'number', minimum: 0, maximum: MAX_PERCENT }, { const: 'auto' }]
  return parameter<number | 'auto'>({ description, type: undefined, anyOf }, (text) => {
    const value = text === 'auto' ? text : parseSlippagePpm(text)
    const expected = 'percentage, 0 <= x <= 50, or auto'
    return orFault(value, { code: 'INVALID_SLIPPAGE', message: `must be a ${expected}`, expected })
  })
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

/** `true`, `false`, `1` or `0` in any case; false when absent. */
export function booleanParameter(description: string) {
  return parameter<boolean>({ description, type: 'boolean' }, (text) => {
    const value = BOOLEANS.get(text.toLowerCase())
    const expected = 'true, false, 1 or 0'
    return orFault(value, { code: 'INVALID_BOOLEAN', message: `must be ${expected}`, expected })
  }).optional()
}

/** The id of a state, as in `meta.snapshotId`. */
export function idParameter(description: string) {
  return parameter<string>({ description, pattern: ID_PATTERN }, (text) =>
    new RegExp(ID_PATTERN).test(text)
      ? { value: text }
      : { fault: { code: 'INVALID_ENUM', message: 'must be a state id', expected: ID_PATTERN } },
  ).optional()
}

/** Comma-separated names. */
export function namesParameter(description: string) {
  return parameter<ReadonlySet<string>>({ description, pattern: NAMES_PATTERN }, (text) => {
    const expected = NAMES_PATTERN
    return new RegExp(NAMES_PATTERN).test(text)
      ? { value: new Set(text.split(',')) }
      : { fault: { code: 'INVALID_ENUM', message: 'must be comma-separated names', expected } }
  }).optional()
}

/**
 * Comma-separated addresses in lower case, at most `most`; with `mayBeId` also the 32-byte ids of pools
 * that are no contracts of their own.
 */
export function addressesParameter(
  description: string,
  options: {
    readonly strictChecksum: boolean
    readonly most: number
    readonly mayBeId?: boolean
  },
) {
  const one = options.mayBeId ? '0x([a-fA-F0-9]{40}|[a-fA-F0-9]{64})' : '0x[a-fA-F0-9]{40}'
  const pattern = `^${one}(,${one}){0,${options.most - 1}}$`
  return parameter<ReadonlySet<Hex>>({ description, pattern }, (text) => {
    const fault = (message: string, code: ErrorCode = 'INVALID_ADDRESS') => ({
      fault: { code, message, expected: pattern },
    })
    if (!new RegExp(pattern).test(text)) {
      return fault(`must be at most ${options.most} comma-separated addresses`)
    }
    const list = text.split(',')
    if (
      options.strictChecksum &&
      list.some((each) => ADDRESS.test(each) && isChecksumWrong(each))
    ) {
      return fault('must match their EIP-55 checksums', 'INVALID_CHECKSUM')
    }
    return { value: new Set(list.map((each) => each.toLowerCase() as Hex)) }
  }).optional()
}

/** Hex bytes, at least `min` and at most `max`. */
export function signatureParameter(
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
) {
  const pattern = `^0x([a-fA-F0-9]{2}){${min},${max}}$`
  return parameter<Hex>({ description, pattern }, (text) => {
    const message =
      min === max ? `must be ${min} bytes in hex` : `must be ${min} to ${max} bytes in hex`
    return new RegExp(pattern).test(text)
      ? { value: text.toLowerCase() as Hex }
      : { fault: { code: 'INVALID_SIGNATURE', message, expected: pattern } }
  }).optional()
}

/** One of the given words. */
export function enumParameter<const W extends string>(description: string, words: readonly W[]) {
  return parameter<W>({ description, enum: [...words] }, (text) => {
    const value = words.find((word) => word === text)
    const expected = words.join(' or ')
    return orFault(value, { code: 'INVALID_ENUM', message: `must be ${expected}`, expected })
  }).optional()
}
