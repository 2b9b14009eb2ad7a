import { describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '2500']
const rank = (...words: readonly string[]) => runCli(['rank', ...frozen, ...order, ...words])
const gross = async (...words: readonly string[]) => {
  const { out } = await runCli(['quote', ...frozen, ...order, '--gross', '--json', ...words])
  return JSON.parse(out)
}
type Row = { readonly part: string; readonly amountOut: string }

describe('braid rank', () => {
  it('lists each pool of the best route with the quote without it, the dearest loss first', async () => {
    const best = await gross()
    const { out, code } = await rank('--json')
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
    const [{ part, amountOut }] = JSON.parse((await rank('--by', 'venue', '--json')).out).parts
    expect((await gross('--exclude-protocols', part)).amountOut).toBe(amountOut)
    const { parts } = JSON.parse((await rank('--by', 'token', '--json')).out)
    const { hops } = await gross()
    const sold = new Set(hops.map((hop: Record<'tokenIn', string>) => hop.tokenIn))
    for (const { part } of parts) expect(sold).toContain(part)
    expect(parts.length).toBeGreaterThan(0)
  })

  it('adds each other venue to the given ones, the greatest gain first', async () => {
    const { amountOut, parts } = JSON.parse((await rank('--beside', 'devnet-v3b', '--json')).out)
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
      ...['rank', ...frozen, ...ends, '--include-protocols', 'devnet-v3a', '--by', 'venue'],
    ])
    expect([one.code, one.out]).toEqual([0, expect.stringMatching(/devnet-v3a +no quote/)])
    expect((await rank('--beside', 'nowhere')).code).toBe(2)
    expect((await rank('--beside', 'devnet-v3b', '--by', 'token')).code).toBe(2)
    expect((await rank('--by', 'family')).code).toBe(2)
  })
})
