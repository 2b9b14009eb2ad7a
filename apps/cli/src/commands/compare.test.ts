import { describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '2500']
const compare = (...words: readonly string[]) => runCli(['compare', ...frozen, ...order, ...words])
const gross = async (...words: readonly string[]) => {
  const { out } = await runCli(['quote', ...frozen, ...order, '--gross', '--json', ...words])
  return JSON.parse(out)
}
type Row = { readonly part: string; readonly amountOut: string }

describe('braid compare', () => {
  it('sorts the pools, none of which is better than the aggregated route', async () => {
    const { amountOut, pools } = JSON.parse((await compare('--json')).out)
    const outs = pools.map((pool: { amountOut: string }) => BigInt(pool.amountOut))
    expect(outs.length).toBeGreaterThan(3)
    expect(outs).toEqual([...outs].sort((a, b) => (a < b ? 1 : -1)))
    expect(BigInt(amountOut)).toBeGreaterThanOrEqual(outs[0])
    const table = (await compare('--limit', '2')).out.split('\n')
    expect(table).toHaveLength(6)
    const limited = JSON.parse((await compare('--exclude-pools', pools[0].pool, '--json')).out)
    expect(limited.pools).toEqual(pools.slice(1))
  })
})

describe('braid compare --by and --beside', () => {
  it('lists each pool of the best route with the quote without it, the dearest loss first', async () => {
    const best = await gross()
    const { out, code } = await compare('--by', 'pool', '--json')
    const ranked: { amountOut: string; parts: readonly Row[] } = JSON.parse(out)
    expect([code, ranked.amountOut]).toEqual([0, best.amountOut])
    const used = best.hops.flatMap((hop: Record<'pool' | 'family', string>) =>
      hop.family === 'wrap' ? [] : [hop.pool],
    )
    expect(ranked.parts.map(({ part }) => part).sort()).toEqual([...new Set<string>(used)].sort())
    const amounts = ranked.parts.map(({ amountOut }) => BigInt(amountOut))
    expect(amounts).toEqual(amounts.toSorted((a, b) => Number(a - b)))
    const [{ part, amountOut }] = ranked.parts as [Row]
    expect((await gross('--exclude-pools', part)).amountOut).toBe(amountOut)
    expect(BigInt(amountOut)).toBeLessThan(BigInt(best.amountOut))
  })

  it('leaves out a venue, and a token between', async () => {
    const [{ part, amountOut }] = JSON.parse((await compare('--by', 'venue', '--json')).out).parts
    expect((await gross('--exclude-protocols', part)).amountOut).toBe(amountOut)
    const { parts } = JSON.parse((await compare('--by', 'token', '--json')).out)
    const { hops } = await gross()
    const sold = new Set(hops.map((hop: Record<'tokenIn', string>) => hop.tokenIn))
    for (const { part } of parts) expect(sold).toContain(part)
    expect(parts.length).toBeGreaterThan(0)
  })

  it('adds each other venue to the given ones, the greatest gain first', async () => {
    const { amountOut, parts } = JSON.parse((await compare('--beside', 'devnet-v3b', '--json')).out)
    const through = async (venues: string) => (await gross('--include-protocols', venues)).amountOut
    expect(amountOut).toBe(await through('devnet-v3b'))
    const [first, last] = [parts[0], parts.at(-1)]
    expect(first.amountOut).toBe(await through(`devnet-v3b,${first.part}`))
    expect(BigInt(first.amountOut)).toBeGreaterThan(BigInt(last.amountOut))
    expect(BigInt(last.amountOut)).toBeGreaterThanOrEqual(BigInt(amountOut))
  })

  it('says that nothing is left without the only pool, and refuses what it cannot do', async () => {
    const ends = ['--in', 'HYPE', '--out', 'USDC', '--amount', '1']
    const one = await runCli([
      ...['compare', ...frozen, ...ends, '--include-protocols', 'devnet-v3a', '--by', 'venue'],
    ])
    expect([one.code, one.out]).toEqual([0, expect.stringMatching(/devnet-v3a +no quote/)])
    expect((await compare('--beside', 'nowhere')).code).toBe(2)
    expect((await compare('--beside', 'devnet-v3b', '--by', 'token')).code).toBe(2)
    expect((await compare('--by', 'family')).code).toBe(2)
    const api = ['--api', 'http://127.0.0.1:1', '--key', 'k', '--by', 'pool']
    const remote = await runCli(['compare', ...order, ...api])
    expect([remote.code, remote.err]).toEqual([2, expect.stringContaining('a whole market')])
  })
})
