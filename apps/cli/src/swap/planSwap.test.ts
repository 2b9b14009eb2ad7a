// The answers of an API that changes one thing, against the order of the command line, without a node.

import type { Warning } from '@braid-swap/client'
import { routerDeployment } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, encodeRouterCall, type RouterCall } from '@braid-swap/core'
import { LIMITS, toHex } from '@braid-swap/core/advanced'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readTokenFile } from '../sources/tokens.js'
import { QUOTE_META, type SwapAnswer, startApiDouble } from '../testing/apiDouble.js'
import { frozen, runCli } from '../testing/runCli.js'

const WHYPE: Address = '0x5555555555555555555555555555555555555555'
const STRANGER = toHex(0xbad, 20)
const { router } = routerDeployment(WHYPE)
const key = { BRAID_API_KEY: 'k' }
const ends = ['--in', 'HYPE', '--out', 'USDC']
const sale = [...ends, '--amount', '100', '--json']
const buy = [...ends, '--amount-out', '50', '--json']

let honest: SwapAnswer
let bought: SwapAnswer
let lie: (honest: SwapAnswer) => SwapAnswer
let suggested: number | undefined
let warnings: readonly Warning[] = []
let api: Awaited<ReturnType<typeof startApiDouble>>

beforeAll(async () => {
  const built = async (words: readonly string[]) => {
    const { amountOut, leastAmountIn, tx } = JSON.parse(
      (await runCli(['swap', ...frozen, ...words])).out,
    )
    const amounts = leastAmountIn && {
      ...{ srcAmount: BigInt(leastAmountIn), maxSrcAmount: BigInt(tx.value) },
    }
    return { dstAmount: BigInt(amountOut), ...amounts, tx: { ...tx, value: BigInt(tx.value) } }
  }
  ;[honest, bought] = [await built(sale), await built(buy)]
  api = await startApiDouble(
    readTokenFile(frozen[3]!),
    (query) => {
      const at = query.has('dstAmountExact') ? bought : honest
      return lie(withCall({ deadline: BigInt(query.get('deadline')!) })(at))
    },
    () => ({
      ...{ dstAmount: '1', gas: '1', routes: [], graph: [] },
      meta: { ...QUOTE_META, suggestedSlippageBps: suggested, warnings },
    }),
    () => warnings,
  )
})
afterAll(() => api?.stop())

const withCall =
  (change: Partial<RouterCall>) =>
  (answer: SwapAnswer): SwapAnswer => {
    const data = encodeRouterCall({ ...decodeRouterCall(answer.tx.data), ...change })
    return { ...answer, tx: { ...answer.tx, data } }
  }
const withTx =
  (change: Partial<SwapAnswer['tx']>) =>
  (answer: SwapAnswer): SwapAnswer => ({ ...answer, tx: { ...answer.tx, ...change } })
const same = (answer: SwapAnswer) => answer

/** What `braid swap --api` makes of a lie. */
async function swap(told: typeof lie, words: readonly string[] = sale) {
  lie = told
  const { code, out, err } = await runCli(['swap', '--api', api.url, ...words], key)
  const last = err.split('\n').at(-1)!
  const error = out === '' ? JSON.parse(last).error : undefined
  return { code, err, error, answer: out === '' ? undefined : JSON.parse(out) }
}

const mismatch = (wrong: string) => ({
  ...{ code: 5, answer: undefined },
  error: { code: 'MISMATCH', details: { wrong: expect.stringContaining(wrong) } },
})

describe.each(Object.keys(LIMITS))('the finding %s', (code) => {
  afterEach(() => {
    warnings = []
  })
  const of = { code, measure: 1_234.5, limit: 500 }
  const reason = 'the loss is 12.35 %'

  it.each(['warn', 'ask'] as const)(
    'of the level %s is in quote and swap as the API has it',
    async (level) => {
      warnings = [{ ...of, level, message: reason }]
      const quoted = await runCli(['quote', '--api', api.url, ...sale], key)
      expect(JSON.parse(quoted.out).findings).toEqual([{ ...of, level, reason }])
      const built = await swap(same)
      expect(built.answer.findings).toEqual([{ ...of, level, reason }])
      const text = await runCli(['swap', '--api', api.url, ...sale.slice(0, -1)], key)
      expect(text.out).toContain(`warning: ${reason}`)
      // Who accepts by codes refuses every other one.
      const accept = (codes: string) => swap(same, [...sale, `--accept=${codes}`])
      const none = await accept('')
      if (level === 'warn') return expect(none.code).toBe(0)
      expect(none).toMatchObject({ code: 5, error: { code: 'NOT_ACCEPTED', details: { reason } } })
      expect((await accept(`OTHER, ${code}`)).code).toBe(0)
    },
  )
})

