import { concatHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import { versionOf } from './examine.js'

// Topics emitted by pools of each version. The code of 1.2.10 contains the first and the last.
const SWAP = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const SWAP_WITH_FEES = '0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79'
const SWAP_FEE = '0x9443903d84c9719611bd4bba871daaf18a3950d00d5d78b1a2fa701f76df54ff'

it('derives the version of a pool from the logs in its code', () => {
  const code = (...topics: readonly `0x${string}`[]) => concatHex('0x60806040', ...topics, '0x00')
  expect(versionOf(code(SWAP))).toBe('1.0 or 1.1')
  expect(versionOf(code(SWAP_WITH_FEES))).toBe('1.2.0')
  expect(versionOf(code(SWAP, SWAP_FEE))).toBe('1.2.1 or later')
})
