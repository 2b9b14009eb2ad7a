// A node whose receipts share the fault of its logs, alone, so that nobody contradicts it: no answer is wrong, or each
// says that states are unproved.
import type { wire } from '@braid-swap/api'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { NATIVE } from '@braid-swap/core'
import { createRandom, type Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { type Rule, startRuledNode } from '@braid-swap/worlds/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkSwap } from './sample.js'

const VENUES = ['devnet-v2a', 'devnet-v3b']
const BOUGHT = ['USDC', 'USD₮0', 'UBTC', 'UETH']
const [BLOCKS, ORDERS] = [4, 4]
const NO_BLOOM = `0x${'0'.repeat(512)}`

type Logs = readonly { readonly blockNumber: string }[]
type Receipts = readonly { readonly logs: Logs }[]
type Lie = {
  readonly keep: (logs: Logs) => Logs
  readonly header?: object
  readonly isEmpty?: true
}

const half = (logs: Logs) => logs.slice(0, Math.max(1, logs.length >> 1))
const lies: Readonly<Record<string, Lie>> = {
  halved: { keep: half },
  'without their tail': { keep: (logs) => logs.slice(0, -2) },
  'halved, under a bloom of zero': { keep: half, header: { logsBloom: NO_BLOOM } },
  'absent, as the header is before its body': {
    ...{ keep: () => [], isEmpty: true },
    header: { logsBloom: NO_BLOOM, transactions: [] },
  },
}

let devnet: Devnet
beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

/** The logs of each block without those that a lie leaves out. */
const inEachBlock = (logs: Logs, { keep }: Lie) =>
  [...new Set(logs.map(({ blockNumber }) => blockNumber))].flatMap((at) =>
    keep(logs.filter(({ blockNumber }) => blockNumber === at)),
  )

function withoutSome(receipts: Receipts, { keep, isEmpty }: Lie): Receipts {
  const kept = new Set(keep(receipts.flatMap(({ logs }) => logs)))
  if (isEmpty) return []
  return receipts.map((one) => ({ ...one, logs: one.logs.filter((log) => kept.has(log)) }))
}

/** Orders of a block that the node does not pay to the wei although nothing says so. */
async function wrong(api: DevnetApi): Promise<readonly unknown[]> {
  const tokens = devnet.tokens.flatMap(({ symbol, address }) =>
    BOUGHT.includes(symbol) ? [address] : [],
  )
  const random = createRandom(1)
  const found: unknown[] = []
  const params = { src: NATIVE, dst: tokens[0]!, amount: `${10n ** 18n}`, includeMeta: 'true' }
  const { body } = await api.get<wire.QuoteBody>('/swap/v1/999/quote', params)
  const isSaid = body.meta!.warnings.some(({ code }) => code === 'STATE_UNPROVED')
  for (let i = 0; i < ORDERS; i++) {
    const world = { devnet, apiKey: api.apikey }
    const swap = await checkSwap({ world, url: api.url, tokens, random })
    if ('refusal' in swap || (swap.isWrong && !isSaid)) found.push(swap)
  }
  return found
}

it.each([undefined, 100])(
  'no answer is wrong without a word, at %s requests a minute',
  async (perMinute) => {
    let lie: Lie | undefined
    let lied = 0
    const rule: Rule = async (ask, method) => {
      const answer = await ask()
      if (!lie) return answer
      if (/Logs|Receipts/.test(method)) lied += 1
      if (method === 'eth_getLogs') return inEachBlock(answer as Logs, lie)
      if (method === 'eth_getBlockReceipts') return withoutSome(answer as Receipts, lie)
      return method === 'eth_getBlockByNumber' ? { ...(answer as object), ...lie.header } : answer
    }
    const node = await startRuledNode(devnet.rpcUrl, rule)
    const api = await startDevnetApi({
      ...{ devnet, rpcUrls: [node.url] },
      venues: devnet.venues.filter(({ id }) => VENUES.includes(id)),
      ...(perMinute !== undefined && { rpcRequestsPerMinute: perMinute }),
    })
    try {
      for (const [name, one] of Object.entries(lies)) {
        ;[lie, lied] = [one, 0]
        for (let i = 0; i < BLOCKS; i++) {
          await devnet.trade(4)
          await devnet.mine()
          await api.catchUp()
          expect([name, await wrong(api)]).toEqual([name, []])
        }
        expect(lied).toBeGreaterThan(0)
      }
    } finally {
      await api.stop()
      await node.stop()
    }
  },
)
