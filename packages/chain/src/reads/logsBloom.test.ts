import { toHex } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { bloomBits, bloomOf, doubtfulIn, isHoled } from './logsBloom.js'

const address = fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }).map((value) => toHex(value, 20))
const topic = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map((value) => toHex(value, 32))
const logs = fc
  .array(fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) }), { maxLength: 6 })
  .map((all) => all.map((log, logIndex) => ({ ...log, logIndex })))

it('sets the bits of the first three words of the hash, modulo 2,048', () => {
  fc.assert(
    fc.property(address, (item) => {
      const words = keccak256(item).slice(2).match(/.{4}/g)!.slice(0, 3)
      const bits = new Set(words.map((word) => Number(`0x${word}`) % 2_048))
      const own = bloomBits(item)
      const set = [...own.toString(2)].reverse().flatMap((bit, i) => (bit === '1' ? [i] : []))
      expect(new Set(set)).toEqual(bits)
    }),
  )
})

it('doubts nothing of a whole block, and the emitter of each log that is missing', () => {
  fc.assert(
    fc.property(logs, fc.nat(), address, (whole, index, other) => {
      const bloom = bloomOf(whole)
      const followed = [...new Set(whole.map((log) => log.address))]
      expect(doubtfulIn(whole, { bloom, followed })).toEqual([])
      expect(isHoled(whole)).toBe(false)
      if (whole.length === 0) return
      const missing = index % whole.length
      const rest = whole.filter((_, i) => i !== missing)
      const isTail = missing === whole.length - 1
      expect(isHoled(rest)).toBe(!isTail)
      const isTold = (bloom & ~bloomOf(rest)) !== 0n
      const doubted = doubtfulIn(rest, { bloom, followed })
      if (!isTail || isTold) expect(doubted).toContain(whole[missing]!.address)
      const foreign = [...whole, { address: other, topics: [], logIndex: whole.length }]
      const isIn = (bloomBits(other) & bloom) === bloomBits(other)
      const told = doubtfulIn(foreign, { bloom, followed: [...followed, other] })
      expect(told).toEqual(isIn ? [] : [other])
    }),
  )
})
