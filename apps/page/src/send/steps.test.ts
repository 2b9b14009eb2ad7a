// @vitest-environment happy-dom
// What the page shows of a swap under way and of one that arrived.

import type { SwapProgress, SwapStep } from '@braid-swap/client'
import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { Arrived } from './arrived.js'
import { Steps } from './steps.js'

const config = { chainId: 999, demo: null, chain } as PageConfig
const hash = toHex(1, 32)

afterEach(() => void vi.useRealTimers())

describe('the steps', () => {
  type Props = Parameters<typeof Steps>[0]
  const steps = (props: Partial<Props> & { readonly progress: SwapProgress }) =>
    shown(h(Steps, { isFailed: false, payBy: undefined, isWallet: true, config, ...props }))
  const states = async (step: SwapStep, props: Partial<Props> = {}) => {
    const { root } = await steps({ progress: { step }, ...props })
    const lines = [...root.querySelectorAll('.steps li')]
    expect(lines.map((line) => line.getAttribute('aria-current'))).toEqual(
      lines.map(({ className }) => (/^(now|failed)$/.test(className) ? 'step' : null)),
    )
    return lines.map(({ className }) => className)
  }

  it('are before, at and after the one of now', async () => {
    expect(await states('check')).toEqual(['now', '', '', '', ''])
    expect(await states('verify')).toEqual(['done', 'done', 'now', '', ''])
    expect(await states('send', { isFailed: true })).toEqual(['done', 'done', 'done', 'failed', ''])
    expect(await states('confirm')).toEqual(['done', 'done', 'done', 'done', 'now'])
    expect(await states('allow', { payBy: 'permit' })).toEqual(['done', 'now', '', '', '', ''])
    // Without a line of its own, it is part of the check.
    expect(await states('allow')).toEqual(['now', '', '', '', ''])
  })

  it.each([
    [undefined, true, undefined, 'Confirm it in your wallet'],
    [undefined, false, undefined, 'Send it'],
    ['approval', true, 'Authorize exactly this amount', 'Confirm it in your wallet'],
    ['permit', true, 'Sign a permit for exactly this amount', 'Confirm it in your wallet'],
    [
      'permit2',
      true,
      'Sign a Permit2 transfer of exactly this amount',
      'Confirm it in your wallet',
    ],
    ['calls', true, undefined, 'Confirm approval and swap in your wallet'],
    ['calls', false, undefined, 'Send it'],
  ] as const)(
    'of a payment by %s (a wallet: %s) are named',
    async (payBy, isWallet, allow, send) => {
      const { texts } = await steps({ progress: { step: 'check' }, payBy, isWallet })
      expect(texts('.steps li')).toEqual([
        ...['Check the network and the router', ...(allow ? [allow] : [])],
        ...['Request the transaction', 'Check that it matches the order', send],
        'Wait until it is mined',
      ])
    },
  )

  it.each([
    ['approval', true, /^Confirm the approval in your wallet\./],
    [
      'permit2',
      true,
      /^Confirm the approval of Permit2 if it asks for one, then sign the message in/,
    ],
    ['permit', true, /^Sign the message in your wallet\. It is for this amount only\./],
    ['calls', true, undefined],
    [undefined, true, undefined],
    ['approval', false, undefined],
  ] as const)(
    'say what to do to authorize by %s (a wallet: %s)',
    async (payBy, isWallet, words) => {
      const { text } = await steps({ progress: { step: 'allow' }, payBy, isWallet })
      if (words) expect(text('.note')).toMatch(words)
      else expect(text('.note')).toBeUndefined()
      const failed = await steps({ progress: { step: 'allow' }, payBy, isWallet, isFailed: true })
      expect(failed.text('.note')).toBeUndefined()
      const later = await steps({ progress: { step: 'send' }, payBy, isWallet })
      expect(later.text('.note')).toBeUndefined()
    },
  )

  it('say after 20 seconds what to do about a transaction that is not mined', async () => {
    vi.useFakeTimers()
    const progress = { step: 'confirm' } as const
    const { text, draw } = await steps({ progress })
    const wait = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))
    await wait(19_999)
    expect(text('.note')).toBeUndefined()
    await wait(1)
    expect(text('.note')).toMatch(/^Not mined yet.*Do not\s+send the swap twice\.$/s)
    const props = { isFailed: false, payBy: undefined, isWallet: true, config }
    await draw(h(Steps, { ...props, progress: { step: 'send' } }))
    expect(text('.note')).toBeUndefined()
    await draw(h(Steps, { ...props, progress, isWallet: false }))
    await wait(20_000)
    expect(text('.note')).toBeUndefined()
    await draw(h(Steps, { ...props, progress: { step: 'build' } }))
    await wait(20_000)
    expect(text('.note')).toBeUndefined()
  })

  it('say that a wallet waits for a big block, and link what was sent', async () => {
    const sent = { hash } as NonNullable<SwapProgress['sent']>
    const progress = { step: 'confirm', usesBigBlocks: true, sent } as const
    const { text, root } = await steps({ progress })
    expect(text('[data-testid=big-block]')).toMatch(
      /into big blocks \(the action evmUserModify of HyperCore\), one in\s+60 s\./,
    )
    const link = root.querySelector('a')!
    expect(link.getAttribute('href')).toBe(`https://hyperevmscan.io/tx/${hash}`)
    expect(root.querySelector('code')!.title).toBe(hash)
    for (const other of [{ chain: { ...chain, explorer: null } }, { demo: { account: name(1) } }]) {
      const { root } = await steps({ progress, config: { ...config, ...other } })
      expect([root.querySelector('a'), root.querySelector('code')?.title]).toEqual([null, hash])
    }
  })
})

