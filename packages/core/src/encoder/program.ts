import { badOption, requireFields } from '../checkNames.js'
import { BaseError } from '../errors.js'
import type { Fee } from '../fee.js'
import { type Address, concatHex, type Hex, NATIVE, sizeOfHex, sliceHex, toHex } from '../hex.js'
import type { Order } from '../order.js'
import { calledContract, encodeSwap, type Pool } from '../pools/index.js'
import { swapOfOpcode } from '../pools/layouts.js'
import type { PlannedHop } from '../replay.js'
import { textOf } from '../shape/check.js'
import {
  FEE_PPM_WANTED,
  isBytes,
  isFeePpm,
  requireAddress,
  requireBytes,
  requireFee,
  requireShare,
} from './checkCall.js'
import { LEAST_RATE_BYTES } from './leastRate.js'

/** The hops of a program, with token addresses instead of table indices. */
export type DecodedProgram = {
  readonly hops: readonly {
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly share: number
    /** The families whose pools are called with this opcode. */
    readonly families: readonly Pool['family'][]
    /** The contract that is called: the pool, or the manager that keeps it. */
    readonly pool: Address
    /** The family's own bytes, opcode included. */
    readonly swap: Hex
    /** Below this rate the hop reverts: `mantissa:uint56 exponent:int8`, as the program has it. */
    readonly leastRate?: Hex
  }[]
  /** The integrator's fee, if there is one. */
  readonly fee?: Fee
}

/** The fields of a hop that its bytes encode. */
type EncodableHop = Pick<
  DecodedProgram['hops'][number],
  'tokenIn' | 'tokenOut' | 'share' | 'swap' | 'leastRate'
>

const HOP_HEAD_BYTES = 5
/** The opcode of a payment, which is no swap: the token twice, ppm, the opcode, the recipient. */
const PAY = 0x20
const ADDRESS_BYTES = 20
/** The bit of an opcode that announces a least rate. */
const RATED = 0x80

/**
 * The bytes that the executor reads: `count:uint8 intermediate:address×count hop*`, each hop
 * `tokenIn:uint8 tokenOut:uint8 share:uint24 swap leastRate?`. Indices 0 and 1 are the wrapped ends. Hops that
 * wrap or unwrap at the ends of the route are left out, because the router does them. A fee is a
 * payment before the first hop or after the last one. See docs/program.md. Throws BAD_CALL for an
 * address, a share, a least rate or a fee that cannot be encoded, and for a fee without hops.
 */
export function encodeProgram(
  hops: readonly (PlannedHop & { readonly leastRate?: Hex })[],
  ends: Pick<Order, 'tokenIn' | 'tokenOut'>,
  fee?: Fee,
): Hex {
  // As a condition it would make `any` of what a list holds.
  const isList: boolean = Array.isArray(hops)
  if (!isList) throw badOption('hops', hops, 'a list of hops')
  requireFields('ends', ends, ['tokenIn', 'tokenOut'])
  const swaps = hops.filter((hop) => !hop.pool.tokens.includes(NATIVE))
  const encodable = swaps.map(({ pool, direction, share, leastRate }, i) => {
    // An id of another length would shift what follows it.
    requireAddress(`hops[${i}].pool`, calledContract(pool))
    return {
      tokenIn: pool.tokens[direction.in]!,
      tokenOut: pool.tokens[direction.out]!,
      share,
      swap: encodeSwap(pool, direction),
      ...(leastRate && { leastRate }),
    }
  })
  return encodeHops(encodable, ends, fee)
}

/** The canonical program of hops: the table lists each token once, in the order of its first use. */
export function encodeHops(
  hops: readonly EncodableHop[],
  ends: Pick<Order, 'tokenIn' | 'tokenOut'>,
  fee?: Fee,
): Hex {
  if (fee) requireFee(fee, hops.length)
  const table: Address[] = [ends.tokenIn, ends.tokenOut]
  for (const [i, { tokenIn, tokenOut, share }] of hops.entries()) {
    for (const token of [tokenIn, tokenOut]) if (!table.includes(token)) table.push(token)
    requireShare(`hops[${i}].share`, share)
  }
  for (const [i, token] of table.entries()) requireAddress(`tokens[${i}]`, token)
  const intermediates = table.slice(2)
  const encodedHops = hops.map(({ tokenIn, tokenOut, share, swap, leastRate }) =>
    concatHex(
      toHex(table.indexOf(tokenIn), 1),
      toHex(table.indexOf(tokenOut), 1),
      toHex(share, 3),
      leastRate ? withRate(swap, leastRate) : swap,
    ),
  )
  const payment = (of: Fee['of']) => (fee?.of === of ? [encodeFee(fee)] : [])
  return concatHex(
    toHex(intermediates.length, 1),
    ...intermediates,
    ...payment('tokenIn'),
    ...encodedHops,
    ...payment('tokenOut'),
  )
}

