import { describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const ends = ['--in', 'HYPE', '--out', 'USDC']
const wanted = '50000000'
const swap = (...more: readonly string[]) =>
  runCli(['swap', ...frozen, ...ends, '--amount-out', '50', '--json', ...more])

describe('braid swap --amount-out', () => {
  it('sells the least input raised by the slippage, with the wanted amount as floor', async () => {
    const { code, out } = await swap('--slippage', '0.3')
    const { tx, leastAmountIn, amountOut, intent } = JSON.parse(out)
    const most = (BigInt(leastAmountIn) * 1_003_000n + 999_999n) / 1_000_000n
    expect([code, intent.call.minAmountOut]).toEqual([0, wanted])
    expect([tx.value, intent.call.amountIn]).toEqual([`${most}`, `${most}`])
    expect(BigInt(amountOut)).toBeGreaterThan(BigInt(wanted))
    const quoted = await runCli(['quote', ...frozen, ...ends, '--amount-out', '50', '--json'])
    expect(JSON.parse(quoted.out).amountIn).toBe(leastAmountIn)
  })

  it('keeps the wanted amount as floor without slippage', async () => {
    const { intent, leastAmountIn } = JSON.parse((await swap('--slippage', '0')).out)
    expect([intent.call.minAmountOut, intent.call.amountIn]).toEqual([wanted, leastAmountIn])
  })

  it.each([
    ['--amount-out', 'you pay that much more than quoted'],
    ['--amount', 'you may receive that much less than quoted'],
  ])('warns by what a high slippage costs with %s', async (amount, words) => {
    const { out } = await runCli(['swap', ...frozen, ...ends, amount, '50', '--slippage', '20'])
    expect(out).toContain(words)
  })

  it('tells people what is needed now and what is sold at most', async () => {
    const { out } = await runCli(['swap', ...frozen, ...ends, '--amount-out', '50'])
    expect(out).toMatch(/^needed +[\d.]+ HYPE \(\d+ wei\) now$/m)
    expect(out).toMatch(/^receives +at least 50 USDC \(50000000 wei\)$/m)
  })

  it.each([
    ['--max-amount-in', '1.2', '0.001'],
    // 50 USDC at 40 for each HYPE are 1.25 HYPE, and at 1,000,000 almost none.
    ['--min-rate', '38', '1000000'],
  ])('refuses to sell more than %s accepts', async (name, enough, tooLittle) => {
    const [fits, exceeds] = [await swap(name, enough), await swap(name, tooLittle)]
    expect([fits.code, fits.err]).toEqual([0, expect.not.stringContaining('error')])
    expect([exceeds.code, exceeds.out]).toEqual([5, ''])
    expect(JSON.parse(exceeds.err.split('\n').at(-1)!).error).toMatchObject({
      code: 'ABOVE_OWN_MAXIMUM',
      details: { wanted: expect.stringMatching(/^at most [\d.]+ HYPE .*--slippage/) },
    })
  })

  it.each<[string, readonly string[], RegExp]>([
    ['an amount to sell beside it', ['--amount', '1'], /--amount-out replaces/],
    ['--min beside it', ['--min', '49'], /the least output itself/],
    ['a maximum of zero', ['--max-amount-in', '0'], /the most that you pay is zero/],
    ['a rate of zero', ['--min-rate', '0'], /the most that you pay is zero/],
    ['a bad maximum', ['--max-amount-in', '1e3'], /BAD_AMOUNT/],
  ])('refuses %s', async (_, more, message) => {
    const { code, out, err } = await swap(...more)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })

  it('refuses a maximum for an amount to sell', async () => {
    const words = ['swap', ...frozen, ...ends, '--amount', '1', '--max-amount-in', '2']
    const { code, err } = await runCli(words)
    expect([code, err]).toEqual([2, expect.stringContaining('is for an amount to buy')])
  })
})

describe('braid swap --min-wei', () => {
  const sale = ['swap', ...frozen, ...ends, '--amount', '1', '--json']

  it('is a floor in wei, and the higher of two floors counts', async () => {
    const fits = await runCli([...sale, '--min-wei', '1000000'])
    expect(fits.code).toBe(0)
    const exceeds = await runCli([...sale, '--min', '1', '--min-wei', '900000000000'])
    expect([exceeds.code, exceeds.err]).toEqual([5, expect.stringContaining('BELOW_OWN_FLOOR')])
    const zero = await runCli([...sale, '--min-wei', '0'])
    expect([zero.code, zero.err]).toEqual([2, expect.stringContaining('the floor is zero')])
  })
})

describe('braid compare --amount-out', () => {
  it('compares what the least input for that amount buys', async () => {
    const words = ['compare', ...frozen, ...ends, '--amount-out', '20000']
    const { order, amountOut, pools } = JSON.parse((await runCli([...words, '--json'])).out)
    expect(Number(amountOut)).toBeGreaterThanOrEqual(20_000e6)
    expect(Number(amountOut)).toBeLessThan(20_000e6 * 1.000001)
    expect(pools.length).toBeGreaterThan(3)
    for (const pool of pools) expect(BigInt(pool.amountOut)).toBeLessThanOrEqual(BigInt(amountOut))
    const people = await runCli(words)
    expect(people.out).toContain(`(${order.amountIn} wei)`)
  })
})

describe('braid swap --send', () => {
  const send = ['swap', '--rpc', 'http://127.0.0.1:1', ...ends, '--amount', '1', '--send']

  it('needs --yes where nobody can be asked, before it reads a key or a node', async () => {
    const { code, err } = await runCli([...send, '--private-key-env', 'KEY'])
    expect(code).toBe(2)
    expect(err).toContain('nobody can be asked here (USAGE)')
    expect(err).toContain('wanted  --yes')
  })

  it('asks a person instead', async () => {
    const person = { ask: () => Promise.reject(new Error('asked too early')) }
    const { code, err } = await runCli([...send, '--private-key-env', 'KEY'], {}, person)
    expect([code, err]).toEqual([2, expect.stringContaining('--send needs a private key')])
  })
})
