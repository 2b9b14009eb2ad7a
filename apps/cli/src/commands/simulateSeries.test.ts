import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseSnapshot, stringifySnapshot } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeText } from '../sources/files.js'
import { frozen, runCli } from '../testing/runCli.js'

const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '1500']
const [, recorded = '', , tokens = ''] = frozen
let folder: string
let [earlier, later]: string[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-series-'))
  const market = parseSnapshot(readFileSync(recorded, 'utf8'))
  const { block } = market
  const before = { ...block, number: block.number - 1n, timestamp: block.timestamp - 3_600n }
  earlier = join(folder, 'z.json.gz')
  later = join(folder, 'a.json')
  writeText(earlier, stringifySnapshot({ ...market, block: before, pools: market.pools }))
  writeText(later, stringifySnapshot(market))
})
afterAll(() => rmSync(folder, { recursive: true }))

const series = (...words: readonly string[]) =>
  runCli(['simulate', later!, earlier!, '--tokens', tokens, ...order, ...words])

describe('braid simulate with several snapshots', () => {
  it('quotes the order on each file, the earliest block first', async () => {
    const { out, code } = await series('--json')
    const points: readonly Record<string, unknown>[] = JSON.parse(out).points
    const quoted = await runCli(['quote', ...frozen, ...order, '--json'])
    const { amountOut, gas, block } = JSON.parse(quoted.out)
    expect([code, points.map(({ file }) => file)]).toEqual([0, [earlier, later]])
    expect(points.map((point) => point['amountOut'])).toEqual([amountOut, amountOut])
    expect(points[1]).toMatchObject({ gas, block })
    expect((await series()).out.split('\n')).toHaveLength(5)
    const csv = (await series('--csv')).out.split('\n')
    expect(csv).toHaveLength(3)
    for (const row of csv) expect(row.split(',')).toHaveLength(8)
  })

  it('names the moments without a quote, and fails only if none has one', async () => {
    const words = ['--in', 'HYPE', '--out', 'USDC', '--amount', '9'.repeat(25)]
    const { out, code } = await runCli(['simulate', later!, '--tokens', tokens, ...words, '--json'])
    expect([code, JSON.parse(out).points[0].error]).toEqual([3, expect.stringMatching(/^[A-Z_]+$/)])
  })

  it('refuses a file of orders beside them, the standard input, and a file that is not compressed as its name says', async () => {
    const both = await series('--orders', 'orders.csv')
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('got     --orders')])
    const input = await runCli(['simulate', '-', '--tokens', tokens, ...order])
    expect([input.code, input.err]).toEqual([2, expect.stringContaining('USAGE')])
    const bad = join(folder, 'bad.json.gz')
    copyFileSync(later!, bad)
    expect((await runCli(['simulate', bad, ...order])).err).toContain('FILE_UNREADABLE')
  })
})

it('a market written to a name that ends with .gz is the same market, compressed', () => {
  const packed = readFileSync(earlier!)
  expect(packed.length * 3).toBeLessThan(gunzipSync(packed).length)
})
