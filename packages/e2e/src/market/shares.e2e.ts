// The part of the pools that is served, on one market with pools refused for three reasons: `braid doctor`, `/readyz`,
// metrics, `/liquidity-sources` and the page have the same figures.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { wire } from '@braid-swap/api'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import type { Finding, Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import {
  type Chain,
  createTokens,
  type Devnet,
  deployRouter,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  mintCalls,
  sortTokens,
  startChain,
  toSqrtPriceX96,
} from '@braid-swap/devnet'
import { createV2Pool, createV3Pool, freePort } from '@braid-swap/devnet/testing'
import { runProgram } from 'braid'
import { Window } from 'happy-dom'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const E18 = 10n ** 18n
const makers = parseAbi([
  'function createPair(address, address)',
  'function createPool(address, address, uint24)',
  'function getPool(address, address, uint24) view returns (address)',
])

/** The figures of a venue that every surface must have. */
type Share = {
  readonly pools: number
  readonly served: number
  readonly heldPercent: number
  readonly refused: Readonly<Record<string, number>>
}
/** A pool without liquidity; one without a price, that was given as much as the other holds; a family that is wrong. */
const SHARES: Readonly<Record<string, Share>> = {
  pairs: { pools: 3, served: 2, heldPercent: 100, refused: { POOL_EMPTY: 1 } },
  ranged: { pools: 2, served: 1, heldPercent: 50, refused: { POOL_NOT_INITIALISED: 1 } },
  wrong: { pools: 2, served: 0, heldPercent: 0, refused: { POOL_CALL_FAILED: 2 } },
}
const SENTENCE =
  '3 of 7 known pools are served, 50 % of what pools hold; none of 2 of wrong (2 POOL_CALL_FAILED)'

let chain: Chain
let api: DevnetApi
let venues: readonly Venue[]
let folder: string
let metricsPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-shares-'))
  chain = await startChain()
  venues = await createVenues()
  metricsPort = await freePort()
  const devnet = { ...chain, ...(await deployRouter(chain)), venues } as unknown as Devnet
  api = await startDevnetApi({ devnet, metricsPort })
  await vi.waitFor(() => expect(api.market.shares!()[0]!.held).toBeDefined(), { timeout: 60_000 })
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await api?.stop()
  await chain?.stop()
  await rm(folder, { recursive: true })
})

async function createVenues(): Promise<readonly Venue[]> {
  const { deployer: from, wrappedNative: hype } = chain
  const tokens = await createTokens(
    chain,
    ['AAA', 'BBB', 'CCC'].map((symbol) => ({ symbol, name: symbol, decimals: 18 })),
  )
  const [a, b, c] = tokens.map(({ address }) => address) as [Address, Address, Address]
  const pairs = await deployUniswapV2(chain, 'pairs')
  const wrong = await deployUniswapV2(chain, 'wrong')
  const ranged = await deployUniswapV3(chain, 'ranged')
  for (const v2 of [pairs, wrong]) {
    for (const tokens of [sortTokens(hype, a), sortTokens(hype, b)]) {
      await createV2Pool(chain, v2, { tokens, amounts: [E18, E18] })
    }
  }
  await createV3Pool(chain, ranged, {
    ...{ tokens: sortTokens(hype, a), feePpm: 3000, sqrtPriceX96: toSqrtPriceX96(1) },
    positions: [{ ...fullRange(60), liquidity: E18 }],
  })
  const make = { from, gas: 6_000_000n, label: 'create a pool' }
  const [pair, pool] = [[b, c] as const, [hype, a, 500] as const]
  await chain.execute([
    {
      ...make,
      to: pairs.factory,
      data: encodeFunctionData({ abi: makers, functionName: 'createPair', args: pair }),
    },
    {
      ...make,
      to: ranged.factory,
      data: encodeFunctionData({ abi: makers, functionName: 'createPool', args: pool }),
    },
  ])
  const to = await chain.client.readContract({
    ...{ address: ranged.factory, abi: makers, functionName: 'getPool', args: pool },
  })
  // A little less, so that the other pool holds no less than a half.
  const amount = E18 - 10n ** 12n
  await chain.execute([hype, a].flatMap((token) => mintCalls(from, { token, to, amount })))
  return [pairs.venue, ranged.venue, { ...wrong.venue, family: 'camelot' }]
}

