import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyChange } from './testing/feedConformance.js'
import { decodeHead, encodeHead } from './wire.js'

const { head } = emptyChange({ sequence: 7, epoch: 3, block: 9, parent: 8 })

it('a head is the same after its way, whatever its status', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('', '12', '1n', '{"a":1}')), (status) => {
      expect(decodeHead(encodeHead({ ...head, status }))).toEqual({ ...head, status })
    }),
  )
})

it('a head of another version is refused by its number', () => {
  const text = encodeHead({ ...head, format: head.format + 1 })
  expect(() => decodeHead(text)).toThrow(
    expect.objectContaining({ code: 'FEED_FORMAT', details: { got: 2, wanted: 1 } }),
  )
})
