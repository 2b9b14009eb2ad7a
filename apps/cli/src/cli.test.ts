import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from './testing/runCli.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const order = (tokenIn: string, tokenOut: string, amount: string) => [
  ...['--in', tokenIn, '--out', tokenOut, '--amount', amount],
]

describe('braid quote', () => {
  it('prints the same to people and as JSON, and nothing else', async () => {
    const words = ['quote', ...frozen, ...order('HYPE', 'USDC', '1500')]
    const [people, machines] = [await runCli(words), await runCli([...words, '--json'])]
    expect([people.code, machines.code, people.err, machines.err]).toEqual([0, 0, '', ''])
    const quote = JSON.parse(machines.out)
    expect(quote.amountIn).toBe('1500000000000000000000')
    expect(people.out).toContain(`(${quote.amountOut} wei)`)
    expect(people.out).toContain(`block    ${quote.block}`)
    expect(people.out.split('\n').filter((line) => /[├└]─/.test(line))).toHaveLength(
      quote.hops.length,
    )
    const sum = (hops: { amountOut: string }[]) =>
      hops.reduce((total, hop) => total + BigInt(hop.amountOut), 0n)
    const last = quote.hops.filter((hop: { tokenOut: string }) => hop.tokenOut === quote.tokenOut)
    expect(sum(last)).toBe(BigInt(quote.amountOut))
  })

  it('finds the least input for an amount to buy', async () => {
    const ends = ['--in', 'HYPE', '--out', 'USDC']
    const asked = ['quote', ...frozen, ...ends, '--amount-out', '50', '--json']
    const { amountIn, amountOut } = JSON.parse((await runCli(asked)).out)
    expect(BigInt(amountOut)).toBeGreaterThanOrEqual(50_000_000n)
    const less = ['quote', ...frozen, ...ends, '--amount-wei', `${BigInt(amountIn) - 1n}`, '--json']
    expect(BigInt(JSON.parse((await runCli(less)).out).amountOut)).toBeLessThan(50_000_000n)
    const explained = await runCli(['explain', ...frozen, ...ends, '--amount-out', '50'])
    expect(explained.out).toContain(`(${amountIn} wei)`)
    const both = await runCli([...asked, '--amount', '1'])
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('--amount-out replaces')])
  })

  it('draws the route as a tree', async () => {
    const { out } = await runCli(['quote', ...frozen, ...order('native', 'whype', '1.5')])
    // Gas is a measured constant, which may be measured again.
    expect(out.replace(/^(gas +)\d+/m, '$1…')).toMatchInlineSnapshot(`
      "pay      1.5 HYPE (1500000000000000000 wei)
      receive  1.5 WHYPE (1500000000000000000 wei)
      rate     1 WHYPE/HYPE
      impact   0.00 %
      worth    about 60.0169 → 60.0169 USD
      gas      … (estimate)
      block    79

      1.5 HYPE
      └─ 100.00 %  1.5 HYPE  → 1.5 WHYPE  whype  wrap    0x555555…555555"
    `)
  })

  it('accepts an amount in wei, an address, and a symbol that is not on keyboards', async () => {
    const usdt = '0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb'
    const wei = ['--amount-wei', '1000000']
    const outs = await Promise.all(
      [usdt, 'USD₮0', 'usdt0'].map(async (token) => {
        const words = ['quote', ...frozen, '--in', token, '--out', 'USDC', '--json']
        return (await runCli([...words, ...wei])).out
      }),
    )
    expect(new Set(outs).size).toBe(1)
    expect(JSON.parse(outs[0]!).tokenIn).toBe(usdt.toLowerCase())
  })
})

describe('braid explain', () => {
  it('adds prices and full addresses', async () => {
    const { out, code } = await runCli(['explain', ...frozen, ...order('UBTC', 'USDC', '0.2')])
    expect(code).toBe(0)
    expect(out).toMatch(/USDC\/UBTC .* 0x[0-9a-f]{40}/)
  })
})

