// Which approvals a token needs, and which permits can be signed, by a token that answers as told.

import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import {
  domainSeparator,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { rpcError } from '../testing/layeredWallet.js'
import { ACCOUNT, nodeDouble } from '../testing/nodeDouble.js'
import { approvalsFor, readPermit, signPayment, spenderOf } from './payment.js'
import { clientOf } from './wallet.js'

const [TOKEN, SPENDER] = [toHex(0x70, 20), toHex(0x5e, 20)]
const word = (value: bigint) => toHex(value, 32)
const REVERTS = () => Promise.reject(rpcError(3, 'execution reverted'))

/** A token that answers to functions; a function that is not named reverts. */
function tokenDouble(answers: Readonly<Record<string, Hex | (() => Promise<never>)>>) {
  const bySelector = new Map(
    Object.entries(answers).map(([signature, answer]) => [toFunctionSelector(signature), answer]),
  )
  return nodeDouble({
    eth_call: (call) => {
      const { to, data } = call as { readonly to: Hex; readonly data: Hex }
      expect(to).toBe(TOKEN)
      const answer = bySelector.get(data.slice(0, 10) as Hex) ?? REVERTS
      return typeof answer === 'string' ? answer : answer()
    },
  })
}

describe('approvalsFor', () => {
  const APPROVE = 'approve(address,uint256)'
  const amounts = async (allowance: bigint, approve?: Hex | (() => Promise<never>)) => {
    const { client } = tokenDouble({
      ...{ 'allowance(address,address)': word(allowance), ...(approve && { [APPROVE]: approve }) },
    })
    const calls = await approvalsFor(client, { token: TOKEN, amount: 9n, spender: SPENDER })
    for (const { to, value, spender } of calls) {
      expect([to, value, spender]).toEqual([TOKEN, 0n, SPENDER])
    }
    return calls.map(({ amount, data }) => [amount, BigInt(`0x${data.slice(-64)}`)])
  }
  const [zero, nine] = [
    [0n, 0n],
    [9n, 9n],
  ]

  it('approves what is missing, and revokes first where the token would refuse', async () => {
    expect(await amounts(9n)).toEqual([])
    expect(await amounts(0n)).toEqual([nine])
    expect(await amounts(8n, word(1n))).toEqual([nine])
    expect(await amounts(8n, '0x')).toEqual([nine])
    expect(await amounts(8n, word(0n))).toEqual([zero, nine])
    expect(await amounts(8n)).toEqual([zero, nine])
  })

  it('a node that fails says nothing about the token', async () => {
    const fail = () => Promise.reject(rpcError(-32005, 'limit exceeded'))
    await expect(amounts(8n, fail)).rejects.toThrow('limit exceeded')
  })
})

describe('a permit', () => {
  const text = (value: string) => encodeAbiParameters(parseAbiParameters('string'), [value])
  const domain = { name: 'Token', version: '2', chainId: 999, verifyingContract: TOKEN } as const
  const TYPE = keccak256(
    stringToHex(
      'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    ),
  )
  const whole = {
    ...{ 'name()': text('Token'), 'version()': text('2'), 'nonces(address)': word(7n) },
    ...{ 'DOMAIN_SEPARATOR()': domainSeparator({ domain }), 'PERMIT_TYPEHASH()': TYPE },
  }
  const { 'version()': _, ...versionless } = whole
  const { 'PERMIT_TYPEHASH()': __, ...typeless } = whole
  const { 'DOMAIN_SEPARATOR()': ___, ...domainless } = whole
  const { 'nonces(address)': ____, ...nonceless } = whole
  const { 'name()': _____, ...nameless } = whole
  const first = domainSeparator({ domain: { ...domain, version: '1' } })

  it.each([
    ['that publishes everything', whole, { name: 'Token', version: '2', nonce: 7n }],
    ['without its type', typeless, { name: 'Token', version: '2', nonce: 7n }],
    [
      'without a version',
      { ...versionless, 'DOMAIN_SEPARATOR()': first },
      { name: 'Token', version: '1', nonce: 7n },
    ],
    ['of another version', versionless, { why: 'its domain is another one' }],
    ['without its domain', domainless, { why: 'its domain is another one' }],
    ['without nonces', nonceless, { why: 'it has no permit' }],
    ['without a name', nameless, { why: 'it has no permit' }],
    [
      'of another type',
      { ...whole, 'PERMIT_TYPEHASH()': word(1n) },
      { why: expect.stringContaining('another one than that of EIP-2612') },
    ],
  ])('of a token %s is read as it is', async (_, answers, expected) => {
    const of = { token: TOKEN, owner: ACCOUNT, chainId: 999 }
    expect(await readPermit(tokenDouble(answers).client, of)).toEqual(expected)
  })

  it('is signed for the amount, the router and the deadline of the swap alone', async () => {
    const account = privateKeyToAccount(toHex(1, 32))
    const signed: unknown[] = []
    const spy = {
      ...account,
      signTypedData: ((message: never) => {
        signed.push(message)
        return account.signTypedData(message)
      }) as typeof account.signTypedData,
    }
    const { client } = tokenDouble(whole)
    const { request } = client
    const wallet = clientOf({ account: spy, request })
    const call = { tokenIn: TOKEN, amountIn: 9n, deadline: 11n }
    const by = (way: 'permit' | 'permit2') =>
      signPayment(wallet, call, { by: way, router: SPENDER, chainId: 999 })
    const permit = await by('permit')
    expect(permit).toMatchObject({ by: 'permit', signature: expect.stringMatching(/^0x/) })
    const owner = account.address.toLowerCase()
    expect(signed.pop()).toMatchObject({
      ...{ domain, primaryType: 'Permit' },
      message: { owner, spender: SPENDER, value: 9n, nonce: 7n, deadline: 11n },
    })
    const payments = [await by('permit2'), await by('permit2')] as const
    const [one, two] = signed as readonly { readonly message: { readonly nonce: bigint } }[]
    expect(one).toMatchObject({
      message: { permitted: { token: TOKEN, amount: 9n }, spender: SPENDER, deadline: 11n },
    })
    expect(payments).toMatchObject([
      { by: 'permit2', nonce: one!.message.nonce },
      { by: 'permit2', nonce: two!.message.nonce },
    ])
    // Nonces are drawn from all 256 bits: a small one, or the same twice, would be no draw.
    expect(one!.message.nonce).not.toBe(two!.message.nonce)
    expect(one!.message.nonce >> 200n).toBeGreaterThan(0n)
    expect(one!.message.nonce >> 256n).toBe(0n)
  })
})

it('only an approval has a spender before the swap', () => {
  const spenders = (['approval', 'calls', 'permit', 'permit2'] as const).map((by) =>
    spenderOf(by, ZERO_ADDRESS),
  )
  expect(spenders).toEqual([
    ...[ZERO_ADDRESS, ZERO_ADDRESS, undefined],
    '0x000000000022d473030f116ddee9f6b43ac78ba3',
  ])
})
