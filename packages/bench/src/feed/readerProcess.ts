// A reader in a process of its own: loads the market from Redis, follows it, and tells its parent when
// it has given the first certified quote on each block.

import type { Graph, Order } from '@braid-swap/core'
import { createRedisFeed, followFeed } from '@braid-swap/feed'
import { machineMs, quoteNext } from './path.js'

/** What a reader tells: the block that it quotes on and when, and its own figures. */
export type ReaderSays = {
  readonly block: string
  readonly atMs: number
  /** From the start of the load to the first quote; with the first block only. */
  readonly loadMs?: number
  readonly residentMb: number
  readonly traffic: { readonly commands: number; readonly bytesIn: number }
}

const [url = '', chainId = '', tokenIn = '', tokenOut = '', amountIn = ''] = process.argv.slice(2)
const order = { tokenIn, tokenOut, amountIn: BigInt(amountIn) } as Order
const feed = createRedisFeed({ url, chainId: Number(chainId) })
const ending = new AbortController()
const startMs = machineMs()
let graph: Graph | undefined

process.once('disconnect', () => {
  ending.abort()
  feed.close()
})

await followFeed(feed, {
  signal: ending.signal,
  onError: (error) => console.error(error),
  onMarket: ({ snapshot }) => {
    const isFirst = graph === undefined
    graph = quoteNext(snapshot, order, graph)
    const atMs = machineMs()
    const { commands, bytesIn } = feed.traffic()
    const says: ReaderSays = {
      ...{ block: `${snapshot.block.number}`, atMs, traffic: { commands, bytesIn } },
      residentMb: process.memoryUsage.rss() / 2 ** 20,
      ...(isFirst && { loadMs: atMs - startMs }),
    }
    process.send!(says)
  },
})
