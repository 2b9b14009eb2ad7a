import type { Fee } from '../fee.js'
import { type Address, type Hex, NATIVE, sizeOfHex, sliceHex, ZERO_ADDRESS } from '../hex.js'
import type { Order } from '../order.js'
import type { SwapLayout } from '../pools/family.js'
import { swapOfOpcode } from '../pools/layouts.js'
import { type DecodedProgram, encodeHops } from './program.js'

// A program that decodes may still revert on chain, or do something else than it seems to. An honest
// encoder never writes such bytes. So a program that differs from its own re-encoding is refused, and
// each hop's own bytes are compared with the tokens that the hop names.

type DecodedHop = DecodedProgram['hops'][number]

const FLAG_AT = 21
const FEE_AT = 22
const FEE_END = 25
const PPM = 1_000_000

/** The reasons why our encoder cannot have written a program that decodes; empty if there are none. */
export function faultsOfProgram(
  program: Hex,
  hops: readonly DecodedHop[],
  ends: Pick<Order, 'tokenIn' | 'tokenOut'> & {
    readonly wrappedNative: Address
    readonly fee?: Fee | undefined
  },
): readonly string[] {
  const { wrappedNative, fee } = ends
  const faults = hops.flatMap((hop, i) =>
    faultsOfHop(hop, wrappedNative).map((fault) => `hop ${i + 1} ${fault}`),
  )
  const isCanonical = encodeHops(hops, ends, fee) === program
  return isCanonical ? faults : [...faults, 'the program differs from its own re-encoding']
}

function faultsOfHop(hop: DecodedHop, wrappedNative: Address): readonly string[] {
  const { tokenIn, tokenOut, pool, swap } = hop
  const meaning = swapOfOpcode(opcodeOf(swap))?.flag
  const flag = Number(sliceHex(swap, FLAG_AT, FEE_AT))
  const isVault = meaning === 'isDeposit'
  return [
    ...(tokenIn === tokenOut ? ['trades a token for itself'] : []),
    ...([tokenIn, tokenOut].some(isNoToken) ? ['names a token that is not a contract'] : []),
    ...(isNoToken(pool) ? ['names a pool that is not a contract'] : []),
    ...(!isVault && (pool === tokenIn || pool === tokenOut) ? ['names a token as its pool'] : []),
    ...faultsOfFlag(hop, { meaning, byte: flag }, wrappedNative),
    ...(feeOf(swap) < PPM ? [] : ['has a fee of the whole amount or more']),
  ]
}

/** Compares the direction that the flag names with the tokens of the hop. */
function faultsOfFlag(
  hop: DecodedHop,
  { meaning, byte }: { readonly meaning: SwapLayout['flag']; readonly byte: number },
  wrappedNative: Address,
): readonly string[] {
  const { tokenIn, tokenOut, pool } = hop
  if (meaning === 'coins') return faultsOfCoins(byte >> 4, byte & 0xf)
  if (meaning === 'currencies') return faultsOfCurrencies(hop, byte, wrappedNative)
  if (byte > 1) return [`has the flag ${byte}, neither 0 nor 1`]
  const flag = byte === 1
  if (meaning === 'isDeposit') {
    return (flag ? tokenOut : tokenIn) === pool ? [] : ['trades shares of another vault']
  }
  if (meaning === 'zeroForOne') {
    // Such pools sort their tokens by address, so the lower address is token 0.
    return flag === tokenIn < tokenOut ? [] : ['sells the other token of its pool']
  }
  return []
}

/** Currency 0 has the lower address, and is the wrapped native token if it is the native one. */
function faultsOfCurrencies(
  { tokenIn, tokenOut }: DecodedHop,
  byte: number,
  wrappedNative: Address,
): readonly string[] {
  if (byte > 3) return [`has the flag ${byte}, above 3`]
  const [isZeroIn, isNative] = [(byte & 1) === 1, (byte & 2) === 2]
  const currency0 = isZeroIn ? tokenIn : tokenOut
  if (isNative) return currency0 === wrappedNative ? [] : ['names another token as the native one']
  return isZeroIn === tokenIn < tokenOut ? [] : ['sells the other token of its pool']
}

/** A pool of several coins has at most eight, and no program can tell which tokens they are. */
function faultsOfCoins(coinIn: number, coinOut: number): readonly string[] {
  if (coinIn === coinOut) return ['trades a coin of its pool for itself']
  return Math.max(coinIn, coinOut) < MAX_COINS ? [] : ['names a coin that no pool has']
}

const MAX_COINS = 8

function isNoToken(address: Address): boolean {
  return address === ZERO_ADDRESS || address === NATIVE
}

function opcodeOf(swap: Hex): number {
  return Number(sliceHex(swap, 0, 1))
}

function feeOf(swap: Hex): number {
  return sizeOfHex(swap) < FEE_END ? 0 : Number(sliceHex(swap, FEE_AT, FEE_END))
}
