import { setTimeout as sleep } from 'node:timers/promises'
import { type Braid, confirmSwap, type SentSwap, type SwapProgress } from '@braid-swap/client'
import { type Address, type Hex, NATIVE, routerCallOf, swapCallOf, toHex } from '@braid-swap/core'
import { borrowDevnet, type Devnet, sendSigned } from '@braid-swap/devnet'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeError } from '../errorText.js'
import { sendOnce, settle } from '../memory/follow.js'
import { createSwapMemory, isOpen } from '../memory/swapMemory.js'
import type { PageConfig } from '../pageConfig.js'
import { mapStore } from '../testing/mapStore.js'
import { clientOf, type Provider } from '../wallet/payer.js'
import { sendSwap } from './sendSwap.js'

const AMOUNT = 10n ** 18n
const PATIENCE = { pollMs: 20, unknownMs: 1_500, waitMs: 8_000 }
let devnet: Devnet
beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

/** The locks of a browser, which this Node.js may lack. */
const held = new Set<string>()
const locks = {
  request: async (name: string, _: unknown, run: (lock: unknown) => unknown) => {
    if (held.has(name)) return run(null)
    held.add(name)
    return Promise.resolve(run({})).finally(() => held.delete(name))
  },
} as unknown as LockManager

type Ask = () => Promise<unknown>
/** What the wallet answers to a method instead of its node, which it may still ask. */
type Rules = Readonly<Record<string, (ask: Ask) => unknown>>

/** Mines until `work` ends, unless `isHeld` says that blocks wait. */
async function whileMining<T>(work: Promise<T>, isHeld = () => false): Promise<T> {
  let isDone = false
  const mining = (async () => {
    while (!isDone) {
      if (!isHeld()) await devnet.mine()
      await sleep(50)
    }
  })()
  return work.finally(() => {
    isDone = true
    return mining
  })
}

function payerOf(rules: Rules) {
  const request = ({ method, params }: { method: string; params?: unknown }) => {
    const ask = () =>
      method === 'eth_sendTransaction'
        ? sendSigned(devnet, (params as readonly object[])[0]!)
        : devnet.client.request({ method, params } as never)
    return rules[method] ? rules[method](ask) : ask()
  }
  const address = devnet.wallet.address.toLowerCase() as Address
  const client = clientOf({ request } as unknown as Provider)
  return { kind: 'wallet', address, canBatch: false, client } as const
}

type Wrap = {
  readonly rules?: Rules
  readonly memory?: ReturnType<typeof createSwapMemory>
  readonly onStep?: (progress: SwapProgress) => unknown
  readonly isHeld?: () => boolean
  readonly order?: string
  /** From now until the deadline of what the server builds. */
  readonly seconds?: number
  readonly receiver?: Address
}
/** Wraps through the page's own path, with a wallet that answers by rules. */
async function wrapBy({ rules = {}, onStep, isHeld, order = 'wrap', ...of }: Wrap = {}) {
  const { memory = createSwapMemory(mapStore()), seconds = 600, receiver } = of
  const payer = payerOf(rules)
  const { address } = payer
  const config = { chainId: 999, router: devnet.router, wrappedNative: devnet.wrappedNative }
  const { number, hash, timestamp } = await devnet.client.getBlock()
  const [src, dst] = [NATIVE, devnet.wrappedNative]
  const asked = { tokenIn: src, tokenOut: dst, amountIn: AMOUNT }
  const deadline = BigInt(Math.max(Number(timestamp), Math.floor(Date.now() / 1_000)) + seconds)
  const swap = async (order: { readonly receiver?: Address }) => {
    const call = routerCallOf(
      { order: asked, route: [], amountOut: AMOUNT },
      {
        ...{ wrappedNative: dst, executor: devnet.executor, slippagePpm: 0n, deadline },
        receiver: order.receiver,
      },
    )
    const tx = { from: address, ...swapCallOf(devnet.router, call), gas: 200_000n, gasPrice: 1n }
    return { dstAmount: AMOUNT, tx }
  }
  const braid = { swap } as unknown as Braid
  const end = (token: Address) => ({ address: token, symbol: 'X', decimals: 18 })
  const startedMs = Date.now()
  const agreed = {
    ...{ sale: { src, dst, amount: AMOUNT }, floor: AMOUNT, slippage: '0' },
    ...({ payBy: 'approval', block: { number, hash } } as const),
    ...(receiver && { receiver }),
    record: {
      ...{ id: `${startedMs} ${Math.random()}`, order, startedMs },
      ...{ src: end(src), dst: end(dst), sold: AMOUNT },
    },
  }
  const said: SwapProgress[] = []
  const parties = { braid, config: config as PageConfig, payer, memory, patience: PATIENCE }
  const send = () =>
    sendSwap(parties, agreed, (now) => {
      said.push(now)
      onStep?.(now)
    })
  const work = sendOnce(memory, order, send, locks)
  const outcome = await whileMining(work, isHeld).then(
    (sent) => ({ sent, code: undefined, title: undefined }),
    (error: { readonly code: string }) => {
      const { title } = describeError(error, new Map())
      return { sent: undefined, code: error.code, title }
    },
  )
  return { ...outcome, said, memory, kept: memory.all() }
}

