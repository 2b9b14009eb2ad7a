import { type GraphEntry, shortAddress } from '@braid-swap/client'
import { amountText, partText, symbolOf, type Tokens } from '../format.js'
import { useWidth } from '../useWidth.js'
import { describeRoute } from './describeRoute.js'
import { placeLabels } from './labelPlacement.js'
import { type DrawnRibbon, type DrawnRoute, layOut, type Room } from './sankeyLayout.js'
import { colourOf, venueStyle } from './venueColours.js'

/** Pixels. A narrower picture runs from top to bottom. */
const UPRIGHT_BELOW = 560
const MARGIN = { along: 4, across: 14 }

type PictureProps = {
  readonly graph: readonly GraphEntry[]
  readonly tokens: Tokens
  readonly chosen: number | undefined
  readonly onChoose: (index: number | undefined) => void
}

/** Draws a route as a Sankey diagram: a ribbon's width is its share of the order's value. */
export function RoutePicture(props: PictureProps) {
  const { graph, tokens } = props
  const [element, width] = useWidth<HTMLDivElement>()
  const room = roomOf(graph, width)
  const drawn = width > 0 ? layOut(graph, inner(room)) : { tokens: [], ribbons: [] }
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
        aria-label={describeRoute(graph, tokens)}
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
  const { drawn, chosen, onChoose } = props
  return (
    <g class={chosen === undefined ? 'ribbons' : 'ribbons has-chosen'}>
      {drawn.ribbons.map((ribbon) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same data
        <path
          key={`${ribbon.hop.pool} ${ribbon.hop.from}`}
          class={chosen === ribbon.index ? 'ribbon chosen' : 'ribbon'}
          style={venueStyle(colourOf(ribbon.hop))}
          d={ribbon.path}
          stroke-width={ribbon.width}
          onMouseEnter={() => onChoose(ribbon.index)}
          onMouseLeave={() => onChoose(undefined)}
        />
      ))}
    </g>
  )
}

/** Draws the labels last, so that no ribbon covers one. */
function Labels(props: {
  readonly drawn: DrawnRoute
  readonly room: Room
  readonly tokens: Tokens
}) {
  const { drawn, room, tokens } = props
  const { names, shares } = placeLabels(drawn, room, (token) => symbolOf(token, tokens))
  return (
    <g class="labels">
      {shares.map(({ index, venue, share, box }) => (
        <text key={index} class="ribbon-label" x={box.x} y={box.y}>
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
