import { createRequire } from 'node:module'
import { createClient } from '@braid-swap/chain'
import {
  type Address,
  decodeRouterCall,
  encodeRouterCall,
  type Hex,
  NATIVE,
  PERMIT2,
  type RouterCall,
} from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi, numberToHex, parseAbi, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'
import { paySwap } from './pay.js'

const require = createRequire(import.meta.url)
const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

let devnet: Devnet

beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

/** Swaps WHYPE for the native token while blocks are mined. */
function swap(...words: readonly string[]) {
  const order = ['--in', 'WHYPE', '--out', 'native', '--amount', '1']
  const send = ['--send', '--yes', '--private-key-env', 'KEY']
  const node = ['--rpc', devnet.rpcUrl, '--router', devnet.router]
  const env = { KEY: devnet.wallet.privateKey }
  return mineDuring(devnet, () => runCli(['swap', ...node, ...order, ...send, ...words], env))
}

const allowanceOf = (token: Address, spender: Address) =>
  devnet.client.readContract({
    ...{ address: token, abi: erc20Abi, functionName: 'allowance' },
    args: [devnet.wallet.address, spender],
  })

describe('braid swap --send', () => {
  it('--pay permit2 approves exactly to Permit2 and nothing to the router', async () => {
    const { code, out, err } = await swap('--pay', 'permit2')
    const approved = `approving exactly ${10n ** 18n} wei of ${devnet.wrappedNative} for ${PERMIT2}`
    expect([code, err]).toEqual([0, expect.stringContaining(approved)])
    expect(out).toMatch(/^received +1 HYPE \(/m)
    // The calldata leaves the sender open, but what is shown before sending does not.
    expect(out).toMatch(new RegExp(`^from +${devnet.wallet.address}$`, 'im'))
    expect(await allowanceOf(devnet.wrappedNative, devnet.router)).toBe(0n)
    expect(await allowanceOf(devnet.wrappedNative, PERMIT2)).toBe(0n)
  })

  it('--pay permit is refused for a token without one, before anything is sent', async () => {
    const { code, err } = await swap('--pay', 'permit')
    expect([code, err]).toEqual([2, expect.stringContaining('--pay permit2')])
    expect(await allowanceOf(devnet.wrappedNative, devnet.router)).toBe(0n)
  })

  it('--pay permit signs a permit that the token accepts', async () => {
    const { client, wallet, router } = devnet
    const erc20 = require('@uniswap/v2-core/build/ERC20.json')
    const code: Hex = `0x${erc20.evm.bytecode.object}`
    const account = privateKeyToAccount(wallet.privateKey)
    const data: Hex = `${code}${numberToHex(1000n, { size: 32 }).slice(2)}`
    const created = await devnet.execute([
      { label: 'create the token', from: account.address, data, gas: 1_500_000n },
    ])
    const token = created[0]!.contractAddress!.toLowerCase() as Address
    const call: RouterCall = {
      ...{ tokenIn: token, amountIn: 7n, tokenOut: NATIVE, minAmountOut: 1n, program: '0x00' },
      ...{ receiver: account.address, deadline: 2n ** 64n },
    }
    const tx = { from: account.address, to: router, value: 0n, gas: 0n, gasPrice: 0n } as const
    const signer = { account, client: createClient(devnet.rpcUrl) }
    const paid = await paySwap(signer, { ...tx, data: encodeRouterCall(call) }, 'permit')
    const { payment } = decodeRouterCall(paid.data)
    const { r, s, v } = parseSignature(payment!.signature)
    const args = [account.address, router, 7n, 2n ** 64n, Number(v), r, s] as const
    const permit = encodeFunctionData({ abi: permitAbi, args })
    // Anyone may submit it.
    const { address: from } = devnet.accounts[7]!
    await devnet.execute([{ label: 'permit', from, to: token, data: permit, gas: 200_000n }])
    expect(await allowanceOf(token, router)).toBe(7n)
    expect(await client.getBalance({ address: router })).toBe(0n)
  })
})
