// @vitest-environment happy-dom
// When the button can be pressed, what it says, and what stands beside it.

import { type Braid, orderKey, SendError, type SwapStep } from '@braid-swap/client'
import { type Hex, NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it, vi } from 'vitest'
import { swapMemory } from '../memory/follow.js'
import type { PageQuote } from '../order/usePolling.js'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { hop, name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { swapAt } from '../testing/swapAt.js'
import { clientOf, type Provider } from '../wallet/payer.js'
import { isLocked, type Sending } from './sending.js'
import { SendPanel } from './sendPanel.js'

type Props = Parameters<typeof SendPanel>[0]
const [ROUTER, OWNER, DST] = [toHex(5, 20), toHex(7, 20), name(2)]
const token = (address: Hex, symbol: string) =>
  [address, { address, symbol, name: symbol, decimals: 18, verified: true }] as const
const tokens = new Map([token(NATIVE, 'HYPE'), token(DST, 'B')])
const order = { src: NATIVE, dst: DST, amount: 10n ** 18n }
const draft = { src: NATIVE, dst: DST, amount: '1', slippage: '1' }
const quote = {
  ...{ dstAmount: 1_000n, graph: [hop(0, 2, 1n)], gas: 1n },
  meta: { blockNumber: 5n, blockHash: toHex(1, 32), priceImpactBps: 10 },
} as unknown as PageQuote
const free = { cautions: [], mustConfirm: false }
const agreed = {
  ...{ sale: order, floor: 990n, slippage: '1', fee: { most: 10n ** 17n, isDear: false } },
}

afterEach(() => localStorage.clear())

/** A wallet whose node answers with this, and what it was asked. */
function payerOf(answers: Readonly<Record<string, () => unknown>> = {}, kind = 'wallet' as const) {
  const asked: string[] = []
  const request = async ({ method }: { readonly method: string }) => {
    asked.push(method)
    return answers[method]?.() ?? null
  }
  const client = clientOf({ request } as unknown as Provider)
  return { payer: { kind, address: OWNER, client, canBatch: false }, asked }
}

const propsOf = (change: Partial<Props> = {}): Props => ({
  braid: {} as Braid,
  config: {
    chainId: 999,
    router: ROUTER,
    demo: null,
    chain,
    executors: [],
  } as unknown as PageConfig,
  ...{ payer: payerOf().payer, payWays: [], draft, tokens, order, quote, guards: free, agreed },
  ...{ receiver: undefined, onSent: () => {}, onDraft: () => {} },
  ...change,
})

async function panel(change: Partial<Props> = {}) {
  let props = propsOf(change)
  const on = await shown(h(SendPanel, props))
  const button = () => on.root.querySelector<HTMLButtonElement>('button.primary')!
  return {
    ...{ ...on, button },
    become: (next: Partial<Props>) => {
      props = { ...props, ...next }
      return on.draw(h(SendPanel, props))
    },
    press: () => act(async () => button().click()),
    /** Waits for an error, and returns its words. */
    failure: () => vi.waitUntil(() => on.root.querySelector('.error')?.textContent),
    type: (words: string) =>
      act(async () => {
        const input = on.root.querySelector<HTMLInputElement>('.confirm input')!
        input.value = words
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }),
  }
}

it('can be pressed with a quote that nothing refuses', async () => {
  const { button, become, text } = await panel()
  expect([button().disabled, button().className]).toEqual([false, 'primary'])
  await become({ quote: undefined })
  expect(button().disabled).toBe(true)
  await become({ quote, guards: undefined })
  expect(button().disabled).toBe(true)
  await become({ guards: { ...free, refusal: 'no funds' } })
  expect([button().disabled, text('[data-testid=refusal]')]).toEqual([true, 'no funds'])
  await become({ guards: free })
  expect([button().disabled, text('[data-testid=refusal]')]).toEqual([false, undefined])
})

it.each([
  [[], '1 confirmation: swap; at least 0.00000000000000099 B.'],
  [['calls'], /^1 confirmation: approve exactly 1 HYPE to 0x000000…000005 and swap; at least /],
  [
    ['approval'],
    /^2 confirmations: approve exactly 1 HYPE to 0x000000…000005, then swap; at least /,
  ],
  [['permit'], /^2 confirmations: sign a permit for exactly 1 HYPE to .*, then swap; at least /],
  [
    ['permit2'],
    /^Up to 3 confirmations: approve Permit2 for and sign a transfer of exactly 1 HYPE to .*, then swap; /,
  ],
] as const)('one line says every confirmation to come by %j', async (payWays, line) => {
  const { text, become } = await panel({ payWays })
  expect(text('[data-testid=ahead]')).toMatch(line)
  await become({ receiver: name(9) })
  expect(text('[data-testid=ahead]')).toMatch(/ B to 0x000000…000009\.$/)
  await become({ quote: undefined })
  expect(text('[data-testid=ahead]')).toBeUndefined()
})

it('must be confirmed in words where it is dangerous, again for other terms', async () => {
  const { button, become, type, root } = await panel({ guards: { ...free, mustConfirm: true } })
  const value = () => root.querySelector<HTMLInputElement>('.confirm input')?.value
  expect([button().disabled, button().className, value()]).toEqual([true, 'primary grave', ''])
  await type('swap')
  expect([button().disabled, value()]).toEqual([true, 'swap'])
  await type('swap anyway')
  expect(button().disabled).toBe(false)
  for (const change of [{ slippage: '2' }, { receiver: OWNER }, { amount: '2' }, { dst: NATIVE }]) {
    await become({ draft: { ...draft, ...change } })
    expect([change, button().disabled, value()]).toEqual([change, true, ''])
    await become({ draft })
    expect(button().disabled).toBe(false)
  }
  const moved = { ...quote, meta: { ...quote.meta, priceImpactBps: 111 } } as PageQuote
  await become({ quote: moved })
  expect(button().disabled).toBe(true)
  await become({ quote, guards: { ...free, mustConfirm: true, refusal: 'no' } })
  expect(root.querySelector('.confirm')).toBe(null)
})

it.each([
  [[], 'Swap', []],
  [['approval'], 'Approve, then swap', []],
  [['permit', 'approval'], 'Sign and swap', ['Permit signature', 'Approval']],
  [['calls', 'approval'], 'Approve and swap', ['One confirmation', 'Approval']],
  [['approval', 'permit2'], 'Approve, then swap', ['Approval', 'Permit2 signature']],
] as const)('of the ways %j says “%s”', async (payWays, words, choices) => {
  const { button, texts, root, become } = await panel({ payWays })
  expect([button().textContent, texts('.choice label')]).toEqual([words, [...choices]])
  const radios = [...root.querySelectorAll<HTMLInputElement>('input[type=radio]')]
  expect(radios.map(({ checked }) => checked)).toEqual(choices.map((_, at) => at === 0))
  if (radios[1]) {
    await act(async () => radios[1]!.click())
    const second = { permit2: 'Sign and swap' }[payWays[1] as 'permit2'] ?? 'Approve, then swap'
    expect(button().textContent).toBe(second)
    // A way that is gone is no longer chosen.
    await become({ payWays: [payWays[0]!] })
    expect(button().textContent).toBe(words)
  }
})

it('says whose account pays where it is the demo’s', async () => {
  const { payer } = payerOf()
  const { button } = await panel({ payer: { ...payer, kind: 'demo' }, payWays: ['approval'] })
  expect(button().textContent).toBe('Swap from the demo account')
})

it('shows how far it is, and a failure beside its own order alone', async () => {
  let fail = (_: Error) => {}
  const { payer } = payerOf({
    eth_chainId: () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  })
  let sent = 0
  const on = await panel({ payer, payWays: ['permit', 'approval'], onSent: () => sent++ })
  const { button, press, root, text, become } = on
  await press()
  expect([button().textContent, button().disabled]).toEqual(['Sending…', true])
  expect([text('.steps .now'), root.querySelector('.choice')]).toEqual([
    ...['Check the network and the router', null],
  ])
  await become({ guards: { ...free, mustConfirm: true } })
  expect(root.querySelector('.confirm')).toBe(null)
  await become({ guards: free })
  fail(Object.assign(new Error('no'), { code: 4001 }))
  await on.failure()
  expect([text('.error strong'), text('.steps .failed'), sent]).toEqual([
    ...[expect.stringMatching(/^Declined in the wallet/), 'Check the network and the router', 1],
  ])
  expect([button().textContent, button().disabled]).toEqual(['Sign and swap', false])
  expect(root.querySelector('button.secondary')).toBe(null)
  await become({ order: { ...order, amount: 2n } })
  expect([root.querySelector('.error'), root.querySelector('.steps')]).toEqual([null, null])
  await become({ order })
  expect(root.querySelector('.error')).not.toBe(null)
  await press()
  expect(root.querySelector('.error')).toBe(null)
})

it.each([
  ['http://node.example', 'wallet', true],
  ['http://node.example', 'demo', false],
] as const)(
  'offers the node %s to a %s on another network: %s',
  async (rpcUrl, kind, isOffered) => {
    const { payer, asked } = payerOf({
      ...{ eth_chainId: () => '0x3e7' },
      eth_getBlockByNumber: () => ({ number: '0x5', hash: toHex(2, 32), transactions: [] }),
    })
    const config = { ...propsOf().config, chain: { ...chain, rpcUrl } } as PageConfig
    const { press, root, failure } = await panel({ payer: { ...payer, kind }, config })
    await press()
    expect(await failure()).toContain('WALLET_OTHER_NETWORK')
    const offer = root.querySelector<HTMLButtonElement>('button.secondary')
    expect(offer !== null).toBe(isOffered)
    if (!offer) return
    expect(offer.textContent).toBe('Use http://node.example in the wallet')
    offer.click()
    await expect.poll(() => asked.at(-1)).toBe('wallet_addEthereumChain')
  },
)

it('offers the most that leaves room for gas', async () => {
  const details = { most: `${123n * 10n ** 16n}` }
  const refused = new SendError('GAS_NOT_COVERED', 'too little', details)
  const { payer } = payerOf({ eth_chainId: () => Promise.reject(refused) })
  const drafts: object[] = []
  const onDraft = (next: object) => void drafts.push(next)
  const { press, root, failure } = await panel({ payer, onDraft })
  await press()
  expect(await failure()).toContain('GAS_NOT_COVERED')
  const offer = root.querySelector<HTMLButtonElement>('button.secondary')!
  expect(offer.textContent).toBe('Swap 1.23 HYPE, which leaves room for gas')
  offer.click()
  expect(drafts).toEqual([{ ...draft, amount: '1.23' }])
})

it.each([
  ['to pay', order],
  ['to receive', { src: NATIVE, dst: DST, dstAmountExact: 9n }],
] as const)('is not sent again, of an amount %s, before the same has ended', async (_, of) => {
  const { payer, asked } = payerOf()
  const receiver = toHex(8, 20)
  const bought = { ...quote, srcAmount: 3n } as PageQuote
  const { sent } = swapAt(Date.now())
  const at = { chainId: 999, from: OWNER }
  const terms = orderKey({ ...of, slippage: 0, receiver }, at)
  const kept = { ...swapAt(Date.now()), sent: { ...sent, terms } }
  await swapMemory.of(kept).keep(kept.sent)
  const { button, text, become } = await panel({ payer, order: of, quote: bought, receiver })
  expect([button().disabled, text('[data-testid=blocked]')]).toEqual([
    ...[true, expect.stringMatching(/^You sent this order at .* nobody knows yet/)],
  ])
  expect(asked).toEqual([])
  // Another receiver makes it another order.
  await become({ receiver: undefined })
  expect([button().disabled, text('[data-testid=blocked]')]).toEqual([false, undefined])
  await become({ receiver })
  await act(async () => swapMemory.of(kept).forget(kept.sent, { is: 'not', code: 'EXPIRED' }))
  expect([button().disabled, text('[data-testid=blocked]')]).toEqual([false, undefined])
})

it('a swap under way locks the button until it has left, and then its own order alone', () => {
  const sendingAt = (step: SwapStep) => ({ is: 'under way', order, progress: { step } }) as Sending
  const other = { ...order, amount: 2n }
  const locks = (step: SwapStep) => [
    isLocked(sendingAt(step), order),
    isLocked(sendingAt(step), other),
  ]
  for (const step of ['check', 'build', 'verify', 'allow', 'send'] as const) {
    expect(locks(step)).toEqual([true, true])
  }
  expect(locks('confirm')).toEqual([true, false])
  const failed = { ...sendingAt('confirm'), is: 'failed', error: new Error() } as Sending
  expect([isLocked(failed, order), isLocked(undefined, order)]).toEqual([false, false])
})
