import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import { runLoad, words } from '../../testing/loaderAnswers.js'
import * as balancerV3 from '../balancerV3/index.js'
import type { Venue } from '../venue.js'
import * as abi from './abi.js'
import { refOf } from './discover.js'
import { load } from './load.js'

const E18 = 10n ** 18n
const RAY = 10n ** 27n
const [VAULT, ASSET, WRAPPED] = [0xf, 0xa, 0xb].map((n) => toHex(n, 20)) as [Hex, Hex, Hex]
const venue: Venue = { id: 'balancer-v3', family: 'balancerV3', factory: VAULT }
const log = {
  topics: [abi.LIQUIDITY_ADDED_TO_BUFFER, toHex(BigInt(WRAPPED), 32)],
  data: '0x',
} as const
const ref = refOf(venue, log)

type Answers = Readonly<Record<Hex, Hex | ((amount: bigint) => Hex)>>

/** Answers of the vault and a wrapped token with this rate, by selector. */
function answersOf(
  [shares, assets]: readonly [bigint, bigint],
  totals = [assets - 1n, shares - 1n],
): Answers {
  return {
    [abi.ABOUT_BUFFER.getBufferAsset]: words(BigInt(ASSET)),
    [abi.ABOUT_BUFFER.getBufferBalance]: words(7n * E18, 5n * E18),
    [abi.OF_VAULT.areBuffersPaused]: words(0n),
    [abi.OF_VAULT.getMinimumWrapAmount]: words(10_000n),
    [abi.OF_WRAPPED.asset]: words(BigInt(ASSET)),
    [abi.OF_WRAPPED.totalAssets]: words(totals[0]!),
    [abi.OF_WRAPPED.totalSupply]: words(totals[1]!),
    [abi.BALANCE_OF]: words(totals[0]!),
    [abi.PREVIEWS[0]]: (amount) => words((amount * shares) / assets),
    [abi.PREVIEWS[1]]: (amount) => words((amount * assets) / shares),
  }
}

function run(answers: Answers) {
  return runLoad(load(ref), ({ data }) => {
    const answer = answers[data.slice(0, 10) as Hex]!
    return typeof answer === 'string' ? answer : answer(wordAt(`0x${data.slice(10)}`, 0))
  })
}

describe('the loader of Balancer V3’s buffers', () => {
  it('reads balances and the rate of OpenZeppelin’s, solmate’s and a stored rate', () => {
    const virtual = [3n * E18 + 1n, 4n * E18 + 1n] as const
    expect(run(answersOf(virtual))).toEqual({
      ...{ family: 'balancerBuffer', id: toHex(BigInt(WRAPPED), 32), venue: 'balancer-v3' },
      ...{ manager: VAULT, tokens: [ASSET, WRAPPED], balances: [7n * E18, 5n * E18] },
      ...{ rate: virtual, wrapHaircutPpm: 0n, minWrapAmount: 10_000n },
      ...{ sampledAt: 0n, quotedAt: 0n, ratedBy: WRAPPED },
    })
    const solmate = [3n * E18, 4n * E18] as const
    expect(run(answersOf(solmate, [4n * E18, 3n * E18])).rate).toEqual(solmate)
    const stored = [RAY, (RAY * 11n) / 10n + 7n] as const
    expect(run(answersOf(stored, [123n * E18, 77n * E18])).rate).toEqual(stored)
  })

  it('lowers the shares of a token that may earn with the clock: it has other assets than it holds', () => {
    const answers = answersOf([3n * E18 + 1n, 4n * E18 + 1n])
    for (const held of [4n * E18 - 1n, 4n * E18 + 1n, 0n]) {
      expect(run({ ...answers, [abi.BALANCE_OF]: words(held) }).wrapHaircutPpm).toBe(1n)
    }
  })

  it('refuses a token whose preview differs by a wei', () => {
    const answers = answersOf([3n * E18 + 1n, 4n * E18 + 1n])
    for (const preview of abi.PREVIEWS) {
      const exact = answers[preview] as (amount: bigint) => Hex
      const wrong = (amount: bigint) =>
        amount === E18 + 7n ? words(BigInt(exact(amount)) + 1n) : exact(amount)
      expect(() => run({ ...answers, [preview]: wrong })).toThrowError(
        expect.objectContaining({ code: 'POOL_FORM_UNKNOWN' }),
      )
    }
  })

  it('refuses another asset, previews that revert, and paused buffers', () => {
    const answers = answersOf([3n * E18 + 1n, 4n * E18 + 1n])
    const codeOf = (more: Answers) => {
      try {
        run({ ...answers, ...more })
      } catch (error) {
        return (error as { readonly code: string }).code
      }
      return undefined
    }
    expect(codeOf({ [abi.OF_WRAPPED.asset]: words(0xcn) })).toBe('POOL_FORM_UNKNOWN')
    expect(codeOf({ [abi.PREVIEWS[0]]: '0x' })).toBe('POOL_FORM_UNKNOWN')
    expect(codeOf({ [abi.OF_VAULT.areBuffersPaused]: words(1n) })).toBe('POOL_PAUSED')
  })

  it('is found by the logs of the vault’s venue, which are those of no pool', () => {
    expect(balancerV3.creationTopics).toContain(abi.LIQUIDITY_ADDED_TO_BUFFER)
    expect(balancerV3.refOf(venue, log)).toEqual(ref)
    expect(balancerV3.subjectOf(log)).toBeUndefined()
    expect(ref).toEqual({
      ...{ id: toHex(BigInt(WRAPPED), 32), family: 'balancerBuffer', venue: 'balancer-v3' },
      ...{ tokens: [WRAPPED], factory: VAULT },
    })
  })
})
