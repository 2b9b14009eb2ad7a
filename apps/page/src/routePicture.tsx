import type { GraphEntry } from '@braid-swap/client'
import { shortAddress } from '@braid-swap/draw'
import { type Box, boxOf, findRoom, overlap } from './labels.js'
import { type DrawnRibbon, type DrawnRoute, type DrawnToken, layOut, type Room } from './layout.js'
import { amountText, partText, symbolOf, type Tokens } from './text.js'
import { useWidth } from './useWidth.js'
import { isWrap } from './wrap.js'

/** Narrower than this, a route reads better from top to bottom. */
const UPRIGHT_BELOW = 560
/** Ribbons with at least this much room across carry words. */
const LABEL_FROM = { upright: 34, lying: 13 }
const MARGIN = { along: 4, across: 14 }

type PictureProps = {
  readonly graph: readonly GraphEntry[]
  readonly tokens: Tokens
  readonly colourOf: (venue: string) => number | 'wrap'
  readonly chosen: number | undefined
  readonly onChoose: (index: number | undefined) => void
}

/** A route as ribbons between tokens, as wide as the value that takes them. */
export function RoutePicture(props: PictureProps) {
  const { graph, tokens } = props
  const [element, width] = useWidth<HTMLDivElement>()
  const room = roomOf(graph, width)
  const drawn = width > 0 ? layOut(graph, inner(room)) : { tokens: [], ribbons: [] }
  const [first, last] = [drawn.tokens[0], drawn.tokens.at(-1)]
  const title =
    first && last
      ? `${graph.length} hops from ${symbolOf(first.token, tokens)} to ${symbolOf(last.token, tokens)}, listed below`
      : 'No route yet'
  const offset = room.isUpright
    ? `translate(${MARGIN.across} ${MARGIN.along})`
    : `translate(${MARGIN.along} ${MARGIN.across})`
  return (
    <div class="picture" ref={element}>
      <svg
        hidden={graph.length === 0}
        width={room.width}
        height={room.height}
        role="img"
        aria-label={title}
      >
        <g transform={offset}>
          <Ribbons {...props} drawn={drawn} />
          {drawn.tokens.map(({ token, x, y, width: w, height: h }) => (
            <rect key={token} class="token-bar" {...{ x, y }} width={w} height={h} rx="4" />
          ))}
          <Labels drawn={drawn} room={inner(room)} tokens={tokens} />
        </g>
      </svg>
      <Hint {...props} drawn={drawn} room={room} />
    </div>
  )
}

function roomOf(graph: readonly GraphEntry[], width: number): Room {
  const isUpright = width < UPRIGHT_BELOW
  if (graph.length === 0) return { width, height: 0, isUpright: false }
  const lying = Math.min(600, 190 + 19 * graph.length)
  return { width, height: isUpright ? 500 : lying, isUpright }
}

function inner({ width, height, isUpright }: Room): Room {
  const [x, y] = isUpright ? [MARGIN.across, MARGIN.along] : [MARGIN.along, MARGIN.across]
  return { width: Math.max(width - 2 * x, 10), height: height - 2 * y, isUpright }
}

function Ribbons(props: PictureProps & { readonly drawn: DrawnRoute }) {
  const { drawn, colourOf, chosen, onChoose } = props
  return (
    <g class={chosen === undefined ? 'ribbons' : 'ribbons has-chosen'}>
      {drawn.ribbons.map((ribbon) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the table below says the same
        <path
          key={`${ribbon.hop.pool} ${ribbon.hop.from}`}
          class={`ribbon stroke-${colourOf(ribbon.hop.exchange)}${chosen === ribbon.index ? ' chosen' : ''}`}
          d={ribbon.path}
          stroke-width={ribbon.width}
          onMouseEnter={() => onChoose(ribbon.index)}
          onMouseLeave={() => onChoose(undefined)}
        />
      ))}
    </g>
  )
}

