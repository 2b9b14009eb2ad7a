import { judge } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardsOf, isConfirmed, lossClass, type Risk } from './guards.js'

const HYPE = 10n ** 18n
const order = { tokenIn: '0x1', tokenOut: '0x2', amountIn: HYPE } as const
const calm: Risk = {
  ...{ findings: [], slippage: '0.5' },
  paid: { amount: HYPE, balance: 2n * HYPE, decimals: 18, symbol: 'HYPE' },
}

describe('what was found in the quote', () => {
  const message = 'the route passes X'
  it.each([
    ['warn', false],
    ['ask', true],
    ['refuse', true],
    [undefined, false],
  ] as const)('of the level %s is a caution, to be confirmed: %s', (level, mustConfirm) => {
    const guards = guardsOf({ ...calm, findings: [{ code: 'ANY', message, level }] })
    const text = 'The route passes X.'
    expect(guards).toEqual({ mustConfirm, cautions: [{ text, isGrave: mustConfirm }] })
  })
})

describe('the slippage', () => {
  it.each([
    ['0.1', 0, false],
    ['1', 0, false],
    ['3', 1, false],
    ['5', 1, false],
    ['50', 1, true],
  ])('of %s percent makes %s caution, to be confirmed: %s', (slippage, count, mustConfirm) => {
    const guards = guardsOf({ ...calm, slippage })
    expect([guards.cautions.length, guards.mustConfirm]).toEqual([count, mustConfirm])
  })
})

describe('the balance', () => {
  const paid = calm.paid
  it('refuses a larger amount and shows the balance', () => {
    const { refusal } = guardsOf({ ...calm, paid: { ...paid, amount: 2n * HYPE + 1n } })
    expect(refusal).toBe('Insufficient balance: the account has 2 HYPE.')
  })

  it('must also cover the gas if gas is paid in the same token', () => {
    const all = { ...paid, amount: 2n * HYPE }
    expect(guardsOf({ ...calm, paid: all }).refusal).toBeUndefined()
    expect(guardsOf({ ...calm, paid: { ...all, gasCost: 1n } }).refusal).toMatch(/gas/)
  })

  it('refuses nothing while it is unknown', () => {
    const { balance: _, ...unknown } = { ...paid, amount: 10n ** 30n }
    expect(guardsOf({ ...calm, paid: unknown }).refusal).toBeUndefined()
  })
})

it.each([
  [100, undefined],
  [100.01, 'warn'],
  [500, 'warn'],
  [500.01, 'bad'],
])('a loss of %s basis points has the colour of its caution: %s', (bps, name) => {
  expect(lossClass(bps)).toBe(name)
})

it('a greater risk never gets a weaker guard', () => {
  const impacts = fc.tuple(fc.nat(10_000), fc.nat(10_000)).map(([a, b]) => [a, a + b] as const)
  fc.assert(
    fc.property(impacts, ([low, high]) => {
      const weight = (impactBps: number) => {
        const findings = judge(order, { amountOut: HYPE, impactBps }, {})
        const { cautions, mustConfirm } = guardsOf({ ...calm, findings })
        return cautions.length + (mustConfirm ? 1 : 0)
      }
      expect(weight(high)).toBeGreaterThanOrEqual(weight(low))
    }),
  )
})

describe('a confirmation', () => {
  const given = { words: 'swap anyway', terms: 'a b 1 0.5', impactBps: 600 }
  const now = { terms: 'a b 1 0.5', impactBps: 600 }
  it('ignores case and is valid only for the terms it was typed for', () => {
    expect(isConfirmed(given, now)).toBe(true)
    expect(isConfirmed({ ...given, words: ' Swap  anyway ' }, now)).toBe(true)
    expect(isConfirmed({ ...given, words: 'swap' }, now)).toBe(false)
    expect(isConfirmed(given, { ...now, terms: 'a b 2 0.5' })).toBe(false)
    expect(isConfirmed(undefined, now)).toBe(false)
  })

  it('is no longer valid once the impact exceeds the shown one by more than the margin', () => {
    expect(isConfirmed(given, { ...now, impactBps: 700 })).toBe(true)
    expect(isConfirmed(given, { ...now, impactBps: 701 })).toBe(false)
    expect(isConfirmed(given, { ...now, impactBps: null })).toBe(false)
    expect(isConfirmed({ ...given, impactBps: null }, now)).toBe(true)
  })
})
