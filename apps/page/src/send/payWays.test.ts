import { expect, it } from 'vitest'
import { payWaysOf } from './payWays.js'

const poor = { allowance: 0n, hasPermit: false, hasPermit2: false, canBatch: false }

it('an approval is always possible', () => {
  expect(payWaysOf(5n, poor)).toEqual(['approval'])
  expect(payWaysOf(5n, { ...poor, allowance: undefined })).toEqual(['approval'])
})

it('one confirmation is better than a permit, and a permit is better than an approval', () => {
  const all = { ...poor, hasPermit: true, hasPermit2: true, canBatch: true }
  expect(payWaysOf(5n, all)).toEqual(['calls', 'permit', 'approval', 'permit2'])
  expect(payWaysOf(5n, { ...all, canBatch: false })[0]).toBe('permit')
})

it('nothing is asked if the router may already take the amount, but it is one wei below it', () => {
  expect(payWaysOf(5n, { ...poor, allowance: 5n })).toEqual([])
  expect(payWaysOf(5n, { ...poor, allowance: 4n })).toEqual(['approval'])
})
