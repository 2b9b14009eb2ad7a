import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-simulate-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const simulate = (orders: string, ...words: readonly string[]) =>
  runCli(['simulate', ...frozen, '--orders', orders, ...words])
const csv = 'in,out,amount\nHYPE,USDC,1500\nHYPE,USDC,1500\nUSDC,UBTC,1000\n'

describe('braid simulate', () => {
  it('moves the market by each order: the second pays less, and as on the saved market', async () => {
    const after = join(folder, 'after.json')
    const first = file('first.csv', 'in,out,amount\nHYPE,USDC,1500\n')
    expect((await simulate(first, '--save', after)).code).toBe(0)
    const { results } = JSON.parse((await simulate(file('a.csv', csv), '--json')).out)
    expect(BigInt(results[1].amountOut)).toBeLessThan(BigInt(results[0].amountOut))
    const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '1500', '--json']
    const quoted = await runCli(['quote', '--snapshot', after, ...frozen.slice(2), ...order])
    expect(JSON.parse(quoted.out).amountOut).toBe(results[1].amountOut)
  })

  it('gives each order the market as it is with --alone', async () => {
    const { results, totals } = JSON.parse(
      (await simulate(file('b.csv', csv), '--alone', '--json')).out,
    )
    expect(results[1]).toEqual(results[0])
    expect(totals[0]).toMatchObject({ orders: 2, amountIn: '3000000000000000000000' })
    expect(BigInt(totals[0].amountOut)).toBe(2n * BigInt(results[0].amountOut))
  })

  it('reads NDJSON as CSV, and writes CSV of the same orders', async () => {
    const lines = csv.trim().split('\n').slice(1)
    const ndjson = lines
      .map((line) => line.split(','))
      .map(([tokenIn, out, amount]) => JSON.stringify({ in: tokenIn, out, amount }))
    const [one, other] = [file('c.csv', csv), file('c.ndjson', `${ndjson.join('\n')}\n`)]
    const [a, b] = [await simulate(one, '--json'), await simulate(other, '--json')]
    expect([a.code, a.out]).toEqual([0, b.out])
    const rows = (await simulate(one, '--csv')).out.split('\n').map((line) => line.split(','))
    const results: readonly { amountOut: string }[] = JSON.parse(a.out).results
    const outputs = results.map(({ amountOut }) => amountOut)
    expect(rows.map((row) => row[5])).toEqual(['amountOutWei', ...outputs])
  })

  it('reads what spreadsheets and tools write: a byte-order mark, gzip, semicolons', async () => {
    const wanted = (await simulate(file('plain.csv', csv), '--json')).out
    const packed = join(folder, 'packed.csv')
    writeFileSync(packed, gzipSync(csv))
    const others = [
      file('bom.csv', `\uFEFF${csv}`),
      file('windows.csv', `\uFEFF${csv.replaceAll(',', ';').replaceAll('\n', '\r\n')}`),
      packed,
    ]
    for (const other of others) {
      expect([other, (await simulate(other, '--json')).out]).toEqual([other, wanted])
    }
    const decimal = await simulate(file('comma.csv', 'in;out;amount\nHYPE;USDC;1,5\n'))
    expect([decimal.code, decimal.err]).toEqual([2, expect.stringContaining('order 1')])
    expect(decimal.err).toContain('not an amount')
  })

  it('counts orders without a quote, goes on, and ends with the exit code of a missing quote', async () => {
    const orders = file('d.csv', `in,out,amount\nHYPE,USDC,${'9'.repeat(25)}\nHYPE,USDC,1\n`)
    const { code, out, err } = await simulate(orders, '--json')
    expect([code, JSON.parse(err).error.code]).toEqual([3, 'ORDERS_UNFILLED'])
    const { failed, results } = JSON.parse(out)
    expect([failed, 'error' in results[0], 'error' in results[1]]).toEqual([1, true, false])
    expect((await simulate(orders)).out).toContain('2 orders, 1 without a quote')
  })

  it.each([
    ['in,out,amount\nHYPE,NOPE,1\n', 'order 1'],
    ['in,out\nHYPE,USDC\n', 'order 1'],
    ['in,out,amount\n', 'has no orders'],
    ['{"in":1}\n', 'order 1'],
    ['{"in"\n', 'neither CSV nor NDJSON'],
  ])('refuses %j', async (text, reason) => {
    const { code, err } = await simulate(file('bad.csv', text))
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })
})
