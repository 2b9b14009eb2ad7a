/**
 * Shares on the executor's grid. Input: the amounts into the hops that leave a token. Output: the hops in order of
 * execution with their shares. A share is a fraction of what remains of the token, so the grid becomes finer with every
 * hop: the largest amounts come first.
 */
import { SHARE_ONE } from './replay.js'

/**
 * The places of some hops in order of execution, each with its share of {@link SHARE_ONE}. The one with most room left
 * comes last and takes all that remains, which is share 0; one whose share rounds to nothing is left out.
 */
export function roundShares(
  places: readonly number[],
  given: {
    readonly amount: Float64Array
    readonly mostOf: (place: number) => number
    readonly round: (share: number) => number
  },
): readonly (readonly [place: number, share: number])[] {
  const { amount, mostOf, round } = given
  const roomOf = (i: number) => mostOf(i) - amount[i]!
  const roomiest = places.reduce((a, b) => (roomOf(b) > roomOf(a) ? b : a))
  const others = places.filter((i) => i !== roomiest)
  others.sort((a, b) => amount[b]! - amount[a]! || a - b)
  let remaining = places.reduce((sum, i) => sum + amount[i]!, 0)
  const shares: (readonly [number, number])[] = []
  for (const i of others) {
    const partOf = (x: number) => (x / remaining) * SHARE_ONE
    // If a large rest goes to another hop, half a step of the grid can be too much for a full one.
    const most = Math.floor(partOf(mostOf(i)))
    const share = Math.min(SHARE_ONE, round(partOf(amount[i]!)), most)
    remaining *= 1 - share / SHARE_ONE
    if (share > 0) shares.push([i, share])
  }
  return [...shares, [roomiest, 0]]
}
