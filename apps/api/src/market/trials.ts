/** Venues on trial at the start, and what the log says about them. */
import {
  type Client,
  type GivenStates,
  type Market,
  startTrials,
  type Terms,
  tryAtOnce,
  type Venue,
} from '@braid-swap/chain'
import type { Logger } from 'pino'

/** How venues earn their place, and the states that the operator sets. */
export type Trials = Terms & { readonly states: GivenStates }

/** The market with its venues on trial, those that pay what core says already in answers; as it is without trials. */
export async function beginTrials(
  market: Market,
  {
    client,
    venues,
    trials,
  }: {
    readonly client: Client
    readonly venues: readonly Venue[]
    readonly trials?: Trials | undefined
  },
): Promise<Market> {
  if (!trials) return market
  return tryAtOnce(client, startTrials(market, venues, trials.states), trials)
}

/** Logs each venue whose state changes. */
export function createTrialsReport(log: Logger): (market: Pick<Market, 'trust'>) => void {
  const said = new Map<string, string>()
  return ({ trust: { trials = [] } }) => {
    for (const { venue, state, since, reason } of trials) {
      if (said.get(venue) === state) continue
      said.set(venue, state)
      const facts = { venue, state, ...(since !== undefined && { block: `${since}` }), reason }
      log[state === 'quarantined' ? 'warn' : 'info'](facts, 'state of a venue')
    }
  }
}