function withRate(swap: Hex, leastRate: Hex): Hex {
  requireBytes('leastRate', leastRate, LEAST_RATE_BYTES)
  const opcode = Number(sliceHex(swap, 0, 1)) + RATED
  return concatHex(toHex(opcode, 1), sliceHex(swap, 1, sizeOfHex(swap)), leastRate)
}

/** A payment of the token in, index 0, or of the token out, index 1. */
function encodeFee({ of, ppm, recipient }: Fee): Hex {
  const token = toHex(of === 'tokenIn' ? 0 : 1, 1)
  return concatHex(token, token, toHex(ppm, 3), toHex(PAY, 1), recipient)
}

/** The inverse of {@link encodeProgram}; throws {@link BadProgramError} on bytes it cannot have written. */
export function decodeProgram(
  program: Hex,
  ends: Pick<Order, 'tokenIn' | 'tokenOut'>,
): DecodedProgram {
  if (!isBytes(program)) throw new BadProgramError(`the program is ${textOf(program)}`)
  requireFields('ends', ends, ['tokenIn', 'tokenOut'])
  const size = sizeOfHex(program)
  let at = 0
  const take = (bytes: number): Hex => {
    if (at + bytes > size)
      throw new BadProgramError('the program is cut short', { size, at, bytes })
    at += bytes
    return sliceHex(program, at - bytes, at)
  }
  const table: Address[] = [ends.tokenIn, ends.tokenOut]
  const count = Number(take(1))
  for (let i = 0; i < count; i++) table.push(take(20))
  const tokenAt = (index: number): Address => {
    const token = table[index]
    if (!token) throw new BadProgramError('no such token', { index, tokens: table.length, at })
    return token
  }
  const hops: DecodedProgram['hops'][number][] = []
  let fee: Fee | undefined
  while (at < size) {
    // A fee of the token out ends the program.
    if (fee?.of === 'tokenOut') throw new BadProgramError('a hop after the fee', { at })
    const head = take(HOP_HEAD_BYTES)
    const share = Number(sliceHex(head, 2, 5))
    const first = Number(take(1))
    if (first === PAY) {
      const recipient = take(ADDRESS_BYTES)
      const isFirst = hops.length === 0
      if (fee) throw new BadProgramError('a second fee', { at })
      fee = readFee(sliceHex(head, 0, 2), { ppm: share, recipient, isFirst, at })
      continue
    }
    const tokenIn = tokenAt(Number(sliceHex(head, 0, 1)))
    const tokenOut = tokenAt(Number(sliceHex(head, 1, 2)))
    const opcode = first % RATED
    const layout = swapOfOpcode(opcode)
    if (!layout) throw new BadProgramError('unknown opcode', { opcode: first, at: at - 1 })
    const swap = concatHex(toHex(opcode, 1), take(layout.bytes - 1))
    hops.push({
      tokenIn,
      tokenOut,
      share,
      families: layout.families,
      pool: sliceHex(swap, 1, 21),
      swap,
      ...(first < RATED ? {} : { leastRate: take(LEAST_RATE_BYTES) }),
    })
  }
  if (fee && hops.length === 0) throw new BadProgramError('a fee without a hop', { size })
  return fee ? { hops, fee } : { hops }
}

/** A payment as a fee: of the token in before every hop, or of the token out. */
function readFee(
  tokens: Hex,
  found: { readonly ppm: number; readonly recipient: Address; isFirst: boolean; at: number },
): Fee {
  const { ppm, recipient, isFirst, at } = found
  const of = isFirst ? 'tokenIn' : 'tokenOut'
  if (tokens !== (isFirst ? '0x0000' : '0x0101')) {
    const wanted = 'the token in before all hops, or the token out after them'
    throw new BadProgramError('a payment that is no fee', { tokens, wanted, at })
  }
  if (!isFeePpm(ppm)) throw new BadProgramError(`fee.ppm is ${ppm}`, { at, wanted: FEE_PPM_WANTED })
  return { of, ppm, recipient: recipient.toLowerCase() as Address }
}

/** The bytes are not a program. */
export class BadProgramError extends BaseError {
  readonly code = 'BAD_PROGRAM'
}
