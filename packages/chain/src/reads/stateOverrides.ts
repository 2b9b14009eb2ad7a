// State overrides that give an account tokens for one `eth_call`. A token's storage layout is found by
// trying the usual ones, because no interface announces it.

import type { Address, Hex } from '@braid-swap/core'
import { concatHex, toHex } from '@braid-swap/core/advanced'
import { encodeFunctionData, erc20Abi, keccak256, type StateOverride } from 'viem'
import type { Client } from '../transport/client.js'

/** The balance and allowance that a simulated call needs in a token's storage. */
export type Holding = {
  readonly token: Address
  readonly owner: Address
  readonly amount: bigint
  /** The spender; absent if no allowance is needed. */
  readonly spender?: Address | undefined
}

/** The storage slot of a mapping entry with these keys, the outer key first. */
export type Layout = (keys: readonly Address[]) => Hex

const word = (value: Hex | bigint) => toHex(BigInt(value), 32)
const solidity =
  (base: bigint): Layout =>
  (keys) =>
    keys.reduce<Hex>((slot, key) => keccak256(concatHex(word(key), slot)), word(base))
const vyper =
  (base: bigint): Layout =>
  (keys) =>
    keys.reduce<Hex>((slot, key) => keccak256(concatHex(slot, word(key))), word(base))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i))

// ERC-7201 location of OpenZeppelin's "openzeppelin.storage.ERC20": balances, then allowances.
const NAMESPACED = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n

/** Known storage layouts of balances and allowances: one of the first slots, or a namespace. */
const layouts: readonly Layout[] = [
  ...numbers(64).map(solidity),
  ...[NAMESPACED, NAMESPACED + 1n].map(solidity),
  ...numbers(16).map(vyper),
]

/** A value that no balance has by chance. */
const MARK = 10n ** 24n + 0xb4a1dn

/**
 * State overrides that give the owner the amount and the spender its allowance; `undefined` for a
 * token with an unknown storage layout. Throws as the node does.
 */
export async function overrideHolding(
  client: Client,
  { amount, ...place }: Holding,
): Promise<StateOverride | undefined> {
  const slots = await findHoldingSlots(client, place)
  const value = word(amount)
  return slots && [{ address: place.token, stateDiff: slots.map((slot) => ({ slot, value })) }]
}

/** The storage slots of a balance, and of an allowance if there is a spender; `undefined` if they are unknown. */
export async function findHoldingSlots(
  client: Client,
  place: Omit<Holding, 'amount'>,
): Promise<readonly Hex[] | undefined> {
  const found = await findLayouts(client, place)
  const keys = [place.owner, ...(place.spender ? [place.spender] : [])]
  return found?.map((layout, i) => layout(keys.slice(0, i + 1)))
}

/** Where a token keeps balances, and allowances if there is a spender, of any owner; `undefined` if it is unknown. */
export async function findLayouts(
  client: Client,
  { token, owner, spender }: Omit<Holding, 'amount'>,
): Promise<readonly Layout[] | undefined> {
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const found = [await findLayout(client, token, { keys: [owner], read: balanceOf })]
  if (spender !== undefined) {
    const args = [owner, spender] as const
    const read = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
    found.push(await findLayout(client, token, { keys: args, read }))
  }
  const known = found.filter((layout) => layout !== undefined)
  return known.length === found.length ? known : undefined
}

/** Finds a layout: overrides the slots of all with different marks and reads which one is returned. */
async function findLayout(
  client: Client,
  token: Address,
  { keys, read }: { readonly keys: readonly Address[]; readonly read: Hex },
): Promise<Layout | undefined> {
  const stateDiff = layouts.map((layout, i) => ({
    slot: layout(keys),
    value: word(MARK + BigInt(i)),
  }))
  const stateOverride = [{ address: token, stateDiff }]
  const { data = '0x' } = await client.call({ to: token, data: read, stateOverride })
  return data.length === 66 ? layouts[Number(BigInt(data) - MARK)] : undefined
}