describe('braid swap and braid verify', () => {
  const asked = order('HYPE', 'PURR', '150')
  const build = async (...more: string[]) =>
    JSON.parse((await runCli(['swap', ...frozen, ...asked, '--json', ...more])).out)

  it('build a transaction and read the same intent back from it', async () => {
    const { tx, amountOut, intent } = await build('--slippage', '0.3')
    expect(tx.value).toBe('150000000000000000000')
    const floor = (BigInt(amountOut) * 997_000n + 999_999n) / 1_000_000n
    expect(intent.call.minAmountOut).toBe(`${floor}`)
    expect(intent.faults).toEqual([])
    const wanted = [...asked, '--min-wei', `${floor}`, '--receiver', `0x${'0'.repeat(40)}`]
    const words = ['verify', '--calldata', tx.data, ...frozen, ...wanted]
    const checked = await runCli(words)
    expect(checked.code).toBe(0)
    expect(checked.out.match(/^ok /gm)).toHaveLength(7)
    expect(checked.out).toMatch(new RegExp(`pays at block 79 .*\\(${amountOut} wei\\)`))
  })

  it('describe the transaction in words', async () => {
    const { out, code } = await runCli(['swap', ...frozen, ...asked])
    expect(code).toBe(0)
    expect(out).toContain('payer     only the sender of the transaction')
    expect(out).toContain('receives  at least')
    expect(out).toContain('the rest')
  })

  it.each([
    ['another amount', ['--amount', '151'], 'amountIn'],
    ['another token', ['--out', 'USDC'], 'tokenOut'],
    ['a higher floor', ['--min', '1000000000'], 'minAmountOut'],
    ['another receiver', ['--receiver', `0x${'1'.repeat(40)}`], 'receiver'],
  ])('refuse %s', async (_, wanted, name) => {
    const { tx } = await build()
    const checked = await runCli(['verify', '--calldata', tx.data, ...frozen, ...wanted])
    expect(checked.code).toBe(5)
    expect(checked.out).toMatch(new RegExp(`^WRONG +${name}`, 'm'))
    expect(checked.err).toContain('MISMATCH')
  })

  it('refuse a program that was tampered with', async () => {
    const { tx, intent } = await build()
    const pool = intent.hops[0].pool.slice(2)
    const other = tx.data.replace(pool, 'ab'.repeat(20))
    const checked = await runCli(['verify', '--calldata', other, ...frozen])
    expect([checked.code, checked.err]).toEqual([5, expect.stringContaining('in the snapshot')])
    const cut = await runCli(['verify', '--calldata', tx.data.slice(0, -64), ...frozen])
    expect([cut.code, cut.err]).toEqual([2, expect.stringContaining('BAD_CALLDATA')])
  })
})

