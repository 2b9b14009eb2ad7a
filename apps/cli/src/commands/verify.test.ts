import { knownExecutors, routerDeployment } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, encodeRouterCall, type RouterCall } from '@braid-swap/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

const WHYPE: Address = '0x5555555555555555555555555555555555555555'
const STRANGER: Address = `0x${'ab'.repeat(20)}`
const { router } = routerDeployment(WHYPE)
const order = ['--in', 'HYPE', '--out', 'PURR', '--amount', '150']

let call: RouterCall
beforeAll(async () => {
  const { out } = await runCli(['swap', ...frozen, ...order, '--json'])
  call = decodeRouterCall(JSON.parse(out).tx.data)
})

const verify = (change: Partial<RouterCall>, ...words: readonly string[]) =>
  runCli(['verify', '--calldata', encodeRouterCall({ ...call, ...change }), ...words])

describe('braid verify with only the calldata', () => {
  it('accepts an honest swap and reports what it did not compare', async () => {
    const { code, err } = await verify({})
    expect(code).toBe(0)
    expect(err).toBe('not compared, because not given: --in, --out, --amount, --min, --to, --value')
  })

  it.each<readonly [string, Partial<RouterCall>, string]>([
    ['a stranger as receiver', { receiver: STRANGER }, 'receiver'],
    ['an unknown executor', { executor: STRANGER }, 'executor'],
    ['a floor of 1', { minAmountOut: 1n }, 'minAmountOut'],
    ['no deadline', { deadline: (1n << 256n) - 1n }, 'deadline'],
    ['a deadline of 2^63', { deadline: 1n << 63n }, 'deadline'],
  ])('refuses %s', async (_, change, name) => {
    const { code, out, err } = await verify(change)
    expect([code, err]).toEqual([5, expect.stringContaining('MISMATCH')])
    expect(out).toMatch(new RegExp(`^WRONG +${name}`, 'm'))
  })
})

describe('braid verify of a fee', () => {
  const fee = ['--fee-bps', '30', '--fee-recipient', STRANGER]

  it('shows what it is and who gets it, and refuses one that was not asked for', async () => {
    const swapped = await runCli(['swap', ...frozen, ...order, ...fee, '--json'])
    const paid = decodeRouterCall(JSON.parse(swapped.out).tx.data)
    expect(paid.minAmountOut).toBeLessThan(call.minAmountOut)
    const asked = await verify(paid, ...fee)
    expect([asked.code, asked.out]).toEqual([
      ...[
        0,
        expect.stringMatching(
          new RegExp(`^fee +0.3 % of the output, at least \\d+ wei of .* to ${STRANGER}`, 'm'),
        ),
      ],
    ])
    for (const words of [
      [],
      ['--fee-bps', '29', '--fee-recipient', STRANGER],
      ['--fee-bps', '30', '--fee-recipient', WHYPE],
    ]) {
      const { code, out } = await verify(paid, ...words)
      expect([code, out]).toEqual([5, expect.stringMatching(/^WRONG +fee/m)])
    }
    expect((await verify({}, ...fee)).code).toBe(0)
  })

  it.each([
    ['only its size', ['--fee-bps', '30']],
    ['only its recipient', ['--fee-recipient', STRANGER]],
    ['more than 1 %', ['--fee-bps', '101', '--fee-recipient', STRANGER]],
    ['no number', ['--fee-bps', 'x', '--fee-recipient', STRANGER]],
  ])('refuses options with %s', async (_, words) => {
    const { code, err } = await runCli(['quote', ...frozen, ...order, ...words])
    expect([code, err]).toEqual([2, expect.stringContaining('USAGE')])
  })
})

