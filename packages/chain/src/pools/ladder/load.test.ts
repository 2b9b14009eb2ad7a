import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { LadderPool } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { runLoad, words } from '../../testing/loaderAnswers.js'
import type { PoolRef } from '../loader.js'
import { ESTIMATE_SWAP_BATCH } from './abi.js'
import { load } from './load.js'

const ref: PoolRef = {
  ...{ id: toHex(0xabc, 20), family: 'ladder', venue: 'test' },
  tokens: [toHex(0xa, 20), toHex(0xb, 20)],
}
const RESERVES = [10n ** 12n, 10n ** 24n] as const

type Pay = (amountIn: bigint) => bigint | undefined

/** The ladder of token 0 from a pool with these outputs; `undefined` refuses the call. */
function climb(
  pay: Pay,
  { isBatched = true, ...more }: Partial<PoolRef> & { readonly isBatched?: boolean } = {},
): LadderPool['ladders'][0] {
  const answer = ({ to, data }: Call): Hex => {
    const side = ref.tokens.indexOf(to)
    if (side !== -1) return words(RESERVES[side]!)
    const args: Hex = `0x${data.slice(10)}`
    if (wordAt(args, 0) !== BigInt(ref.tokens[0]!)) return '0x'
    const isBatch = data.startsWith(ESTIMATE_SWAP_BATCH)
    if (isBatch && !isBatched) return '0x'
    // The list is the third argument, as if it were the only one.
    const amounts = isBatch
      ? listOf(`0x${words(32n).slice(2)}${args.slice(2 + 3 * 64)}`)
      : [wordAt(args, 2)]
    const paid = amounts.map(pay)
    if (paid.includes(undefined)) return '0x'
    const outputs = paid as bigint[]
    return isBatch ? words(32n, BigInt(outputs.length), ...outputs) : words(...outputs)
  }
  const pool = runLoad(load({ ...ref, ...more }), answer)
  expect(pool.ladders[1]).toEqual([])
  return pool.ladders[0]
}

const PRICE = 10n ** 12n

describe('the rungs of a ladder', () => {
  it('range from a millionth of the emptying amount to all of it, and end at the largest output', () => {
    const ladder = climb((x) => (x * PRICE < RESERVES[1] ? x * PRICE : RESERVES[1]))
    expect(ladder.at(-1)).toEqual([RESERVES[0], RESERVES[1]])
    expect(ladder[0]![0]).toBeLessThan(RESERVES[0] / 500_000n)
    for (const [i, [x]] of ladder.slice(1).entries()) {
      const ratio = Number(x) / Number(ladder[i]![0])
      expect(ratio).toBeGreaterThan(1.41)
      expect(ratio).toBeLessThan(1.42)
    }
    const half = climb((x) => (x < RESERVES[0] / 2n ? x * PRICE : (RESERVES[0] / 2n) * PRICE))
    expect(half.map(([, y]) => y)).toEqual([...new Set(half.map(([, y]) => y))])
    expect(half.at(-1)).toEqual([RESERVES[0] / 2n, (RESERVES[0] / 2n) * PRICE])
  })

  it('end below an amount that the pool refuses', () => {
    const ladder = climb((x) => (x <= RESERVES[0] / 10n ? x * PRICE : undefined))
    expect(ladder.length).toBeGreaterThan(20)
    expect(ladder.at(-1)![0]).toBeLessThanOrEqual(RESERVES[0] / 10n)
  })

  it('end before the pool pays less for more input', () => {
    const ladder = climb((x) => (x <= RESERVES[0] / 10n ? x * PRICE : 1n))
    expect(ladder.at(-1)![0]).toBeLessThanOrEqual(RESERVES[0] / 10n)
    expect(ladder.at(-1)![0]).toBeGreaterThan(RESERVES[0] / 20n)
  })

  it('end before an output above the reserve', () => {
    const isProbe = (x: bigint) => x === RESERVES[0] / 10_000n
    const ladder = climb((x) => (isProbe(x) ? x * PRICE : x * PRICE * 4n))
    expect(ladder.at(-1)![1]).toBeLessThanOrEqual(RESERVES[1])
  })

  it('are empty if the pool pays nothing or does not answer', () => {
    expect(climb(() => 0n)).toEqual([])
    expect(climb(() => undefined)).toEqual([])
  })

  it('are asked for one by one, a factor of two apart, if the pool answers no batch', () => {
    const half = RESERVES[0] / 2n
    const pay: Pay = (x) => (x < half ? x * PRICE : half * PRICE)
    const [batched, single] = [climb(pay), climb(pay, { isBatched: false })]
    expect(single.length).toBeGreaterThan(15)
    for (const rung of single) expect(batched).toContainEqual(rung)
    for (const [i, [x]] of single.slice(1).entries()) {
      expect(Number(x) / Number(single[i]![0])).toBeCloseTo(2, 3)
    }
    const refusing = climb((x) => (x <= half ? x * PRICE : undefined), { isBatched: false })
    expect(refusing.at(-1)![0]).toBeLessThanOrEqual(half)
    expect(refusing.length).toBeGreaterThan(15)
  })

  it('end at the last one before which the pool is concave', () => {
    // From a fiftieth of the reserve on, a wei buys more than before it.
    const bend = RESERVES[0] / 50n
    const ladder = climb((x) => (x < bend ? x * PRICE : x * PRICE + ((x - bend) * PRICE) / 10n))
    expect(ladder.at(-1)![0]).toBeGreaterThan(bend / 2n)
    expect(ladder.at(-1)![0]).toBeLessThan(2n * bend)
  })

  it('do not end where only rounding makes a chord steeper', () => {
    const coarse = climb((x) => (x * PRICE) / 7n - ((x * 3n) % 2n))
    expect(coarse).toHaveLength(40)
  })

  it('are lowered by the haircut of the venue, and rounded down', () => {
    const [whole, cut] = [climb((x) => x * PRICE), climb((x) => x * PRICE, { haircutPpm: 100 })]
    expect(cut).toEqual(whole.map(([x, y]) => [x, (y * 999_900n) / 1_000_000n]))
    expect(cut.at(-1)![1]).toBe((RESERVES[1] * 9_999n) / 10_000n)
  })
})
