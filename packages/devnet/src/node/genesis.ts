import { type ChainRecord, hyperEvm } from '@braid-swap/chain'
import { SINGLETON_FACTORY } from '@braid-swap/contracts'
import type { Address, Hex } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { numberToHex, stringToHex } from 'viem'
import { multicall3Code, permit2Code } from '../generated/code.js'
import { wrappedNativeCode } from './artifacts.js'
import type { ChainClient } from './client.js'

/** The wrapped native tokens of the chains of this process. */
const wrappedTokens = new Set<Address>([hyperEvm.wrapped.address])

/** True for a token that is minted by wrapping. */
export function isWrapped(token: Address): boolean {
  return wrappedTokens.has(token)
}

/** Runtime code of the singleton factory; calldata is a 32-byte salt and the creation code. */
const SINGLETON_FACTORY_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/** Puts a chain's well-known contracts at their own addresses. */
export async function placeSystemContracts(
  client: ChainClient,
  { wrapped, multicall3: multicall3At }: ChainRecord,
): Promise<void> {
  const { address, name, symbol } = wrapped
  wrappedTokens.add(address)
  const setSlot = (index: number, value: Hex) => client.setStorageAt({ address, index, value })
  // A call with creation code and no recipient returns the runtime code.
  const { data: multicall3 } = await client.call({ data: multicall3Code })
  await Promise.all([
    client.setCode({ address: multicall3At, bytecode: multicall3 ?? '0x' }),
    client.setCode({ address: SINGLETON_FACTORY, bytecode: SINGLETON_FACTORY_CODE }),
    client.setCode({ address: PERMIT2, bytecode: permit2ForAnyChain() }),
    client.setCode({ address, bytecode: wrappedNativeCode() }),
    // WETH9 keeps its name, symbol and decimals in the first three slots.
    setSlot(0, shortString(name)),
    setSlot(1, shortString(symbol)),
    setSlot(2, numberToHex(18, { size: 32 })),
  ])
}

/**
 * The code keeps the domain of the chain and the address that it was created at. With the id of no chain there, it builds
 * that of its own chain, as Permit2 does everywhere but where it was compiled for.
 */
function permit2ForAnyChain(): Hex {
  const compiledFor = numberToHex(31_337, { size: 32 }).slice(2)
  return permit2Code.replace(compiledFor, '0'.repeat(64)) as Hex
}

/** A string under 32 bytes in one slot: the text left-aligned, twice its length in the last byte. */
function shortString(text: string): Hex {
  const digits = stringToHex(text, { size: 31 }).slice(2)
  return `0x${digits}${(text.length * 2).toString(16).padStart(2, '0')}`
}
