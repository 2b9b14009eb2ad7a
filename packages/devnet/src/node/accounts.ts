import { pbkdf2Sync } from 'node:crypto'
import type { Address, Hex } from '@braid-swap/core'
import { bytesToHex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'

/** An account of the devnet. Its key is publicly known, so it must not hold value elsewhere. */
export type Account = { readonly address: Address; readonly privateKey: Hex }

/** The mnemonic of all development nodes, so that wallets already know these accounts. */
const MNEMONIC = 'test test test test test test test test test test test junk'

/** The number of accounts of the devnet. */
export const ACCOUNT_COUNT = 10

/**
 * The first accounts of the development mnemonic, m/44'/60'/0'/0/i. The seed is BIP-39's, PBKDF2 of
 * the mnemonic with 2048 rounds; it is derived once and natively, because every chain starts with it.
 */
export function devAccounts(): readonly Account[] {
  const root = HDKey.fromMasterSeed(pbkdf2Sync(MNEMONIC, 'mnemonic', 2048, 64, 'sha512'))
  return Array.from({ length: ACCOUNT_COUNT }, (_, addressIndex) => {
    const account = hdKeyToAccount(root, { addressIndex })
    const key = account.getHdKey().privateKey
    if (key === null) throw new RangeError(`no private key at index ${addressIndex}`)
    return { address: lower(account.address), privateKey: bytesToHex(key) }
  })
}

/** The address in lower case, as core compares addresses. */
export function lower(address: string): Address {
  return address.toLowerCase() as Address
}
