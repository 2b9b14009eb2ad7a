import { expect, it } from 'vitest'
import { hashOf, maskedHashCall } from './maskedHash.js'

const TO = `0x${'ab'.repeat(20)}` as const
const CODE = `73${'ab'.repeat(20)}`

// What the program does is asked of a chain where a pool is loaded with it; here, that it stays that program.
it('copies the code, clears a word at each offset, and returns the block and the hash', () => {
  const { data, isProgram } = maskedHashCall(TO, [0x12, 0x0345])
  const steps = [
    ...[`${CODE}3b60006000${CODE}3c`, '600061001252', '600061034552', `${CODE}3b600020606052`],
    '436000526001430340602052426040526080' + '6000f3',
  ]
  expect([data, isProgram]).toEqual([`0x${steps.join('')}`, true])
})

it('reads the hash after the three words of the block', () => {
  const words = ['1', '2', '3', '4'].map((digit) => digit.repeat(64))
  expect(hashOf(`0x${words.join('')}`)).toBe(`0x${words[3]}`)
  expect(hashOf('0x')).toBe('0x')
})
