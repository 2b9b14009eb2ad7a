import type { GraphEntry } from '@braid-swap/client'
import { shortAddress } from '@braid-swap/draw'
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
          <Ribbons {...props} drawn={drawn} isUpright={room.isUpright} />
          {drawn.tokens.map((token) => (
            <TokenBar key={token.token} token={token} room={inner(room)} tokens={tokens} />
          ))}
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

function Ribbons(
  props: PictureProps & { readonly drawn: DrawnRoute; readonly isUpright: boolean },
) {
  const { drawn, isUpright, colourOf, chosen, onChoose } = props
  return (
    <g class={chosen === undefined ? 'ribbons' : 'ribbons has-chosen'}>
      {drawn.ribbons.map((ribbon) => (
        <g key={`${ribbon.hop.pool} ${ribbon.hop.from}`}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the table below says the same */}
          <path
            class={`ribbon stroke-${colourOf(ribbon.hop.exchange)}${chosen === ribbon.index ? ' chosen' : ''}`}
            d={ribbon.path}
            stroke-width={ribbon.width}
            onMouseEnter={() => onChoose(ribbon.index)}
            onMouseLeave={() => onChoose(undefined)}
          />
          {ribbon.room >= LABEL_FROM[isUpright ? 'upright' : 'lying'] &&
            !isWrap(ribbon.hop.poolType) && (
              <text class="ribbon-label" x={ribbon.middle.x} y={ribbon.middle.y}>
                {!isUpright && <tspan class="ribbon-venue">{ribbon.hop.exchange} </tspan>}
                {partText(ribbon.part)}
              </text>
            )}
        </g>
      ))}
    </g>
  )
}

function TokenBar(props: {
  readonly token: DrawnToken
  readonly room: Room
  readonly tokens: Tokens
}) {
  const { token, room, tokens } = props
  const { x, y, width, height } = token
  return (
    <g class="token-bar">
      <rect {...{ x, y, width, height }} rx="4" />
      <text {...labelPlace(token, room)}>{symbolOf(token.token, tokens)}</text>
    </g>
  )
}

/** Beside the bar, on the side where the picture has room. */
function labelPlace(token: DrawnToken, { isUpright }: Room) {
  const { x, y, width, height, isFirst, isLast } = token
  if (isUpright) {
    const below = y + height + 17
    return { x: x + width / 2, y: isLast ? y - 7 : below, 'text-anchor': 'middle' as const }
  }
  const place = { y: y + height / 2, 'dominant-baseline': 'central' as const }
  return isLast && !isFirst
    ? { ...place, x: x - 8, 'text-anchor': 'end' as const }
    : { ...place, x: x + width + 8, 'text-anchor': 'start' as const }
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
