/** Where words stand: their middle, and the room they take. */
export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Of text in the page's font: a letter is about so many times as wide as the text is high. */
const LETTER = 0.6

/** The box of a text of so many pixels that stands around a point. */
export function boxOf(
  text: string,
  size: number,
  at: { readonly x: number; readonly y: number },
): Box {
  return { ...at, width: text.length * size * LETTER + 4, height: size * 1.2 }
}

/** Whether two boxes cover some of the same. */
export function overlap(a: Box, b: Box): boolean {
  const isApart = (distance: number, room: number) => Math.abs(distance) * 2 >= room
  return !isApart(a.x - b.x, a.width + b.width) && !isApart(a.y - b.y, a.height + b.height)
}

/**
 * The box moved into a width, and away from others by its own height, one way or the other, as often
 * as it takes; where it was if nothing helps.
 */
export function findRoom(
  box: Box,
  taken: readonly Box[],
  room: { width: number; step: 1 | -1 },
): Box {
  const half = Math.min(box.width, room.width) / 2
  const x = Math.min(Math.max(box.x, half), room.width - half)
  const tries = [0, 1, 2, 3].map((n) => ({ ...box, x, y: box.y + n * room.step * box.height }))
  return tries.find((place) => !taken.some((other) => overlap(place, other))) ?? tries[0]!
}
