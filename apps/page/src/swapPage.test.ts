// @vitest-environment happy-dom
// The page as a whole over an API that answers: what it asks, shows, and refuses to send.

import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PageConfig } from './pageConfig.js'
import { SwapPage } from './swapPage.js'
import { chain } from './testing/chain.js'
import { name } from './testing/routes.js'
import { pass, shown } from './testing/shown.js'
import { refusalOf } from './testing/visit.js'

const [USDC, CAT, OWNER] = [name(2), name(3), toHex(0xa1, 20)]
const config: PageConfig = {
  ...{ chainId: 999, router: toHex(5, 20), wrappedNative: toHex(6, 20), usdTokens: [USDC] },
  ...{ demo: null, apiKey: null, isKeyless: false, chain, executors: [] },
}
const token = (address: string, symbol: string, decimals: number) => ({
  ...{ address, symbol, name: symbol, decimals, verified: true, logoUri: null },
  ...{ buyPriceUsd: 40, sellPriceUsd: 40 },
})
const tokens = [token(NATIVE, 'HYPE', 18), token(USDC, 'USDC', 6), token(CAT, 'CAT', 6)]
const meta = {
  ...{ quoteId: 'q', blockNumber: '7', blockHash: toHex(1, 32), blockTimestamp: 1 },
  ...{ snapshotId: 's', stateAgeMs: 1, engineVersion: '1', mode: 'exact', solveMs: 1 },
  ...{ warnings: [], gasPrice: '1000000000', priceImpactBps: 5, validUntilBlock: '8' },
  ...{ spotDstAmount: '80100000' },
}
const hop = {
  ...{ from: NATIVE, to: USDC, pool: name(9), exchange: 'v', poolType: 'p', percentage: 100 },
  ...{ amountIn: '2000000000000000000', amountOut: '80000000', share: '1', takesRemainder: true },
  ...{ fee: 0.3, gas: '100000' },
}
const wrap = { ...hop, to: config.wrappedNative, poolType: 'wrap', amountOut: hop.amountIn, fee: 0 }
const graph = [wrap, { ...hop, from: config.wrappedNative }]
const quote = { dstAmount: '80000000', gas: '300000', graph, meta }
const comparison = { serviceQuote: '80000000', decimalsOut: 6, pools: [] }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
  location.hash = ''
})

type Answer = { readonly status?: number; readonly body: unknown }
type Answers = Readonly<Record<string, (query: URLSearchParams) => Answer>>

/** The page over these answers by the last part of the path; `asked` has the requests. */
async function page(hash: string, change: Answers = {}, of: Partial<PageConfig> = {}) {
  const asked: string[] = []
  const answers: Answers = {
    tokens: () => ({
      body: { tokens: Object.fromEntries(tokens.map((one) => [one.address, one])) },
    }),
    quote: () => ({ body: quote }),
    'dex-compare': () => ({ body: comparison }),
    token: () => ({ body: tokens[0] }),
    rpc: () => ({ body: { result: toHex(0, 32) } }),
    ...change,
  }
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const last = pathname.split('/').at(-1) ?? ''
    const part = last.startsWith('0x') ? 'token' : last
    asked.push(`${part} ${searchParams}`)
    const answer = answers[part]?.(searchParams)
    return Response.json(answer?.body ?? {}, { status: answer?.status ?? 200 })
  })
  location.hash = hash
  const refusals: (string | undefined)[] = []
  const props = { apiKey: 'k', onKeyRefused: (why?: string) => refusals.push(why) }
  const on = await shown(h(SwapPage, { ...props, config: { ...config, ...of } }))
  // The tokens, the order that they make possible, and what it asks for.
  for (const ms of [0, 0, 300, 0]) await pass(ms)
  const find = <E extends HTMLElement>(selector: string) => on.root.querySelector<E>(selector)
  return {
    ...{ ...on, asked, refusals, find },
    value: (id: string) => find<HTMLInputElement>(`#${id}`)?.value,
    press: (words: string) =>
      act(async () =>
        [...on.root.querySelectorAll('button')]
          .find(({ textContent }) => textContent?.trim() === words)!
          .click(),
      ),
  }
}
const refuse = (status: number, code: string) => () => ({
  ...{ status, body: refusalOf(status, { code, message: `said ${code}` }) },
})

it('quotes the order of its address, and draws it', async () => {
  const on = await page('#amount=2')
  expect(on.value('output')).toBe('80')
  expect(on.asked.filter((one) => one.startsWith('quote'))[0]).toContain(
    'amount=2000000000000000000',
  )
  expect(on.text('[data-testid=pay-worth]')).toBe('≈ $3,204.00')
  expect(on.find('.order.waiting')).toBeNull()
  expect(on.text('[data-testid=route-summary]')).toBe('1 pool on 1 venue')
  await on.press('Copy as curl')
  expect(await navigator.clipboard.readText()).toMatch(
    /^curl -H 'apikey: \S+' '\S+\/swap\/v1\/999\/quote\?src=0x\w+&dst=0x\w+&amount=2000000000000000000&includeGas=true&\S+'$/,
  )
  expect(on.text('[data-testid=block]')).toBe('Block 7')
  expect(on.find('.old, .error, .stale')).toBeNull()
})