describe('braid swap --api', () => {
  it('asks for the order and its deadline, and passes on what is as asked', async () => {
    const before = api.asked.length
    const startSeconds = Math.floor(Date.now() / 1_000)
    const words = [...sale, '--deadline', '60', '--slippage', '0.5', '--from', STRANGER]
    const told = withTx({ from: STRANGER })
    const { code, answer, err } = await swap(told, words)
    expect([code, answer.amountOut]).toEqual([0, `${honest.dstAmount}`])
    expect(err).toBe(
      `the router is ${router} (deterministic); without --rpc its code is not checked`,
    )
    const asked = Object.fromEntries(
      api.asked.slice(before).find(({ pathname }) => pathname.endsWith('/swap'))!.searchParams,
    )
    expect(asked).toMatchObject({
      ...{ amount: `${100n * 10n ** 18n}`, slippage: '0.5', from: STRANGER },
    })
    const later = Number(asked['deadline']) - startSeconds
    expect(later).toBeGreaterThanOrEqual(60)
    expect(later).toBeLessThan(120)
    expect(answer.tx.from).toBe(STRANGER)
  })

  it.each<readonly [string, typeof lie, string]>([
    ['a floor below the slippage', withCall({ minAmountOut: 1n }), 'minAmountOut'],
    ['a deadline of 2^255', withCall({ deadline: 1n << 255n }), 'deadline'],
    ['another receiver', withCall({ receiver: STRANGER }), 'receiver'],
    ['another executor', withCall({ executor: STRANGER }), 'executor'],
    ['another amount', withCall({ amountIn: 1n }), 'amountIn'],
    ['another contract', withTx({ to: STRANGER }), 'to'],
    ['another sender', withTx({ from: STRANGER }), 'from'],
    ['no calldata', withTx({ data: `0xfcb433d6${'00'.repeat(32)}` }), 'data: '],
    ['a malformed program', withCall({ program: '0x01' }), 'data: '],
    ['a value above the amount', withTx({ value: 10n ** 20n + 1n }), 'value'],
  ])('refuses %s', async (_, told, wrong) => {
    expect(await swap(told)).toMatchObject(mismatch(wrong))
    // Of an amount to buy, the amount itself is the floor, whatever the API says.
    if (wrong !== 'minAmountOut') {
      expect(await swap(told, buy)).toMatchObject({ code: 5, answer: undefined })
    }
  })

  it('names both routers where they differ', async () => {
    const { error } = await swap(withTx({ to: STRANGER }))
    expect(error.details).toMatchObject({ got: STRANGER, wanted: `${router}, or --router` })
    expect(await swap(same, [...sale, '--router', STRANGER])).toMatchObject({
      ...mismatch('to'),
      err: expect.stringContaining(`the router is ${STRANGER} (named)`),
    })
    expect((await swap(withCall({ receiver: STRANGER }))).error.details.got).toBeUndefined()
  })

  it('holds a floor of the caller’s own, and raises the API’s to it', async () => {
    const text = (wei: bigint) => ['--min-wei', `${wei}`]
    const { answer } = await swap(same, [...sale, ...text(honest.dstAmount)])
    expect(answer.intent.call.minAmountOut).toBe(`${honest.dstAmount}`)
    expect(await swap(same, [...sale, ...text(honest.dstAmount + 1n)])).toMatchObject({
      ...{ code: 5, error: { code: 'BELOW_OWN_FLOOR' } },
    })
    const low = await swap(same, [...sale, ...text(1n)])
    expect(low.answer.tx.data.length).toBe(answer.tx.data.length)
    expect(BigInt(low.answer.intent.call.minAmountOut)).toBeGreaterThan(1n)
  })

  it('of an amount to buy sells at most what is needed and the slippage, and your maximum', async () => {
    const most = bought.maxSrcAmount!
    const { answer } = await swap(same, buy)
    expect(answer).toMatchObject({
      ...{ leastAmountIn: `${bought.srcAmount}`, tx: { value: `${most}` } },
      intent: { call: { minAmountOut: '50000000' } },
    })
    const raised = (it: SwapAnswer) => ({
      ...withCall({ amountIn: most + 1n })(it),
      maxSrcAmount: most + 1n,
    })
    expect(await swap(raised, buy)).toMatchObject(mismatch('amountIn'))
    const lowered = await swap(withCall({ minAmountOut: 1n }), buy)
    expect(lowered.answer.intent.call.minAmountOut).toBe('50000000')
    const whole = (wei: bigint) => `${wei / 10n ** 18n}.${`${wei % 10n ** 18n}`.padStart(18, '0')}`
    const within = (wei: bigint) => swap(same, [...buy, '--max-amount-in', whole(wei)])
    expect((await within(most)).code).toBe(0)
    expect(await within(most - 1n)).toMatchObject({
      ...{ code: 5, error: { code: 'ABOVE_OWN_MAXIMUM' } },
    })
    const without = ({ srcAmount: _, ...rest }: SwapAnswer) => rest
    expect(await swap(without, buy)).toMatchObject({ code: 5, error: { code: 'MISMATCH' } })
  })

  it.each([
    ['--deadline', ['0', '86401', '1.5', 'soon'], 2, 'out of range'],
    ['--slippage', ['50.1', 'x'], 2, ''],
    ['--receiver', ['0x12'], 2, 'not an address'],
  ] as const)('refuses %s %j before it believes anything', async (name, values, code, message) => {
    for (const value of values) {
      const ran = await swap(same, [...sale, name, value])
      expect([value, ran.code, ran.error?.message]).toEqual([
        ...[value, code, expect.stringContaining(message)],
      ])
    }
  })

  it.each([router, WHYPE])(
    'refuses the receiver %s, which would lose the output',
    async (receiver) => {
      const ran = await swap(withCall({ receiver }), [...sale, '--receiver', receiver])
      expect(ran).toMatchObject({ code: 5, error: { code: 'RECEIVER_REFUSED' } })
    },
  )

  it('warns of a burn address, and pays it if that is asked', async () => {
    const burn = toHex(0xdead, 20)
    const { code, err } = await swap(withCall({ receiver: burn }), [...sale, '--receiver', burn])
    expect([code, err]).toEqual([0, expect.stringContaining(`warning: ${burn} is a burn address`)])
  })

  it('asks an API for a tip, and counts it in a market of our own', async () => {
    const tipped = [...sale, '--tip', '2.5']
    await swap(same, tipped)
    expect(api.asked.at(-1)!.searchParams.get('maxPriorityFeePerGas')).toBe('2500000000')
    const { tx, fees } = JSON.parse((await runCli(['swap', ...frozen, ...tipped])).out)
    // A base fee of 0.1 gwei, after one full block and after six.
    expect([tx.gasPrice, fees]).toEqual([
      '2612500000',
      { maxFeePerGas: '2702728653', maxPriorityFeePerGas: '2500000000' },
    ])
  })

  it('accepts a day until the deadline, also of a snapshot', async () => {
    expect((await swap(same, [...sale, '--deadline', '86400'])).code).toBe(0)
    const offline = (seconds: string) =>
      runCli(['swap', ...frozen, ...sale, '--deadline', seconds]).then(({ out }) =>
        BigInt(JSON.parse(out).intent.call.deadline),
      )
    expect((await offline('86400')) - (await offline('1'))).toBe(86_399n)
    expect((await runCli(['swap', ...frozen, ...sale, '--deadline', '0'])).code).toBe(2)
  })
})

