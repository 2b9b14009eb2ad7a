import type { Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { expect, test } from 'vitest'
import {
  scanAnswers,
  scanCalls,
  scannedWords,
  scanProgram,
  takeScans,
  wordsIn,
} from './bitmapScan.js'

const TO = `0x${'ab'.repeat(20)}` as const
const SELECTOR = '0x5339c296'
const word = (value: bigint | number) => toHex(BigInt.asUintN(256, BigInt(value)), 32).slice(2)
const entry = (argument: number, value: bigint | number) =>
  (argument >>> 0).toString(16).padStart(8, '0') + word(value)
const HEAD = word(7) + word(8) + word(9)

test('calls cover a row of words without a gap, and requests cover the calls', () => {
  const calls = scanCalls(TO, SELECTOR, { first: -3466, end: 3466 })
  let next = -3466
  for (const { to, data, scan } of calls) {
    expect([to, data, scan!.first]).toEqual([TO, SELECTOR, next])
    next = scan!.end
  }
  expect(next).toBe(3466)
  for (const most of [1, 500, 1_250, 7_500]) {
    const taken = []
    while (taken.length < calls.length) {
      const chunk = takeScans(calls, taken.length, most)
      expect(chunk.length).toBeGreaterThan(0)
      const words = chunk.reduce((sum, call) => sum + wordsIn(call), 0)
      expect(words <= most || chunk.length === 1).toBe(true)
      taken.push(...chunk)
    }
    expect(taken).toEqual(calls)
  }
})

test('a program carries the selector, the contract and both ends of each call', () => {
  const calls = scanCalls(TO, SELECTOR, { first: -600, end: 100 })
  const args = scanProgram(calls)
    .slice(-8 * 64)
    .match(/.{64}/g)
  const row = (first: number, end: number) => [
    ...[`5339c296${'0'.repeat(56)}`, word(BigInt(TO)), word(first), word(end)],
  ]
  expect(args).toEqual([...row(-600, -100), ...row(-100, 100)])
})

test('an answer is divided among its calls, and a contract that did not answer fails alone', () => {
  const calls = [-58, 3, 5, 9].map((first) => ({
    ...({ to: TO, data: SELECTOR, scan: { first, end: first + 2 } } as const),
  }))
  const rows = [
    entry(-58, 1n << 255n) + entry(-57, 3) + entry(-56, 0),
    entry(5, 0),
    entry(5, 6) + entry(6, 0),
    entry(11, 0),
  ]
  const answers = scanAnswers(`0x${HEAD}${rows.join('')}`, calls)
  expect(answers.map((answer) => answer && scannedWords(answer))).toEqual([
    [
      [-58, `0x${word(1n << 255n)}`],
      [-57, `0x${word(3)}`],
    ],
    [],
    undefined,
    [],
  ])
  const cut: Hex = `0x${HEAD}${rows[0]}${rows[1]!.slice(0, 20)}`
  expect(scanAnswers(cut, calls).slice(1)).toEqual([undefined, undefined, undefined])
})
