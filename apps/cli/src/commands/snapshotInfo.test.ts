import { readFileSync } from 'node:fs'
import { parseSnapshot } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const market = parseSnapshot(readFileSync(frozen[1]!, 'utf8'))
const names = frozen.slice(2)

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