describe('braid verify', () => {
  it('treats the address of the sender like the zero address', async () => {
    const receiver = { receiver: STRANGER }
    expect((await verify(receiver, '--from', STRANGER)).code).toBe(0)
    expect((await verify(receiver, '--receiver', STRANGER)).code).toBe(0)
    expect((await verify(receiver, '--from', WHYPE)).code).toBe(5)
    expect((await verify({}, '--from', STRANGER)).code).toBe(0)
  })

  it('compares --to, --value and --deadline', async () => {
    const right = { to: router, value: call.amountIn, deadline: call.deadline }
    const wordsOf = (of: object) => Object.entries(of).map(([name, value]) => `--${name}=${value}`)
    const ran = await verify({}, ...wordsOf(right))
    expect(ran.code).toBe(0)
    expect(ran.err).not.toContain('--to')
    const wrong = { to: STRANGER, value: call.amountIn + 1n, deadline: call.deadline - 1n }
    for (const [name, value] of Object.entries(wrong)) {
      const { code, out } = await verify({}, ...wordsOf({ ...right, [name]: value }))
      expect([code, out]).toEqual([5, expect.stringMatching(new RegExp(`^WRONG +${name}`, 'm'))])
    }
    const executor = knownExecutors(STRANGER, WHYPE)[0].address
    const words = ['--to', STRANGER, '--router', STRANGER]
    expect((await verify({ executor }, ...words)).code).toBe(0)
    expect((await verify({}, ...words)).out).toMatch(/^WRONG +executor/m)
  })

  it('refuses a floor far below what the route pays on the market', async () => {
    const tenth = { minAmountOut: call.minAmountOut / 10n }
    const { code, out } = await verify(tenth, ...frozen)
    expect([code, out]).toEqual([5, expect.stringMatching(/^WRONG +minAmountOut/m)])
    expect((await verify(tenth, ...frozen, '--min-wei', '1')).code).toBe(0)
    expect((await verify({}, ...frozen)).code).toBe(0)
  })

  it.each<readonly [string, () => Address]>([
    ['the token out', () => call.tokenOut],
    ['WHYPE', () => WHYPE],
    ['the native placeholder', () => `0x${'e'.repeat(40)}`],
    ['a system address', () => '0x20000000000000000000000000000000000000c8'],
    ['the system address of HYPE', () => `0x${'2'.repeat(40)}`],
    ['the router', () => router],
    ['the executor', () => knownExecutors(router, WHYPE)[0].address],
  ])('refuses %s as receiver, also where it is asked for', async (_, receiver) => {
    const ran = await verify({ receiver: receiver() }, '--receiver', receiver())
    expect([ran.code, ran.err]).toEqual([5, expect.stringContaining('RECEIVER_REFUSED')])
    const swap = await runCli(['swap', ...frozen, ...order, '--receiver', receiver()])
    expect([swap.code, swap.out]).toEqual([5, ''])
    expect(swap.err).toContain('RECEIVER_REFUSED')
  })

  it('refuses the zero address as the receiver of a swap', async () => {
    const zero = `0x${'0'.repeat(40)}`
    const swap = await runCli(['swap', ...frozen, ...order, '--receiver', zero])
    expect([swap.code, swap.err]).toEqual([5, expect.stringContaining('RECEIVER_REFUSED')])
  })

  it('warns about a burn address, and allows it', async () => {
    const dead: Address = '0x000000000000000000000000000000000000dead'
    const ran = await verify({ receiver: dead }, '--receiver', dead)
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('is a burn address')])
    const swap = await runCli(['swap', ...frozen, ...order, '--receiver', dead])
    expect([swap.code, swap.err]).toEqual([0, expect.stringContaining('is a burn address')])
  })
})

describe('braid swap --min and --min-rate', () => {
  const swap = (...words: readonly string[]) =>
    runCli(['swap', ...frozen, ...order, '--json', '--slippage', '50', ...words])

  it('raise the floor to the caller’s own', async () => {
    const quoted = BigInt(JSON.parse((await swap()).out).amountOut)
    const { decimals, whole } = await purr()
    const least = (quoted * 99n) / 100n
    for (const words of [
      ['--min', whole(least)],
      ['--min-rate', whole(least / 150n + 1n)],
    ]) {
      const { tx } = JSON.parse((await swap(...words)).out)
      const { minAmountOut } = decodeRouterCall(tx.data)
      expect(minAmountOut).toBeGreaterThanOrEqual(least)
      expect(minAmountOut).toBeLessThan(least + 10n ** BigInt(decimals))
    }
    const refused = await swap('--min', whole(quoted + 1n))
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('BELOW_OWN_FLOOR')])
    const nothing = await swap('--min', '0')
    expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('USAGE')])
  })
})

/** PURR in the recorded market. */
async function purr() {
  const asked = ['--in', 'PURR', '--out', 'HYPE', '--amount', '1', '--json']
  const { out } = await runCli(['quote', ...frozen, ...asked])
  const decimals = JSON.parse(out).amountIn.length - 1
  const whole = (wei: bigint) => {
    const digits = `${wei}`.padStart(decimals + 1, '0')
    return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  }
  return { decimals, whole }
}
