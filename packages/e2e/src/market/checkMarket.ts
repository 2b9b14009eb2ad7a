import { type Address, NATIVE, quote } from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { expect } from 'vitest'
import { gainsBetweenPools, loadMarket, lossOfRoundTrip, tokensOf, tradeBlocks } from './measure.js'

const ONE_HYPE = 10n ** 18n

/** The demo's trader does this in a block. */
const SWAPS_PER_BLOCK = 2

/**
 * Two pools of 0.3 % there and back are the most that a liquid token may cost; the orders are too
 * small for an impact that shows.
 */
const MAX_LOSS = 0.006

/** HYPE, WHYPE, at most one token between, and the token that is bought. */
const MAX_TOKENS = 4

/** Tokens with a deep pool against WHYPE. */
const LIQUID = ['USDC', 'USD₮0', 'UBTC', 'UETH', 'PURR', 'UPUMP']

/**
 * Trades a new devnet for so many blocks and expects that it is still a market: no two pools of a
 * pair give a gain, HYPE is bought and sold for its fees, and small orders take short routes.
 */
export async function checkTradedMarket(blocks: number): Promise<void> {
  const devnet = await borrowDevnet()
  try {
    await tradeBlocks(devnet, blocks, SWAPS_PER_BLOCK)
    const market = await loadMarket(devnet)
    expect(gainsBetweenPools(devnet, market)).toEqual([])
    for (const symbol of LIQUID) {
      const token = addressOf(devnet, symbol)
      const loss = lossOfRoundTrip(market, [NATIVE, token], ONE_HYPE)
      expect(loss, `HYPE to ${symbol} and back`).toBeGreaterThan(0)
      expect(loss, `HYPE to ${symbol} and back`).toBeLessThan(MAX_LOSS)
      const bought = quote(market, { tokenIn: NATIVE, tokenOut: token, amountIn: ONE_HYPE })
      expect(tokensOf(bought).size, `tokens from HYPE to ${symbol}`).toBeLessThanOrEqual(MAX_TOKENS)
    }
  } finally {
    await devnet.stop()
  }
}

function addressOf(devnet: Devnet, symbol: string): Address {
  return devnet.tokens.find((token) => token.symbol === symbol)!.address
}