/** Runs and counts the swaps by the wrapped tokens that arrived. */
async function swapsOf(wrap: Wrap) {
  const balance = () =>
    devnet.client.request({
      method: 'eth_call',
      params: [
        {
          to: devnet.wrappedNative,
          data: `0x70a08231${devnet.wallet.address.slice(2).padStart(64, '0')}`,
        },
        'latest',
      ],
    } as never) as Promise<Hex>
  const before = BigInt(await balance())
  const outcome = await wrapBy(wrap)
  await devnet.mine()
  return { ...outcome, swaps: Number((BigInt(await balance()) - before) / AMOUNT) }
}

/** Holds the blocks until the node has shown the swap, and another transaction takes its place. */
function replacing(by: (sent: SentSwap) => { to: Address; data: Hex; value: bigint }) {
  let isHeld = true
  let sent: SentSwap | undefined
  const rules: Rules = {
    eth_getTransactionByHash: async (ask) => {
      const seen = (await ask()) as { readonly nonce: Hex } | null
      if (seen && sent && isHeld) {
        await sendSigned(devnet, { ...by(sent), nonce: seen.nonce, gasPrice: 10n ** 11n })
        isHeld = false
      }
      return seen
    },
  }
  const onStep = (progress: SwapProgress) => {
    sent = progress.sent
  }
  return { rules, onStep, isHeld: () => isHeld }
}

const lost = () => {
  throw new TypeError('fetch failed')
}
const afterAsking =
  (error: unknown) =>
  async (ask: Ask): Promise<never> => {
    await ask()
    throw error
  }
const done = { is: 'done', received: AMOUNT }

