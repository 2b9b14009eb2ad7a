// Which tokens and markets can be traded at all.

import type { Address, Snapshot } from '@braid-swap/core'
import type { Asker } from '../admission/asker.js'
import { ApiError, messageOf } from '../errors.js'
import type { Discovery, MarketState } from '../market/liveMarket.js'
import { hasPools } from '../market/marketPools.js'
import type { Need } from '../need.js'
import { decimalsOf } from '../tokens/decimals.js'

type TokenNeed = Pick<Need, 'tokens' | 'config'> & { readonly asker: Pick<Asker, 'charge'> }

/**
 * Throws NO_POOLS if the market has no pool, because a wrong list of venues must not look like a
 * missing route.
 */
export function requirePools({ market }: Pick<Need, 'market'>, { graph }: MarketState): void {
  if (hasPools(graph.snapshot)) return
  const search = market.discovery?.()
  throw new ApiError('NO_POOLS', whyNoPools(search), {
    details: search ? { venues: search.venues, poolsFound: search.poolsFound } : {},
  })
}

function whyNoPools(search: Discovery | undefined): string {
  if (search && search.poolsFound > 0) {
    return 'no pool is in answers: venues are on trial or tokens are refused; /readyz has the states'
  }
  return search && !search.isDone
    ? 'no pool has been found yet; the search continues'
    : 'no configured venue has a pool on this chain; check BRAID_VENUES'
}

/**
 * Throws TOKEN_NOT_FOUND with every parameter whose address is a token neither in the market nor on
 * chain, and TOKEN_UNSUPPORTED for a token that the operator's list marks as unsupported. The asker is
 * charged for what the node must be asked.
 */
export async function requireTokens(
  named: Readonly<Record<string, Address>>,
  snapshot: Snapshot,
  { tokens, config, asker }: TokenNeed,
): Promise<void> {
  for (const [path, address] of Object.entries(named)) {
    const reason = config.tokenList.get(address)?.unsupported
    if (reason === undefined) continue
    const message = `${path} is a token that this API does not trade: ${reason}`
    throw new ApiError('TOKEN_UNSUPPORTED', message, { details: { token: address, reason } })
  }
  const unknown = Object.entries(named).filter(
    ([, address]) => decimalsOf(snapshot, address) === undefined,
  )
  if (unknown.length === 0) return
  const asked = unknown.map(([, address]) => address)
  const lookups = asked.filter((address) => !tokens.isKnown(address)).length
  if (lookups > 0) await asker.charge('lookups', lookups)
  const found = await tokens.read(asked)
  const absent = unknown.filter(([, address]) => !found.has(address))
  if (absent.length === 0) return
  const code = 'TOKEN_NOT_FOUND'
  const issues = absent.map(([path, received]) => ({
    ...{ in: 'query' as const, path, code, received },
    message: 'must be a token: this address does not answer decimals()',
    expected: 'a contract with decimals()',
  }))
  throw new ApiError(code, messageOf(issues), { issues })
}

/**
 * {@link requireTokens} for tokens to trade. Also throws TOKEN_UNSUPPORTED for tokens that failed the
 * transfer test (fee, rebasing or stuck), and NO_POOLS if the market has no pool.
 */
export async function requireTradable(
  named: Readonly<Record<string, Address>>,
  state: MarketState,
  need: TokenNeed & Pick<Need, 'market' | 'ledger'>,
): Promise<void> {
  requirePools(need, state)
  const { graph, flawed = [] } = state
  await requireTokens(named, graph.snapshot, need)
  const suspended = [...need.ledger.current().values()].flatMap(({ flaw, isActedOn }) =>
    flaw && isActedOn ? flaw : [],
  )
  const flaws = new Map([...flawed, ...suspended].map((flaw) => [flaw.address, flaw]))
  const issues = Object.entries(named).flatMap(([path, received]) => {
    const flaw = flaws.get(received)
    const expected = 'a token that delivers exactly the amount sent'
    return flaw
      ? [{ in: 'query' as const, path, code: flaw.code, message: flaw.message, received, expected }]
      : []
  })
  if (issues.length === 0) return
  const message = issues.map((issue) => issue.message).join('; ')
  throw new ApiError('TOKEN_UNSUPPORTED', message, { issues })
}