it('an order without a token to receive gets the market’s dollar', async () => {
  const on = await page('#amount=2', {}, { usdTokens: [name(77), USDC] })
  expect(location.hash).toContain(`dst=${USDC}`)
  await on.press('Copy a link to this order')
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/${location.hash}`)
})

it('a token that the link names stays, although nobody knows it', async () => {
  const on = await page(`#receive=2&dst=${name(78)}`, { token: refuse(404, 'TOKEN_NOT_FOUND') })
  expect(location.hash).toBe(`#receive=2&dst=${name(78)}`)
  expect(on.text('[data-testid=why]')).toBe('Choose the token you receive')
})

it('another amount is waited for in grey, and one that cannot be filled shows no pictures', async () => {
  let isFilled = true
  const on = await page('#amount=2', {
    quote: () => (isFilled ? { body: quote } : refuse(422, 'INSUFFICIENT_LIQUIDITY')()),
  })
  isFilled = false
  await act(async () => {
    const field = on.find<HTMLInputElement>('#amount')!
    field.value = '3'
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(on.root.querySelectorAll('.order.waiting, .card.old')).toHaveLength(4)
  await pass(300)
  expect(on.text('.error strong')).toBe('Not enough liquidity for this amount')
  expect(on.texts('.none')).toEqual([
    ...['No route for this order.', 'No route can fill these amounts.', 'Nothing to compare.'],
  ])
})

it('a key that is refused is asked for again', async () => {
  const on = await page('#amount=2', { quote: refuse(401, 'KEY_UNKNOWN') })
  expect(on.refusals).toEqual(['said KEY_UNKNOWN'])
  const later = await page('#amount=2')
  await later.press('Change key')
  expect(later.refusals).toEqual([undefined])
})

it('a link that was not understood is answered before anything is sent', async () => {
  const demo = { account: OWNER }
  const on = await page('#amount=2&x=1', {}, { demo })
  expect(on.text('[data-testid=link-faults]')).toContain('“x” is no part of an order.')
  expect(on.text('[data-testid=refusal]')).toBe('First answer the question about the link.')
  await on.press('Use the order as shown')
  expect(on.find('[data-testid=link-faults]')).toBeNull()
  expect(on.text('[data-testid=refusal]')).toBe('Insufficient balance: the account has 0 HYPE.')
})

it('without a suggestion of the API, nothing is sent with its slippage', async () => {
  const demo = { account: OWNER }
  const rpc = () => ({ body: { result: toHex(10n ** 20n, 32) } })
  const on = await page('#amount=2&slippage=auto', { rpc }, { demo })
  expect(on.text('[data-testid=refusal]')).toContain('too few blocks to suggest a slippage')
  const suggested = () => ({ body: { ...quote, meta: { ...meta, suggestedSlippageBps: 30 } } })
  const later = await page('#amount=2&slippage=auto', { rpc, quote: suggested }, { demo })
  expect(later.text('[data-testid=refusal]')).toBeUndefined()
  expect(later.text('.facts dd')).toBe('79.76 USDC')
})

it('a receiver is refused in words, and another one is a caution', async () => {
  const demo = { account: OWNER }
  const rpc = () => ({ body: { result: toHex(10n ** 20n, 32) } })
  const on = await page('#amount=2', { rpc }, { demo })
  await on.press('Send to another address')
  const type = (text: string) =>
    act(async () => {
      const field = on.find<HTMLInputElement>('#receiver')!
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await type('0x12')
  expect(on.text('[data-testid=refusal]')).toContain('The receiver is not an address')
  await type(toHex(0xb2, 20))
  expect(on.find('[data-testid=refusal]')).toBeNull()
  expect(on.texts('p.warning')).toEqual([expect.stringContaining('Nobody can return it')])
})

it('a wallet is asked for without a demo account', async () => {
  const on = await page('#amount=2')
  await on.press('Connect wallet')
  expect(on.text('dialog[open] h2')).toBe('Connect a wallet')
  await act(async () => on.find('dialog[open] button[aria-label=Close]')!.click())
  expect(on.find('dialog[open] h2')).toBeNull()
})

it('a recorded market is named with its block and day, and nothing can be sent there', async () => {
  const recorded = { blockNumber: '24721407', blockTimestamp: 1_774_300_000 }
  const on = await page('#amount=2', {}, { recorded })
  expect(on.value('output')).toBe('80')
  expect(on.text('[data-testid=recorded]')).toContain(
    'Recorded market of block 24,721,407, 2026-03-23.',
  )
  expect(on.texts('.chip')).toContain('recorded')
  const buttons = [...on.root.querySelectorAll('button')].map(({ textContent }) => textContent)
  expect(buttons.filter((text) => /wallet|^swap|another address/i.test(text ?? ''))).toEqual([])
})
