// What the ledger leaves out, for how long, and how much callers may have left out.
import type { Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SetAside } from '../pools/setAside.js'
import { createLedger } from './ledger.js'
import { verdictsOf } from './verdicts.js'

const POOL = toHex(0xa, 20)
const charge = { subject: POOL, reason: 'the swap is refused', depth: 0.001, by: 'key' }
const [MINUTE, HOUR] = [60_000, 3_600_000]

it('leaves a pool out for two minutes, and twice as long each next time', () => {
  let now = 0
  const ledger = createLedger(() => now)
  const pools = [{ id: POOL, family: 'uniswapV2', tokens: [] }] as unknown as Pool[]
  for (const minutes of [2, 4, 8, 16, 32, 64, 128, 128]) {
    ledger.decide(charge)
    now += minutes * MINUTE - 1
    expect(ledger.pools({ pools })).toEqual([POOL])
    now += 1
    expect(ledger.pools({ pools })).toEqual([])
  }
})

it.each([
  ['one key', () => 'key', 0.025],
  ['all callers', (i: number) => `key${i}`, 0.1],
])('acts on no more than a stated part of the depth within an hour for %s', (_, byOf, most) => {
  const anyDepths = fc.array(fc.double({ min: 0, max: 0.03, noNaN: true }), { maxLength: 60 })
  fc.assert(
    fc.property(anyDepths, (depths) => {
      let now = 0
      const ledger = createLedger(() => now)
      const acted: { atMs: number; depth: number }[] = []
      for (const [i, depth] of depths.entries()) {
        now += 5 * MINUTE
        const own = { ...charge, subject: toHex(i + 1, 20), by: byOf(i), depth }
        const { isActedOn, untilMs } = ledger.decide(own)
        if (isActedOn) acted.push({ atMs: now, depth })
        const sum = acted
          .filter(({ atMs }) => atMs > now - HOUR)
          .reduce((all, one) => all + one.depth, 0)
        expect(sum).toBeLessThanOrEqual(most + 1e-9)
        expect(untilMs).toBeGreaterThan(now)
      }
    }),
  )
})

it('tells what the price guard left out, and no pool that is only empty', () => {
  const aside = (code: SetAside['code']) => ({ id: POOL, venue: 'a', code, message: 'why' })
  const codes = [
    'POOL_RATE_UNLISTED',
    'POOL_RATE_STEPPED',
    'POOL_OFF_MARKET',
    'POOL_EMPTY',
  ] as const
  const told = verdictsOf({ setAside: codes.map(aside) })
  expect(told.map(({ evidence }) => evidence)).toEqual(
    codes.slice(0, 3).map((code) => `${code}: why`),
  )
  for (const { until, overrule } of told) expect([until, overrule]).not.toContain('')
})

it('tells the operator what it does not act on, with evidence, end and remedy', () => {
  let now = 0
  const ledger = createLedger(() => now)
  ledger.decide({ ...charge, depth: 0.3 })
  now = 30_000
  expect(verdictsOf({ ledger })).toEqual([
    {
      ...{ subject: POOL, kind: 'pool', isActedOn: false, until: '90 s from now' },
      evidence:
        "the swap is refused; asked because a swap of key would revert; it has 30.00 % of the market's depth, and with it callers would have too much left out in one hour",
      overrule: 'nothing is left out; the trial of its venue decides within a few blocks',
    },
  ])
})
