// @vitest-environment happy-dom
// When the page asks again, and when its last answer may be sent.

import { type Braid, RefusedError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { name } from '../testing/routes.js'
import { pass, shown } from '../testing/shown.js'
import { refusalOf } from '../testing/visit.js'
import type { Sale } from './order.js'
import { isCurrent, isUnfillable, type Polled, useCurve, usePolled } from './usePolling.js'

const order: Sale = { src: NATIVE, dst: name(2), amount: 8n }
const refused = (status: number, code = 'X', retryable = false) =>
  new RefusedError({ ...refusalOf(status, { code, message: 'no' }), retryable }, undefined)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  hide(false)
})

const hide = (isHidden: boolean) =>
  Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })

/** Polls `ask`, as a part of the page does; `polled` has the last state. */
async function poll<T>(ask: Parameters<typeof usePolled<T, Sale>>[1], everyMs?: number) {
  let polled: Polled<T, Sale> = {}
  const Poll = ({ of }: { readonly of: Sale | undefined }) => {
    polled = usePolled(of, ask, everyMs)
    return null
  }
  const on = await shown(h(Poll, { of: order }))
  return { polled: () => polled, become: (of?: Sale) => on.draw(h(Poll, { of })) }
}

it('only an answer to the same order, without an error and without a pause, may be sent', () => {
  const fresh = { order, value: 1 }
  expect(isCurrent(fresh, { ...order })).toBe(true)
  expect(isCurrent(fresh, { ...order, amount: 9n })).toBe(false)
  expect(isCurrent(fresh, undefined)).toBe(false)
  expect(isCurrent({ value: 1 }, order)).toBe(false)
  expect(isCurrent({ order }, order)).toBe(false)
  expect(isCurrent({ ...fresh, error: new Error() }, order)).toBe(false)
  expect(isCurrent({ ...fresh, isPaused: true }, order)).toBe(false)
})

it('asks once typing has ended, then a second after each answer, with the last one', async () => {
  const ask = vi.fn(async (_: Sale, last: number | undefined) => (last ?? 0) + 1)
  const on = await poll(ask)
  await pass(249)
  expect(ask).toHaveBeenCalledTimes(0)
  await pass(1)
  expect(on.polled()).toEqual({ order, value: 1 })
  await pass(999)
  expect(ask).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(on.polled()).toEqual({ order, value: 2 })
  await on.become()
  await pass(5_000)
  expect(ask).toHaveBeenCalledTimes(2)
})

it('the answer to an order that was left is ignored', async () => {
  const answers: ((value: string) => void)[] = []
  const on = await poll<string>(() => new Promise((done) => answers.push(done)))
  await pass(250)
  const next = { ...order, amount: 9n }
  await on.become(next)
  await pass(250)
  await act(async () => answers[0]!('left'))
  expect(on.polled()).toEqual({})
  await act(async () => answers[1]!('now'))
  expect(on.polled()).toEqual({ order: next, value: 'now' })
})

it('the last answer stays beside an error, unless the market cannot fill the order', async () => {
  const answers = [1, refused(500, 'X', true), 2, refused(422, 'X', true), refused(500, 'X', true)]
  const on = await poll(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }, 9_000)
  await pass(250)
  await pass(9_000)
  expect(on.polled()).toEqual({ order, value: 1, error: expect.any(RefusedError) })
  // After an error it asks again earlier than usual.
  await pass(1_999)
  expect(on.polled().value).toBe(1)
  await pass(1)
  expect(on.polled()).toEqual({ order, value: 2 })
  await pass(9_000)
  expect(on.polled()).toEqual({ order, error: expect.any(RefusedError) })
})

it('a refusal for good is not asked about again', async () => {
  const ask = vi.fn(async () => {
    throw refused(400)
  })
  await poll(ask)
  await pass(60_000)
  expect(ask).toHaveBeenCalledTimes(1)
})

it('a hidden page asks nothing and says that it pauses', async () => {
  const ask = vi.fn(async () => 1)
  const on = await poll(ask)
  await pass(250)
  hide(true)
  await pass(60_000)
  expect(ask).toHaveBeenCalledTimes(1)
  expect(on.polled()).toEqual({ order, value: 1, isPaused: true })
  hide(false)
  await pass(1_000)
  expect(on.polled()).toEqual({ order, value: 1 })
})

it('an answer is old once the next request is four seconds late', async () => {
  let late = 0
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + late)
  const answers: (() => void)[] = []
  const on = await poll(() => new Promise((done) => answers.push(() => done(1))))
  for (const [by, isPaused] of [[4_000], [4_001, true]] as const) {
    await pass(1_000)
    await act(async () => answers.at(-1)!())
    late += by
    await pass(1_000)
    expect(on.polled()).toEqual({ order, value: 1, ...(isPaused && { isPaused }) })
  }
})

/** The curve of an API that answers so to each amount, and the amounts that it was asked. */
async function curve(of: Sale, answer: (amount: bigint) => number | Error) {
  const asked: bigint[] = []
  const compare = async ({ amount }: Sale) => {
    asked.push(amount)
    const out = answer(amount)
    if (out instanceof Error) throw out
    return { serviceQuote: BigInt(out), pools: amount > 8n ? [] : [{ amountOut: BigInt(out - 1) }] }
  }
  let polled: ReturnType<typeof useCurve> = {}
  const Curve = () => {
    polled = useCurve({ compare } as unknown as Braid, of)
    return null
  }
  await shown(h(Curve, {}))
  await pass(250)
  return { asked, polled }
}

it('the curve goes from an eighth to four times the amount', async () => {
  const { asked, polled } = await curve(order, (amount) => Number(amount) * 10)
  expect(asked).toEqual([1n, 2n, 4n, 6n, 8n, 12n, 16n, 24n, 32n])
  expect(polled.value?.points[4]).toEqual({ amount: 8n, out: 80n, single: 79n })
  expect(polled.value?.points[5]).toEqual({ amount: 12n, out: 120n, single: undefined })
  expect(polled.value?.hasEnd).toBe(false)
})

it('the curve leaves out what is too small, and ends where the market does', async () => {
  const { asked, polled } = await curve({ ...order, amount: 4n }, (amount) => {
    if (amount === 1n) return refused(422, 'AMOUNT_TOO_SMALL')
    return amount > 6n ? refused(422, 'INSUFFICIENT_LIQUIDITY') : 50
  })
  // An eighth of it is no wei at all.
  expect(asked).toEqual([1n, 2n, 3n, 4n, 6n, 8n])
  expect(polled.value?.points.map(({ amount }) => amount)).toEqual([2n, 3n, 4n, 6n])
  expect(polled.value?.hasEnd).toBe(true)
})

it('a curve with a fault of another kind is an error', async () => {
  const { polled } = await curve(order, () => refused(500))
  expect(polled.error).toBeInstanceOf(RefusedError)
  expect([isUnfillable(refused(422)), isUnfillable(refused(500)), isUnfillable(1)]).toEqual([
    ...[true, false, false],
  ])
})
