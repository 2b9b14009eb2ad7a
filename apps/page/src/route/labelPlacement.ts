/**
 * Places the labels of a route picture greedily: a name next to each token, a share on each ribbon
 * that has room. A label that would overlap another label or a foreign ribbon is left out, because
 * the table below the picture has the same data.
 */

import { partText } from '../format.js'
import type { DrawnRibbon, DrawnRoute, DrawnToken, Point, Room } from './sankeyLayout.js'
import { isWrap } from './wrap.js'

/** The box of a text: its centre and its size, in pixels. */
export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const TOKEN_SIZE = 14
const RIBBON_SIZE = 12
const LINE_HEIGHT = 1.2
/** The distance between a label and its obstacles, in pixels. */
const LABEL_GAP = 1
const NAME_GAP = 6

/** Upper bounds for the widths of letters in the page's font, relative to the font size. */
const widths: readonly (readonly [letters: RegExp, width: number])[] = [
  [/[WM@%₮]/, 1],
  [/[A-Z0-9]/, 0.73],
  [/[ijlft.,:' |-]/, 0.42],
]
const OTHER_WIDTH = 0.64

/** The box of a text centred on a point; `size` is the font size in pixels. */
export function boxOf(text: string, size: number, at: Point): Box {
  const widthOf = (letter: string) =>
    widths.find(([letters]) => letters.test(letter))?.[1] ?? OTHER_WIDTH
  const width = [...text].reduce((sum, letter) => sum + widthOf(letter) * size, 0)
  return { ...at, width, height: size * LINE_HEIGHT }
}

export function overlap(a: Box, b: Box): boolean {
  const isApart = (distance: number, room: number) => Math.abs(distance) * 2 >= room
  return !isApart(a.x - b.x, a.width + b.width) && !isApart(a.y - b.y, a.height + b.height)
}

/** True if a ribbon runs under a box. */
export function covers(
  { points, width }: Pick<DrawnRibbon, 'points' | 'width'>,
  box: Box,
): boolean {
  const outside = (distance: number, room: number) => Math.max(Math.abs(distance) - room / 2, 0)
  return points.some(
    ({ x, y }) =>
      Math.hypot(outside(x - box.x, box.width), outside(y - box.y, box.height)) <
      width / 2 + LABEL_GAP,
  )
}

/** A token's name and its position. */
export type NameLabel = { readonly key: string; readonly text: string; readonly box: Box }

/** A ribbon's venue and share, and their position. */
export type ShareLabel = {
  readonly index: number
  /** Empty if there is no room for it. */
  readonly venue: string
  readonly share: string
  readonly box: Box
}

/** Places the labels of a route: token names first, then shares from the widest ribbon down. */
export function placeLabels(
  { tokens, ribbons }: DrawnRoute,
  room: Room,
  nameOf: (token: DrawnToken['token']) => string,
): { readonly names: readonly NameLabel[]; readonly shares: readonly ShareLabel[] } {
  const taken: Box[] = []
  const names = tokens.flatMap((token): NameLabel[] => {
    const text = nameOf(token.token)
    const box = placeName(token, text, { room, taken })
    if (!box) return []
    taken.push(box)
    return [{ key: token.token, text, box }]
  })
  const shares = [...ribbons]
    .sort((a, b) => b.part - a.part)
    .flatMap((ribbon): ShareLabel[] => {
      const label = placeShare(ribbon, { ribbons, room, taken })
      if (!label) return []
      taken.push(label.box)
      return [label]
    })
  return { names, shares }
}

type Places = { readonly room: Room; readonly taken: readonly Box[] }

/** Places a name next to the token's bar on the free side, shifted away from other names. */
function placeName(token: DrawnToken, text: string, { room, taken }: Places): Box | undefined {
  const box = boxOf(text, TOKEN_SIZE, { x: token.x, y: token.y })
  const { x, y } = besideBar(token, box, room)
  const step = room.isUpright && token.isLast ? -1 : 1
  const shifts = [0, 1, -1, 2, -2, 3, -3].map((n) => n * step * box.height)
  const tries = shifts.map((shift) => moveInside({ ...box, x, y: y + shift }, room))
  return tries.find((place) => !taken.some((other) => overlap(place, other)))
}

function besideBar({ x, y, width, height, isFirst, isLast }: DrawnToken, box: Box, room: Room) {
  const isAtEnd = isLast && !isFirst
  if (room.isUpright) {
    const away = box.height / 2 + 4
    return { x: x + width / 2, y: isAtEnd ? y - away : y + height + away }
  }
  const away = box.width / 2 + NAME_GAP
  return { x: isAtEnd ? x - away : x + width + away, y: y + height / 2 }
}

function moveInside(box: Box, room: Room): Box {
  const inside = (at: number, size: number, length: number) =>
    Math.min(Math.max(at, Math.min(size, length) / 2), length - Math.min(size, length) / 2)
  const y = inside(box.y, box.height, room.height)
  return { ...box, x: inside(box.x, box.width, room.width), y }
}

/** Places a share at the middle of its ribbon or elsewhere along it, with or without its venue. */
function placeShare(
  ribbon: DrawnRibbon,
  { ribbons, room, taken }: Places & { readonly ribbons: readonly DrawnRibbon[] },
): ShareLabel | undefined {
  const { hop, index, part, points } = ribbon
  if (isWrap(hop.poolType)) return undefined
  const others = ribbons.filter((other) => other.index !== index)
  const isFree = (box: Box) => {
    const { x, y } = moveInside(box, room)
    const isInside = x === box.x && y === box.y
    if (!isInside || taken.some((other) => overlap(box, other))) return false
    return !others.some((other) => covers(other, box))
  }
  const share = partText(part)
  const places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9].map(
    (at) => points[Math.round(at * (points.length - 1))],
  )
  for (const venue of room.isUpright ? [''] : [`${hop.exchange} `, '']) {
    for (const place of places) {
      const box = place && boxOf(`${venue}${share}`, RIBBON_SIZE, place)
      if (box && isFree(box)) return { index, venue, share, box }
    }
  }
  return undefined
}
