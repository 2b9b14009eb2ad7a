// A venue of one's own, as data: its pools are found and loaded from a node by a client of viem's own.
import { checkVenues, loadSnapshot, servedSnapshot, type Venue } from '@braid-swap/chain'
import { buildGraph, NATIVE, quote } from '@braid-swap/core'
import { createPublicClient, http } from 'viem'
import { hyperEvm } from 'viem/chains'
import { demo, usdc } from './demo.js'

const fork = demo.venues.find(({ family }) => family === 'uniswapV2')
const venue = { id: 'my-fork', family: 'uniswapV2', factory: fork?.factory, feePpm: 3_000 }
const venues: readonly Venue[] = checkVenues([venue])
// @ts-expect-error a venue is of a family that can be loaded
const none: Venue['family'] = 'nobodys'
try {
  checkVenues([{ ...venue, family: none }])
  throw new Error('a family that nothing loads was accepted')
} catch (error) {
  if ((error as { code?: string }).code !== 'BAD_VENUES') throw error
}

const client = createPublicClient({ chain: hyperEvm, transport: http(demo.rpcUrl) })
const { wrappedNative } = demo
const market = await loadSnapshot(client, { venues, wrappedNative })
const graph = buildGraph(servedSnapshot(market))
const { amountOut } = quote(graph, { tokenIn: NATIVE, tokenOut: usdc, amountIn: 10n ** 18n })
const { pools, block } = market.state.snapshot
if (!pools.some((pool) => pool.venue === 'my-fork')) throw new Error('no pool of the venue')
console.log(`${pools.length} pools at block ${block.number}: ${amountOut} units for one coin`)
