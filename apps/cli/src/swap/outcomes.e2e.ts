// Everything that can happen to a transaction after it was signed ends with one swap at most, and with a
// sentence that is true.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '@braid-swap/core'
import { borrowDevnet, type Devnet, sendSigned } from '@braid-swap/devnet'
import { erc20Abi, parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Ask, LOST, RpcError, type Rule, startRuledNode } from '../testing/ruledNode.js'
import { runCli } from '../testing/runCli.js'

const AMOUNT = 10n ** 18n

let devnet: Devnet
let isMining = true
let isDone = false
let mining: Promise<void>
beforeAll(async () => {
  devnet = await borrowDevnet()
  mining = (async () => {
    while (!isDone) {
      if (isMining) await devnet.mine()
      await sleep(50)
    }
  })()
})
/** The folder of what the commands of a test remember. */
let state: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'braid-state-'))
})
afterEach(() => {
  isMining = true
  vi.useRealTimers()
  rmSync(state, { recursive: true })
})
afterAll(async () => {
  isDone = true
  await mining
  await devnet?.stop()
})

const mined = () => devnet.client.getTransactionCount({ address: devnet.wallet.address })
const wrapped = () =>
  devnet.client.readContract({
    ...{ address: devnet.wrappedNative, abi: erc20Abi, functionName: 'balanceOf' },
    args: [devnet.wallet.address],
  })

/** Wraps 1 HYPE through a node of this rule. */
async function send(rule: Rule, env = keyEnv(), more: readonly string[] = []) {
  const node = await startRuledNode(devnet.rpcUrl, rule)
  const order = ['--in', 'native', '--out', devnet.wrappedNative, '--amount', '1', '--json']
  const how = ['--send', '--yes', '--private-key-env', 'KEY', '--router', devnet.router, ...more]
  const ran = await runCli(['swap', '--rpc', node.url, ...order, ...how], env)
  await node.stop()
  const said = ran.out === '' ? JSON.parse(ran.err.split('\n').at(-1)!) : JSON.parse(ran.out)
  return { ...ran, said }
}

/** What `run` returns; also how much was wrapped meanwhile, by how many transactions. */
async function measure<T extends object>(run: () => Promise<T>) {
  const before = [await mined(), await wrapped()] as const
  const result = await run()
  const bought = (await wrapped()) - before[1]
  return { ...result, bought, transactions: (await mined()) - before[0] }
}

const swapThrough = (rule: Rule, env = keyEnv()) => measure(() => send(rule, env))

const keyEnv = (): Readonly<Record<string, string>> => ({
  ...{ KEY: devnet.wallet.privateKey, XDG_STATE_HOME: state },
})
const kept = () => readdirSync(join(state, 'braid', 'swaps'))

/** A rule for the signed transaction alone; `times` counts how often it came. */
function onBroadcast(broadcast: (ask: Ask, times: number, raw: Hex) => unknown): Rule {
  let times = 0
  return (ask, method, [raw]) =>
    method === 'eth_sendRawTransaction' ? broadcast(ask, times++, raw as Hex) : ask()
}

const ONE_SWAP = { code: 0, bought: AMOUNT, transactions: 1, said: { amountOut: `${AMOUNT}` } }
const UNKNOWN = {
  ...{ code: 7, out: '', bought: 0n, transactions: 0 },
  said: {
    error: {
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringMatching(/^the transaction was sent, but its outcome is unknown/),
      details: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    },
  },
}

/** Has another transaction of the wallet mined in the place of a signed one. */
async function mineInstead(raw: Hex, change: { readonly to?: Hex; readonly data?: Hex }) {
  const { to, data, value = 0n, nonce } = { ...parseTransaction(raw), ...change }
  const hash = await sendSigned(devnet, {
    to: to!,
    data: data!,
    value,
    nonce,
    gasPrice: 10n ** 11n,
  })
  await devnet.mine()
  return hash
}

