// Storage slots of tokens, found on a node that shows which slot a token reads.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { concatHex, encodeAbiParameters, keccak256 } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { type ScriptedNode, startScriptedNode } from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { findHoldingSlots, overrideHolding } from './stateOverrides.js'

const [token, owner, spender] = [1, 2, 3].map((i) => toHex(0xa00 + i, 20)) as [
  Address,
  Address,
  Address,
]
const place = { token, owner, spender }

let node: ScriptedNode
let client: Client
/** The slot that a getter with these arguments reads. */
let slotOf: (keys: readonly Hex[]) => Hex | undefined

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.tamper = ({ params }) => {
    const [{ data }, , overrides] = params as [
      { readonly data: Hex },
      unknown,
      Readonly<Record<Address, { readonly stateDiff: Readonly<Record<Hex, Hex>> }>>,
    ]
    const slot = slotOf(
      data
        .slice(10)
        .match(/.{64}/g)!
        .map((key): Hex => `0x${key}`),
    )
    return slot === undefined ? '0x' : (overrides[token]!.stateDiff[slot] ?? toHex(0, 32))
  }
})
afterEach(() => node.stop())

const word = (value: bigint) => toHex(value, 32)
const mapping = (base: bigint, isVyper: boolean) => (keys: readonly Hex[]) =>
  keys.reduce<Hex>(
    (slot, key) => keccak256(concatHex(isVyper ? [slot, key] : [key, slot])),
    word(base),
  )

/** ERC-7201: the location of a namespace. */
function namespace(name: string): bigint {
  const hashed = BigInt(keccak256(new TextEncoder().encode(name))) - 1n
  const location = keccak256(encodeAbiParameters([{ type: 'uint256' }], [hashed]))
  return BigInt(location) & ~0xffn
}
const NAMESPACE = namespace('openzeppelin.storage.ERC20')

describe('the slots of a balance and of an allowance', () => {
  it.each([
    ['of Solidity from the first', 0n, 1n, false],
    ['of Solidity to the 64th', 62n, 63n, false],
    ['of OpenZeppelin’s namespace', NAMESPACE, NAMESPACE + 1n, false],
    ['of Vyper from the first', 0n, 1n, true],
    ['of Vyper to the 16th', 14n, 15n, true],
  ])('are found in the layout %s', async (_, balances, allowances, isVyper) => {
    const slots = [
      mapping(balances, isVyper)([word(BigInt(owner))]),
      mapping(allowances, isVyper)([word(BigInt(owner)), word(BigInt(spender))]),
    ]
    slotOf = (keys) => mapping(keys.length === 1 ? balances : allowances, isVyper)(keys)
    expect(await findHoldingSlots(client, place)).toEqual(slots)
    expect(await findHoldingSlots(client, { token, owner })).toEqual(slots.slice(0, 1))
    const value = word(5n)
    expect(await overrideHolding(client, { ...place, amount: 5n })).toEqual([
      { address: token, stateDiff: slots.map((slot) => ({ slot, value })) },
    ])
  })

  it('are unknown unless both are found', async () => {
    for (const known of [1, 2]) {
      slotOf = (keys) => mapping(keys.length === known ? 3n : 64n, false)(keys)
      expect(await findHoldingSlots(client, place)).toBeUndefined()
      expect(await overrideHolding(client, { ...place, amount: 5n })).toBeUndefined()
    }
    expect(await findHoldingSlots(client, { token, owner })).toBeUndefined()
  })

  it('are unknown of a token that does not answer', async () => {
    slotOf = () => undefined
    expect(await findHoldingSlots(client, place)).toBeUndefined()
  })
})
