// Wallets and nodes that lie, lose, delay or repeat at any call, drawn by a seed, over a chain in memory; and the
// promise of `sendSwap` and `confirmSwap`, which holds over all of them. Left out by name: a wallet that sends and
// then answers 4001, a node whose every answer agrees in one lie, and a chain that takes back its blocks.
import { encodeRouterCall, type Hex, NATIVE } from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'

import { confirmSwap } from '../send/confirm.js'
import { OutcomeUnknownError } from '../send/errors.js'
import { createSwapMemory } from '../send/memory.js'
import type { SwapOrder } from '../send/order.js'
import type { PayBy } from '../send/payment.js'
import type { SwapBuilder } from '../send/prepare.js'
import { sendSwap } from '../send/sendSwap.js'
import { type Chain, createDice, type Dice, fails, pass, startNode } from './hostileNode.js'
import {
  BOUGHT,
  EXECUTOR,
  PAYER,
  PROGRAMS,
  payer,
  ROUTER,
  SOLD,
  startScriptedChain,
} from './scriptedChain.js'

const AMOUNT = 10n ** 18n
const STRANGER = toHex(0xdead, 20)
type Send = (params: readonly unknown[]) => Promise<unknown>
type Asked = { readonly to: Hex; readonly data?: Hex; readonly value?: Hex; readonly chainId?: Hex }
const TIMES = [1, 3, 20, 55, 58, 70, 120]

/** Signs by the payer's key, as its wallet does. */
async function sign(asked: Asked, nonce: number, gwei: bigint): Promise<Hex> {
  const { to, data, value = '0x0' } = asked
  const price = gwei * 10n ** 9n
  return payer.signTransaction({
    ...{ to, data, value: BigInt(value), nonce, gas: 300_000n, chainId: 999, type: 'eip1559' },
    ...{ maxFeePerGas: price, maxPriorityFeePerGas: 0n },
  })
}

/** What a wallet does with a transaction. `stray` hears of one that left on another chain. */
function createWallet(dice: Dice, chain: Chain, stray: () => void): Send {
  return async ([asked]) => {
    const tx = asked as Asked
    const isSwap = tx.to.toLowerCase() !== SOLD
    const how = isSwap || dice.isOdd(0.2) ? dice.roll() : 1
    const nonce = chain.nextNonce()
    const raw = await sign(tx, nonce, 3n)
    const hash = () =>
      dice.isOdd(0.3) ? toHex(BigInt(Math.floor(dice.roll() * 1e9)), 32) : undefined
    const answer = (real: unknown) => {
      if (dice.isOdd(0.4)) throw fails(dice)
      return hash() ?? real
    }
    if (how < 0.08) throw Object.assign(new Error('declined'), { code: 4001 })
    if (how < 0.16) throw fails(dice)
    if (how < 0.22) return answer(toHex(9, 32))
    if (how < 0.28) {
      // Its user has just changed the network.
      if (tx.chainId !== undefined) throw Object.assign(new Error('chainId'), { code: -32602 })
      stray()
      return toHex(8, 32)
    }
    if (how < 0.4) {
      chain.plan(dice.pick(TIMES), () => chain.accept(raw))
      return answer(hash() ?? chain.hashOf(raw))
    }
    if (how >= 0.68) {
      chain.accept(raw)
      return how < 0.8 ? answer(chain.hashOf(raw)) : chain.hashOf(raw)
    }
    const [next, self] = [await sign(tx, nonce + 1, 3n), { to: PAYER }]
    if (how < 0.52) {
      // Another one of its own comes first; the node may not see ours before.
      const first = await sign(self, nonce, 3n)
      chain.accept(first)
      chain.plan(dice.pick(TIMES), () => chain.accept(next))
      return answer(chain.hashOf(next))
    }
    // It waits behind a gap, and is then sped up or cancelled by its owner. Or another one takes its place, and
    // the wallet signs it again.
    chain.accept(next)
    const other = await sign(dice.pick([tx, self, { to: STRANGER }]), nonce + 1, 9n)
    const again = await sign(tx, nonce + 2, 3n)
    const filler = await sign(self, nonce, 3n)
    chain.plan(dice.pick(TIMES), () => {
      chain.accept(other)
      chain.accept(filler)
      if (chain.read(other).to === STRANGER) {
        chain.plan(dice.pick(TIMES), () => chain.accept(again))
      }
    })
    return answer(chain.hashOf(next))
  }
}

/** What a node does with signed bytes; a program sends the same ones several times. */
function createRelay(dice: Dice, chain: Chain): Send {
  const [how, seconds] = [dice.roll(), dice.pick(TIMES)]
  let isFirst = true
  return async ([raw]) => {
    const accept = () => chain.accept(raw as Hex)
    const { nonce, to } = chain.read(raw as Hex)
    if (to === SOLD || how > 0.7) return accept()
    const wasFirst = isFirst
    isFirst = false
    if (how < 0.15 && wasFirst) {
      const other = await sign({ to: PAYER }, nonce, 9n)
      chain.plan(seconds, () => chain.accept(other))
    }
    if (how < 0.3 && wasFirst) chain.plan(seconds + 1, accept)
    if (how >= 0.3 && how < 0.5) accept()
    throw fails(dice)
  }
}