describe('braid swap --send, where the transaction', () => {
  it('is taken and all its answers are lost', async () => {
    const rule = onBroadcast(async (ask) => {
      await ask().catch(() => {})
      return LOST
    })
    expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
  })

  it('is taken and its answer is lost once: “already known” then means sent', async () => {
    const rule = onBroadcast(async (ask, times) => {
      const hash = await ask()
      return times === 0 ? LOST : hash
    })
    expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
  })

  it.each([
    [-32000, 'already known'],
    [-32000, 'nonce too low: next nonce 9, tx nonce 8'],
    [-32000, 'EOF'],
    [4900, 'disconnected'],
    [-32002, 'Resource unavailable'],
    [-32700, 'Parse error'],
  ])(
    'is taken and answered with %i “%s”: it is found, and not sold again',
    async (code, message) => {
      const rule = onBroadcast(async (ask) => {
        await ask()
        throw new RpcError(code, message)
      })
      expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
      expect(kept()).toEqual([])
    },
  )

  it('is lost on its way once: the same one is sent again', async () => {
    const rule = onBroadcast((ask, times) => (times === 0 ? LOST : ask()))
    expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
  })

  it('is answered with its hash and dropped: the same one is sent again', async () => {
    isMining = false
    const rule = onBroadcast(async (ask, times) => {
      const hash = await ask()
      if (times === 0) await devnet.client.request({ method: 'anvil_dropAllTransactions' })
      else isMining = true
      return hash
    })
    expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
  })

  it('never arrives: the outcome is unknown, with its hash and an exit code of its own', async () => {
    expect(await swapThrough(onBroadcast(() => LOST))).toMatchObject(UNKNOWN)
  })

  it('is replaced by its owner: named, and nothing was swapped by this one', async () => {
    isMining = false
    let other: Hex | undefined
    const rule = onBroadcast(async (ask, _, raw) => {
      const hash = await ask()
      other ??= await mineInstead(raw, { to: devnet.wallet.address, data: '0x' })
      return hash
    })
    const { said, ...ran } = await swapThrough(rule)
    expect(ran).toMatchObject({ code: 5, out: '', bought: 0n, transactions: 1 })
    expect(said.error).toMatchObject({
      ...{ code: 'REPLACED', details: { other } },
      message: expect.stringContaining('nothing was swapped by this one'),
    })
  })

  it('is sped up by its owner: the swap counts under its other hash', async () => {
    isMining = false
    let other: Hex | undefined
    const rule = onBroadcast(async (ask, _, raw) => {
      const hash = await ask()
      other ??= await mineInstead(raw, {})
      return hash
    })
    const ran = await swapThrough(rule)
    expect(ran).toMatchObject(ONE_SWAP)
    expect(ran.said.hash).toBe(other)
  })

  it('is mined in a block that is reorganised away: it is sent again', async () => {
    isMining = false
    let before: Hex | undefined
    let isGone = false
    const rule: Rule = async (ask, method) => {
      if (method === 'eth_sendRawTransaction' && !before) {
        before = await devnet.client.snapshot()
        const hash = await ask()
        await devnet.mine()
        return hash
      }
      const answer = await ask()
      if (method === 'eth_getTransactionReceipt' && answer && !isGone) {
        isGone = true
        await devnet.client.revert({ id: before! })
        isMining = true
      }
      return answer
    }
    expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
    expect(isGone).toBe(true)
  })

  it('waits for a node that restarts', async () => {
    let left = 0
    const rule: Rule = async (ask, method) => {
      if (left > 0) {
        left--
        return LOST
      }
      const answer = await ask()
      if (method === 'eth_sendRawTransaction') left = 8
      return answer
    }
    expect(await swapThrough(rule)).toMatchObject(ONE_SWAP)
  })

  it.each([
    ['the same', []],
    ['with another deadline', ['--deadline', '600']],
  ])('is sent by two runs at once, %s: one sells, and the other says so', async (_, more) => {
    const { runs, ...cost } = await measure(async () => ({
      runs: await Promise.all([
        send(async (ask, method) => {
          if (method === 'eth_sendRawTransaction') await sleep(500)
          return ask()
        }),
        send((ask) => ask(), keyEnv(), more),
      ]),
    }))
    expect(cost).toEqual({ bought: AMOUNT, transactions: 1 })
    const [first, second] = [...runs].sort((one, other) => one.code - other.code)
    expect([first!.code, first!.said.amountOut]).toEqual([0, `${AMOUNT}`])
    // Whichever came later found the record of the other, or its end.
    if (second!.code === 0) expect(second!.said.hash).toBe(first!.said.hash)
    else expect([second!.code, second!.said.error.code]).toEqual([7, 'OUTCOME_UNKNOWN'])
    expect(kept()).toEqual([])
  })

  it('is refused by the node: it stays unknown, because the same bytes may be sent by others', async () => {
    const rule = onBroadcast(() => {
      throw new RpcError(-32003, 'transaction type not supported')
    })
    const { said, err, ...ran } = await swapThrough(rule)
    expect({ ...ran, said }).toMatchObject(UNKNOWN)
    expect(said.error.message).toContain('transaction type not supported')
    expect(err).toContain(join(state, 'braid', 'swaps', kept()[0]!))
    expect(err).toContain('run the same command again')
  })

  it('cannot be signed, because the key is locked away', async () => {
    const asked: string[] = []
    const rule: Rule = (ask, method) => {
      asked.push(method)
      return ask()
    }
    const { said, ...ran } = await swapThrough(rule, {})
    expect(ran).toMatchObject({ code: 2, out: '', bought: 0n, transactions: 0 })
    expect(said.error).toMatchObject({ code: 'USAGE', message: '--send needs a private key' })
    expect(asked).toEqual([])
  })
})