describe('braid swap --slippage auto', () => {
  const auto = (bps: number | undefined, words = sale) => {
    suggested = bps
    return swap(same, [...words, '--slippage', 'auto'])
  }

  it.each([
    ['an amount to sell', () => sale, { amount: `${100n * 10n ** 18n}` }],
    ['an amount to buy', () => buy, { dstAmountExact: '50000000' }],
  ])('of %s is what the API suggests for it, and no more than 5 %', async (_, words, asked) => {
    const before = api.asked.length
    const { code, err } = await auto(500, words())
    expect([code, err]).toEqual([0, expect.stringContaining('slippage 5 %, as the API suggests')])
    const quoted = api.asked.slice(before).find(({ pathname }) => pathname.endsWith('/quote'))!
    expect(Object.fromEntries(quoted.searchParams)).toMatchObject({ ...asked, includeMeta: 'true' })
    expect(await auto(501, words())).toMatchObject({
      ...{
        code: 5,
        error: { code: 'MISMATCH', details: { got: '5.01 %', wanted: 'at most 5 %' } },
      },
    })
  })

  it('is none where the API suggests none, and only of an API', async () => {
    expect(await auto(undefined)).toMatchObject({ code: 4, error: { code: 'NOT_READY' } })
    const { code, err } = await runCli(['swap', ...frozen, ...sale, '--slippage', 'auto'])
    expect([code, err]).toEqual([2, expect.stringContaining('is the suggestion of an API')])
  })
})
