// The steps of a swap, and the ways to pay.

import { decodeRouterCall, encodeRouterCall, type Hex, NATIVE } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { sendSigned } from '@braid-swap/devnet/testing'
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { layeredWallet, type Rules } from '../testing/layeredWallet.js'
import {
  AMOUNT,
  type Built,
  borrowForFile,
  chain,
  cost,
  FEE,
  held,
  kinds,
  NOTHING,
  ONE_SWAP,
  read,
  soon,
  unwrap,
  wrap,
} from '../testing/sendWorld.js'
import { confirmSwap } from './confirm.js'
import type { SendError } from './errors.js'
import type { SentSwap } from './memory.js'
import type { SwapOrder } from './order.js'
import type { SwapProgress } from './prepare.js'

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
      ...['check', 'build', 'verify', 'allow', 'build', 'verify', 'send', 'send', 'confirm'],
    ])
    // A copy made before anything left is enough to follow it.
    const wallet = layeredWallet(chain.devnet, kind)
    expect(await confirmSwap(wallet, said[7]!.sent!, soon)).toMatchObject({ hash: done?.hash })
    expect(said[7]!.sent!.hash).toBe(kind === 'key' ? done?.hash : undefined)
    expect(said[3]?.approval).toMatchObject({ amount: AMOUNT, spender: chain.devnet.router })
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
    expect(again).toEqual(done)
  })
})

it('an amount to receive is sold as the amount that the server names, before it is approved', async () => {
  await cost({})
  const asked: unknown[] = []
  const lie = (built: Built, request: SwapOrder) => {
    asked.push(request)
    return built
  }
  const { amount, ...ends } = unwrap()
  const { done, transactions } = await cost({ order: { ...ends, dstAmountExact: amount }, lie })
  expect([done?.amountIn, done?.amountOut, transactions]).toEqual([AMOUNT, AMOUNT, 2])
  // The server would refuse the first request for its missing approval.
  expect(asked).toMatchObject([{ dstAmountExact: AMOUNT, skipChecks: true }, { amount: AMOUNT }])
  expect(asked[1]).not.toHaveProperty('dstAmountExact')
  expect(asked[1]).not.toHaveProperty('skipChecks')
})

it('an exact amount is the floor of every answer, also of one that no longer hears of it', async () => {
  const { amount, ...ends } = unwrap()
  await cost({})
  let asked = 0
  const lie = (built: Built) => {
    if (asked++ === 0) return built
    const data = encodeRouterCall({ ...decodeRouterCall(built.tx.data), minAmountOut: 1n })
    return { ...built, dstAmount: 1n, tx: { ...built.tx, data } }
  }
  const order = { ...ends, dstAmountExact: amount }
  expect(await cost({ order, lie, minAmountOut: 1n })).toMatchObject({
    ...{
      code: 'PRICE_MOVED',
      wrapped: 0n,
      error: { details: { wanted: `at least ${AMOUNT} wei` } },
    },
  })
})

