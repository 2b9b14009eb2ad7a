// A node that lies about one thing at a time: who sends through it loses nothing above the limits of the
// command line, alone or beside an honest API.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, decodeRouterCall, encodeRouterCall } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { NODE_LIES, THIEF } from '@braid-swap/devnet/testing'
import { type Rule, startRuledNode } from '@braid-swap/worlds/node'
import { erc20Abi, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type SwapAnswer, startApiDouble } from '../testing/apiDouble.js'
import { borrowDevnetFolder, type DevnetFolder, mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'

const TRUTH = 'the truth'
const MAX_FEE = 10n ** 16n
const MOST_GAS = ['--max-network-fee', '0.01']
/** After so many lies about what was sent the node tells the truth, because the program is patient. */
const MOST_LIES = 2

let borrowed: DevnetFolder
let api: Awaited<ReturnType<typeof startApiDouble>>
let honest: SwapAnswer
let list: readonly string[]
beforeAll(async () => {
  borrowed = await borrowDevnetFolder()
  const { devnet, folder, usdc } = borrowed
  // The program waits three minutes for what its node says is on its way.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() * 8)
  api = await startApiDouble(devnet.tokens, (query) => {
    const call = { ...decodeRouterCall(honest.tx.data), deadline: BigInt(query.get('deadline')!) }
    return { ...honest, tx: { ...honest.tx, data: encodeRouterCall(call) } }
  })
  const tokens = join(folder, 'tokens.json')
  await writeFile(tokens, JSON.stringify([{ address: usdc, symbol: 'USDC', decimals: 6 }]))
  list = ['--tokens', tokens]
})
afterAll(async () => {
  vi.restoreAllMocks()
  await api?.stop()
  await borrowed?.stop()
})

/** What a node answers otherwise, in words, and its rule. */
type NodeLie = readonly [string, Rule]
type Sale = { readonly amount: bigint; readonly least: bigint; readonly words: readonly string[] }
const sellsHype = (usdc: Address): Sale => ({
  ...{ amount: 10n ** 18n, least: 38_000_000n },
  words: ['--in', 'native', '--out', usdc, '--amount', '1', '--min', '38'],
})
const sellsUsdc = (usdc: Address): Sale => ({
  ...{ amount: 40_000_000n, least: 9n * 10n ** 17n },
  words: [
    '--in',
    usdc,
    '--out',
    'native',
    '--amount-wei',
    '40000000',
    '--min-wei',
    `${9n * 10n ** 17n}`,
  ],
})

async function held() {
  const { devnet, usdc } = borrowed
  const { address } = devnet.wallet
  const read = (functionName: 'balanceOf' | 'allowance', ...args: readonly Address[]) =>
    devnet.client.readContract({
      ...{ address: usdc, abi: erc20Abi, functionName, args: args as never },
    }) as Promise<bigint>
  return {
    native: await devnet.client.getBalance({ address }),
    usdc: await read('balanceOf', address),
    transactions: BigInt(await devnet.client.getTransactionCount({ address })),
    allowed: [
      await read('allowance', address, devnet.router),
      await read('allowance', address, THIEF),
    ],
  }
}

/** Sends through a node that lies. Fails if that cost more than the terms. */
async function swapsUnder([about, rule]: NodeLie, { amount, least, words }: Sale, byApi: boolean) {
  const { devnet } = borrowed
  const before = await devnet.client.snapshot()
  const [had, node] = [await held(), await startRuledNode(devnet.rpcUrl, rule)]
  const source = ['--rpc', node.url, '--router', devnet.router]
  const market = byApi ? ['--api', api.url] : borrowed.node.slice(2)
  const tokens = words.includes('--min') ? list : []
  const send = ['--send', '--yes', '--private-key-env', 'KEY', '--json', ...MOST_GAS]
  const asked = ['swap', ...source, ...market, ...tokens, ...words, ...send]
  // What is kept of a swap belongs to the chain that is put back below.
  const state = await mkdtemp(join(borrowed.folder, 'state-'))
  const env = { KEY: devnet.wallet.privateKey, BRAID_API_KEY: 'k', XDG_STATE_HOME: state }
  const { code, err } = await mineDuring(devnet, () => runCli(asked, env))
  await node.stop()
  // What still waits is mined, too.
  await devnet.mine()
  const has = await held()
  await devnet.client.revert({ id: before })
  await devnet.client.request({ method: 'anvil_dropAllTransactions' })
  const transactions = has.transactions - had.transactions
  const isNative = words[1] === 'native'
  const [native, usdc] = [has.native - had.native, has.usdc - had.usdc]
  const [paid, got] = isNative ? [-native, usdc] : [-usdc, native]
  const gas = transactions * MAX_FEE
  const hasSwapped = isNative ? usdc > 0n : usdc < 0n
  const terms = {
    once: transactions <= (isNative ? 1n : 2n),
    paid: paid <= (hasSwapped ? amount : 0n) + (isNative ? gas : 0n),
    got: !hasSwapped || got >= least - (isNative ? 0n : gas),
    allowed: has.allowed.every((wei, at) => wei <= (at === 0 && !isNative ? amount : 0n)),
  }
  const kept = { once: true, paid: true, got: true, allowed: true }
  expect({ about, code, err, ...terms }).toEqual({ about, code, err, ...kept })
  if (about === TRUTH) expect([code, hasSwapped], err).toEqual([0, true])
}

/** Answers a method otherwise: always before the swap is sent, then only some times. */
function lying(method: string, lie: (answer: unknown) => unknown): Rule {
  let left = Number.POSITIVE_INFINITY
  return async (ask, asked) => {
    if (asked === 'eth_sendRawTransaction' && left > MOST_LIES) left = MOST_LIES
    if (asked !== method || left-- <= 0) return ask()
    return lie(await ask())
  }
}

const word = (value: number) => toHex(value, 32).slice(2)
/** Lies of a node that knows what it does. */
const CLEVER: readonly (() => NodeLie)[] = [
  () => ['no decimals', lying('eth_call', (answer) => `${answer}`.replaceAll(word(6), word(0)))],
  () => ['many decimals', lying('eth_call', (answer) => `${answer}`.replaceAll(word(6), word(30)))],
  () => ['a dear gas price', lying('eth_gasPrice', () => numberToHex(10n ** 15n))],
  () => ['a dear estimate', lying('eth_estimateGas', () => numberToHex(10n ** 9n))],
  () => ['an earlier nonce', lying('eth_getTransactionCount', () => '0x0')],
]
/** `BRAID_E2E_SCALE`: of the dull lies a tenth by default, which begins at random. */
const EVERY = Math.max(1, Math.round(1 / Number(process.env['BRAID_E2E_SCALE'] ?? 0.1)))

describe.each([
  ['beside an API, with amounts in units, after an approval', sellsUsdc, true],
  ['alone, which then also tells the market, with a list of tokens', sellsHype, false],
])('braid swap --send by a node %s', (_, saleOf, byApi) => {
  it('that changes one of its answers loses nothing above the terms', async () => {
    const { devnet, usdc, node } = borrowed
    const sale = saleOf(usdc)
    const order = [...node, '--router', devnet.router, ...sale.words.slice(0, 6), '--json']
    const { amountOut, tx } = JSON.parse((await runCli(['swap', ...order])).out)
    honest = { dstAmount: BigInt(amountOut), tx: { ...tx, value: BigInt(tx.value) } }
    const methods = new Set<string>()
    const note: Rule = (ask, method) => {
      methods.add(method)
      return ask()
    }
    await swapsUnder([TRUTH, note], sale, byApi)
    expect(methods.size).toBeGreaterThan(8)
    const start = Math.floor(Math.random() * EVERY)
    // What else a node says alone makes the market, which can be empty, but no floor lower.
    const dull = (byApi ? [...methods] : []).flatMap((method) =>
      NODE_LIES.map((lie): NodeLie => [`${method}: ${lie}`, lying(method, () => lie)]),
    )
    for (const lie of dull.filter((_, at) => at % EVERY === start)) {
      await swapsUnder(lie, sale, byApi)
    }
    for (const lie of CLEVER) await swapsUnder(lie(), sale, byApi)
  })
})