/** What `braid doctor` says of each venue. */
async function sharesOfDoctor(): Promise<unknown> {
  const file = join(folder, 'venues.json')
  await writeFile(file, stringify(venues))
  const out: string[] = []
  await runProgram(['doctor', '--rpc', chain.rpcUrl, '--venues', file, '--json'], {
    ...{ out: (text) => void out.push(text), err: () => {}, env: {} },
    paint: { strong: String, faint: String },
  })
  const { findings } = JSON.parse(out[0]!) as { readonly findings: readonly Finding[] }
  const read = findings.filter(({ check }) => check === 'pools read')
  expect(read.map(({ holds }) => holds)).toEqual([true, true, false])
  return Object.fromEntries(
    read.map(({ subject, found }) => {
      const [, served, pools, held = 100] =
        /^(\d+) of (\d+)(?:, ([\d.]+) % of what they hold)?/.exec(found)!
      const refused = [...found.matchAll(/; (\d+) ([A-Z_]+)/g)].map(([, n, code]) => [
        code,
        Number(n),
      ])
      const counts = { pools: Number(pools), served: Number(served), heldPercent: Number(held) }
      return [subject, { ...counts, refused: Object.fromEntries(refused) }]
    }),
  )
}

/** What the metrics say of each venue. */
async function sharesOfMetrics(): Promise<unknown> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const valuesOf = (name: string, venue: string) => {
    const lines = text.matchAll(RegExp(`^${name}\\{venue="${venue}",outcome="(.*)"\\} (.*)$`, 'gm'))
    const values = [...lines].map(([, outcome, value]) => [outcome!, Number(value)] as const)
    return Object.fromEntries(values)
  }
  expect(text).toContain('\nbraid_venue_state{venue="wrong",state="refused"} 1\n')
  return Object.fromEntries(
    venues.map(({ id }) => {
      const { served, ...refused } = valuesOf('braid_pools', id)
      const pools = Object.values(refused).reduce((sum, n) => sum + n, served!)
      return [id, { pools, served, refused }]
    }),
  )
}

/** The sentence on the page, which asks the API as a browser does. */
async function sentenceOfPage(): Promise<string> {
  const [{ document }, ask] = [new Window(), fetch]
  vi.stubGlobal('document', document)
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => ask(new URL(path, api.url), init))
  // Another program of the compiler has its types.
  const page = '../../../../apps/page/src'
  const { shown } = await import(`${page}/testing/shown.ts`)
  const { Coverage } = await import(`${page}/route/coverage.tsx`)
  const { h } = await import(`${page}/../node_modules/preact/dist/preact.mjs`)
  const { root } = await shown(h(Coverage, {}))
  await vi.waitFor(() => expect(root.textContent).not.toBe(''))
  expect(root.querySelector('.warning')).not.toBeNull()
  return root.textContent
}

it('every surface has the same figures, and the venue that is refused is loud', async () => {
  expect(await sharesOfDoctor()).toEqual(SHARES)
  const counts = Object.entries(SHARES).map(([id, { heldPercent: _, ...rest }]) => [id, rest])
  expect(await sharesOfMetrics()).toEqual(Object.fromEntries(counts))
  const answered = Object.entries(SHARES).map(([id, share]) => [
    ...[id, { ...share, isRefused: share.served === 0 }],
  ])
  const ready = (await api.get<wire.ReadyBody>('/readyz')).body
  expect(ready.shares.map(({ exchange, ...share }) => [exchange, share])).toEqual(answered)
  expect([ready.coverage, await sentenceOfPage()]).toEqual([SENTENCE, SENTENCE])
  const { protocols } = (await api.get<wire.LiquiditySourcesBody>('/swap/v1/999/liquidity-sources'))
    .body
  expect(protocols.map(({ id, share }) => [id, share])).toEqual(answered)
  // Pairs and pools are of published bytecode; the venue that is refused is said to be another family.
  expect(protocols.map(({ judges }) => judges)).toEqual([['bytecode'], ['bytecode'], ['rows']])
})
