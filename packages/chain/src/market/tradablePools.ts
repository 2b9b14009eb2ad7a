// Decides which pools can be traded: not those with a token that does not move as expected, and not
// empty ones.

import { type Address, NATIVE, type Pool, type Snapshot, type Token } from '@braid-swap/core'
import { isEmpty } from '@braid-swap/core/families'
import type { SetAside } from '../pools/setAside.js'
import type { Header } from '../reads/headers.js'
import { readDecimals } from '../tokens/metadata.js'
import type { Client } from '../transport/client.js'
import { type Tested, type TokenFlaw, testTransfers } from '../trust/transferTests.js'
import type { Market } from './market.js'

/** Tokens that have decimals and did not fail, with the result of their tests. */
export type TestedTokens = Tested & { readonly tokens: readonly Token[] }

/** Reads decimals and transfer behaviour of the pools' tokens that are not in `known`. */
export async function readMarketTokens(
  client: Client,
  pools: readonly Pool[],
  {
    header,
    known,
    wrappedNative,
  }: {
    readonly header: Header
    readonly known: readonly Token[]
    /** Not tested: without it there is no market. */
    readonly wrappedNative: Address
  },
): Promise<TestedTokens> {
  const have = new Set(known.map(({ address }) => address))
  const wanted = new Set(pools.flatMap((pool) => pool.tokens))
  const asked = [...wanted].filter((id) => !have.has(id)).sort()
  const tokens = await readDecimals(client, asked, header)
  const readable = new Set(tokens.map(({ address }) => address))
  const mute = asked.filter((address) => !readable.has(address)).map(withoutDecimals)
  const tried = [...readable].filter((address) => address !== wrappedNative)
  const { flaws, passed } = await testTransfers(client, tried, { pools, header })
  const flawed = new Set(flaws.map(({ address }) => address))
  return {
    tokens: tokens.filter(({ address }) => !flawed.has(address)),
    flaws: [...mute, ...flaws],
    passed,
  }
}

/** Blocks in a row in which a token that failed must pass: one that refuses in every second block passes half its tests. */
const PASSES = 16

/** The flawed tokens after some were tested at a block, possibly again; the same array if nothing changed. */
export function flawedAfter(
  before: readonly TokenFlaw[],
  { flaws, passed, tokens = [] }: Tested & Partial<TestedTokens>,
  block: bigint,
): readonly TokenFlaw[] {
  const found = new Map(flaws.map((flaw) => [flaw.address, flaw]))
  const sound = new Set(passed)
  const readable = new Set(tokens.map(({ address }) => address))
  const still = before.flatMap((flaw) => {
    const again = found.get(flaw.address)
    if (again) return flaw.code === again.code && !flaw.passedAt ? flaw : again
    if (flaw.code === 'TOKEN_WITHOUT_DECIMALS' && readable.has(flaw.address)) return []
    if (!sound.has(flaw.address)) return flaw
    const passedAt = [...new Set([...(flaw.passedAt ?? []), Number(block)])]
    return passedAt.length < PASSES ? { ...flaw, passedAt } : []
  })
  const known = new Set(before.map(({ address }) => address))
  const after = [...still, ...flaws.filter(({ address }) => !known.has(address))]
  const isSame = after.length === before.length && after.every((flaw, i) => flaw === before[i])
  return isSame ? before : after
}

function withoutDecimals(address: Address): TokenFlaw {
  const message = `token ${address} does not return its decimals`
  return { address, code: 'TOKEN_WITHOUT_DECIMALS', message }
}

/** Pools that can be traded, and the others with the reason. */
export type Split = { readonly pools: readonly Pool[]; readonly setAside: readonly SetAside[] }

/**
 * Splits pools into tradable ones and those set aside, because of a token or without liquidity. A
 * pool that is set aside as empty is read again when it emits a log.
 *
 * A pool may name the native token's placeholder as a token: a factory accepts any address. No
 * contract is there, so a pool can price the placeholder but nobody can pay it in.
 */
export function splitUsable(pools: Iterable<Pool>, flawed: readonly TokenFlaw[]): Split {
  const flaws = new Map(flawed.map((flaw) => [flaw.address, flaw]))
  const kept: Pool[] = []
  const setAside: SetAside[] = []
  for (const pool of pools) {
    const { id, venue } = pool
    const flaw = pool.tokens.map((token) => flaws.get(token)).find((found) => found !== undefined)
    if (pool.family !== 'wrap' && pool.tokens.includes(NATIVE)) {
      const message = `pool ${id} names the native token's placeholder, which has no contract`
      setAside.push({ id, venue, code: 'POOL_FORM_UNKNOWN', message })
    } else if (flaw) {
      setAside.push({ id, venue, code: flaw.code, message: `${flaw.message}, in pool ${id}` })
    } else if (isEmpty(pool)) {
      setAside.push({ id, venue, code: 'POOL_EMPTY', message: `pool ${id} has no liquidity` })
    } else kept.push(pool)
  }
  return { pools: kept, setAside }
}

/** The tokens of a market that can be tested, those that failed too. */
export function tokensIn({
  state: { snapshot },
  trust,
}: Pick<Market, 'state' | 'trust'>): readonly Address[] {
  const failed = trust.flawed.filter(({ code }) => code !== 'TOKEN_WITHOUT_DECIMALS')
  return [...snapshot.tokens, ...failed]
    .map(({ address }) => address)
    .filter((address) => address !== NATIVE && address !== snapshot.wrappedNative)
}

/** A snapshot without the tokens of no pool: one that comes back is tested again. */
export function dropUnusedTokens(snapshot: Snapshot): Snapshot {
  const used = new Set(snapshot.pools.flatMap((pool) => pool.tokens))
  return { ...snapshot, tokens: snapshot.tokens.filter(({ address }) => used.has(address)) }
}
