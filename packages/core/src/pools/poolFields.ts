/** Shapes of the fields that pools of several families have, and the rules that hold between them. */
import type { Address, Hex } from '../hex.js'
import {
  absent,
  type Fault,
  integer,
  list,
  number,
  optional,
  pair,
  type Shape,
  text,
  uint,
} from '../shape/shape.js'
import type { PoolBase } from './family.js'

/** 20 bytes in lower case. */
export const address: Shape<Address> = text(
  /^0x[0-9a-f]{40}$/,
  'an address: 0x and 40 hex digits in lower case',
)

/** 32 bytes in lower case. */
export const hash: Shape<Hex> = text(
  /^0x[0-9a-f]{64}$/,
  '32 bytes: 0x and 64 hex digits in lower case',
)

/** Letters, digits and dashes. */
const venue: Shape<string> = text(
  /^[A-Za-z0-9-]+$/,
  'the id of a venue: letters, digits and dashes',
)

/** Unix seconds. */
export const seconds: Shape<bigint> = uint(40)

/** Unix seconds as the contracts store them, which a number is exact for. */
export const seconds32: Shape<number> = number(0, 2 ** 32 - 1)

/** A fee in parts per million below the whole amount. */
export const feePpm: Shape<number> = number(0, 999_999)

/** A power of ten up to 10¹⁸: a contract's 10^decimals, or 10^(18 − decimals). */
export const powerOfTen: Shape<bigint> = integer(1n, 10n ** 18n)

/** The tokens of a pool of two. */
export const twoTokens: Shape<readonly [Address, Address]> = pair(address)

/** The tokens of a pool of two to eight. */
export const severalTokens: Shape<readonly Address[]> = list(address, 2, 8)

/** The common fields of a pool whose state changes only by logs and does not depend on time. */
export const poolFields = {
  id: address,
  manager: absent,
  venue,
  watched: optional(list(address, 0, 16)),
  ratedBy: absent,
  ratedFrom: absent,
  quotedAt: absent,
  sampledAt: absent,
} as const

/** The contracts that set the rates of a pool. */
export const ratedFrom = optional(list(address, 1, 8))

/** The common fields of a pool that depends on time in some of its states. */
export const timedFields = { ...poolFields, quotedAt: optional(seconds) } as const

/** The common fields of a pool that is read again in every block. */
export const sampledFields = { ...poolFields, quotedAt: seconds, sampledAt: seconds } as const

/** The first of several possible faults. */
export function firstFault(...faults: readonly (Fault | undefined)[]): Fault | undefined {
  return faults.find((fault) => fault !== undefined)
}

/** A fault unless the two tokens ascend, as in pools whose factory sorts them. */
export function faultOfSorting({ tokens }: Pick<PoolBase, 'tokens'>): Fault | undefined {
  const at = tokens.findIndex((token, i) => i > 0 && token <= tokens[i - 1]!)
  if (at === -1) return undefined
  return { field: `tokens[${at}]`, got: tokens[at]!, wanted: `an address above ${tokens[at - 1]}` }
}

/** A fault if a token is listed twice, for pools that do not sort theirs. */
export function faultOfTokens({ tokens }: Pick<PoolBase, 'tokens'>): Fault | undefined {
  const at = tokens.findIndex((token, i) => tokens.indexOf(token) !== i)
  if (at === -1) return undefined
  return { field: `tokens[${at}]`, got: tokens[at]!, wanted: 'another token than before it' }
}

/** A fault unless the pool has a quoting time exactly if its state depends on it. */
export function faultOfTime(pool: Pick<PoolBase, 'quotedAt'>, isTimed: boolean): Fault | undefined {
  const { quotedAt } = pool
  if (isTimed === (quotedAt !== undefined)) return undefined
  return isTimed
    ? { field: 'quotedAt', got: 'nothing', wanted: 'the time of the quote: the pool depends on it' }
    : { field: 'quotedAt', got: `${quotedAt}`, wanted: 'none: nothing in the pool depends on time' }
}

/** A fault if the quote is before the newest record of the pool's oracle. */
export function faultOfNewest(
  { quotedAt = 0n }: Pick<PoolBase, 'quotedAt'>,
  newest: number | bigint,
): Fault | undefined {
  if (quotedAt >= BigInt(newest)) return undefined
  return { field: 'quotedAt', got: `${quotedAt}`, wanted: `at least ${newest}, the newest record` }
}

/** A fault unless the list has one item for each token. */
export function faultOfCount(
  field: string,
  items: readonly unknown[],
  { tokens }: Pick<PoolBase, 'tokens'>,
): Fault | undefined {
  if (items.length === tokens.length) return undefined
  return {
    field,
    got: `a list of ${items.length}`,
    wanted: `one for each of ${tokens.length} tokens`,
  }
}

/** A fault unless every value is a power of ten. */
export function faultOfPowers(field: string, values: readonly bigint[]): Fault | undefined {
  const at = values.findIndex((value) => !/^10*$/.test(`${value}`))
  if (at === -1) return undefined
  return { field: `${field}[${at}]`, got: `${values[at]}`, wanted: 'a power of ten' }
}

/** A fault unless the numbers ascend, which are the field `name` of the items of the list `field`. */
export function faultOfOrder(
  [field, name]: readonly [string, string],
  values: readonly number[],
): Fault | undefined {
  const at = values.findIndex((value, i) => i > 0 && value <= values[i - 1]!)
  if (at === -1) return undefined
  return {
    field: `${field}[${at}].${name}`,
    got: `${values[at]}`,
    wanted: `above ${values[at - 1]}, the one before it`,
  }
}
