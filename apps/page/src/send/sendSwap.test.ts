import { setTimeout as sleep } from 'node:timers/promises'
import type { Braid, SwapProgress, SwapRequest } from '@braid-swap/client'
import { type Address, type Hex, NATIVE, routerCallOf, swapCallOf } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet, sendSigned } from '@braid-swap/devnet/testing'
import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeError } from '../errorText.js'
import { createPageMemory, type PageMemory } from '../memory/swapMemory.js'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { mapStore } from '../testing/mapStore.js'
import { clientOf, type Provider } from '../wallet/payer.js'
import { sendSwap } from './sendSwap.js'

const AMOUNT = 10n ** 18n
const FEE = { most: 10n ** 17n, isDear: false }
const PATIENCE = { pollMs: 20, unknownMs: 1_500, waitMs: 8_000 }
let devnet: Devnet
beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

type Ask = () => Promise<unknown>
/** What the wallet answers to a method instead of its node, which it may still ask. */
type Rules = Readonly<Record<string, (ask: Ask, params: unknown) => unknown>>

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
    return rules[method] ? rules[method](ask, params) : ask()
  }
  const address = devnet.wallet.address.toLowerCase() as Address
  const client = clientOf({ request } as unknown as Provider)
  return { kind: 'wallet', address, canBatch: false, client } as const
}

type Wrap = {
  readonly rules?: Rules
  readonly memory?: PageMemory
  readonly onStep?: (progress: SwapProgress) => unknown
  readonly isHeld?: () => boolean
  /** The amount to receive instead of the one to pay. */
  readonly exact?: bigint
  /** From now until the deadline of what the server builds. */
  readonly seconds?: number
  readonly receiver?: Address
  readonly tip?: bigint
}
/** Wraps through the page's own path, with a wallet that answers by rules. */
async function wrapBy({ rules = {}, onStep, isHeld, exact, ...of }: Wrap = {}) {
  const { memory = createPageMemory(mapStore()), seconds = 600, receiver, tip } = of
  const payer = payerOf(rules)
  const { address } = payer
  const { router, wrappedNative } = devnet
  const config = { chainId: 999, router, wrappedNative, chain, executors: [] }
  const { number, hash, timestamp } = await devnet.client.getBlock()
  const [src, dst] = [NATIVE, devnet.wrappedNative]
  const asked = { tokenIn: src, tokenOut: dst, amountIn: AMOUNT }
  const deadline = BigInt(Math.max(Number(timestamp), Math.floor(Date.now() / 1_000)) + seconds)
  const requests: SwapRequest[] = []
  const swap = async (order: SwapRequest) => {
    requests.push(order)
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
  const agreed = {
    order: {
      ...(exact === undefined ? { src, dst, amount: AMOUNT } : { src, dst, dstAmountExact: exact }),
      ...(tip !== undefined && { maxPriorityFeePerGas: tip }),
    },
    ...{ sale: { src, dst, amount: AMOUNT }, floor: AMOUNT, slippage: '0', fee: FEE },
    ...({ payBy: 'approval', block: { number, hash } } as const),
    ...(receiver && { receiver }),
    ends: { src: end(src), dst: end(dst) },
  }
  const said: SwapProgress[] = []
  const parties = {
    braid,
    config: config as unknown as PageConfig,
    payer,
    memory,
    patience: PATIENCE,
  }
  const work = sendSwap(parties, agreed, (now) => {
    said.push(now)
    onStep?.(now)
  })
  const outcome = await whileMining(work, isHeld).then(
    (sent) => ({ sent, code: undefined, title: undefined }),
    (error: { readonly code: string }) => {
      const { title } = describeError(error, new Map())
      return { sent: undefined, code: error.code, title }
    },
  )
  return { ...outcome, said, requests, kept: memory.all() }
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
function replacing() {
  let isHeld = true
  const rules: Rules = {
    eth_getTransactionByHash: async (ask) => {
      const seen = (await ask()) as { readonly nonce: Hex } | null
      if (seen && isHeld) {
        const to = devnet.wallet.address
        await sendSigned(devnet, { to, nonce: seen.nonce, gasPrice: 10n ** 11n })
        isHeld = false
      }
      return seen
    },
  }
  return { rules, isHeld: () => isHeld }
}

const lost = () => {
  throw new TypeError('fetch failed')
}
const done = { is: 'done', received: AMOUNT }

/** Until every deadline so far has passed, by the own clock and by the chain's. */
async function aDayLater() {
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] })
  const timestamp = BigInt(Math.floor(Date.now() / 1_000))
  await devnet.client.setNextBlockTimestamp({ timestamp })
  await devnet.mine()
}
afterEach(() => void vi.useRealTimers())

