/** The order of tokens in the picker: held ones by their worth, then common ones, then all others. */
import type { Address } from '@braid-swap/core'
import { type PageToken, toFloat } from '../format.js'

/** What the picker knows besides the tokens. */
export type Picks = {
  /** The native token and those that most people trade, the most common first. */
  readonly common: readonly Address[]
  /** Reads the payer's balance in wei; undefined without a payer. */
  readonly balanceOf: ((token: Address) => Promise<bigint>) | undefined
}

/** More requests at once would annoy a wallet's node. */
const MAX_READ = 24

/** The balances above zero of the tokens that are worth a look: common ones, then verified ones. */
export async function readHeld(
  tokens: readonly PageToken[],
  { common, balanceOf }: Picks,
): Promise<ReadonlyMap<Address, bigint>> {
  if (!balanceOf) return new Map()
  const asked = sortPicks(tokens, { common, held: new Map() })
    .filter(({ verified }) => verified)
    .slice(0, MAX_READ)
  const read = await Promise.all(
    asked.map(async ({ address }) => [address, await balanceOf(address).catch(() => 0n)] as const),
  )
  return new Map(read.filter(([, balance]) => balance > 0n))
}

/** Sorts tokens; those of equal rank stay as they are. Anyone can send a token, so only verified ones rise. */
export function sortPicks(
  tokens: readonly PageToken[],
  of: { readonly common: readonly Address[]; readonly held: ReadonlyMap<Address, bigint> },
): readonly PageToken[] {
  const worth = ({ address, decimals, verified, sellPriceUsd }: PageToken) =>
    verified ? toFloat(of.held.get(address) ?? 0n, decimals) * (sellPriceUsd ?? 0) : 0
  const rank = ({ address, verified }: PageToken) => {
    if (verified && of.held.has(address)) return -1
    const at = of.common.indexOf(address)
    return at < 0 ? of.common.length : at
  }
  return [...tokens].sort((a, b) => rank(a) - rank(b) || worth(b) - worth(a))
}
