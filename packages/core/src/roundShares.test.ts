import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SHARE_ONE } from './replay.js'
import { roundShares } from './roundShares.js'

// Amounts, and how many times its own each place takes: often hardly more, as a pool before a tick.
const parts = fc.array(
  fc.tuple(
    fc.double({ min: 1, max: 1e9, noNaN: true }),
    fc.double({ min: 0, max: 10, noNaN: true }).map((digits) => 1 + 10 ** -digits),
  ),
  { minLength: 1, maxLength: 8 },
)

it('takes no more than each place does but the roomiest, which takes the rest', () => {
  fc.assert(
    fc.property(parts, fc.boolean(), (drawn, isDown) => {
      const amount = Float64Array.from(drawn, ([x]) => x)
      const most = drawn.map(([x, times]) => x * times)
      const total = amount.reduce((sum, x) => sum + x, 0)
      const shares = roundShares([...amount.keys()], {
        amount,
        mostOf: (i) => most[i]!,
        round: isDown ? Math.floor : Math.round,
      })
      let left = total
      for (const [n, [i, share]] of shares.slice(0, -1).entries()) {
        const taken = (left * share) / SHARE_ONE
        expect(share).toBeGreaterThan(0)
        // But for the floats of the differences here.
        expect(taken).toBeLessThanOrEqual(most[i]! + 1e-15 * total)
        // A step of the grid, which is at most that of the total, and what hops before took a step too much of.
        expect(Math.abs(taken - amount[i]!)).toBeLessThanOrEqual(((n + 1) * total) / SHARE_ONE)
        left -= taken
      }
      const [last, rest] = shares.at(-1)!
      const roomOf = (i: number) => most[i]! - amount[i]!
      expect(rest).toBe(0)
      expect(roomOf(last)).toBe(Math.max(...[...amount.keys()].map(roomOf)))
    }),
  )
})

it('leaves out what rounds to nothing, and gives the whole amount to one place alone', () => {
  const given = { amount: Float64Array.of(1e20, 1), mostOf: () => 1e21, round: Math.round }
  expect(roundShares([1], given)).toEqual([[1, 0]])
  // The one with less has more room, and takes the rest.
  expect(roundShares([0, 1], given)).toEqual([
    [0, SHARE_ONE],
    [1, 0],
  ])
  expect(roundShares([0, 1], { ...given, mostOf: (i) => (i === 0 ? 1e21 : 2) })).toEqual([[0, 0]])
})
