import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding, Venue } from '@braid-swap/chain'
import { stringify } from '@braid-swap/core/advanced'
import { type Devnet, startDevnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../testing/runCli.js'

let devnet: Devnet
let folder: string

beforeAll(async () => {
  // The timestamps of its blocks follow the wall clock, as on a real chain.
  devnet = await startDevnet({ mining: 'interval', blockTimeMs: 1000 })
  const isNow = async () => {
    const { timestamp } = await devnet.client.getBlock()
    expect(Number(timestamp)).toBeGreaterThan(Date.now() / 1000 - 30)
  }
  await vi.waitFor(isNow, 60_000)
  folder = mkdtempSync(join(tmpdir(), 'braid-doctor-'))
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await devnet?.stop()
})

const doctor = async (venues: readonly Venue[]) => {
  const file = join(folder, 'venues.json')
  writeFileSync(file, stringify(venues))
  const words = ['doctor', '--rpc', devnet.rpcUrl, '--venues', file]
  const [people, machines] = [await runCli(words), await runCli([...words, '--json'])]
  const { findings } = JSON.parse(machines.out) as { readonly findings: readonly Finding[] }
  expect(people.code).toBe(machines.code)
  return { people, findings, code: people.code, wrong: findings.filter((f) => f.holds === false) }
}

const venueOf = (id: string) => devnet.venues.find((venue) => venue.id === id)!

describe('braid doctor', () => {
  it('confirms correct assumptions, to the wei', async () => {
    const { people, findings, code, wrong } = await doctor(devnet.venues)
    expect(wrong).toEqual([])
    expect(code).toBe(0)
    const checks = (id: string) => findings.filter(({ subject }) => subject === id)
    expect(checks('chain').map(({ check }) => check)).toContain('chain id')
    for (const { id } of devnet.venues) {
      const paid = checks(id).find(({ check }) => check === 'pays what we quote')!
      expect(paid.found).toMatch(/^(\d+) of \1 swaps$/)
    }
    const found = (id: string, check: string) => checks(id).find((f) => f.check === check)!.found
    expect(found('devnet-v3a', 'callback')).toBe('uniswapV3SwapCallback')
    expect(found('devnet-pv3', 'callback')).toBe('pancakeV3SwapCallback')
    expect(people.out).toMatch(/^ok +devnet-v2a +factory 0x/m)
  })

  it('reports a fee that the pairs do not have', async () => {
    const { code, wrong, people } = await doctor([{ ...venueOf('devnet-v2a'), feePpm: 2500 }])
    expect(code).toBe(5)
    expect(wrong.map(({ check }) => check)).toEqual(['pays what we quote'])
    expect(people.err).toMatch(/1 of \d+ assumptions do not hold/)
  })

  it('reports a factory of another family, and an address that is not a factory', async () => {
    const { factory } = venueOf('devnet-v2b')
    const nobody = `0x${'b7'.repeat(20)}` as const
    const { wrong } = await doctor([
      { id: 'mistaken', family: 'uniswapV3', factory },
      { id: 'ghost', family: 'uniswapV2', factory: nobody },
    ])
    expect(wrong).toMatchObject([
      { subject: 'mistaken', check: 'factory answers as a', found: 'something else' },
      { subject: 'ghost', check: `factory ${nobody}`, found: 'no code' },
    ])
  })

  it('reports a fee source that does not exist', async () => {
    const { wrong } = await doctor([{ ...venueOf('devnet-v3a'), feeSource: 'swapFeeModule' }])
    expect(wrong.map(({ check }) => check)).toEqual(['pools read', 'fee source'])
  })

  it('is not content where no pool was held against the chain', async () => {
    const file = join(folder, 'none.json')
    writeFileSync(file, '[]')
    const { code, err } = await runCli(['doctor', '--rpc', devnet.rpcUrl, '--venues', file])
    expect([code, err]).toEqual([5, expect.stringContaining('no pool was held')])
    expect(err).toContain('earlier state pinned, overrides honoured')
  })

  it('accepts fee() as the current fee of a pool without another fee', async () => {
    const { wrong } = await doctor([{ ...venueOf('devnet-v3a'), feeSource: 'currentFee' }])
    expect(wrong).toEqual([])
  })

  it('ends with the usual error if the node fails', async () => {
    expect((await runCli(['doctor', '--rpc', 'http://127.0.0.1:1'])).code).toBe(4)
    expect((await runCli(['doctor', '--rpc', 'nonsense'])).code).toBe(2)
    expect((await runCli(['doctor'])).code).toBe(2)
  })

  it('lists the deployments that are not served, with the built-in venues', async () => {
    const { out, code } = await runCli(['doctor', '--rpc', devnet.rpcUrl])
    expect(code).toBe(5)
    expect(out).toMatch(/^\d\d known deployments are not served:$/m)
    expect(out).toMatch(/^hyperamm +priced by an oracle/m)
    expect(out).toMatch(/^WRONG +prjx +factory 0xff7b\S+ +no code/m)
  })
})
