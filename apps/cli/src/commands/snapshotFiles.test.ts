import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSnapshot, type Snapshot, stringifySnapshot } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

let folder: string
let market: Snapshot
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-files-'))
  market = parseSnapshot(readFileSync(frozen[1]!, 'utf8'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const names = frozen.slice(2)
const path = (name: string) => join(folder, name)
const read = (name: string) => parseSnapshot(readFileSync(path(name), 'utf8'))
function save(name: string, snapshot: Snapshot): string {
  writeFileSync(path(name), stringifySnapshot(snapshot))
  return path(name)
}
const half = (rest: number): Snapshot => ({
  ...market,
  pools: market.pools.filter(({ id }, i) => id === market.wrappedNative || i % 2 === rest),
})

describe('braid snapshot info', () => {
  it('counts pools by family and venue, and ranks both by depth', async () => {
    const { out, code } = await runCli(['snapshot', 'info', frozen[1]!, '--json'])
    const info = JSON.parse(out)
    expect([code, info.pools, info.block.number]).toEqual([0, market.pools.length - 1, '79'])
    const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
    expect(sum(Object.values(info.families))).toBe(info.pools)
    expect(sum(info.venues.map((venue: { pools: number }) => venue.pools))).toBe(info.pools)
    const depths = info.venues.map((venue: { depth: string }) => BigInt(venue.depth))
    expect(depths).toEqual(depths.toSorted((a: bigint, b: bigint) => (a < b ? 1 : -1)))
    expect(depths[0]).toBeGreaterThan(10n ** 18n)
    const people = await runCli(['snapshot', 'info', frozen[1]!, ...names])
    expect(people.out).toMatch(/^WHYPE .*0x5{40} /m)
  })

  it('stays within the width of the terminal', async () => {
    const narrow = await runCli(['snapshot', 'info', frozen[1]!], {}, { columns: 40 })
    for (const line of narrow.out.split('\n')) expect([...line].length).toBeLessThanOrEqual(40)
  })
})

describe('braid snapshot diff', () => {
  it('names pools that came, went or changed, and their fields', async () => {
    const [gone, moved] = market.pools.filter(({ family }) => family === 'uniswapV2')
    const after = save('after.json', {
      ...market,
      block: { ...market.block, number: 80n },
      pools: market.pools.flatMap((pool) => {
        if (pool.id === gone!.id) return []
        if (pool !== moved || pool.family !== 'uniswapV2') return [pool]
        return [{ ...pool, reserves: [pool.reserves[0] + 1n, pool.reserves[1]] as const }]
      }),
    })
    const { out } = await runCli(['snapshot', 'diff', frozen[1]!, after, '--json'])
    const diff = JSON.parse(out)
    expect(diff).toMatchObject({ added: [], removed: [gone!.id] })
    expect(diff.changed).toMatchObject([{ pool: moved!.id, fields: ['reserves[0]'] }])
    expect(diff.unchanged).toBe(market.pools.length - 2)
    const back = JSON.parse((await runCli(['snapshot', 'diff', after, frozen[1]!, '--json'])).out)
    expect(back).toMatchObject({ added: [gone!.id], removed: [] })
    expect((await runCli(['snapshot', 'diff', frozen[1]!, after])).out).toMatch(
      /^changed .*reserves\[0\]$/m,
    )
  })
})

describe('braid snapshot merge', () => {
  const merge = (...words: readonly string[]) =>
    runCli(['snapshot', 'merge', ...words, '--out', path('merged.json')])

  it('puts two halves of a market together: the quotes are those of the whole', async () => {
    const files = [save('a.json', half(0)), save('b.json', half(1))]
    expect(await merge(...files)).toMatchObject({ code: 0, err: '' })
    const ids = ({ pools }: Snapshot) => pools.map(({ id }) => id).sort()
    expect(ids(read('merged.json'))).toEqual(ids(market))
    const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '1500', '--json', ...names]
    const quoted = async (file: string) =>
      (await runCli(['quote', '--snapshot', file, ...order])).out
    expect(await quoted(path('merged.json'))).toBe(await quoted(frozen[1]!))
  })

  it('refuses two blocks, and two states of one pool', async () => {
    const next = save('next.json', {
      ...market,
      block: { ...market.block, number: 80n },
    })
    const blocks = await merge(frozen[1]!, next)
    expect([blocks.code, blocks.err]).toEqual([5, expect.stringContaining('SNAPSHOT_CONFLICT')])
    expect(blocks.err).toContain('block.number')
    const other = save('other.json', {
      ...market,
      pools: market.pools.map((pool) =>
        pool.family === 'uniswapV2'
          ? { ...pool, reserves: [pool.reserves[0] + 1n, pool.reserves[1]] as const }
          : pool,
      ),
    })
    const states = await merge(frozen[1]!, other)
    expect([states.code, states.err]).toEqual([5, expect.stringMatching(/field {2}reserves\[0\]/)])
  })

  it('takes block and states of the snapshot that --prefer names', async () => {
    const grown = (pool: Snapshot['pools'][number]) =>
      pool.family === 'uniswapV2'
        ? { ...pool, reserves: [pool.reserves[0] + 1n, pool.reserves[1]] as const }
        : pool
    const next = save('newest.json', {
      ...market,
      block: { ...market.block, number: 80n },
      pools: market.pools.map(grown),
    })
    const result = await merge(next, frozen[1]!, '--prefer', 'newest')
    expect([result.code, result.err]).toEqual([0, expect.stringContaining('mixture of')])
    expect(read('merged.json').block.number).toBe(80n)
    expect(read('merged.json').pools.find(({ family }) => family === 'uniswapV2')).toEqual(
      grown(market.pools.find(({ family }) => family === 'uniswapV2')!),
    )
    await merge(next, frozen[1]!, '--prefer', 'last')
    expect(read('merged.json').block.number).toBe(79n)
  })

  it('refuses another chain, even with --prefer', async () => {
    const other = save('chain.json', { ...market, chainId: 1 })
    const result = await merge(frozen[1]!, other, '--prefer', 'first')
    expect([result.code, result.err]).toEqual([5, expect.stringContaining('two chains')])
  })
})

describe('braid snapshot prune', () => {
  const prune = async (...words: readonly string[]) => {
    const out = path('pruned.json')
    const result = await runCli(['snapshot', 'prune', frozen[1]!, ...names, ...words, '--out', out])
    expect([result.code, result.err]).toEqual([0, ''])
    return read('pruned.json').pools.filter(({ id }) => id !== market.wrappedNative)
  }

  it('keeps pools by token, venue and depth', async () => {
    const all = market.pools.length - 1
    const pair = await prune('--only-tokens', 'HYPE,USDC')
    expect(new Set(pair.flatMap(({ tokens }) => tokens)).size).toBe(2)
    const venue = pair[0]!.venue
    const ofVenue = await prune('--include-protocols', venue)
    const others = await prune('--exclude-protocols', venue)
    expect(new Set(ofVenue.map((pool) => pool.venue))).toEqual(new Set([venue]))
    expect(ofVenue.length + others.length).toBe(all)
    const deep = await prune('--min-depth', '10000', '--depth-token', 'USDC')
    expect(deep.length).toBeGreaterThan(0)
    expect(deep.length).toBeLessThan(all)
  })

  it('refuses an unknown venue', async () => {
    const words = ['--exclude-protocols', 'nope', '--out', path('x.json')]
    const { code, err } = await runCli(['snapshot', 'prune', frozen[1]!, ...words])
    expect([code, err]).toEqual([2, expect.stringMatching(/got {5}nope/)])
  })
})
