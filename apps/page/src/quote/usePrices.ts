import { type Braid, UnreachableError } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import type { Prices } from '../order/valuation.js'
import { useRead } from '../useRead.js'

const EVERY_MS = 15_000

/** Polls the dollar prices of some tokens: the mean of the buy and the sell price. */
export function usePrices(braid: Braid, wanted: readonly Address[]): Prices {
  const tokens = [...new Set(wanted)].sort()
  const read = async (signal: AbortSignal) => {
    const found = await Promise.all(tokens.map((token) => readPrice(braid, token, signal)))
    return new Map(found.flat())
  }
  return useRead(tokens.join(' '), read, EVERY_MS) ?? noPrices
}

const noPrices: Prices = new Map()

/** Reads a price. A missing price is not an error: the page then shows none. */
async function readPrice(
  braid: Braid,
  address: Address,
  signal: AbortSignal,
): Promise<readonly (readonly [Address, number])[]> {
  try {
    const { buyPriceUsd, sellPriceUsd } = await braid.token(address, { signal })
    const known = [buyPriceUsd, sellPriceUsd].filter((price) => price !== null)
    if (known.length === 0) return []
    return [[address, known.reduce((sum, price) => sum + price, 0) / known.length]]
  } catch (error) {
    if (error instanceof UnreachableError) throw error
    return []
  }
}
