import type { Client } from '@braid-swap/chain'
import { type Address, concatHex, type Hex, toHex } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, keccak256, type StateOverride } from 'viem'

/** What a call is to find in a token's storage, though it may not be there. */
export type Holding = {
  readonly token: Address
  readonly owner: Address
  readonly amount: bigint
  /** Who may take it; absent where no allowance is needed. */
  readonly spender?: Address | undefined
}

/** Where a mapping keeps what is under these keys, an outer one first. */
type Layout = (keys: readonly Address[]) => Hex

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

/** Where tokens keep their balances and allowances: in one of the first words, or in a namespace. */
const layouts: readonly Layout[] = [
  ...numbers(64).map(solidity),
  ...[NAMESPACED, NAMESPACED + 1n].map(solidity),
  ...numbers(16).map(vyper),
]

/** No balance is one of these by chance. */
const MARK = 10n ** 24n + 0xb4a1dn

/**
 * Storage that a call must be given so that the owner has the amount and lets the spender take it;
 * `undefined` for a token that keeps them where we do not look. Throws as the node does.
 */
export async function overrideHolding(
  client: Client,
  { token, owner, amount, spender }: Holding,
): Promise<StateOverride | undefined> {
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const slots = [await findSlot(client, token, { keys: [owner], read: balanceOf })]
  if (spender !== undefined) {
    const args = [owner, spender] as const
    const read = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
    slots.push(await findSlot(client, token, { keys: args, read }))
  }
  const value = word(amount)
  const stateDiff = slots.flatMap((slot) => (slot === undefined ? [] : [{ slot, value }]))
  return stateDiff.length === slots.length ? [{ address: token, stateDiff }] : undefined
}

/** Puts another mark into every slot it might be and sees which one the token answers with. */
async function findSlot(
  client: Client,
  token: Address,
  { keys, read }: { readonly keys: readonly Address[]; readonly read: Hex },
): Promise<Hex | undefined> {
  const slots = layouts.map((layout) => layout(keys))
  const stateDiff = slots.map((slot, i) => ({ slot, value: word(MARK + BigInt(i)) }))
  const stateOverride = [{ address: token, stateDiff }]
  const { data = '0x' } = await client.call({ to: token, data: read, stateOverride })
  return data.length === 66 ? slots[Number(BigInt(data) - MARK)] : undefined
}
