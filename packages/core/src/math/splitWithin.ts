/**
 * A total split over parts that have a most. Input: parts at some places, and how far each yields. Output: the
 * parts, moved in proportion to that until they sum to the total. Recovery splits what a token receives.
 */

/**
 * Moves the `value` at each of some places, which is within [0, most], in proportion to `yieldOf`, until they sum to
 * `total`. One that would leave its ends is fixed at that end and the others take the remainder. Returns their sum,
 * another one if all are at an end.
 */
export function splitWithin(
  places: readonly number[],
  total: number,
  given: {
    readonly value: Float64Array
    readonly most: Float64Array
    readonly yieldOf: (i: number) => number
  },
): number {
  const { value, most, yieldOf } = given
  let rest = total
  for (let open = places, isSettled = false; !isSettled; ) {
    let [placed, yielding] = [0, 0]
    for (const i of open) {
      placed += value[i]!
      yielding += yieldOf(i)
    }
    const move = (rest - placed) / yielding
    const movedOf = (i: number) => value[i]! + move * yieldOf(i)
    const within = open.filter((i) => movedOf(i) >= 0 && movedOf(i) <= most[i]!)
    isSettled = within.length === 0 || within.length === open.length
    for (const i of open) {
      if (!isSettled && within.includes(i)) continue
      value[i] = Math.min(Math.max(0, movedOf(i)), most[i]!)
      rest -= value[i]!
    }
    open = within
  }
  return total - rest
}
