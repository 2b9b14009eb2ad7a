// The blocks of a chain in turn, each with the market of the block before it: from the past where the node keeps its
// states, else from now on.

import {
  advanceMarket,
  type BlockTransaction,
  type Client,
  type Header,
  probeEndpoints,
  readHeader,
  readTransactions,
  steadyMs,
  type Venue,
  watchHeads,
} from '@braid-swap/chain'
import { numberToHex } from 'viem'
import { ownChain } from '../ownChain.js'
import { loadVenues } from '../sources/marketSource.js'
import type { Terminal } from '../terminal.js'
import { changesOf, needsValue } from './changes.js'
import type { TradedBlock } from './judgeBlock.js'

/** The blocks to read, and what is followed meanwhile. */
export type Wanted = { readonly venues: readonly Venue[]; readonly blocks: number }

/** Yields so many blocks, oldest first. Throws as the node does. */
export async function* tradedBlocks(
  client: Client,
  { venues, blocks }: Wanted,
  terminal: Terminal,
): AsyncGenerator<Omit<TradedBlock, 'ownRouter'>> {
  const [profile] = await probeEndpoints(client)
  const head = await readHeader(client, 'latest')
  const count = BigInt(blocks)
  const isPast = profile?.pastState === 'pinned'
  if (!isPast) terminal.err(`the node keeps no past state: ${blocks} blocks from now on`)
  const block = head.number > count ? head.number - count : 0n
  const first = await loadVenues(client, { venues, ...(isPast && { block }) }, terminal)
  let market = first
  for await (const header of headersAfter(client, first.state.snapshot.block.number, blocks)) {
    const settled = await readTransactions(client, header, venues)
    const known = market
    const isBefore = known.state.snapshot.block.hash === header.parentHash
    const weiOf = await readValues(client, header, settled)
    yield {
      ...{ number: header.number, settled, weiOf, known, venues },
      ...(isBefore && { before: known }),
    }
    // A node that keeps no past state may have brought the market beyond this block.
    if (known.state.snapshot.block.number >= header.number) continue
    const head = { header, receivedAtMs: steadyMs() }
    market = await advanceMarket(client, known, { head, venues, guard: ownChain().guard })
  }
}

async function* headersAfter(client: Client, first: bigint, count: number): AsyncGenerator<Header> {
  const stopping = new AbortController()
  const last = first + BigInt(count)
  let next = first + 1n
  try {
    for await (const { header } of watchHeads(client, { signal: stopping.signal })) {
      for (; next <= header.number && next <= last; next++) {
        yield next === header.number ? header : await readHeader(client, next)
      }
      if (next > last) return
    }
  } finally {
    stopping.abort()
  }
}

/** The values of a block's transactions; not read where no swap needs one. */
async function readValues(client: Client, header: Header, settled: readonly BlockTransaction[]) {
  const isNeeded = settled.some((tx) => needsValue(tx, changesOf(tx, ownChain().wrapped.address)))
  const block = isNeeded
    ? await client.request({
        ...{ method: 'eth_getBlockByNumber', params: [numberToHex(header.number), true] },
      })
    : undefined
  const values = new Map<string, bigint>()
  for (const one of block?.transactions ?? []) {
    if (typeof one !== 'string') values.set(one.hash, BigInt(one.value))
  }
  return (transaction: string) => values.get(transaction) ?? 0n
}
