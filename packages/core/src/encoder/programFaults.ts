import { type Address, type Hex, NATIVE, sizeOfHex, sliceHex, toHex } from '../hex.js'
import { swapOfOpcode } from '../pools/index.js'
import { type DecodedProgram, encodeHops, type ProgramEnds } from './program.js'

// A program can be read and still revert on chain, or say something else than it seems to. Nothing
// that encodes honestly writes such bytes, so whatever differs from its own re-encoding is refused,
// and each hop's own bytes are held against the tokens that the hop names.

type DecodedHop = DecodedProgram['hops'][number]

const FLAG_AT = 21
const FEE_AT = 22
const FEE_END = 25
const PPM = 1_000_000
const ZERO_ADDRESS = toHex(0, 20)

/** Why no encoder of ours wrote a program that can be read, in words; empty if one may have. */
export function faultsOfProgram(
  program: Hex,
  hops: readonly DecodedHop[],
  ends: ProgramEnds,
): readonly string[] {
  const faults = hops.flatMap((hop, i) => faultsOfHop(hop).map((fault) => `hop ${i + 1} ${fault}`))
  const isCanonical = encodeHops(hops, ends) === program
  return isCanonical ? faults : [...faults, 'the program differs from its own re-encoding']
}

function faultsOfHop(hop: DecodedHop): readonly string[] {
  const { tokenIn, tokenOut, pool, swap } = hop
  const flag = Number(sliceHex(swap, FLAG_AT, FEE_AT))
  const isVault = swapOfOpcode(opcodeOf(swap))?.flag === 'isDeposit'
  return [
    ...(tokenIn === tokenOut ? ['trades a token for itself'] : []),
    ...([tokenIn, tokenOut].some(isNoToken) ? ['names a token that is no contract'] : []),
    ...(isNoToken(pool) ? ['names a pool that is no contract'] : []),
    ...(!isVault && (pool === tokenIn || pool === tokenOut) ? ['names a token as its pool'] : []),
    ...(flag > 1 ? [`has the flag ${flag}, neither 0 nor 1`] : faultsOfFlag(hop, flag === 1)),
    ...(feeOf(swap) < PPM ? [] : ['has a fee of the whole amount or more']),
  ]
}

/** Holds the side that the flag names against the tokens of the hop. */
function faultsOfFlag({ tokenIn, tokenOut, pool, swap }: DecodedHop, flag: boolean) {
  const meaning = swapOfOpcode(opcodeOf(swap))?.flag
  if (meaning === 'isDeposit') {
    return (flag ? tokenOut : tokenIn) === pool ? [] : ['trades other shares than its vault’s']
  }
  if (meaning === 'zeroForOne') {
    // Such a pool keeps its tokens in ascending order, so the addresses tell which is token 0.
    return flag === tokenIn < tokenOut ? [] : ['sells the other token of its pool']
  }
  return []
}

function isNoToken(address: Address): boolean {
  return address === ZERO_ADDRESS || address === NATIVE
}

function opcodeOf(swap: Hex): number {
  return Number(sliceHex(swap, 0, 1))
}

function feeOf(swap: Hex): number {
  return sizeOfHex(swap) < FEE_END ? 0 : Number(sliceHex(swap, FEE_AT, FEE_END))
}
