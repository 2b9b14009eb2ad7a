import { type Braid, UnreachableError } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import type { Prices } from './valuation.js'

const EVERY_MS = 15_000

/** Polls the dollar prices of some tokens: the mean of the buy and the sell price. */
export function usePrices(braid: Braid, wanted: readonly Address[]): Prices {
  const [prices, setPrices] = useState<Prices>(new Map())
  const key = [...new Set(wanted)].sort().join(' ')
  // The key stands for the tokens, because effects compare arrays by identity.
  useEffect(() => {
    const stop = new AbortController()
    const read = async () => {
      const found = await Promise.all(
        key.split(' ').map((token) => readPrice(braid, token as Address, stop.signal)),
      )
      if (!stop.signal.aborted) setPrices(new Map(found.flat()))
    }
    const ask = () => {
      if (!document.hidden) read().catch(() => {})
    }
    ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [braid, key])
  return prices
}

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