describe('wrong input', () => {
  const hype = order('HYPE', 'USDC', '1')
  const away = ['--rpc', 'http://127.0.0.1:9']
  const twice = JSON.stringify(
    [1, 2].map((n) => ({ address: `0x${`${n}`.repeat(40)}`, symbol: 'DUP', decimals: 18 })),
  )
  it.each<[string, readonly string[], number, RegExp]>([
    ['no source', ['quote', ...hype], 2, /wanted {2}one of --snapshot/],
    [
      'no rate',
      ['quote', '--rpc', 'http://x', '--requests-per-minute', '0', ...hype],
      2,
      /per-minute/,
    ],
    ['two sources', ['quote', ...frozen, '--rpc', 'http://x', ...hype], 2, /--snapshot and --rpc/],
    ['a mistyped command', ['qoute', ...hype], 2, /Did you mean quote/],
    ['a mistyped option', ['quote', ...frozen, ...hype, '--jsn'], 2, /Did you mean --json/],
    ['no order', ['quote', ...frozen], 2, /required option '--in/],
    ['no amount', ['quote', ...frozen, '--in', 'HYPE', '--out', 'USDC'], 2, /--amount 1.5/],
    ['an amount twice', ['quote', ...frozen, ...hype, '--amount=2'], 2, /--amount is given twice/],
    ['a node twice', ['snapshot', '--out', 'x', ...away, ...away], 2, /--rpc is given twice/],
    [
      'a way twice',
      ['swap', ...hype, '--pay', 'permit2', '--pay', 'approval'],
      2,
      /--pay is given/,
    ],
    ['two amounts', ['quote', ...frozen, ...hype, '--amount-wei', '5'], 2, /--amount and/],
    ['a bad amount', ['quote', ...frozen, ...order('HYPE', 'USDC', '1e3')], 2, /BAD_AMOUNT/],
    [
      'too many decimals',
      ['quote', ...frozen, ...order('USDC', 'HYPE', '0.0000001')],
      2,
      /wanted {2}6/,
    ],
    ['nothing to swap', ['quote', ...frozen, ...order('HYPE', 'USDC', '0')], 2, /zero/],
    ['one token', ['quote', ...frozen, ...order('HYPE', 'native', '1')], 2, /same token/],
    [
      'an unknown token',
      ['quote', ...frozen, ...order('NOPE', 'USDC', '1')],
      2,
      /symbols {2}HYPE, .*UBTC/,
    ],
    [
      'an unknown address',
      ['quote', ...frozen, ...order(`0x${'9'.repeat(40)}`, 'USDC', '1')],
      2,
      /UNKNOWN_TOKEN/,
    ],
    ['bad slippage', ['swap', ...away, ...hype, '--slippage', '51'], 2, /0 to 50/],
    [
      'an impact of no size',
      ['quote', ...frozen, ...hype, '--max-price-impact', 'x'],
      2,
      /0 to 50/,
    ],
    ['no API to suggest', ['swap', ...frozen, ...hype, '--slippage', 'auto'], 2, /--api URL/],
    ['a bad receiver', ['swap', ...frozen, ...hype, '--receiver', '0x1'], 2, /40 hex digits/],
    ['a bad deadline', ['swap', ...away, ...hype, '--deadline', '0'], 2, /seconds/],
    ['calldata of another', ['verify', '--calldata', '0xa9059cbb00'], 2, /BAD_CALLDATA/],
    ['calldata that is none', ['verify', '--calldata', 'abc'], 2, /--calldata is not hex/],
    ['sending a snapshot', ['swap', ...frozen, ...hype, '--send'], 2, /--send needs a node/],
    [
      'dust',
      ['quote', ...frozen, '--in', 'HYPE', '--out', 'UBTC', '--amount-wei', '1'],
      3,
      /AMOUNT_TOO_SMALL/,
    ],
    [
      'far too much',
      ['quote', ...frozen, ...order('HYPE', 'HPL', '9'.repeat(25))],
      3,
      /INSUFFICIENT_LIQUIDITY/,
    ],
  ])('%s has its own message and exit code', async (_, words, code, message) => {
    const result = await runCli(words)
    expect(result.err).toMatch(message)
    expect([result.code, result.out]).toEqual([code, ''])
  })

  it('includes a symbol that several tokens have', async () => {
    const tokens = write('twice.json', twice)
    const words = ['verify', '--calldata', '0xa9059cbb', '--tokens', tokens, '--in', 'DUP']
    const known = (await runCli(['swap', ...frozen, ...hype, '--json'])).out
    const result = await runCli(words.with(2, JSON.parse(known).tx.data))
    expect([result.code, result.err]).toEqual([2, expect.stringContaining('AMBIGUOUS_TOKEN')])
  })

  it('with a market without token names says how to name them', async () => {
    const nameless = write('nameless.json', readFileSync(frozen[1]!, 'utf8'))
    const { err } = await runCli(['quote', '--snapshot', nameless, ...hype])
    expect(err).toMatch(/or one of --tokens FILE\n {2}symbols {2}HYPE$/)
  })

  it('is reported as JSON with --json', async () => {
    const { err, code } = await runCli([
      'quote',
      ...frozen,
      ...order('NOPE', 'USDC', '1'),
      '--json',
    ])
    expect(code).toBe(2)
    expect(JSON.parse(err).error.code).toBe('UNKNOWN_TOKEN')
  })
})

describe('a failing network', () => {
  it('of an API ends with its own code', async () => {
    const server = createServer()
    const port = await new Promise<number>((done) => {
      server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port))
    })
    await new Promise((done) => server.close(done))
    const url = `http://127.0.0.1:${port}/secret`
    const words = order('native', `0x${'5'.repeat(40)}`, '1')
    const api = await runCli(['quote', '--api', url, ...words], { BRAID_API_KEY: 'k' })
    expect([api.code, api.err]).toEqual([4, expect.stringContaining('API_UNREACHABLE')])
    const keyless = await runCli(['quote', '--api', url, ...words])
    expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining('BRAID_API_KEY')])
  })
})

it.each([
  [['quote', '--json'], /^required option '--in/],
  [['quote', '--json', '--in', 'HYPE', '--out', 'USDC', '--bogus'], /^unknown option '--bogus'/],
])('with --json what the parser refuses of %j is one error as JSON', async (words, message) => {
  const { code, out, err } = await runCli(words)
  expect([code, out]).toEqual([2, ''])
  const error = { code: 'USAGE', message: expect.stringMatching(message) }
  expect(JSON.parse(err)).toMatchObject({ error })
})

describe('help', () => {
  it.each(['quote', 'explain', 'swap', 'compare', 'verify', 'simulate', 'snapshot'])(
    'of %s shows an example',
    async (command) => {
      const { out, code } = await runCli([command, '--help'])
      expect(code).toBe(0)
      expect(out).toMatch(new RegExp(`Example:\n {2}\\$ braid ${command} `))
    },
  )

  it('of the program lists every command and exit code', async () => {
    const { out } = await runCli(['--help'])
    expect(out).toContain('Exit codes: 0 done')
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect((await runCli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/)
  })
})
