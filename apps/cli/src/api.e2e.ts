import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, type RunningApi, startApi } from '@braid-swap/api'
import { type Devnet, startDevnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from './testing/runCli.js'

const NEVER_MS = 600_000

let devnet: Devnet
let api: RunningApi
let folder: string
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-cli-api-'))
  devnet = await startDevnet()
  const keysFile = join(folder, 'keys.json')
  env = {
    BRAID_API_KEY: (await createKey(keysFile, { label: 'cli', rate: 1_000, burst: 10_000 })).key,
  }
  const { router, venues, rpcUrl } = devnet
  api = await startApi({
    ...{ rpcUrls: [rpcUrl], keysFile, router, venues, port: 0, pollMs: 50 },
    ...{ maxStateAgeMs: NEVER_MS, solveBudgetMs: NEVER_MS, nodeTimeoutMs: NEVER_MS },
    logLevel: 'silent',
  })
  await api.ready
})
afterAll(async () => {
  await api?.stop()
  await devnet?.stop()
  await rm(folder, { recursive: true })
})

const run = (...words: readonly string[]) => runCli(words, env)
const order = (tokenIn: string, tokenOut: string, amount: string) => [
  ...['--in', tokenIn, '--out', tokenOut, '--amount', amount, '--json'],
]

describe('braid and an API', () => {
  it('takes the market home: offline the same order gives the same, to the wei', async () => {
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
  })

  it('names its tokens beside the market, as the chain does', async () => {
    const named = JSON.parse(await readFile(join(folder, 'tokens.json'), 'utf8'))
    for (const { address, symbol, decimals } of devnet.tokens) {
      expect(named).toContainEqual(expect.objectContaining({ address, symbol, decimals }))
    }
  })

  it('knows symbols without a file of tokens, and what is no symbol', async () => {
    const swap = await run('swap', '--api', api.url, ...order('USDC', 'HYPE', '5'))
    expect([swap.code, JSON.parse(swap.out).tx.to.toLowerCase()]).toEqual([0, devnet.router])
    const unknown = await run('quote', '--api', api.url, ...order('NOPE', 'USDC', '1'))
    expect(unknown.code).toBe(2)
    expect(JSON.parse(unknown.err).error.code).toBe('UNKNOWN_TOKEN')
  })
})