/** A node that takes the swap, and then knows nothing of it. */
const forgetful: Rule = async (ask, method) => {
  if (method === 'eth_sendRawTransaction') {
    await ask()
    return LOST
  }
  return /^eth_getTransaction(ByHash|Receipt)$/.test(method) ? null : ask()
}
const honest: Rule = (ask) => ask()
/** Until the deadline of every swap sent so far has passed, by the own clock and by the chain's. */
async function aDayLater() {
  const { timestamp } = await devnet.client.getBlock()
  const seconds = Math.max(Math.floor(Date.now() / 1_000), Number(timestamp)) + 86_400
  vi.useFakeTimers({ now: seconds * 1_000, toFake: ['Date'] })
  await devnet.client.setNextBlockTimestamp({ timestamp: BigInt(seconds) })
  await devnet.mine()
}

describe('a swap whose end is not known', () => {
  it('is not sold again, blocks no other order, and its end is found by a later command', async () => {
    isMining = false
    expect(await swapThrough(forgetful)).toMatchObject(UNKNOWN)
    // The same order waits for the end of the first.
    expect(await swapThrough(forgetful)).toMatchObject(UNKNOWN)
    expect(kept()).toHaveLength(1)
    isMining = true
    const other = await measure(() =>
      send(honest, keyEnv(), ['--receiver', `0x${'7e'.repeat(20)}`]),
    )
    expect([other.code, other.err]).toEqual([0, expect.stringContaining('an earlier swap')])
    const { transactions, code, said, err } = await swapThrough(honest)
    // What another command found, this one need not find again.
    expect([code, said.amountOut, transactions]).toEqual([0, `${AMOUNT}`, expect.any(Number)])
    expect(err).not.toContain('UNKNOWN')
    expect(kept()).toEqual([])
  })

  it('is not sent by a command for another order', async () => {
    expect(await swapThrough(onBroadcast(() => LOST))).toMatchObject(UNKNOWN)
    const other = await measure(() =>
      send(honest, keyEnv(), ['--receiver', `0x${'7f'.repeat(20)}`]),
    )
    expect(other).toMatchObject({ code: 0, bought: 0n, transactions: 1 })
  })

  it('was performed: a command of the next day says so, and sends nothing', async () => {
    isMining = false
    expect(await swapThrough(forgetful)).toMatchObject(UNKNOWN)
    await devnet.mine()
    await aDayLater()
    const { said, err, ...ran } = await swapThrough(honest)
    expect(ran).toMatchObject({ code: 0, bought: 0n, transactions: 0 })
    expect(said).toMatchObject({ amountOut: `${AMOUNT}` })
    expect(err).toContain('nothing was sent now; run the command again to swap again')
    expect(kept()).toEqual([])
  })

  it('was certainly not: a command of the next day says so, and sells', async () => {
    expect(await swapThrough(onBroadcast(() => LOST))).toMatchObject(UNKNOWN)
    await aDayLater()
    const ran = await swapThrough(honest)
    expect(ran).toMatchObject(ONE_SWAP)
    expect(ran.err).toContain('its deadline has passed')
    expect(kept()).toEqual([])
  })

  it('cannot be kept: nothing is sent', async () => {
    const { KEY } = keyEnv()
    expect(await swapThrough(honest, { KEY: KEY!, XDG_STATE_HOME: '/dev/null' })).toMatchObject({
      ...{ code: 2, bought: 0n, transactions: 0, out: '' },
      said: { error: { code: 'FILE_UNREADABLE' } },
    })
  })
})
