import { type Client, createClient, readTokens, readWallet } from '@braid-swap/chain'
import { type Address, NATIVE } from '@braid-swap/core'
import { approveCall, type Chain, startChain } from '@braid-swap/devnet'
import { createToken } from '@braid-swap/devnet/testing'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTamperedClient } from './tampered.js'

let chain: Chain
let client: Client
beforeAll(async () => {
  chain = await startChain()
  client = createClient(chain.rpcUrl)
})
afterAll(() => chain?.stop())

describe('readTokens', () => {
  it('reads texts and decimals in the requested order, including the native token', async () => {
    const six = await createToken(chain, { symbol: 'SIX', name: 'Six places', decimals: 6 })
    expect(await readTokens(client, [NATIVE, six.address])).toEqual([
      { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18 },
      { address: six.address, symbol: 'SIX', name: 'Six places', decimals: 6 },
    ])
  })

  it('removes control and direction characters, and cuts at 32 characters', async () => {
    const symbol = 'U\u202eS\nD\u0000C\u200b'
    const odd = await createToken(chain, { symbol, name: `${'é'.repeat(40)}`, decimals: 0 })
    expect(await readTokens(client, [odd.address])).toEqual([
      { address: odd.address, symbol: 'USDC', name: 'é'.repeat(32), decimals: 0 },
    ])
  })

  it('understands bytes32', async () => {
    const address: Address = `0x${'b3'.repeat(20)}`
    const text = Buffer.from('MKR').toString('hex').padEnd(64, '0')
    // decimals() returns 18, and all other functions return the text as 32 bytes.
    await chain.client.setCode({
      address,
      bytecode: `0x5f3560e01c63313ce56714603557${`7f${text}`}5f5260205ff35b60125f5260205ff3`,
    })
    expect(await readTokens(client, [address])).toEqual([
      { address, symbol: 'MKR', name: 'MKR', decimals: 18 },
    ])
  })

  it('leaves out a contract that is not a token, even if it burns all gas', async () => {
    const burner: Address = `0x${'b4'.repeat(20)}`
    await chain.client.setCode({ address: burner, bytecode: '0xfe' })
    const good = await createToken(chain, { symbol: 'GOOD', name: 'Good', decimals: 3 })
    const nothing: Address = `0x${'b5'.repeat(20)}`
    const found = await readTokens(client, [burner, nothing, good.address, burner])
    expect(found.map(({ symbol }) => symbol)).toEqual(['GOOD'])
  })
})

describe('readWallet', () => {
  it('reads balance and allowance of one block in one call', async () => {
    const token = await createToken(chain, { symbol: 'W', name: 'W', decimals: 18 })
    const [owner, spender] = [chain.accounts[3]!.address, chain.accounts[4]!.address]
    await chain.fund(owner, token.address, 77n)
    await chain.execute([approveCall(token.address, { owner, spender })])
    const methods: string[] = []
    const counted = createTamperedClient(chain.rpcUrl, (request, ask) => {
      methods.push(request.method)
      return ask(request)
    })
    const blockNumber = await chain.client.getBlockNumber()
    expect(await readWallet(counted, { owner, spender, token: token.address })).toEqual({
      balance: 77n,
      allowance: maxUint256,
      blockNumber,
    })
    expect(methods).toEqual(['eth_call'])
  })

  it('reads the native balance, which needs no allowance', async () => {
    const [owner, spender] = [chain.accounts[5]!.address, chain.accounts[4]!.address]
    const wallet = await readWallet(client, { owner, spender, token: NATIVE })
    expect(wallet.balance).toBe(await chain.client.getBalance({ address: owner }))
    expect(wallet.allowance).toBe(maxUint256)
  })

  it('reports an address without a token', async () => {
    const [owner, spender] = [chain.accounts[5]!.address, chain.accounts[4]!.address]
    const token: Address = `0x${'b6'.repeat(20)}`
    await expect(readWallet(client, { owner, spender, token })).rejects.toMatchObject({
      code: 'TOKEN_UNREADABLE',
      details: { token },
    })
  })
})