describe('what arrived', () => {
  const token = (at: number, symbol: string, decimals: number) =>
    [name(at), { address: name(at), symbol, name: symbol, decimals, verified: true }] as const
  const tokens = new Map([token(1, 'A', 18), token(2, 'B', 6)])
  const sent = {
    ...{ sale: { src: name(1), dst: name(2), amount: 15n * 10n ** 17n }, receiver: name(7), hash },
    ...{ blockNumber: 1_234n, gasUsed: 98_765n, received: 1_000_000n, quoted: 1_000_000n },
    ...{ before: 5n, after: 1_000_005n, isEarlier: false },
  }
  const arrived = (change: Partial<typeof sent> = {}, isEarlier = false, isElsewhere = false) =>
    shown(h(Arrived, { sent: { ...sent, ...change }, tokens, config, isEarlier, isElsewhere }))

  it('is compared with the quote, in the units of the token', async () => {
    const { text, texts } = await arrived()
    expect([text('strong'), text('.arrived > p')]).toEqual([
      ...['1 B arrived', 'Exactly as quoted, to the last digit.'],
    ])
    expect(texts('dd')).toEqual([
      ...['1 B', '1 B', '0.000005 B', '1.000005 B', '1,234 · 98,765 gas'],
    ])
    const verdict = async (received: bigint) => (await arrived({ received })).text('.arrived > p')
    expect(await verdict(1_010_000n)).toBe('1.00 % more than quoted.')
    expect(await verdict(990_000n)).toBe('1.00 % less than quoted.')
    const much = 1_234_567_890_123n
    const fine = await arrived({ received: much, quoted: much, before: much, after: much })
    expect([fine.text('strong'), ...fine.texts('dd').slice(0, 4)]).toEqual([
      ...['1,234,567.89 B arrived', ...Array(4).fill('1,234,567.89012 B')],
    ])
  })

  it('says whose swap it was, if the order is another one by now, and where it is', async () => {
    const earlier = await arrived({}, true, true)
    expect(earlier.text('.soft')).toBe('Your earlier swap of 1.5 A')
    expect(earlier.text('strong')).toMatch(/^1 B arrived at 0x000000…000007$/)
    const found = await arrived({ isEarlier: true })
    expect(found.text('.arrived > p')).toBe('It had been sent before. Nothing more was sent now.')
  })
})
