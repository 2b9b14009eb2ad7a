import { describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const pair = ['--in', 'HYPE', '--out', 'USDC']
const curve = (...words: readonly string[]) => runCli(['curve', ...frozen, ...pair, ...words])

describe('braid curve', () => {
  it('gives at each amount what a quote gives, at prices that fall', async () => {
    const { out, code } = await curve('--amounts', '1,15.8,252,4000', '--gross', '--json')
    const { points } = JSON.parse(out)
    expect([code, points.length]).toEqual([0, 4])
    const price = ({ amountIn, amountOut }: Record<'amountIn' | 'amountOut', string>) =>
      Number(amountOut) / Number(amountIn)
    const prices: readonly number[] = points.map(price)
    for (const [i, each] of prices.entries()) expect(each).toBeLessThan(prices[i - 1] ?? Infinity)
    const last = ['--amount-wei', points.at(-1).amountIn, '--gross', '--json']
    const quoted = JSON.parse((await runCli(['quote', ...frozen, ...pair, ...last])).out)
    expect(points.at(-1).amountOut).toBe(quoted.amountOut)
    expect(quoted.amountIn).toBe('4000000000000000000000')
  })

  it('prints a table and CSV of the same points', async () => {
    const amounts = ['--amounts', '1,10,1000']
    const first = (text: string, end: string) => text.split('\n').map((line) => line.split(end)[0])
    expect(first((await curve(...amounts)).out.replaceAll(/^ +/gm, ''), ' ')).toEqual([
      ...['sell', '1', '10', '1000'],
    ])
    expect(first((await curve(...amounts, '--csv')).out, ',')).toEqual([
      ...['amountIn', '1', '10', '1000'],
    ])
  })

  it('names the amounts without a quote, and fails only if none has one', async () => {
    const huge = '9'.repeat(25)
    const some = JSON.parse((await curve('--amounts', `1,${huge}`, '--json')).out)
    expect(some.points[1].error).toMatch(/NO_ROUTE|INSUFFICIENT_LIQUIDITY/)
    expect((await curve('--amounts', huge)).code).toBe(3)
  })

  it.each([
    [[], '--amounts <numbers>'],
    [['--amounts', '1,'], 'not an amount'],
    [['--amounts', '0'], 'an amount is zero'],
  ])('refuses %j', async (words, reason) => {
    const { code, err } = await curve(...words)
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })

  it('leaves venues out, as quote does', async () => {
    const lists = ['--exclude-protocols', 'devnet-v3a', '--json']
    const { points } = JSON.parse((await curve('--amounts', '1000', ...lists)).out)
    const quoted = await runCli(['quote', ...frozen, ...pair, '--amount', '1000', ...lists])
    expect(points[0].amountOut).toBe(JSON.parse(quoted.out).amountOut)
  })
})