/** A server that builds swaps at the market's price, and may lie about one. */
function createServer(dice: Dice, chain: Chain): SwapBuilder {
  const isHostile = dice.isOdd(0.2)
  let asked = 0
  return {
    swap: async ({ src, amount, dstAmountExact: exact }) => {
      const { rate } = chain.held
      if (dice.isOdd(0.2)) chain.held.rate -= 1n
      const amountIn = amount ?? (((exact! * 100n) / rate) * 102n) / 100n
      const dstAmount = (amountIn * rate) / 100n
      const isLow = isHostile && asked++ > 0
      // Its own pool, which pays nothing.
      if (isLow) chain.held.rate = 1n
      const minAmountOut = isLow ? 1n : (exact ?? (dstAmount * 98n) / 100n)
      const data = encodeRouterCall({
        ...{ tokenIn: src, amountIn, tokenOut: BOUGHT, minAmountOut, receiver: ZERO_ADDRESS },
        ...{ executor: EXECUTOR, program: PROGRAMS.get(src)! },
        deadline: BigInt(chain.seconds() + 60),
      })
      const value = src === NATIVE ? amountIn : 0n
      const tx = { from: PAYER, to: ROUTER, data, value, gas: 200_000n, gasPrice: 10n ** 9n }
      return { dstAmount: isLow && dice.isOdd(0.5) ? 1n : dstAmount, tx }
    },
  }
}

/** Every sentence about money that was false in the schedule of a seed; none if the promise held. */
export async function faultsOf(seed: number): Promise<readonly string[]> {
  const dice = createDice(seed)
  const chain = startScriptedChain()
  const node = startNode(dice, chain)
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const isKey = dice.isOdd(0.5)
  const send = createWallet(dice, chain, () => say('sent on another chain'))
  const relay = createRelay(dice, chain)
  const request = async ({
    method,
    params = [],
  }: {
    method: string
    params?: readonly unknown[]
  }) => {
    if (method === 'eth_sendTransaction') return send(params)
    if (method === 'eth_sendRawTransaction') return relay(params)
    if (method === 'eth_signTypedData_v4') return toHex(5, 65)
    if (method === 'wallet_getCapabilities') return { '0x3e7': { atomic: { status: 'ready' } } }
    if (method !== 'wallet_sendCalls') return node(method, params)
    const { calls, chainId } = params[0] as {
      readonly calls: readonly Asked[]
      readonly chainId: Hex
    }
    await send([{ to: PAYER, data: chain.bundle(calls), chainId }])
    return { id: toHex(6, 32) }
  }
  const wallet = { account: isKey ? payer : PAYER, request }
  const ends = { src: dice.isOdd(0.4) ? NATIVE : SOLD, dst: BOUGHT, slippage: 2 } as const
  const order = (
    dice.isOdd(0.3) ? { ...ends, dstAmountExact: 2n * AMOUNT } : { ...ends, amount: AMOUNT }
  ) as SwapOrder
  const payBy = dice.pick<PayBy>(
    isKey ? ['approval', 'permit', 'permit2'] : ['approval', 'permit', 'permit2', 'calls'],
  )
  const [memory, braid] = [createSwapMemory(), createServer(dice, chain)]
  if (dice.isOdd(0.3)) {
    // Somebody pays the payer.
    chain.plan(dice.pick(TIMES), () => {
      chain.held.native += 3n * AMOUNT
      chain.held.sold += 3n * AMOUNT
    })
  }
  const patience = { pollMs: 1_000, unknownMs: 3_000, waitMs: 8_000 }
  const least = order.dstAmountExact === undefined ? (AMOUNT * 19n) / 10n : 1n
  const terms = {
    router: ROUTER,
    minAmountOut: least,
    maxAmountIn: 2n * AMOUNT,
    maxNetworkFee: 10n ** 16n,
  }
  for (let left = 2; left > 0; left--) {
    const latestDeadline = BigInt(chain.seconds() + 300)
    const asked = sendSwap(
      wallet,
      order,
      { ...terms, latestDeadline },
      { ...patience, braid, memory, payBy },
    )
    let end = await asked.catch((error: unknown) => error)
    if (end instanceof OutcomeUnknownError && dice.isOdd(0.4)) {
      await pass(dice.pick([0, 10, 55, 90]))
      end = await confirmSwap({ request }, end.sent, { ...patience, memory }).catch(
        (error: unknown) => error,
      )
    }
    const { hash } = end as { readonly hash?: Hex }
    chain.catchUp()
    if (!(end instanceof Error)) {
      if (!chain.swaps.includes(hash!)) say(`done was said of ${hash}, which did not swap`)
      break
    }
    if (!(end instanceof OutcomeUnknownError)) {
      const { code = end.message } = end as { readonly code?: string }
      if (chain.swaps.length > 0) say(`${code} was said after a swap`)
      await pass(500)
      chain.catchUp()
      if (chain.swaps.length > 0) say(`${code} was said before a swap`)
    }
    await pass(dice.pick([0, 1, 30, 55, 90, 1_000]))
  }
  await pass(500)
  chain.catchUp()
  if (chain.swaps.length > 1) say(`${chain.swaps.length} swaps of one order`)
  const { bought } = chain.held
  const floor = chain.swaps.length === 0 ? 0n : (order.dstAmountExact ?? least)
  if (bought < floor) say(`${bought} arrived instead of ${floor}`)
  return faults
}
