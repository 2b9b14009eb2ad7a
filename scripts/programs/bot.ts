// A bot in ten lines: follows a market and quotes each block. It stops after three.
import { checkVenues, createClient, followMarket, loadSnapshot } from '@braid-swap/chain'
import { buildGraph, NATIVE, quote } from '@braid-swap/core'
import { demo, usdc } from './demo.js'

const client = createClient(demo.rpcUrl)
const venues = checkVenues(demo.venues)
const start = await loadSnapshot(client, { venues, wrappedNative: demo.wrappedNative })
const stop = new AbortController()
let count = 0
await followMarket({
  ...{ client, venues, start, pollMs: 100, signal: stop.signal },
  onSnapshot: ({ state: { snapshot } }) => {
    const order = { tokenIn: NATIVE, tokenOut: usdc, amountIn: 10n ** 18n }
    console.log(`${snapshot.block.number}: ${quote(buildGraph(snapshot), order).amountOut}`)
    if (++count === 3) stop.abort()
  },
  onError: (error) => {
    throw error
  },
})
