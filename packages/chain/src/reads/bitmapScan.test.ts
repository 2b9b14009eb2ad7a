import type { Hex } from '@braid-swap/core'
import { expect, test } from 'vitest'
import { scanCall, scannedWords } from './bitmapScan.js'

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

test('a scan carries its contract, its selector and its ends', () => {
  const to = `0x${'ab'.repeat(20)}` as const
  const { data, isProgram, mayFail } = scanCall(to, '0x5339c296', -3466, 3466)
  expect([isProgram, mayFail]).toEqual([true, true])
  const args = data.slice(-4 * 64).match(/.{64}/g)
  expect(args).toEqual([`5339c296${'0'.repeat(56)}`, word(BigInt(to)), word(-3466n), word(3466n)])
})

test('an answer is read behind its head, with arguments of both signs', () => {
  const head = word(7n) + word(8n) + word(9n)
  const answer: Hex = `0x${head}${word(-58n)}${word(1n << 255n)}${word(57n)}${word(3n)}`
  expect(scannedWords(answer)).toEqual([
    [-58, `0x${word(1n << 255n)}`],
    [57, `0x${word(3n)}`],
  ])
  expect(scannedWords(`0x${head}`)).toEqual([])
})
