import { type Hex, type LadderPool, toHex } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { PoolRef } from '../loader.js'
import { load } from './load.js'

const ref: PoolRef = {
  ...{ id: toHex(0xabc, 20), family: 'ladder', venue: 'test' },
  tokens: [toHex(0xa, 20), toHex(0xb, 20)],
}
const RESERVES = [10n ** 12n, 10n ** 24n] as const

const words = (...values: readonly bigint[]): Hex =>
  `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`

/** The ladder of token 0 from a pool with these outputs; `undefined` refuses the call. */
function climb(pay: (amountIn: bigint) => bigint | undefined): LadderPool['ladders'][0] {
  const answer = ({ data }: Call): Hex => {
    const args: Hex = `0x${data.slice(10)}`
    if (args === '0x') return words(...RESERVES)
    if (wordAt(args, 0) !== BigInt(ref.tokens[0]!)) return '0x'
    // The list is the third argument, as if it were the only one.
    const amounts = listOf(`0x${words(32n).slice(2)}${args.slice(2 + 3 * 64)}`)
    const paid = amounts.map(pay)
    if (paid.includes(undefined)) return '0x'
    return words(32n, BigInt(paid.length), ...(paid as bigint[]))
  }
  const reads = load(ref)
  let step = reads.next()
  while (!step.done) step = reads.next(step.value.map(answer))
  expect(step.value.ladders[1]).toEqual([])
  return step.value.ladders[0]
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
})
