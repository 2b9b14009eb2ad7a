import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { LadderPool } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { runLoad, words } from '../../testing/loaderAnswers.js'
import type { PoolRef } from '../loader.js'
import { load } from './load.js'

const [asset, vault, morpho] = [toHex(0xa, 20), toHex(0xb, 20), toHex(0xc, 20)]
const ref: PoolRef = {
  ...{ id: vault, family: 'ladder', venue: 'test', protocol: 'vault', tokens: [asset, vault] },
}

/** A vault's answers by function; absent: the call fails. */
type Answers = Readonly<Record<string, (...args: readonly bigint[]) => readonly bigint[]>>

const TOTAL = 10n ** 12n
const SUPPLY = TOTAL / 2n
const MAX_UINT256 = (1n << 256n) - 1n

const plain: Answers = {
  '0x402d267d': () => [MAX_UINT256], // maxDeposit
  '0x01e1d114': () => [TOTAL], // totalAssets
  '0x18160ddd': () => [SUPPLY], // totalSupply
  '0x70a08231': () => [TOTAL / 10n], // balanceOf of the asset
  '0xef8b30f7': (x) => [(x! * SUPPLY) / TOTAL], // previewDeposit
  '0x4cdad506': (x) => [(x! * TOTAL) / SUPPLY], // previewRedeem
}

/** Two markets: in the first the vault owns less than is free, in the second more. */
const lent: Answers = {
  ...plain,
  '0x70a08231': () => [0n],
  '0x3acb5624': () => [BigInt(morpho)], // MORPHO
  '0x33f91ebb': () => [2n], // withdrawQueueLength
  '0x62518ddf': (i) => [i! + 1n], // withdrawQueue
  '0x5c60e39a': (id) =>
    id === 1n ? [10n ** 9n, 10n ** 15n, 0n] : [10n ** 12n, 10n ** 18n, 10n ** 12n - 7_000n],
  '0x93c52062': (id) => [id === 1n ? 10n ** 12n : 10n ** 18n],
}

function sample(answers: Answers, more: Partial<PoolRef> = {}): LadderPool['ladders'] {
  const answer = ({ data }: Call): Hex => {
    const args = Array.from({ length: (data.length - 10) / 64 }, (_, i) =>
      wordAt(`0x${data.slice(10)}`, i),
    )
    const paid = answers[data.slice(0, 10)]?.(...args)
    return paid ? words(...paid) : '0x'
  }
  const pool = runLoad(load({ ...ref, ...more }), answer)
  expect(pool.protocol).toBe('vault')
  return pool.ladders
}

describe('the rungs of a vault that lends', () => {
  it('are its previews, those of deposits less than a second of its rate', () => {
    const [deposits, redemptions] = sample(plain)
    expect(deposits.at(-1)).toEqual([TOTAL, (SUPPLY * 999_999n) / 1_000_000n])
    for (const [x, y] of redemptions) expect(y).toBe((x * TOTAL) / SUPPLY)
  })

  it('end below the limit of deposits, by what the vault earns in half a minute', () => {
    for (const limit of [TOTAL / 3n, TOTAL / 1_000n]) {
      const [deposits] = sample({ ...plain, '0x402d267d': () => [limit] })
      expect(deposits.at(-1)![0]).toBe(limit - TOTAL / 1_000_000n)
    }
    for (const limit of [TOTAL / 1_000_000n, 0n]) {
      expect(sample({ ...plain, '0x402d267d': () => [limit] })[0]).toEqual([])
    }
  })

  it('end at the assets that the vault has not lent', () => {
    const [, redemptions] = sample(plain)
    expect(redemptions.at(-1)![1]).toBe(TOTAL / 10n)
  })

  it('count what the markets of Morpho have not lent, at most the part of the vault', () => {
    // 10⁶ assets of the first market, whose shares have a millionth of an asset, and 7,000 of the second.
    const [, redemptions] = sample(lent)
    const most = redemptions.at(-1)![1]
    expect(most).toBeLessThanOrEqual(1_007_000n)
    expect(most).toBeGreaterThan(1_006_990n)
  })

  it('end before a preview that reverts', () => {
    const [deposits] = sample({
      ...plain,
      '0xef8b30f7': (x) => (x! > TOTAL / 20n ? (undefined as never) : [x!]),
    })
    expect(deposits.at(-1)![0]).toBeLessThanOrEqual(TOTAL / 20n)
    expect(deposits.length).toBeGreaterThan(3)
  })

  it('are lowered by the haircut of the venue instead', () => {
    const [deposits] = sample(plain, { haircutPpm: 50 })
    expect(deposits.at(-1)![1]).toBe((SUPPLY * 999_950n) / 1_000_000n)
  })
})
