import { BaseError } from '../errors.js'
import { type Address, concatHex, type Hex, NATIVE, sizeOfHex, sliceHex, toHex } from '../hex.js'
import { calledContract, encodeSwap, type FamilyName, swapOfOpcode } from '../pools/index.js'
import type { PlannedHop } from '../replay.js'
import { requireAddress, requireShare } from './checkCall.js'

/** The hops of a program, with token addresses instead of table indices. */
export type DecodedProgram = {
  readonly hops: readonly {
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly share: number
    /** The families whose pools are called with this opcode. */
    readonly families: readonly FamilyName[]
    /** The contract that is called: the pool, or the manager that keeps it. */
    readonly pool: Address
    /** The family's own bytes, opcode included. */
    readonly swap: Hex
  }[]
}

/** The fields of a hop that its bytes encode. */
type EncodableHop = Pick<DecodedProgram['hops'][number], 'tokenIn' | 'tokenOut' | 'share' | 'swap'>

/** The wrapped ends of a program: table entries 0 and 1. */
export type ProgramEnds = { readonly tokenIn: Address; readonly tokenOut: Address }

const HOP_HEAD_BYTES = 5

/**
 * The bytes that the executor reads: `count:uint8 intermediate:address×count hop*`, each hop
 * `tokenIn:uint8 tokenOut:uint8 share:uint24 swap`. Indices 0 and 1 are the wrapped ends. Hops that
 * wrap or unwrap at the ends of the route are left out, because the router does them. See
 * docs/program.md. Throws BAD_CALL for an address or a share that cannot be encoded.
 */
export function encodeProgram(hops: readonly PlannedHop[], ends: ProgramEnds): Hex {
  const swaps = hops.filter((hop) => !hop.pool.tokens.includes(NATIVE))
  const encodable = swaps.map(({ pool, direction, share }, i) => {
    const swap = encodeSwap(pool, direction)
    // An id of another length would shift what follows it.
    requireAddress(`hops[${i}].pool`, calledContract(pool))
    return {
      tokenIn: pool.tokens[direction.in]!,
      tokenOut: pool.tokens[direction.out]!,
      share,
      swap,
    }
  })
  return encodeHops(encodable, ends)
}

/** The canonical program of hops: the table lists each token once, in the order of its first use. */
export function encodeHops(hops: readonly EncodableHop[], ends: ProgramEnds): Hex {
  const table: Address[] = [ends.tokenIn, ends.tokenOut]
  for (const [i, { tokenIn, tokenOut, share }] of hops.entries()) {
    for (const token of [tokenIn, tokenOut]) if (!table.includes(token)) table.push(token)
    requireShare(`hops[${i}].share`, share)
  }
  for (const [i, token] of table.entries()) requireAddress(`tokens[${i}]`, token)
  const intermediates = table.slice(2)
  const encodedHops = hops.map(({ tokenIn, tokenOut, share, swap }) =>
    concatHex(
      toHex(table.indexOf(tokenIn), 1),
      toHex(table.indexOf(tokenOut), 1),
      toHex(share, 3),
      swap,
    ),
  )
  return concatHex(toHex(intermediates.length, 1), ...intermediates, ...encodedHops)
}

/** The inverse of {@link encodeProgram}; throws {@link BadProgramError} on bytes it cannot have written. */
export function decodeProgram(program: Hex, ends: ProgramEnds): DecodedProgram {
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
  while (at < size) {
    const head = take(HOP_HEAD_BYTES)
    const tokenIn = tokenAt(Number(sliceHex(head, 0, 1)))
    const tokenOut = tokenAt(Number(sliceHex(head, 1, 2)))
    const share = Number(sliceHex(head, 2, 5))
    const opcode = Number(take(1))
    const layout = swapOfOpcode(opcode)
    if (!layout) throw new BadProgramError('unknown opcode', { opcode, at: at - 1 })
    at -= 1
    const swap = take(layout.bytes)
    hops.push({
      tokenIn,
      tokenOut,
      share,
      families: layout.families,
      pool: sliceHex(swap, 1, 21),
      swap,
    })
  }
  return { hops }
}

/** The bytes are not a program. */
export class BadProgramError extends BaseError {
  readonly code = 'BAD_PROGRAM'
}
