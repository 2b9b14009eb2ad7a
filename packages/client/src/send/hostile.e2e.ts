// Servers and nodes that lie about one thing at a time.

import { routerAbi } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, encodeRouterCall, type Hex } from '@braid-swap/core'
import { encodeErrorResult, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Rules } from '../testing/layeredWallet.js'
import {
  AMOUNT,
  type Built,
  borrowForFile,
  chain,
  cost,
  FEE,
  NOTHING,
  ONE_SWAP,
} from '../testing/sendWorld.js'
import type { SwapProgress } from './prepare.js'

borrowForFile()

describe('a hostile server', () => {
  const call = (change: Partial<ReturnType<typeof decodeRouterCall>>) => (built: Built) => ({
    ...built,
    tx: { ...built.tx, data: encodeRouterCall({ ...decodeRouterCall(built.tx.data), ...change }) },
  })
  const tx = (change: Partial<Built['tx']>) => (built: Built) => ({
    ...built,
    tx: { ...built.tx, ...change },
  })
  it('that names a gas price is not heard, and its fees make nobody pay above the limit', async () => {
    expect(await cost({ lie: tx({ gasPrice: 10n ** 15n }) })).toMatchObject(ONE_SWAP)
    const fees = { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 15n }
    const { lost, ...of } = await cost({
      lie: (built) => ({ ...built, meta: { warnings: [], fees } }),
    })
    expect(of).toMatchObject(ONE_SWAP)
    expect(lost).toBeLessThanOrEqual(FEE)
  })

  it('that lowers the floor only has it raised again', async () => {
    let data: Hex = '0x'
    const onStep = ({ tx: sent }: SwapProgress) => {
      if (sent) data = sent.data
    }
    expect(await cost({ lie: call({ minAmountOut: 1n }), onStep })).toMatchObject(ONE_SWAP)
    expect(decodeRouterCall(data).minAmountOut).toBe(AMOUNT)
  })

  it.each(['BIG_BLOCK_REQUIRED', 'SWAP_WOULD_REVERT'])(
    'warns of %s, which is obeyed',
    async (code) => {
      const meta = { warnings: [{ code, message: 'no' }] }
      const outcome = await cost({ lie: (built) => ({ ...built, meta }) })
      expect(outcome).toMatchObject({ ...NOTHING, error: { details: { warning: code } } })
    },
  )
})

describe('a hostile node', () => {
  const big = numberToHex(10n ** 15n)
  it.each<readonly [string, Rules, string]>([
    ['a gas price', { eth_gasPrice: async () => big }, 'NETWORK_FEE_TOO_HIGH'],
    ['an estimate', { eth_estimateGas: async () => big }, 'NETWORK_FEE_TOO_HIGH'],
    ['code', { eth_getCode: async () => '0x00' }, 'ROUTER_UNVERIFIED'],
    ['a chain', { eth_chainId: async () => '0x1' }, 'WRONG_CHAIN'],
    ['a balance', { eth_getBalance: async () => '0x1' }, 'BALANCE_INSUFFICIENT'],
    [
      'a short return value',
      {
        eth_call: async (ask, [asked, at]) => {
          const { to } = asked as { readonly to: Address }
          const answer = await ask([asked, at])
          return to === chain.devnet.router &&
            `${answer}`.length === 66 &&
            BigInt(`${answer}`) === AMOUNT
            ? '0x01'
            : answer
        },
      },
      'REVERTED',
    ],
  ])('that lies about %s makes nobody pay', async (_, rules, code) => {
    expect(await cost({ rules })).toMatchObject({ ...NOTHING, code })
  })

  it('that names no gas price does not keep a swap out of the blocks', async () => {
    expect(await cost({ rules: { eth_gasPrice: async () => '0x1' } })).toMatchObject(ONE_SWAP)
  })

  it('that reverts the swap is quoted with the name or the first bytes of its reason', async () => {
    const reason = (error: object) => {
      const eth_call: Rules[string] = (ask, [call, at]) => {
        const { to } = call as { readonly to: Address }
        return to === chain.devnet.router ? Promise.reject(error) : ask([call, at])
      }
      return cost({ rules: { eth_call } })
    }
    const unknown = `0xdeadbeef${'ab'.repeat(64)}`
    const moved = encodeErrorResult({
      ...{ abi: routerAbi, errorName: 'AmountOutTooLow', args: [1n, 2n] },
    })
    expect(await reason({ code: 3, data: unknown })).toMatchObject({
      ...{ ...NOTHING, code: 'REVERTED' },
      error: {
        message: `the transaction would revert: without a known reason (${unknown.slice(0, 74)})`,
      },
    })
    expect(await reason({ code: 3, data: moved })).toMatchObject({
      ...{ ...NOTHING, code: 'PRICE_MOVED' },
      error: {
        details: { to: chain.devnet.router, got: 'AmountOutTooLow(1, 2)', wanted: 'a new quote' },
      },
    })
  })
})
