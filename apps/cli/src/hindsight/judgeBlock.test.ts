import type { Address } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { sandwicherOf, verdictOf } from './judgeBlock.js'

it.each([
  ['missed', true, true, 5],
  ['sandwiched', false, true, 5],
  ['unsolved', false, false, undefined],
  ['equal', false, false, 0.09],
  ['equal', false, false, -0.09],
  ['won', false, false, 0.1],
  ['lost', false, false, -0.1],
] as const)('%s', (verdict, isMissed, isSandwiched, gapBps) => {
  const atPlace = gapBps === undefined ? { error: 'NO_ROUTE' } : { amountOut: 8n, gas: 1, gapBps }
  expect(verdictOf({ isMissed, isSandwiched, atPlace })).toBe(verdict)
})

describe('a sandwich', () => {
  const [POOL, A, B]: readonly Address[] = ['0x03', '0xaa', '0xbb']
  const [victim, attacker, other] = ['0x01', '0x02', '0x04'] as const
  type Sender = readonly [from: Address, kind: 'sells' | 'buys', pool?: Address]
  const found = (...senders: readonly Sender[]) =>
    sandwicherOf(
      { index: 1, from: victim },
      senders.map(([from, kind, pool = POOL!], index) => {
        const [got, paid] = kind === 'sells' ? [A!, B!] : [B!, A!]
        return { tx: { index, from }, trades: [{ pool, got, paid }] }
      }),
    )

  it('is somebody who trades before in its direction, and after in the other', () =>
    expect(found([attacker, 'sells'], [victim, 'sells'], [attacker, 'buys'])).toBe(attacker))

  it.each<readonly [string, Sender, Sender]>([
    ['two senders', [attacker, 'sells'], [other, 'buys']],
    ['the sender', [victim, 'sells'], [victim, 'buys']],
    ['the same direction twice', [attacker, 'sells'], [attacker, 'sells']],
    ['the opposite order', [attacker, 'buys'], [attacker, 'sells']],
    ['another pool', [attacker, 'sells', '0x05'], [attacker, 'buys', '0x05']],
  ])('is not %s', (_, first, last) => expect(found(first, [victim, 'sells'], last)).toBeUndefined())
})
