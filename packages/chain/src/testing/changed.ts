import type { Cursor, Market, MarketState, Trust } from '../market/market.js'

const CURSOR: ReadonlySet<string> = new Set(['trail', 'read', 'unproven', 'failing'])
const STATE: ReadonlySet<string> = new Set(
  ['snapshot', 'pools', 'setAside'].concat(['receivedAtMs', 'gasPrices', 'traded']),
)

/** A market with other values in some of its fields, whatever part of it they are in. */
export function changed(market: Market, fields: Partial<MarketState & Cursor & Trust>): Market {
  const all = Object.entries(fields)
  const of = (is: (name: string) => boolean) => Object.fromEntries(all.filter(([name]) => is(name)))
  return {
    state: { ...market.state, ...of((name) => STATE.has(name)) },
    cursor: { ...market.cursor, ...of((name) => CURSOR.has(name)) },
    trust: { ...market.trust, ...of((name) => !STATE.has(name) && !CURSOR.has(name)) },
  }
}
