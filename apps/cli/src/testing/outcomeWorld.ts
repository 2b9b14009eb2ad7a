// Commands that swap through a node that does as told, and remember what they sent in a folder of their own.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '@braid-swap/core'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { type Ask, type Rule, startRuledNode } from '@braid-swap/worlds/node'
import { erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { runCli } from './runCli.js'

export const AMOUNT = 10n ** 18n

/** The devnet of a file of tests; `mining` is put back to on after each test. */
export const chain = { mining: true } as { devnet: Devnet; mining: boolean }
/** The folder of what the commands of a test remember. */
let state: string

/** Borrows the devnet for a file of tests. */
export function borrowForFile(): void {
  let isDone = false
  let mining: Promise<void>
  beforeAll(async () => {
    chain.devnet = await borrowDevnet()
    mining = (async () => {
      while (!isDone) {
        if (chain.mining) await chain.devnet.mine()
        await sleep(50)
      }
    })()
  })
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'braid-state-'))
  })
  afterEach(() => {
    chain.mining = true
    vi.useRealTimers()
    rmSync(state, { recursive: true })
  })
  afterAll(async () => {
    isDone = true
    await mining
    await chain.devnet?.stop()
  })
}

const mined = () =>
  chain.devnet.client.getTransactionCount({ address: chain.devnet.wallet.address })
const wrapped = () =>
  chain.devnet.client.readContract({
    ...{ address: chain.devnet.wrappedNative, abi: erc20Abi, functionName: 'balanceOf' },
    args: [chain.devnet.wallet.address],
  })

/** Wraps 1 HYPE through a node of this rule. */
export async function send(rule: Rule, env = keyEnv(), more: readonly string[] = []) {
  const node = await startRuledNode(chain.devnet.rpcUrl, rule)
  const order = ['--in', 'native', '--out', chain.devnet.wrappedNative, '--amount', '1', '--json']
  const how = [
    '--send',
    '--yes',
    '--private-key-env',
    'KEY',
    '--router',
    chain.devnet.router,
    ...more,
  ]
  const ran = await runCli(['swap', '--rpc', node.url, ...order, ...how], env)
  await node.stop()
  const said = ran.out === '' ? JSON.parse(ran.err.split('\n').at(-1)!) : JSON.parse(ran.out)
  return { ...ran, said }
}

/** What `run` returns; also how much was wrapped meanwhile, by how many transactions. */
export async function measure<T extends object>(run: () => Promise<T>) {
  const before = [await mined(), await wrapped()] as const
  const result = await run()
  const bought = (await wrapped()) - before[1]
  return { ...result, bought, transactions: (await mined()) - before[0] }
}

/** Wraps and measures. */
export const swapThrough = (rule: Rule, env = keyEnv()) => measure(() => send(rule, env))

/** The key, and where to remember. */
export const keyEnv = (): Readonly<Record<string, string>> => ({
  ...{ KEY: chain.devnet.wallet.privateKey, XDG_STATE_HOME: state },
})
/** The files of what is remembered. */
export const kept = () => {
  const folder = join(state, 'braid', 'swaps')
  return readdirSync(folder).map((name) => join(folder, name))
}

/** A rule for the signed transaction alone; `times` counts how often it came. */
export function onBroadcast(broadcast: (ask: Ask, times: number, raw: Hex) => unknown): Rule {
  let times = 0
  return (ask, method, [raw]) =>
    method === 'eth_sendRawTransaction' ? broadcast(ask, times++, raw as Hex) : ask()
}

/** What a command does that swaps, and one that cannot say whether it did. */
export const ONE_SWAP = {
  code: 0,
  bought: AMOUNT,
  transactions: 1,
  said: { amountOut: `${AMOUNT}` },
}
export const UNKNOWN = {
  ...{ code: 7, out: '', bought: 0n, transactions: 0 },
  said: {
    error: {
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringMatching(
        /^the transaction may have been sent, and its outcome is unknown/,
      ),
      details: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    },
  },
}
