import type { Address, Pool, Token } from '@braid-swap/core'
import type { Client } from './client.js'
import type { Header } from './headers.js'
import type { SetAside } from './market.js'
import { findFlaws, type TokenFlaw } from './tokenFlaws.js'
import { readDecimals } from './tokens.js'

/** Tokens that can be traded, with their decimals, and those that cannot, with the reason. */
export type KnownTokens = {
  readonly tokens: readonly Token[]
  readonly flawed: readonly TokenFlaw[]
}

/** What is to be known of the pools' tokens that are not among `known`, one entry a token. */
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
    /** Taken as sound: without it there is no market. */
    readonly wrappedNative: Address
  },
): Promise<KnownTokens> {
  const have = new Set(known.map(({ address }) => address))
  const wanted = new Set(pools.flatMap((pool) => pool.tokens))
  const asked = [...wanted].filter((id) => !have.has(id)).sort()
  const tokens = await readDecimals(client, asked, header)
  const told = new Set(tokens.map(({ address }) => address))
  const mute = asked.filter((address) => !told.has(address)).map(withoutDecimals)
  const tried = [...told].filter((address) => address !== wrappedNative)
  const flaws = await findFlaws(client, tried, { pools, header })
  const flawed = new Set(flaws.map(({ address }) => address))
  return {
    tokens: tokens.filter(({ address }) => !flawed.has(address)),
    flawed: [...mute, ...flaws],
  }
}

function withoutDecimals(address: Address): TokenFlaw {
  const message = `token ${address} does not tell its decimals`
  return { address, code: 'TOKEN_WITHOUT_DECIMALS', message }
}

/** The pools that can be traded in, and the others with the reason: a token of theirs, or nothing in them. */
export function splitUsable(
  pools: Iterable<Pool>,
  flawed: readonly TokenFlaw[],
): { readonly pools: readonly Pool[]; readonly setAside: readonly SetAside[] } {
  const flaws = new Map(flawed.map((flaw) => [flaw.address, flaw]))
  const kept: Pool[] = []
  const setAside: SetAside[] = []
  for (const pool of pools) {
    const { id, venue } = pool
    const flaw = pool.tokens.map((token) => flaws.get(token)).find((found) => found !== undefined)
    if (flaw) {
      setAside.push({ id, venue, code: flaw.code, message: `${flaw.message}, in pool ${id}` })
    } else if (isEmpty(pool)) {
      setAside.push({ id, venue, code: 'POOL_EMPTY', message: `pool ${id} holds no liquidity` })
    } else kept.push(pool)
  }
  return { pools: kept, setAside }
}

/** Whether there is nothing to swap with: such a pool is looked at again when it logs anything. */
function isEmpty(pool: Pool): boolean {
  if ('ticks' in pool) return pool.ticks.length === 0
  return 'reserves' in pool && pool.reserves.every((reserve) => reserve === 0n)
}
