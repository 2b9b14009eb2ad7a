import { SINGLETON_FACTORY } from '@braid-swap/contracts'
import type { Address, Hex } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { numberToHex, stringToHex } from 'viem'
import { multicall3Code, permit2Code } from '../generated/code.js'
import { wrappedNativeCode } from './artifacts.js'
import { type ChainClient, MULTICALL3 } from './client.js'

/** The address of WHYPE on HyperEVM. */
export const WRAPPED_NATIVE: Address = '0x5555555555555555555555555555555555555555'

/** Runtime code of the singleton factory; calldata is a 32-byte salt and the creation code. */
const SINGLETON_FACTORY_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/** Puts HyperEVM's well-known contracts at their own addresses. */
export async function placeSystemContracts(client: ChainClient): Promise<void> {
  // A call with creation code and no recipient returns the runtime code.
  const { data: multicall3 } = await client.call({ data: multicall3Code })
  await Promise.all([
    client.setCode({ address: MULTICALL3, bytecode: multicall3 ?? '0x' }),
    client.setCode({ address: SINGLETON_FACTORY, bytecode: SINGLETON_FACTORY_CODE }),
    client.setCode({ address: PERMIT2, bytecode: permit2Code }),
    client.setCode({ address: WRAPPED_NATIVE, bytecode: wrappedNativeCode() }),
    // WETH9 keeps its name, symbol and decimals in the first three slots.
    setSlot(client, 0, shortString('Wrapped HYPE')),
    setSlot(client, 1, shortString('WHYPE')),
    setSlot(client, 2, numberToHex(18, { size: 32 })),
  ])
}

function setSlot(client: ChainClient, index: number, value: Hex): Promise<void> {
  return client.setStorageAt({ address: WRAPPED_NATIVE, index, value })
}

/** A string under 32 bytes in one slot: the text left-aligned, twice its length in the last byte. */
function shortString(text: string): Hex {
  const digits = stringToHex(text, { size: 31 }).slice(2)
  return `0x${digits}${(text.length * 2).toString(16).padStart(2, '0')}`
}
