import { type ServedApi, startServedApi } from '@braid-swap/api/testing'
import { type Braid, createBraid, readPermit, sendSwap, verifySwap } from '@braid-swap/client'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { permitMessage } from '@braid-swap/core/advanced'
import { type Chain, deployRouter, startChain } from '@braid-swap/devnet'
import { encodeDeployData, parseAbi } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileDoubles } from '../families/doubles/compile.js'
import { allowanceOf, balanceOf } from './execution/balances.js'
import { createTokenPair } from './execution/tokenPair.js'

const E18 = 10n ** 18n
const SUPPLY = 10n ** 24n
const RESERVE = 10n ** 21n
const maxNetworkFee = 10n ** 17n
const AMOUNT = 3n * E18
const RECEIVER: Address = '0xb0b0000000000000000000000000000000000b0b'
const nonceAbi = parseAbi(['function nonces(address owner) view returns (uint256)'])

/** A token of a library, and the fields of its EIP-712 domain. */
type Signed = { readonly contract: string; readonly name: string; readonly version: string }
const tokens: readonly Signed[] = [
  { contract: 'OpenZeppelinPermitToken', name: 'Signed', version: '1' },
  { contract: 'SolmatePermitToken', name: 'Mated', version: '1' },
]

describe.each(tokens)('an order paid by the permit of $contract, through the API', (signed) => {
  let chain: Chain
  let account: PrivateKeyAccount
  let router: Address
  let executor: Address
  let token: Address
  let api: ServedApi
  let braid: Braid

  beforeAll(async () => {
    chain = await startChain()
    account = privateKeyToAccount(chain.accounts[2]!.privateKey)
    await chain.fund(account.address, NATIVE, 10n ** 22n)
    ;({ router, executor } = await deployRouter(chain))
    token = await deployToken(chain, account.address, signed)
    const pair = await createTokenPair(chain, { token, owner: account.address, reserve: RESERVE })
    api = await startServedApi(chain, { router, venues: [pair.venue] })
    braid = createBraid({ url: api.url, apiKey: api.apikey })
  })
  afterAll(async () => {
    await api?.stop()
    await chain?.stop()
  })

  const send = (to: Address, data: Hex) =>
    chain.execute([{ label: 'swap', from: account.address, to, data, gas: 1_500_000n }])
  const order = () => ({ src: token, dst: NATIVE, amount: AMOUNT, slippage: 0 }) as const

  /** The permit for an amount, and the API parameters for it. */
  async function sign(amount: bigint) {
    const { client } = chain
    const read = { address: token, abi: nonceAbi, functionName: 'nonces' } as const
    const nonce = await client.readContract({ ...read, args: [account.address] })
    const deadline = (await client.getBlock()).timestamp + 900n
    const spent = { tokenIn: token, amountIn: amount, deadline }
    const { name, version } = signed
    const domain = { chainId: 999, router, owner: account.address, name, version, nonce }
    const message = permitMessage(spent, domain)
    return { permit: await account.signTypedData(message), deadline: Number(deadline) }
  }

  it('pays exactly the quote, without an approval before or after', async () => {
    const { client } = chain
    await api.catchUp()
    const allowance = () => allowanceOf(client, { token, owner: account.address, spender: router })
    const request = { ...order(), from: account.address, receiver: RECEIVER }
    await expect(braid.swap(request)).rejects.toMatchObject({ code: 'ALLOWANCE_INSUFFICIENT' })

    const paid = { ...request, ...(await sign(AMOUNT)), simulate: true, includeMeta: true } as const
    const swapped = await braid.swap(paid)
    expect(swapped.meta.simulation).toMatchObject({ ok: true, dstAmount: swapped.dstAmount })
    expect(swapped.meta.warnings).toEqual([])
    expect(swapped.tx.value).toBe(0n)
    const own = {
      minAmountOut: swapped.dstAmount,
      latestDeadline: BigInt(paid.deadline),
      maxNetworkFee,
    }
    verifySwap(swapped, paid, { router, executors: [executor], ...own })
    const held = await balanceOf(client, { token, account: account.address })
    const [receipt] = await send(swapped.tx.to, swapped.tx.data)
    expect(receipt!.gasUsed).toBeLessThanOrEqual(swapped.tx.gas)
    expect(await balanceOf(client, { token: NATIVE, account: RECEIVER })).toBe(swapped.dstAmount)
    expect(held - (await balanceOf(client, { token, account: account.address }))).toBe(AMOUNT)
    expect(await allowance()).toBe(0n)
    await expect(send(swapped.tx.to, swapped.tx.data)).rejects.toThrow('reverted')
  })

  it('is sent by sendSwap with a signature alone, and leaves no allowance', async () => {
    await api.catchUp()
    const { client } = chain
    const nonce = () => client.getTransactionCount({ address: account.address })
    const [before, { timestamp }] = [await nonce(), await client.getBlock()]
    const terms = {
      ...{ router, maxNetworkFee, minAmountOut: 1n },
      latestDeadline: timestamp + 3_600n,
    }
    const wallet = { account, request: client.request }
    const onStep = ({ sent }: { readonly sent?: unknown }) => {
      if (sent) void client.request({ method: 'evm_mine' } as never)
    }
    const options = { braid, payBy: 'permit', onStep, pollMs: 20 } as const
    const { amountIn, amountOut, quoted } = await sendSwap(wallet, order(), terms, options)
    expect([amountIn, amountOut]).toEqual([AMOUNT, quoted])
    expect((await nonce()) - before).toBe(1)
    expect(await allowanceOf(client, { token, owner: account.address, spender: router })).toBe(0n)
  })

  it('is not signed for a token with DAI’s permit', async () => {
    const dai = await deployToken(chain, account.address, { contract: 'DaiLikeToken' })
    const asked = { owner: account.address, chainId: 999 }
    const { client } = chain
    expect(await readPermit(client, { ...asked, token })).toMatchObject({ name: signed.name })
    expect(await readPermit(client, { ...asked, token: dai })).toEqual({
      why: expect.stringContaining('DAI'),
    })
  })

  it('is refused with a used signature, or with one for another amount or account', async () => {
    await api.catchUp()
    const request = { ...order(), from: account.address, simulate: true } as const
    const wrong = [
      await sign(AMOUNT - 1n),
      { ...(await sign(AMOUNT)), deadline: 4_000_000_000 },
      { ...(await sign(AMOUNT)), permit: `0x${'11'.repeat(64)}1b` as Hex },
    ]
    for (const signature of wrong) {
      await expect(braid.swap({ ...request, ...signature })).rejects.toMatchObject({
        code: 'SIMULATION_REVERTED',
      })
    }
    const other = { ...request, from: chain.accounts[3]!.address, ...(await sign(AMOUNT)) }
    await expect(braid.swap(other)).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT' })
  })
})

async function deployToken(
  chain: Chain,
  from: Address,
  { contract }: Pick<Signed, 'contract'>,
): Promise<Address> {
  const { abi, bytecode } = compileDoubles(['PermitTokens.sol'])[contract]!
  const data = encodeDeployData({ abi, bytecode, args: [SUPPLY] })
  const [created] = await chain.execute([{ label: contract, from, data, gas: 5_000_000n }])
  return created!.contractAddress!.toLowerCase() as Address
}
