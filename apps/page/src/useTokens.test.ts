// @vitest-environment happy-dom
// Which tokens the page knows, in which order, and what it does while the API has none.

import { type Braid, RefusedError } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { h } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PageToken } from './format.js'
import { name } from './testing/routes.js'
import { pass, shown } from './testing/shown.js'
import { refusalOf } from './testing/visit.js'
import { useTokens } from './useTokens.js'

const token = (n: number, symbol: string, verified: boolean): PageToken => ({
  ...{ address: name(n), symbol, name: symbol, decimals: 6, verified },
})
const market = [token(1, 'b', false), token(2, 'D', true), token(3, 'c', true), token(4, '', false)]
const far = token(9, 'FAR', false)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
/** Time in which also what the first answer asked for is answered. */
async function wait(ms: number) {
  await pass(ms)
  await pass(0)
}

/** The tokens of an API: `all` answers in turn, and `far` is one outside of the market. */
async function tokensOf(wanted: readonly Address[], ...all: readonly (PageToken[] | Error)[]) {
  const asked: string[] = []
  const braid = {
    allTokens: async () => {
      const answer = all[Math.min(asked.filter((one) => one === 'all').length, all.length - 1)]
      asked.push('all')
      if (answer instanceof Error) throw answer
      return answer
    },
    token: async (address: Address) => {
      asked.push(address)
      if (address !== far.address) throw new Error('no token')
      return far
    },
  } as unknown as Braid
  let known: ReturnType<typeof useTokens> | undefined
  const Known = ({ of }: { readonly of: readonly Address[] }) => {
    known = useTokens(braid, of)
    return null
  }
  const on = await shown(h(Known, { of: wanted }))
  // Until the next frame, in which the tokens outside of the market are asked for.
  await wait(100)
  return {
    asked,
    symbols: () => [...known!.tokens.values()].map(({ symbol }) => symbol),
    failure: () => known!.failure,
    want: async (...of: readonly Address[]) => {
      await on.draw(h(Known, { of }))
      await wait(0)
    },
  }
}

it('verified tokens come first, then the symbol decides', async () => {
  const on = await tokensOf([name(1)], market)
  expect(on.symbols()).toEqual(['c', 'D', '0x000000…000004', 'b'])
  expect([on.asked, on.failure()]).toEqual([['all'], undefined])
})

it('a token outside of the market is asked for once, after the market is known', async () => {
  const on = await tokensOf([name(2), far.address], market)
  expect(on.symbols().at(-1)).toBe('FAR')
  expect(on.asked).toEqual(['all', far.address])
  await on.want(far.address)
  await on.want(name(7), far.address)
  expect(on.asked).toEqual(['all', far.address, name(7)])
  expect(on.symbols()).toHaveLength(5)
})

it('a fault that may pass is followed by another request, two seconds later', async () => {
  const fault = new RefusedError(
    { ...refusalOf(503, { code: 'NOT_READY', message: 'no' }), retryable: true },
    undefined,
  )
  const on = await tokensOf([far.address], fault, market)
  expect([on.failure(), on.symbols(), on.asked]).toEqual([fault, [], ['all']])
  await wait(1_899)
  expect(on.asked).toEqual(['all'])
  await wait(1)
  expect([on.failure(), on.symbols().length]).toEqual([undefined, 5])
})

it('a fault for good is not asked about again', async () => {
  const on = await tokensOf([], new Error('bad'), market)
  await wait(60_000)
  expect([on.asked, on.failure()]).toEqual([['all'], new Error('bad')])
})
