import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import type { Devnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../testing/runCli.js'

/** The first buys nothing. */
const AMOUNTS = '0.000000000000000001,1,2500'

let devnet: Devnet
let api: DevnetApi
let folder: string
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-cli-api-'))
  api = await startDevnetApi()
  ;({ devnet } = api)
  env = { BRAID_API_KEY: api.apikey }
})
afterAll(async () => {
  await api?.stop()
  await rm(folder, { recursive: true })
})

const run = (...words: readonly string[]) => runCli(words, env)
const order = (tokenIn: string, tokenOut: string, amount: string) => [
  ...['--in', tokenIn, '--out', tokenOut, '--amount', amount, '--json'],
]

describe('braid and an API', () => {
  it('saves the market: offline the same order gives the same quote, to the wei', async () => {
    const file = join(folder, 'market.json')
    const taken = await run('snapshot', '--api', api.url, '--out', file)
    expect([taken.code, taken.out]).toEqual([0, expect.stringContaining('pools at block')])
    const orders = [
      order('HYPE', 'USDC', '2500'),
      order('USDC', 'HYPE', '1000'),
      order('UETH', 'PURR', '0.3'),
      order('usdt0', 'UBTC', '12345.678'),
    ]
    for (const words of orders) {
      const online = await run('quote', '--api', api.url, ...words)
      const offline = await run('quote', '--snapshot', file, ...words)
      expect([online.code, offline.code]).toEqual([0, 0])
      const [asked, computed] = [JSON.parse(online.out), JSON.parse(offline.out)]
      expect(computed.block).toBe(asked.block)
      expect(computed.amountOut).toBe(asked.amountOut)
    }
    const ladder = ['curve', '--in', 'HYPE', '--out', 'USDC', '--amounts', AMOUNTS, '--json']
    const online = await run(...ladder, '--api', api.url)
    expect([online.code, JSON.parse(online.out).points.length]).toEqual([0, 3])
    expect(online.out).toBe((await run(...ladder, '--snapshot', file)).out)
    const alone = ['compare', ...order('HYPE', 'USDC', '2500'), '--limit', '50']
    const { pools } = JSON.parse((await run(...alone, '--api', api.url)).out)
    expect(pools[0].venue).toMatch(/^devnet-/)
    expect(JSON.parse((await run(...alone, '--snapshot', file)).out).pools).toEqual(
      expect.arrayContaining(pools),
    )
  })

  it('replays an earlier quote from its snapshotId, with the same bytes each time', async () => {
    const [src, dst] = ['UETH', 'USDC'].map(
      (s) => devnet.tokens.find((t) => t.symbol === s)!.address,
    )
    const amount = '300000000000000000'
    const { body: quoted } = await api.get<{ dstAmount: string; meta: { snapshotId: string } }>(
      '/swap/v1/999/quote',
      { src: src!, dst: dst!, amount, includeMeta: 'true' },
    )
    await devnet.trade(20)
    await devnet.mine()
    await api.catchUp()

    const file = join(folder, 'then.json')
    const words = ['--api', api.url, '--id', quoted.meta.snapshotId, '--out', file]
    expect(await run('snapshot', ...words)).toMatchObject({ code: 0 })
    const ends = ['--in', src!, '--out', dst!, '--amount-wei', amount]
    const replayed = () => run('quote', '--snapshot', file, ...ends, '--json')
    const [first, second] = [await replayed(), await replayed()]
    expect(JSON.parse(first.out).amountOut).toBe(quoted.dstAmount)
    expect(second.out).toBe(first.out)

    const gone = ['--api', api.url, '--id', `s1_${'a'.repeat(52)}`, '--out', file]
    const refused = await run('snapshot', ...gone)
    expect([refused.code === 0, refused.err]).toEqual([
      false,
      expect.stringContaining('STATE_NOT_RETAINED'),
    ])
  })

  it('saves the token names beside the market, as on the chain', async () => {
    const named = JSON.parse(await readFile(join(folder, 'tokens.json'), 'utf8'))
    for (const { address, symbol, decimals } of devnet.tokens) {
      expect(named).toContainEqual(expect.objectContaining({ address, symbol, decimals }))
    }
  })

  it('resolves symbols without a token file, and refuses unknown ones', async () => {
    const swap = await run('swap', '--api', api.url, ...order('USDC', 'HYPE', '5'))
    expect([swap.code, JSON.parse(swap.out).tx.to.toLowerCase()]).toEqual([0, devnet.router])
    const auto = ['--api', api.url, ...order('USDC', 'HYPE', '5'), '--slippage', 'auto']
    const suggested = await run('swap', ...auto)
    const percent = /^slippage (\d+(?:\.\d+)?) %, as the API suggests$/m.exec(suggested.err)?.[1]
    expect([suggested.code, Number(percent) >= 0.5]).toEqual([0, true])
    const { amountOut, intent } = JSON.parse(suggested.out)
    const kept = 1_000_000n - BigInt(Math.round(Number(percent) * 10_000))
    expect(intent.call.minAmountOut).toBe(`${(BigInt(amountOut) * kept + 999_999n) / 1_000_000n}`)
    expect(JSON.parse((await run('quote', ...auto)).out).minAmountOut).toBe(
      intent.call.minAmountOut,
    )
    const unknown = await run('quote', '--api', api.url, ...order('NOPE', 'USDC', '1'))
    expect(unknown.code).toBe(2)
    expect(JSON.parse(unknown.err).error.code).toBe('UNKNOWN_TOKEN')
  })
})
