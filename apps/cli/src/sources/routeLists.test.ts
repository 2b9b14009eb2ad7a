import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const order = ['--in', 'WHYPE', '--out', 'UBTC', '--amount', '1500']
type Hops = { readonly pool: string; readonly tokenIn: string; readonly tokenOut: string }[]

async function hopsOf(...more: readonly string[]): Promise<Hops> {
  const { out, err, code } = await runCli(['quote', ...frozen, ...order, '--json', ...more])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out).hops
}

describe('--exclude-pools and --only-intermediates', () => {
  it('keep a route off pools and to tokens', async () => {
    const free = await hopsOf()
    const pool = free[0]!.pool
    expect((await hopsOf('--exclude-pools', pool)).map((hop) => hop.pool)).not.toContain(pool)
    const through = (hops: Hops) => new Set(hops.map(({ tokenIn }) => tokenIn)).size
    expect(through(free)).toBeGreaterThan(1)
    expect(through(await hopsOf('--only-intermediates', 'HYPE'))).toBe(1)
    expect(through(await hopsOf('--only-intermediates', 'USDC'))).toBe(2)
  })

  it('lists alone are passed, as an API does, unless others are named or all are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braid-lists-'))
    const [snapshotOption, snapshot, , tokensFile] = frozen
    const listed = JSON.parse(await readFile(tokensFile!, 'utf8')) as readonly { symbol: string }[]
    const few = join(folder, 'few.json')
    const ends = ['WHYPE', 'UBTC']
    await writeFile(few, JSON.stringify(listed.filter(({ symbol }) => ends.includes(symbol))))
    const usdc = (listed as readonly { symbol: string; address: string }[]).find(
      ({ symbol }) => symbol === 'USDC',
    )!.address
    const passed = async (...more: readonly string[]) => {
      const words = ['quote', snapshotOption!, snapshot!, '--tokens', few, ...order, '--json']
      const { out } = await runCli([...words, ...more])
      return new Set((JSON.parse(out).hops as Hops).map(({ tokenIn }) => tokenIn)).size
    }
    expect(await passed()).toBe(1)
    expect(await passed('--intermediates', usdc)).toBe(2)
    const free = new Set((await hopsOf()).map(({ tokenIn }) => tokenIn)).size
    expect(await passed('--intermediates', 'all')).toBe(free)
    await rm(folder, { recursive: true })
  })

  it('hold for the transaction of a swap too', async () => {
    const pool = (await hopsOf())[0]!.pool
    const amountOf = async (command: readonly string[]) =>
      JSON.parse((await runCli([...command, '--json', '--exclude-pools', pool])).out).amountOut
    const [quoted, swapped] = [
      await amountOf(['quote', ...frozen, ...order]),
      await amountOf(['swap', ...frozen, ...order]),
    ]
    expect(swapped).toBe(quoted)
  })

  it.each([
    ['--exclude-pools', 'x', 'something else than pools'],
    ['--exclude-pools', `0x${'12'.repeat(20)}`, 'names no pool of this market'],
    ['--only-intermediates', 'NOPE', 'no known token'],
  ])('refuse %s %s', async (name, text, reason) => {
    const { code, err } = await runCli(['quote', ...frozen, ...order, name, text])
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })
})

describe('quote and explain', () => {
  it('show impact, floor and worth, and refuse an impact above the limit', async () => {
    const words = ['quote', ...frozen, ...order]
    const quoted = JSON.parse((await runCli([...words, '--slippage', '1', '--json'])).out)
    expect(quoted.minAmountOut).toBe(`${(BigInt(quoted.amountOut) * 99n + 99n) / 100n}`)
    expect(quoted.usdOut / quoted.usdIn).toBeGreaterThan(0.9)
    expect(quoted.usdOut).toBeLessThan(quoted.usdIn)
    expect((await runCli([...words, '--slippage', '1'])).out).toMatch(/^worth .* USD$/m)
    const refused = await runCli([...words, '--max-price-impact', '0.01'])
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining('PRICE_IMPACT_TOO_HIGH'),
    ])
    expect((await runCli([...words, '--max-price-impact', '50'])).code).toBe(0)
    const wanted = ['--in', 'HYPE', '--out', 'USDC', '--amount-out', '5', '--slippage', '1']
    expect((await runCli(['quote', ...frozen, ...wanted])).code).toBe(2)
  })

  it('limit the hops of a path and the venues', async () => {
    const direct = await hopsOf('--max-hops', '1')
    expect(new Set(direct.map(({ tokenIn }) => tokenIn)).size).toBe(1)
    const { code, err } = await runCli(['quote', ...frozen, ...order, '--max-hops', '0'])
    expect([code, err]).toEqual([2, expect.stringContaining('1 to 10')])
  })
})
