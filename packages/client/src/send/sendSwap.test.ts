// The steps of a swap, and the ways to pay.

import { type Hex, PERMIT2, toHex } from '@braid-swap/core'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { layeredWallet, type Rules } from '../testing/layeredWallet.js'
import {
  AMOUNT,
  borrowForFile,
  chain,
  cost,
  kinds,
  NOTHING,
  read,
  soon,
  unwrap,
} from '../testing/sendWorld.js'
import { approvalsFor } from './payment.js'
import { confirmSwap, type SentSwap, type SwapProgress } from './sendSwap.js'
import { clientOf } from './wallet.js'

borrowForFile()

describe.each(kinds)('sendSwap by a %s', (kind) => {
  it('approves exactly, swaps once, and reads what arrived from the router’s event', async () => {
    const said: SwapProgress[] = []
    const onStep = (progress: SwapProgress) => said.push(progress)
    await cost({ kind })
    const { done, transactions, wrapped } = await cost({ kind, order: unwrap(), onStep })
    expect(done).toMatchObject({ amountIn: AMOUNT, amountOut: AMOUNT, quoted: AMOUNT })
    expect([transactions, wrapped]).toEqual([2, -AMOUNT])
    expect(said.map(({ step }) => step)).toEqual([
      ...['check', 'allow', 'build', 'verify', 'send', 'send', 'confirm'],
    ])
    // A copy made before anything left is enough to follow it.
    const wallet = layeredWallet(chain.devnet, kind)
    expect(await confirmSwap(wallet, said[5]!.sending!, soon)).toMatchObject({ hash: done?.hash })
    expect(said[5]!.sending!.hash).toBe(kind === 'key' ? done?.hash : undefined)
    expect(said[1]?.approval).toMatchObject({ amount: AMOUNT, spender: chain.devnet.router })
    expect(await read('allowance', chain.devnet.wallet.address, chain.devnet.router)).toBe(0n)
  })

  it('the wrong chain is refused before each signature', async () => {
    const wrong = { eth_chainId: () => Promise.resolve('0x1') }
    expect(await cost({ kind, rules: wrong })).toMatchObject({ ...NOTHING, code: 'WRONG_CHAIN' })
    let times = 0
    const changing = { eth_chainId: async () => (times++ === 0 ? '0x3e7' : '0x1') }
    const changed = await cost({ kind, rules: changing })
    expect(changed).toMatchObject({ ...NOTHING, code: 'WRONG_CHAIN' })
  })

  it('after a restart of the program, what was kept as text says how the swap ended', async () => {
    let kept = ''
    const onStep = ({ sent }: SwapProgress) => {
      if (sent) kept = JSON.stringify(sent)
    }
    const { done } = await cost({ kind, onStep })
    const again = await confirmSwap(
      layeredWallet(chain.devnet, kind),
      JSON.parse(kept) as SentSwap,
      soon,
    )
    const { quoted: _, ...known } = done!
    expect(again).toEqual(known)
  })
})

describe('paying', () => {
  it('by Permit2 leaves no approval', async () => {
    await cost({})
    const { done, transactions } = await cost({ order: unwrap(), payBy: 'permit2' })
    expect([done?.amountOut, transactions]).toEqual([AMOUNT, 2])
    expect(await read('allowance', chain.devnet.wallet.address, PERMIT2)).toBe(0n)
    expect(await read('allowance', chain.devnet.wallet.address, chain.devnet.router)).toBe(0n)
  })

  it('by a permit is refused by its name for a token without one', async () => {
    await cost({})
    const refused = await cost({ order: unwrap(), payBy: 'permit' })
    expect(refused).toMatchObject({ ...NOTHING, code: 'PERMIT_UNSUPPORTED' })
  })

  it('by an approval that the owner lowered in the wallet is refused before the swap', async () => {
    await cost({})
    const lowered = numberToHex(AMOUNT - 1n, { size: 32 }).slice(2)
    const rules: Rules = {
      eth_sendTransaction: (ask, [call]) => {
        const { data, ...rest } = call as { readonly data: Hex }
        return ask([{ ...rest, data: data.slice(0, -64) + lowered }])
      },
    }
    const refused = await cost({ kind: 'provider', order: unwrap(), rules })
    expect(refused).toMatchObject({ code: 'ALLOWANCE_INSUFFICIENT', wrapped: 0n, transactions: 1 })
  })

  it('revokes first where a token refuses to change an allowance that is not zero', async () => {
    const [token, spender] = [toHex(0x0dd, 20), chain.devnet.router]
    // approve and allowance keep one word in slot 0; approve reverts while it is not zero.
    const bytecode =
      '0x60003560e01c8063095ea7b31460365763dd62ed3e14602a57677fffffffffffffff60005260206000f35b60005460005260206000f35b6024358015604b5760005415604b5760006000fd5b60005560016000526020' +
      '6000f3'
    await chain.devnet.client.setCode({ address: token, bytecode: bytecode as Hex })
    const client = clientOf(layeredWallet(chain.devnet, 'provider'))
    const amounts = async (allowance: number) => {
      const [index, value] = [toHex(0, 32), numberToHex(allowance, { size: 32 })]
      await chain.devnet.client.setStorageAt({ address: token, index, value })
      const calls = await approvalsFor(client, { token, amount: 9n, spender })
      return calls.map(({ amount }) => amount)
    }
    expect([await amounts(0), await amounts(5), await amounts(9)]).toEqual([[9n], [0n, 9n], []])
  })
})
