import type { Address } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'

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
    const approved = `approving exactly 1 WHYPE (${10n ** 18n} wei) for ${PERMIT2}`
    expect([code, err]).toEqual([0, expect.stringContaining(approved)])
    expect(out).toMatch(/^received +1 HYPE \(/m)
    expect(out).toMatch(/^payer +only the sender of the transaction, by a Permit2 signature$/m)
    // The calldata leaves the sender open, but what is shown before sending does not.
    expect(out).toMatch(new RegExp(`^from +${devnet.wallet.address}$`, 'im'))
    expect(await allowanceOf(devnet.wrappedNative, devnet.router)).toBe(0n)
    expect(await allowanceOf(devnet.wrappedNative, PERMIT2)).toBe(0n)
  })

  it('--pay permit is refused for a token without one, before anything is sent', async () => {
    const { code, err } = await swap('--pay', 'permit')
    expect([code, err]).toEqual([2, expect.stringContaining('PERMIT_UNSUPPORTED')])
    expect(await allowanceOf(devnet.wrappedNative, devnet.router)).toBe(0n)
  })
})
