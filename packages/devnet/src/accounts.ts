import type { Address, Hex } from '@braid-swap/core'
import { bytesToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** An account of the devnet; its key is public knowledge and worth nothing elsewhere. */
export type Account = { readonly address: Address; readonly privateKey: Hex }

/** The mnemonic every development node uses, so wallets already know these accounts. */
const MNEMONIC = 'test test test test test test test test test test test junk'

/** How many accounts the devnet has. */
export const ACCOUNT_COUNT = 10

/** The first accounts of the development mnemonic, m/44'/60'/0'/0/i. */
export function devAccounts(): readonly Account[] {
  return Array.from({ length: ACCOUNT_COUNT }, (_, addressIndex) => {
    const account = mnemonicToAccount(MNEMONIC, { addressIndex })
    const key = account.getHdKey().privateKey
    if (key === null) throw new RangeError(`no private key at index ${addressIndex}`)
    return { address: lower(account.address), privateKey: bytesToHex(key) }
  })
}

/** The address as core compares it: lower case. */
export function lower(address: string): Address {
  return address.toLowerCase() as Address
}
