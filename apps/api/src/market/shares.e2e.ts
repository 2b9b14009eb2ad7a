// The part of the pools that is served, on a chain with pools refused for three reasons: every answer and metric tells
// the same.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeShares } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createMetrics } from '../http/metrics.js'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'
import type { LiquiditySourcesBody, ReadyBody } from '../wire/responses.js'

const REFUSED = 'devnet-v2a'
const createPair = (...args: readonly [Address, Address]) =>
  encodeFunctionData({ abi: parseAbi(['function createPair(address, address)']), args })

let all: DevnetApi
let api: DevnetApi
let folder: string

beforeAll(async () => {
  all = await startDevnetApi()
  const { devnet } = all
  const [usdt, ubtc, usdc] = ['USD₮0', 'UBTC', 'USDC'].map(
    (name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address,
  ) as [Address, Address, Address]
  const joe = devnet.venues.find(({ id }) => id === 'devnet-joev2')!
  // A pair without liquidity.
  await devnet.client.request({
    method: 'eth_sendTransaction',
    params: [
      {
        from: devnet.wallet.address,
        to: joe.factory,
        data: createPair(ubtc, usdc),
        gasPrice: '0x3b9aca00',
      },
    ],
  } as never)
  await devnet.mine()
  folder = await mkdtemp(join(tmpdir(), 'braid-shares-'))
  const tokenListFile = join(folder, 'list.json')
  const listed = { chainId: 999, symbol: 'USD₮0', name: 'USD₮0', decimals: 6, address: usdt }
  const extensions = { unsupported: 'its issuer may take it back' }
  await writeFile(tokenListFile, JSON.stringify({ tokens: [{ ...listed, extensions }] }))
  // Its pairs are no pairs of Camelot: none of them can be read.
  const venues = devnet.venues.map((venue) =>
    venue.id === REFUSED
      ? { id: venue.id, family: 'camelot' as const, factory: venue.factory }
      : venue,
  )
  api = await startDevnetApi({ devnet, venues, tokenListFile })
  await vi.waitFor(() => expect(api.market.shares!()[0]!.held).toBeDefined(), { timeout: 20_000 })
}, 120_000)
afterAll(async () => {
  await api?.stop()
  await all?.stop()
  await rm(folder, { recursive: true })
})

it('every surface has the same figures, and the venue that is refused is loud', async () => {
  const shares = api.market.shares!()
  const reasons = new Set(shares.flatMap(({ refused }) => Object.keys(refused)))
  expect([...reasons].sort()).toEqual([...['POOL_CALL_FAILED', 'POOL_EMPTY', 'TOKEN_UNSUPPORTED']])
  const ready = (await api.get<ReadyBody>('/readyz')).body
  expect(ready.coverage).toBe(describeShares(shares))
  const sources = (await api.get<LiquiditySourcesBody>('/swap/v1/999/liquidity-sources')).body
  const text = await createMetrics(api.market, () => 0).registry.metrics()
  for (const { venue, pools, served, refused } of shares) {
    const shown = ready.shares.find(({ exchange }) => exchange === venue)!
    expect(shown).toMatchObject({ pools, served, refused, isRefused: venue === REFUSED })
    const source = sources.protocols.find(({ id }) => id === venue)!
    expect(source.pools).toBe(served)
    expect({ exchange: venue, ...source.share }).toEqual(shown)
    // Every venue of the chain is of published bytecode; the refused one is said to be another family.
    expect(source.judges).toContain(venue === REFUSED ? 'rows' : 'bytecode')
    const line = (outcome: string) => `braid_venue_pools{venue="${venue}",outcome="${outcome}"}`
    expect(text).toContain(`${line('served')} ${served}\n`)
    for (const [reason, count] of Object.entries(refused)) {
      expect(text).toContain(`${line(reason)} ${count}\n`)
    }
  }
})