it.each<readonly [string, object, string]>([
  [
    'a price below the floor',
    { lie: (built: Built) => ({ ...built, dstAmount: 1n }) },
    'PRICE_MOVED',
  ],
  ['a term that is missing', { minAmountOut: undefined }, 'BAD_CALL'],
  [
    'gas that is too dear',
    { rules: { eth_gasPrice: async () => numberToHex(10n ** 15n) } },
    'NETWORK_FEE_TOO_HIGH',
  ],
  ['a bundle that the wallet cannot execute', { payBy: 'calls' }, 'CALLS_UNSUPPORTED'],
])('%s is refused before an approval is sent', async (_, of, code) => {
  await cost({})
  const { router, wallet, wrappedNative } = chain.devnet
  const args = [router, 0n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await sendSigned(chain.devnet, { to: wrappedNative, data })
  await chain.devnet.mine()
  expect(await cost({ kind: 'provider', order: unwrap(), ...of })).toMatchObject({
    ...NOTHING,
    code,
  })
  expect(await read('allowance', wallet.address, router)).toBe(0n)
})

type Bundle = {
  readonly id: string
  readonly calls: readonly { readonly to: Hex; readonly data: Hex; readonly value?: Hex }[]
}

/** A wallet that executes bundles, by one transaction for each call. */
function bundling() {
  const bundles: Bundle[] = []
  const { client, wallet } = chain.devnet
  const ask = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>
  const rules: Rules = {
    wallet_getCapabilities: async () => ({ '0x3e7': { atomic: { status: 'supported' } } }),
    wallet_sendCalls: async (_, [asked]) => {
      const bundle = asked as Bundle
      bundles.push(bundle)
      for (const call of bundle.calls) {
        const fees = { gas: numberToHex(300_000), gasPrice: numberToHex(10n ** 10n) }
        const tx = { ...call, ...fees, from: wallet.address }
        await ask('eth_sendTransaction', [tx])
      }
      return { id: bundle.id }
    },
  }
  return { rules, bundles }
}

describe('paying', () => {
  it('by Permit2 leaves no approval', async () => {
    await cost({})
    const { done, transactions } = await cost({ order: unwrap(), payBy: 'permit2' })
    expect([done?.amountOut, transactions]).toEqual([AMOUNT, 2])
    expect(await read('allowance', chain.devnet.wallet.address, PERMIT2)).toBe(0n)
    expect(await read('allowance', chain.devnet.wallet.address, chain.devnet.router)).toBe(0n)
  })

  it('by calls approves and swaps in one confirmation, under a name of ours', async () => {
    await cost({})
    const said: SwapProgress[] = []
    const onStep = (progress: SwapProgress) => said.push(progress)
    const { rules, bundles } = bundling()
    const bought = await cost({
      ...{ kind: 'provider', payBy: 'calls', rules },
      order: unwrap(),
      onStep,
    })
    expect(bought).toMatchObject({ wrapped: -AMOUNT, transactions: 2, error: undefined })
    const { router, wallet } = chain.devnet
    expect(bought.done).toMatchObject({ amountIn: AMOUNT, amountOut: AMOUNT, quoted: AMOUNT })
    expect(said.map(({ step }) => step)).toEqual([
      ...['check', 'build', 'verify', 'send', 'send', 'confirm'],
    ])
    const [asked] = bundles
    expect(asked).toMatchObject({ atomicRequired: true, chainId: '0x3e7' })
    expect(asked!.calls.map(({ to }) => to)).toEqual([chain.devnet.wrappedNative, router])
    const from = wallet.address.toLowerCase()
    const record = { chainId: 999, from, router, data: asked!.calls[1]!.data, quoted: `${AMOUNT}` }
    expect(said[4]!.sent).toMatchObject(record)
    expect([said[4]!.sent!.hash, said[5]!.sent]).toEqual([undefined, said[4]!.sent])
    expect(asked!.id).toBe(said[4]!.sent!.id)
    const again = await confirmSwap(
      layeredWallet(chain.devnet, 'provider', rules),
      said[4]!.sent!,
      soon,
    )
    expect(again.hash).toBe(bought.done?.hash)
    let times = 0
    const leaving = { ...rules, eth_chainId: async () => (times++ === 0 ? '0x3e7' : '0x1') }
    await cost({})
    const left = { order: unwrap(), payBy: 'calls', rules: leaving } as const
    expect(await cost({ kind: 'provider', ...left })).toMatchObject({
      ...{ ...NOTHING, code: 'WRONG_CHAIN' },
    })
  })

  it('the native token needs no approval, so nothing is bundled or signed for it', async () => {
    for (const payBy of ['calls', 'permit', 'permit2'] as const) {
      expect(await cost({ kind: 'provider', payBy })).toMatchObject(ONE_SWAP)
    }
  })

  it('gas may cost the limit, and no wei more', async () => {
    // The server's estimate, which is above the node's.
    const price = FEE / 200_000n
    const at = (wei: bigint) => cost({ rules: { eth_gasPrice: async () => numberToHex(wei) } })
    expect(await at(price)).toMatchObject(ONE_SWAP)
    expect(await at(price + 1n)).toMatchObject({ ...NOTHING, code: 'NETWORK_FEE_TOO_HIGH' })
  })

  it('a tip is paid: the caller’s own, or a builder’s up to 20 times the base fee', async () => {
    const paidBy = async (of: { readonly order?: SwapOrder; readonly tip?: bigint }) => {
      const fees = { maxFeePerGas: 10n ** 14n, maxPriorityFeePerGas: of.tip ?? 0n }
      const lie = (built: Built) => ({ ...built, meta: { warnings: [], fees } })
      const { done } = await cost({ lie, ...(of.order && { order: of.order }) })
      const { hash } = done!
      const { client } = chain.devnet
      const { blockNumber, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      const { baseFeePerGas } = await client.getBlock({ blockNumber })
      return effectiveGasPrice - baseFeePerGas!
    }
    expect(await paidBy({})).toBe(0n)
    expect(await paidBy({ tip: 10n ** 8n })).toBe(10n ** 8n)
    const price = await chain.devnet.client.getGasPrice()
    expect(await paidBy({ tip: 10n ** 13n })).toBeLessThanOrEqual(20n * price)
    const maxPriorityFeePerGas = 30n * price
    expect(await paidBy({ order: { ...wrap(), maxPriorityFeePerGas } })).toBe(30n * price)
  })

  it('the whole balance is refused with the most that leaves room for gas, which is swapped', async () => {
    const { native } = await held()
    const all = { minAmountOut: 1n, maxAmountIn: native, maxNetworkFee: native }
    const whole = await cost({ ...all, order: { ...wrap(), amount: native } })
    expect(whole).toMatchObject({ ...NOTHING, code: 'GAS_NOT_COVERED' })
    const { details } = whole.error as SendError
    expect(details).toMatchObject({ token: NATIVE, available: `${native}` })
    const most = BigInt(`${details['most']}`)
    const { done, error } = await cost({ ...all, order: { ...wrap(), amount: most } })
    expect([error, done?.amountOut]).toEqual([undefined, most])
    expect(BigInt(`${details['required']}`)).toBeGreaterThan(native)
    await chain.devnet.fund(chain.devnet.wallet.address, NATIVE, native)
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
})