describe('the page', () => {
  it('sends one swap, keeps it before the wallet gets it, and reports what arrived', async () => {
    const memory = createSwapMemory(mapStore())
    let keptBefore: readonly unknown[] = []
    const rules: Rules = {
      eth_sendTransaction: (ask) => {
        keptBefore = memory.all()
        return ask()
      },
    }
    const { sent, said, swaps, kept } = await swapsOf({ memory, rules })
    expect(sent).toMatchObject({ quoted: AMOUNT, received: AMOUNT })
    expect([sent!.after - sent!.before, swaps]).toEqual([AMOUNT, 1])
    const steps = ['check', 'build', 'verify', 'send', 'send', 'confirm']
    expect(said.map(({ step }) => step)).toEqual(steps)
    expect(keptBefore).toMatchObject([{ sold: AMOUNT, quoted: AMOUNT }])
    expect(kept).toMatchObject([{ outcome: { ...done, hash: sent!.hash } }])
  })

  it('delivers to the receiver whose balance it reads', async () => {
    const receiver = toHex(0x7e, 20)
    const { sent, swaps } = await swapsOf({ receiver })
    expect(sent).toMatchObject({ receiver, received: AMOUNT, before: 0n, after: AMOUNT })
    expect(swaps).toBe(0)
  })

  it('lost answer: finds the swap, and sends no second one', async () => {
    const rules = { eth_sendTransaction: afterAsking(new TypeError('fetch failed')) }
    expect(await swapsOf({ rules })).toMatchObject({ swaps: 1, kept: [{ outcome: done }] })
  })

  it('lost answer once: “already known” is a swap that was sent', async () => {
    const error = Object.assign(new Error('already known'), { code: -32000 })
    const rules = { eth_sendTransaction: afterAsking(error) }
    expect(await swapsOf({ rules })).toMatchObject({ swaps: 1, kept: [{ outcome: done }] })
  })

  it('dropped: says that nobody can say, and stays open until the deadline', async () => {
    const rules = { eth_sendTransaction: async () => toHex(0xd, 32) }
    const { title, kept, swaps } = await swapsOf({ rules })
    expect([title, swaps]).toEqual([expect.stringMatching(/Nobody can say yet/), 0])
    expect(kept).toMatchObject([{ outcome: { is: 'unknown' }, sent: { hash: toHex(0xd, 32) } }])
    expect([isOpen(kept[0]!), isOpen(kept[0]!, Date.now() + 3_600_000)]).toEqual([true, false])
  })

  it('replaced: says that another transaction took its place', async () => {
    const waiting = replacing(() => ({ to: devnet.wallet.address, data: '0x', value: 0n }))
    const { title, swaps, kept } = await swapsOf(waiting)
    expect([title, swaps]).toEqual([expect.stringMatching(/took the place of this one/), 0])
    expect(kept).toMatchObject([{ outcome: { is: 'failed', code: 'REPLACED' } }])
  })

  it('sped up: the swap arrives under its other hash', async () => {
    const waiting = replacing(({ router: to, data }) => ({ to, data, value: AMOUNT }))
    const { said, swaps, kept } = await swapsOf(waiting)
    expect({ swaps, kept }).toMatchObject({ swaps: 1, kept: [{ outcome: done }] })
    const { hash } = kept[0]!.outcome as { readonly hash: Hex }
    expect(hash).not.toBe(said.at(-1)?.sent?.hash)
  })

  it('reorganised: waits for the receipt of a block that stays', async () => {
    let looks = 0
    const rules: Rules = {
      eth_getTransactionReceipt: async (ask) => {
        const receipt = (await ask()) as object | null
        return receipt && looks++ < 3 ? { ...receipt, blockHash: toHex(7, 32) } : receipt
      },
    }
    expect(await swapsOf({ rules })).toMatchObject({ swaps: 1, kept: [{ outcome: done }] })
    expect(looks).toBeGreaterThan(3)
  })

  it('node restarted: asks again until it answers', async () => {
    let looks = 0
    const rules: Rules = {
      eth_getTransactionReceipt: (ask) => (looks++ < 5 ? lost() : ask()),
    }
    expect(await swapsOf({ rules })).toMatchObject({ swaps: 1, kept: [{ outcome: done }] })
  })

  it('declined: sends nothing, says so, and remembers nothing', async () => {
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))
    const title = expect.stringMatching(/Declined in the wallet, so the swap was not sent/)
    const outcome = await swapsOf({ rules: { eth_sendTransaction: refuse } })
    expect(outcome).toMatchObject({ swaps: 0, kept: [], title })
  })

  it.each([4100, 4900, -32000, -32002])(
    'refused by %i, which proves nothing: unknown',
    async (code) => {
      const refuse = () => Promise.reject(Object.assign(new Error('no'), { code }))
      const outcome = await swapsOf({ rules: { eth_sendTransaction: refuse } })
      expect(outcome).toMatchObject({ swaps: 0, kept: [{ outcome: { is: 'unknown' } }] })
    },
  )

  it('two tabs: the same swap is sent by one, and the other says so', async () => {
    const memory = createSwapMemory(mapStore())
    let second: Promise<unknown> | undefined
    const onStep = () => {
      second ??= sendOnce(memory, 'tabs', () => sleep(0), locks).catch((error) =>
        describeError(error, new Map()),
      )
    }
    const first = await swapsOf({ memory, order: 'tabs', onStep })
    expect(first.swaps).toBe(1)
    expect(await second).toMatchObject({
      title: expect.stringMatching(/under way.*not sent again/),
    })
    // Once it has ended, the same order is another swap.
    expect((await swapsOf({ memory, order: 'tabs' })).swaps).toBe(1)
  })

  it('reload while the wallet is asked: the swap is found, and not sent again before', async () => {
    const store = mapStore()
    const memory = createSwapMemory(store)
    let left: SentSwap | undefined
    const rules: Rules = {
      eth_sendTransaction: async (ask) => {
        left = memory.all()[0]!.sent
        await ask()
        // The page that asked is gone.
        throw Object.assign(new Error('no'), { code: 4001 })
      },
    }
    const gone = { ...memory, forget: () => {} }
    expect((await swapsOf({ memory: gone, rules, order: 'reload' })).swaps).toBe(1)
    const after = createSwapMemory(store)
    const [open] = after.all()
    expect([left?.hash, isOpen(open!)]).toEqual([undefined, true])
    await expect(sendOnce(after, 'reload', () => sleep(0))).rejects.toThrow()
    const wallet = { account: open!.sent.from, request: payerOf({}).client.request }
    await settle(after, confirmSwap(wallet, open!.sent, PATIENCE), () => open)
    expect(after.all()).toMatchObject([{ outcome: done }])
    await sendOnce(after, 'reload', () => sleep(0))
  })

  it('accepts a deadline within half an hour, and no later one of the server', async () => {
    expect(await swapsOf({ seconds: 1_800 })).toMatchObject({ code: undefined, swaps: 1 })
    const late = await swapsOf({ seconds: 2_400 })
    expect(late).toMatchObject({ code: 'MISMATCH', swaps: 0, kept: [] })
  })

  it('pays 0.1 HYPE for gas at most, whatever its node says that gas costs', async () => {
    // For the gas that the server estimates, which is more than a wrap needs.
    const most = 10n ** 17n / 200_000n
    const priced = (price: bigint) =>
      swapsOf({ rules: { eth_gasPrice: async () => numberToHex(price) } })
    expect(await priced(most)).toMatchObject({ code: undefined, swaps: 1 })
    const dear = await priced(most + 1n)
    expect(dear).toMatchObject({ code: 'NETWORK_FEE_TOO_HIGH', swaps: 0, kept: [] })
  })

  it('sends nothing on another chain, or on another network with its id', async () => {
    const elsewhere = await swapsOf({ rules: { eth_chainId: async () => '0x1' } })
    expect(elsewhere).toMatchObject({ code: 'WRONG_CHAIN', swaps: 0, kept: [] })
    const other = await swapsOf({ rules: { eth_getCode: async () => '0x' } })
    expect(other).toMatchObject({ code: 'ROUTER_UNVERIFIED', swaps: 0, kept: [] })
  })
})