const TOKEN_SIZE = 14
const RIBBON_SIZE = 12

/** Words over all the ribbons: every token's, and those of the widest ribbons that have room. */
function Labels(props: {
  readonly drawn: DrawnRoute
  readonly room: Room
  readonly tokens: Tokens
}) {
  const { drawn, room, tokens } = props
  const taken: Box[] = []
  const names = drawn.tokens.map((token) => {
    const text = symbolOf(token.token, tokens)
    const box = placeName(token, { text, room, taken })
    taken.push(box)
    return { key: token.token, text, box }
  })
  const ribbons = [...drawn.ribbons].sort((a, b) => b.part - a.part)
  const shares = ribbons.flatMap(({ hop, part, middle, room: across }) => {
    if (across < LABEL_FROM[room.isUpright ? 'upright' : 'lying'] || isWrap(hop.poolType)) return []
    const venue = room.isUpright ? '' : `${hop.exchange} `
    const box = boxOf(`${venue}${partText(part)}`, RIBBON_SIZE, middle)
    if (taken.some((other) => overlap(box, other))) return []
    taken.push(box)
    return [{ key: `${hop.pool} ${hop.from}`, venue, share: partText(part), box }]
  })
  return (
    <g class="labels">
      {shares.map(({ key, venue, share, box }) => (
        <text key={key} class="ribbon-label" x={box.x} y={box.y}>
          <tspan class="ribbon-venue">{venue}</tspan>
          {share}
        </text>
      ))}
      {names.map(({ key, text, box }) => (
        <text key={key} class="token-name" x={box.x} y={box.y}>
          {text}
        </text>
      ))}
    </g>
  )
}

/** Beside the token's bar, on the side where the picture has room. */
function placeName(
  { x, y, width, height, isFirst, isLast }: DrawnToken,
  of: { readonly text: string; readonly room: Room; readonly taken: readonly Box[] },
): Box {
  const { text, room, taken } = of
  if (room.isUpright) {
    const beside = isLast ? y - 12 : y + height + 12
    const box = boxOf(text, TOKEN_SIZE, { x: x + width / 2, y: beside })
    return findRoom(box, taken, { width: room.width, step: isLast ? -1 : 1 })
  }
  const half = boxOf(text, TOKEN_SIZE, { x, y }).width / 2
  const beside = isLast && !isFirst ? x - 6 - half : x + width + 6 + half
  return boxOf(text, TOKEN_SIZE, { x: beside, y: y + height / 2 })
}

function Hint(props: PictureProps & { readonly drawn: DrawnRoute; readonly room: Room }) {
  const { chosen, drawn, tokens, room } = props
  const ribbon = drawn.ribbons.find(({ index }) => index === chosen)
  if (!ribbon) return null
  const { hop } = ribbon
  const amount = (wei: bigint, token: GraphEntry['from']) =>
    `${amountText(wei, tokens.get(token)?.decimals ?? 0, 7)} ${symbolOf(token, tokens)}`
  return (
    <div class="hint" style={hintPlace(ribbon, room)} aria-hidden="true">
      <b>{hop.exchange}</b> <span class="soft">{hop.poolType}</span>
      <br />
      {amount(hop.amountIn, hop.from)} → {amount(hop.amountOut, hop.to)}
      <br />
      <span class="soft">
        {partText(ribbon.part)} of the value · {hop.fee > 0 ? `${hop.fee} % fee · ` : ''}
        {shortAddress(hop.pool)}
      </span>
    </div>
  )
}

function hintPlace({ middle }: DrawnRibbon, { width, height }: Room) {
  const isLow = middle.y > height / 2
  return {
    left: `${Math.min(Math.max(middle.x, 140), Math.max(width - 140, 140))}px`,
    top: `${isLow ? middle.y - 12 : middle.y + 36}px`,
    transform: `translate(-50%, ${isLow ? '-100%' : '0'})`,
  }
}
