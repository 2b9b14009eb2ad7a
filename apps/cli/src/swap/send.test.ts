// What is sent is what was shown, and each step is told.

import { decodeRouterCall, type Hex, NATIVE } from '@braid-swap/core'
import { PERMIT2, toHex } from '@braid-swap/core/advanced'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { borrowDevnetFolder, type DevnetFolder, mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'
import { readAccount } from './send.js'

const KEY = `0x${'0'.repeat(63)}1`

describe('the key of --send', () => {
  const read = (variable: string | undefined, env = {}) =>
    readAccount(variable, { env } as unknown as Parameters<typeof readAccount>[1])

  it('is 64 hex digits in the environment', () => {
    for (const key of [KEY, `0x${'aB'.repeat(32)}`]) {
      expect(read('K', { K: key }).address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    }
  })

  it.each([
    [undefined, {}, 'nothing'],
    ['K', {}, 'K without one'],
    ['toString', {}, 'toString without one'],
    ['K', { K: KEY.slice(0, -1) }, 'K without one'],
    ['K', { K: `${KEY}0` }, 'K without one'],
    ['K', { K: KEY.slice(2) }, 'K without one'],
  ])('is not %s of %j', (variable, env, got) => {
    expect(() => read(variable, env)).toThrow(
      expect.objectContaining({ code: 'USAGE', details: expect.objectContaining({ got }) }),
    )
  })
})

describe('braid swap --send', () => {
  let borrowed: DevnetFolder
  beforeAll(async () => {
    borrowed = await borrowDevnetFolder()
  })
  afterAll(() => borrowed?.stop())

  const send = async (...more: readonly string[]) => {
    const { devnet, node } = borrowed
    const how = ['--send', '--yes', '--private-key-env', 'KEY', '--router', devnet.router]
    const words = ['swap', ...node, ...more, ...how]
    return mineDuring(devnet, () => runCli(words, { KEY: devnet.wallet.privateKey }))
  }
  const allowance = (spender: Hex) =>
    borrowed.devnet.client.readContract({
      ...{ address: borrowed.usdc, abi: erc20Abi, functionName: 'allowance' },
      args: [borrowed.devnet.wallet.address, spender],
    })

  it('approves exactly, sends within the limits that it shows, and tells each step', async () => {
    const { devnet, usdc } = borrowed
    const { timestamp } = await devnet.client.getBlock()
    const sale = ['--in', usdc, '--out', 'native', '--amount', '40']
    // Nobody is there to be asked about gas for 30 HYPE.
    const dear = await send(...sale, '--tip', '2000')
    expect([dear.code, dear.err]).toEqual([
      ...[5, expect.stringContaining('gas may cost more than 2 % of this order')],
    ])
    const { code, out, err } = await send(...sale)
    expect([code, err]).toEqual([
      ...[
        0,
        expect.stringContaining(`approving exactly 40 USDC (40000000 wei) for ${devnet.router}`),
      ],
    ])
    expect(err).not.toContain('revoking')
    expect(err).toMatch(/\nsending\nhanded over as 0x[0-9a-f]{64}; waiting for its block$/)
    expect([err.match(/^sending$/gm), out.match(/^data /gm)]).toEqual([['sending'], ['data ']])
    // The approval took a block, so the swap is of a later one than what was shown.
    const [shown, sold] = [...err.matchAll(/ pools at block (\d+)/g)].map(([, block]) => block)
    expect(Number(sold)).toBeGreaterThan(Number(shown))
    expect(await allowance(devnet.router)).toBe(0n)
    const hash = /^sent +(0x[0-9a-f]{64})$/m.exec(out)![1] as Hex
    expect(err).toContain(`handed over as ${hash};`)
    const { input, value } = await devnet.client.getTransaction({ hash })
    const call = decodeRouterCall(input)
    expect([value, call.tokenIn, call.tokenOut, call.amountIn]).toEqual([
      0n,
      usdc,
      NATIVE,
      40_000_000n,
    ])
    const data = /^data +(0x[0-9a-f]+)$/m.exec(out)![1]
    expect(data).toBe(input)
    expect(out).toMatch(new RegExp(`^from +${devnet.wallet.address}$`, 'mi'))
    expect(Number(call.deadline - timestamp)).toBeLessThan(1_200 + 600)
  })

  it('--amount all sells what the gas of its own answer leaves, and quotes the same', async () => {
    const { devnet, node } = borrowed
    const { address } = devnet.wallet
    const before = await devnet.client.getBalance({ address })
    await devnet.client.setBalance({ address, value: 10n ** 19n })
    const all = ['--in', 'native', '--out', devnet.wrappedNative, '--amount', 'all']
    const quoted = await runCli(['quote', ...node, ...all, '--from', address, '--json'])
    const words = ['swap', ...node, ...all, '--from', address, '--router', devnet.router, '--json']
    const { tx, fees } = JSON.parse((await runCli(words)).out)
    expect(BigInt(tx.value) + BigInt(tx.gas) * BigInt(fees.maxFeePerGas)).toBe(10n ** 19n)
    expect(quoted.err).toContain(`selling all: 9.99`)
    expect(JSON.parse(quoted.out).amountIn).toBe(tx.value)
    const sold = await send(...all)
    expect([sold.code, sold.err]).toEqual([0, expect.stringContaining(' stay for gas')])
    expect(await devnet.client.getBalance({ address })).toBeLessThan(10n ** 17n)
    await devnet.client.setBalance({ address, value: before })
    const needs = await runCli(['quote', ...node, ...all])
    expect([needs.code, needs.err]).toEqual([2, expect.stringContaining('--from WALLET')])
  })

  it.each([
    ['its own market', [], []],
    ['an API', ['--api', 'http://127.0.0.1:1'], ['--min-wei', '1']],
    ['an API and its own floor', ['--api', 'http://127.0.0.1:1'], []],
  ])('asks the node about the router before it asks %s', async (_, api, floor) => {
    const { devnet } = borrowed
    const sale = ['--in', 'native', '--out', devnet.wrappedNative, '--amount', '1']
    const where = ['--rpc', devnet.rpcUrl, '--router', toHex(0xbad, 20)]
    const env = { KEY: devnet.wallet.privateKey, BRAID_API_KEY: 'k' }
    const send = ['--send', '--yes', '--private-key-env', 'KEY']
    const words = ['swap', ...where, ...sale, ...send, ...api, ...floor]
    const { code, err } = await runCli(words, env)
    expect([code, err]).toEqual([6, expect.stringContaining('no router at')])
    expect(err).not.toContain('reading the pools')
  })

  it('of an amount to buy sells what was shown, also after an approval', async () => {
    const { devnet, usdc } = borrowed
    const { code, out, err } = await send(
      '--in',
      usdc,
      '--out',
      'native',
      '--amount-out',
      '0.5',
      '--json',
    )
    expect(code, err).toBe(0)
    const { hash, amountOut, quoted } = JSON.parse(out)
    const { input } = await devnet.client.getTransaction({ hash })
    const { minAmountOut, amountIn } = decodeRouterCall(input)
    expect(minAmountOut).toBe(5n * 10n ** 17n)
    expect(err).toContain(` (${amountIn} wei) for `)
    expect(BigInt(quoted)).toBeGreaterThanOrEqual(minAmountOut)
    expect(BigInt(amountOut)).toBeGreaterThanOrEqual(minAmountOut)
  })

  it('pays by Permit2, and a receiver and a recipient get what they were promised', async () => {
    const { devnet, usdc } = borrowed
    const [receiver, recipient] = [`0x${'12'.repeat(20)}`, `0x${'34'.repeat(20)}`] as const
    const fee = ['--fee-bps', '30', '--fee-recipient', recipient]
    const sale = ['--in', usdc, '--out', devnet.wrappedNative, '--amount', '40', '--json']
    const { code, out, err } = await send(
      ...sale,
      ...fee,
      '--receiver',
      receiver,
      '--pay',
      'permit2',
    )
    expect([code, err]).toEqual([0, expect.stringContaining(`for ${PERMIT2}`)])
    const held = (owner: Hex) =>
      devnet.client.readContract({
        ...{ address: devnet.wrappedNative, abi: erc20Abi, functionName: 'balanceOf' },
        args: [owner],
      })
    expect(await held(receiver)).toBe(BigInt(JSON.parse(out).amountOut))
    expect(await held(recipient)).toBeGreaterThan(0n)
  })
})
