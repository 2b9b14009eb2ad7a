// Tests tokens again while a market is followed: behaviour is state too. A token that passed once may be paused,
// taxed or made to refuse the executor later, and one that failed may behave again.

import type { Address } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { Header } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import { testTransfers } from '../trust/transferTests.js'
import type { Market } from './market.js'
import { dropUnusedTokens, flawedAfter, splitUsable } from './tradablePools.js'

/**
 * The market after some of its tokens were tested again. The pools of a token that fails are set aside; those of
 * one that passes again, in some blocks in a row, are read with the next head. Returns the same market if nothing
 * changed.
 */
export async function retestTokens(
  client: Client,
  market: Market,
  {
    tokens,
    header,
    counterparty,
  }: {
    readonly tokens: readonly Address[]
    readonly header: Header
    readonly counterparty?: Address | undefined
  },
): Promise<Market> {
  const { pools } = market.state.snapshot
  const holders = new Map(
    market.trust.flawed.flatMap(({ address, holder }) =>
      holder ? [[address, holder] as const] : [],
    ),
  )
  const place = { pools, header, counterparty, holders }
  const tested = await testTransfers(client, tokens, place)
  return withFlawed(market, flawedAfter(market.trust.flawed, tested, header.number))
}

function withFlawed(market: Market, flawed: Market['trust']['flawed']): Market {
  const { state, trust } = market
  if (flawed === trust.flawed) return market
  const { snapshot } = state
  const known = new Set(trust.flawed.map(({ address }) => address))
  const bad = new Set(flawed.map(({ address }) => address))
  if (known.size === bad.size && [...known].every((token) => bad.has(token))) {
    return { ...market, trust: { ...trust, flawed } }
  }
  const isBad = (tokens: readonly Address[]) => tokens.some((token) => bad.has(token))
  const tokensOf = new Map(state.pools.map(({ id, tokens }) => [id, tokens]))
  const still = state.setAside.filter(({ id, code }) => {
    return !code.startsWith('TOKEN_') || isBad(tokensOf.get(id) ?? [])
  })
  const left = snapshot.pools.filter(({ family, tokens }) => family !== 'wrap' && isBad(tokens))
  const advanced = advance(snapshot, {
    ...{ block: snapshot.block, pools: [], removed: left.map(({ id }) => id), tokens: [] },
  })
  return {
    ...market,
    state: {
      ...state,
      snapshot: dropUnusedTokens(advanced),
      setAside: [...still, ...splitUsable(left, flawed).setAside],
    },
    trust: { ...trust, flawed },
  }
}
