import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address, Hex } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApiDouble } from '../testing/apiDouble.js'
import { borrowDevnetFolder, type DevnetFolder } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'

let borrowed: DevnetFolder
let devnet: Devnet
let folder: string
let node: readonly string[]
let usdc: Address

beforeAll(async () => {
  borrowed = await borrowDevnetFolder()
  ;({ devnet, folder, node, usdc } = borrowed)
})
afterAll(() => borrowed?.stop())

const send = ['--json', '--send', '--yes', '--private-key-env', 'KEY']
const env = () => ({ KEY: devnet.wallet.privateKey, BRAID_API_KEY: 'k' })

/** The wallet's nonce, balances and allowances. */
async function walletState(): Promise<string> {
  const { address } = devnet.wallet
  const allowance = { address: usdc, abi: erc20Abi, functionName: 'allowance' } as const
  return stringify([
    await devnet.client.getTransactionCount({ address, blockTag: 'pending' }),
    await devnet.client.getBalance({ address }),
    await devnet.client.readContract({ ...allowance, args: [address, devnet.router] }),
  ])
}

/** Runs with other code at an address, and restores the code after it. */
async function withCode<T>(address: Address, bytecode: Hex, run: () => Promise<T>): Promise<T> {
  const own = (await devnet.client.getCode({ address })) ?? '0x'
  await devnet.client.setCode({ address, bytecode })
  try {
    return await run()
  } finally {
    await devnet.client.setCode({ address, bytecode: own })
  }
}

const places: readonly (readonly [string, () => readonly [Address, Hex]])[] = [
  ['no code at the router', () => [devnet.router, '0x']],
  ['code that takes anything at the router', () => [devnet.router, '0x00']],
  ['no code at the executor', () => [devnet.executor, '0x']],
  ['no wrapped token', () => [devnet.wrappedNative, '0x']],
]
const orders = [
  ['HYPE', '100'],
  ['USDC', '100'],
] as const
const cases = places.flatMap(([name, place]) =>
  orders.map(([token, amount]) => ({ name, place, token, amount })),
)

describe('on a chain without our router', () => {
  it.each(cases)('$token is neither approved nor sent: $name', async (one) => {
    const tokenOut = one.token === 'HYPE' ? 'USDC' : 'HYPE'
    const order = ['--in', one.token, '--out', tokenOut, '--amount', one.amount]
    const before = await walletState()
    const ran = await withCode(...one.place(), () =>
      runCli(['swap', ...node, ...order, ...send], env()),
    )
    expect([ran.code, ran.out]).toEqual([6, ''])
    expect(ran.err).toContain('"code":"ROUTER_UNVERIFIED"')
    expect(await walletState()).toBe(before)
  })

  it('an API’s transaction is not sent either, and not shown as ready', async () => {
    const api = await startApiDouble(devnet.tokens, () => {
      throw new Error('nobody asks')
    })
    const order = ['--in', 'native', '--out', usdc, '--amount', '1', '--min', '1']
    const words = ['swap', '--api', api.url, '--rpc', devnet.rpcUrl, ...order]
    for (const more of [send, ['--json']]) {
      const ran = await withCode(devnet.router, '0x', () => runCli([...words, ...more], env()))
      expect([ran.code, ran.out]).toEqual([6, ''])
    }
    expect(api.asked).toEqual([])
    await api.stop()
  })
})

describe('braid snapshot', () => {
  it('of an empty market writes nothing and says why', async () => {
    const none = join(folder, 'none.json')
    await writeFile(none, '[]')
    const out = join(folder, 'nothing.json')
    const ran = await runCli([
      ...['snapshot', '--rpc', devnet.rpcUrl, '--venues', none, '--out', out],
    ])
    expect([ran.code, ran.out]).toEqual([3, ''])
    expect(ran.err).toContain('this market has no pools (NO_POOLS)')
    expect(ran.err).toContain('--venues FILE')
    expect(
      (await runCli(['quote', '--snapshot', out, '--in', 'HYPE', '--out', 'WHYPE'])).code,
    ).toBe(2)
  })
})
