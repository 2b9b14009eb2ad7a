import { type GraphEntry, shortAddress } from '@braid-swap/client'
import { useState } from 'preact/hooks'
import { amountText, partText, symbolOf, type Tokens } from '../format.js'
import { OldMark } from '../oldMark.js'
import type { PageQuote } from '../order/usePolling.js'
import { RoutePicture } from './routePicture.js'
import { partsOf } from './sankeyLayout.js'
import { colourOf, colourOfVenue, venueStyle } from './venueColours.js'
import { isWrap } from './wrap.js'

/** The best route as a picture, and its hops as a table. */
export function RouteCard(props: {
  readonly quote: PageQuote | undefined
  readonly isRefused: boolean
  /** The quote is for another order, or the market has changed since. */
  readonly isOld: boolean
  readonly tokens: Tokens
}) {
  const { quote, tokens } = props
  const [chosen, setChosen] = useState<number>()
  const graph = quote?.graph ?? []
  const pools = graph.filter(({ poolType }) => !isWrap(poolType))
  const venues = [...new Set(pools.map(({ exchange }) => exchange))].sort()
  return (
    <section class={props.isOld ? 'card route old' : 'card route'} aria-labelledby="route-title">
      <header>
        <h2 id="route-title">Route</h2>
        <span class="soft route-summary" data-testid="route-summary">
          {graph.length > 0 && summaryOf(pools.length, venues.length)}
        </span>
        {props.isOld && graph.length > 0 && <OldMark />}
      </header>
      {graph.length === 0 && (
        <p class="soft none">
          {props.isRefused ? 'No route for this order.' : 'The route for your order appears here.'}
        </p>
      )}
      <RoutePicture {...{ graph, tokens, chosen }} onChoose={setChosen} />
      {venues.length > 0 && (
        <ul class="legend" aria-label="Venues">
          {venues.map((venue) => (
            <li key={venue}>
              <i class="swatch" style={venueStyle(colourOfVenue(venue))} />
              {venue}
            </li>
          ))}
        </ul>
      )}
      {graph.length > 0 && <HopTable {...{ graph, tokens, chosen }} onChoose={setChosen} />}
    </section>
  )
}

function summaryOf(pools: number, venues: number): string {
  if (pools === 0) return '1:1, no pool needed'
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`
  return `${count(pools, 'pool')} on ${count(venues, 'venue')}`
}

/** A longer table is closed at first. */
const OPEN_HOPS = 12

function HopTable(props: {
  readonly graph: readonly GraphEntry[]
  readonly tokens: Tokens
  readonly chosen: number | undefined
  readonly onChoose: (index: number | undefined) => void
}) {
  const { graph, tokens, chosen, onChoose } = props
  const parts = partsOf(graph)
  // Only the visitor changes it later: the number of hops varies with every block.
  const [isOpen, setOpen] = useState(graph.length <= OPEN_HOPS)
  const amount = (wei: bigint, token: GraphEntry['from']) =>
    amountText(wei, tokens.get(token)?.decimals ?? 0, 7)
  return (
    <details class="hops" open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        {graph.length} {graph.length === 1 ? 'hop' : 'hops'}, in execution order
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <section class="scroll" tabIndex={0} aria-label="Hops">
        <table>
          <thead>
            <tr>
              <th>Venue</th>
              <th class="number">Share</th>
              <th class="number">In</th>
              <th class="number">Out</th>
              <th>Pool</th>
            </tr>
          </thead>
          <tbody>
            {graph.map((hop, index) => (
              <tr
                key={`${hop.pool} ${hop.from}`}
                class={chosen === index ? 'chosen' : undefined}
                onMouseEnter={() => onChoose(index)}
                onMouseLeave={() => onChoose(undefined)}
              >
                <td>
                  <i class="swatch" style={venueStyle(colourOf(hop))} />
                  {hop.exchange}
                </td>
                <td class="number">{partText(parts[index] ?? 0)}</td>
                <td class="number">
                  {amount(hop.amountIn, hop.from)} <b>{symbolOf(hop.from, tokens)}</b>
                </td>
                <td class="number">
                  {hop.sampled && <span title="at least this amount">≥ </span>}
                  {amount(hop.amountOut, hop.to)} <b>{symbolOf(hop.to, tokens)}</b>
                </td>
                <td>
                  <code title={hop.pool}>{shortAddress(hop.pool)}</code>
                  <span class="soft">
                    {' '}
                    {hop.poolType}
                    {hop.fee > 0 && ` ${hop.fee} %`}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