describe('the page', () => {
  it('sends one swap, keeps it before the wallet gets it, and reports what arrived', async () => {
    const memory = createPageMemory(mapStore())
    let keptBefore: readonly unknown[] = []
    const rules: Rules = {
      eth_sendTransaction: (ask) => {
        keptBefore = memory.all()
        return ask()
      },
    }
    const { sent, said, swaps, kept } = await swapsOf({ memory, rules })
    expect(sent).toMatchObject({ quoted: AMOUNT, received: AMOUNT, isEarlier: false })
    expect([sent!.after! - sent!.before, swaps]).toEqual([AMOUNT, 1])
    const steps = ['check', 'build', 'verify', 'send', 'send', 'confirm']
    expect(said.map(({ step }) => step)).toEqual(steps)
    expect(keptBefore).toMatchObject([{ sent: { quoted: `${AMOUNT}` }, src: { symbol: 'X' } }])
    expect(kept).toMatchObject([{ outcome: { ...done, hash: sent!.hash } }])
  })

  it('an amount to receive is sold as what was agreed to, and is the same order again', async () => {
    const { sent, requests, kept } = await swapsOf({ exact: AMOUNT })
    expect(sent).toMatchObject({ received: AMOUNT, sale: { amount: AMOUNT } })
    for (const request of requests) {
      expect([request.amount, 'dstAmountExact' in request]).toEqual([AMOUNT, false])
    }
    expect(kept[0]!.sent.terms).toContain(`buy ${AMOUNT}`)
    // The wrap pays the amount, so it cannot pay one wei more.
    const more = await swapsOf({ exact: AMOUNT + 1n })
    expect(more).toMatchObject({ code: 'PRICE_MOVED', swaps: 0, kept: [] })
  })

  it('pays the tip that the visitor chose', async () => {
    const log: unknown[] = []
    const eth_sendTransaction = (ask: Ask, params: unknown) => log.push(params) && ask()
    const { requests } = await wrapBy({ tip: 7n, rules: { eth_sendTransaction } })
    expect(requests[0]).toMatchObject({ maxPriorityFeePerGas: 7n })
    expect(log).toMatchObject([[{ maxPriorityFeePerGas: '0x7' }]])
  })

  it('delivers to the receiver whose balance it reads', async () => {
    const receiver = toHex(0x7e, 20)
    const { sent, swaps } = await swapsOf({ receiver })
    expect(sent).toMatchObject({ receiver, received: AMOUNT, before: 0n, after: AMOUNT })
    expect(swaps).toBe(0)
  })

  it('declined: sends nothing, says so, and remembers nothing', async () => {
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))
    const outcome = await swapsOf({ rules: { eth_sendTransaction: refuse } })
    const title = expect.stringMatching(/Declined in the wallet, so the swap was not sent/)
    expect(outcome).toMatchObject({ swaps: 0, kept: [], title })
  })

  it('two tabs: the same swap is sent by one, and the other says so', async () => {
    const memory = createPageMemory(mapStore())
    let second: ReturnType<typeof wrapBy> | undefined
    const onStep = ({ step }: SwapProgress) => {
      if (step === 'verify') second ??= wrapBy({ memory })
    }
    const first = await swapsOf({ memory, onStep })
    const ends = [first, await second!]
    expect(first.kept.filter(({ outcome }) => outcome?.is === 'done')).toHaveLength(1)
    expect(ends.map(({ code }) => code)).toContain('SWAP_UNDER_WAY')
    // Once it has ended, the same order is another swap.
    expect((await swapsOf({ memory })).swaps).toBe(1)
  })

  it('reload while the wallet is asked: the swap is found, and returned instead of a second one', async () => {
    const store = mapStore()
    const memory = createPageMemory(store)
    const rules: Rules = {
      eth_sendTransaction: async (ask) => {
        await ask()
        // The page that asked is gone.
        throw Object.assign(new Error('no'), { code: 4001 })
      },
    }
    const gone = {
      ...memory,
      of: (ends: Parameters<PageMemory['of']>[0]) => ({ ...memory.of(ends), forget: () => {} }),
    }
    expect((await swapsOf({ memory: gone, rules })).swaps).toBe(1)
    const after = createPageMemory(store)
    const again = await swapsOf({ memory: after })
    expect([again.swaps, again.sent]).toEqual([
      ...[0, expect.objectContaining({ isEarlier: true, received: AMOUNT })],
    ])
    expect(after.all()).toMatchObject([{ outcome: done }])
  })

  it('says what arrived, also where the node says no balance any more', async () => {
    let isSent = false
    const rules: Rules = {
      eth_sendTransaction: (ask) => {
        isSent = true
        return ask()
      },
      eth_call: (ask) => (isSent ? lost() : ask()),
    }
    const { sent } = await swapsOf({ rules })
    expect(sent).toMatchObject({ received: AMOUNT, after: undefined })
  })

  it('replaced: says that another transaction took its place', async () => {
    const { title, swaps, kept } = await swapsOf(replacing())
    expect([title, swaps]).toEqual([expect.stringMatching(/took the place of this one/), 0])
    expect(kept).toMatchObject([{ outcome: { is: 'not', code: 'REPLACED' } }])
  })

  it('accepts a deadline within half an hour, and no later one of the server', async () => {
    expect(await swapsOf({ seconds: 1_800 })).toMatchObject({ code: undefined, swaps: 1 })
    const late = await swapsOf({ seconds: 2_400 })
    expect(late).toMatchObject({ code: 'MISMATCH', swaps: 0, kept: [] })
  })

  it('pays for gas what was agreed at most, whatever its node says that it costs', async () => {
    // For the gas that the server estimates, which is more than a wrap needs.
    const most = FEE.most / 200_000n
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

  it('dropped: it blocks the same order only, and a day later it certainly was not performed', async () => {
    const memory = createPageMemory(mapStore())
    const rules = { eth_sendTransaction: async () => toHex(0xd, 32) }
    const { title, kept, swaps } = await swapsOf({ memory, rules })
    expect([title, swaps]).toEqual([expect.stringMatching(/Nobody can say yet/), 0])
    expect(kept).toMatchObject([{ sent: { hash: toHex(0xd, 32) } }])
    expect(kept[0]!.outcome).toBeUndefined()
    const again = await swapsOf({ memory })
    expect([again.title, again.swaps]).toEqual([
      ...[expect.stringMatching(/same swap is under way, so it was not sent again/), 0],
    ])
    // Another order comes as far as the wallet.
    const decline = () => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))
    const other = await swapsOf({ memory, exact: AMOUNT, rules: { eth_sendTransaction: decline } })
    expect(other.title).toMatch(/Declined in the wallet/)
    await aDayLater()
    expect(await swapsOf({ memory })).toMatchObject({ code: undefined, swaps: 1 })
    expect(memory.all().map(({ outcome }) => outcome)).toContainEqual(
      expect.objectContaining({ is: 'not', code: 'EXPIRED' }),
    )
  })
})
