import { wire } from '@braid-swap/api'
import { checkGraph, checkRoutes } from '@braid-swap/api/testing'
import {
  type Address,
  checkBound,
  decodeProgram,
  decodeRouterCall,
  findMismatches,
  gapBpsOf,
  type Hex,
  NATIVE,
  quote as quoteOrder,
  type Route,
  type RouterCall,
  readIntent,
} from '@braid-swap/core'
import { wrappedOf, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { divUp } from '@braid-swap/core/families'
import { signOrder } from './approvals.js'
import type { Answered } from './ask.js'
import { paths } from './ask.js'
import type { PlannedOrder } from './orders.js'
import { decodeEncodedTx } from './plainWallet.js'
import type { World } from './world.js'

/** The API's answers to one order at one block. */
export type Answers = {
  readonly quote: wire.QuoteBody & {
    readonly [Asked in 'graph' | 'routes' | 'gas']: NonNullable<wire.QuoteBody[Asked]>
  }
  readonly swap: wire.SwapBody
  /** The intent of the calldata. */
  readonly call: RouterCall
  /** Core's own quote on the snapshot of the API's answer. */
  readonly route: Route
}

/** The API did not serve the order. */
export type Refusal = { readonly status: number; readonly code: string }

const CERTIFICATES = ['fast', 'paths'] as const

/** The recipient of an order's fee. */
export const PARTNER: Address = '0xfee0000000000000000000000000000000000fee'

/** The receiver of orders that name one. */
export const RECEIVER: Address = '0xb0b0000000000000000000000000000000000b0b'

/**
 * Requests quote, swap and comparison of an order, and records every rule that the answers break.
 */
export async function askForOrder(
  world: World,
  order: PlannedOrder,
  faults: string[],
): Promise<Answers | Refusal> {
  const { src, dst, amount, slippage, feeBps } = order
  const { wallet } = world.devnet
  const pair = { src, dst, amount }
  const fee = feeBps > 0 ? { feeBps, feeRecipient: PARTNER } : {}
  const signed = await signOrder(world, order)
  const included = { includeGraph: true, includeRoutes: true, includeGas: true, includeMeta: true }
  const [quoted, swapped, compared] = await Promise.all([
    world.ask(paths.quote, { ...pair, ...fee, ...included }),
    world.ask(paths.swap, {
      ...{ ...pair, ...fee, ...signed, slippage, from: wallet.address, includeGas: true },
      receiver: order.hasReceiver ? RECEIVER : undefined,
    }),
    world.ask(paths.dexCompare, pair),
  ])
  checkHeaders(world, [quoted, swapped, compared], faults)
  if (swapped.status !== 200 || quoted.status !== 200) {
    return refusalOf([quoted, swapped], faults)
  }
  const quote = wire.quoteSchema.parse(quoted.body) as Answers['quote']
  const swap = wire.swapSchema.parse(swapped.body)
  const call = decodeRouterCall(swap.tx.data as Hex)
  checkQuote(order, quote, faults)
  const route = checkCertificate(world, order, quote, faults)
  checkTx(world, order, { quote, swap, call }, faults)
  checkProgram(world, { quote, call }, faults)
  checkComparison(compared, faults)
  return { quote, swap, call, route }
}

function refusalOf(answers: readonly Answered[], faults: string[]): Refusal {
  const refusals = answers.map(({ status, body }) => {
    const { code, message } =
      status === 200 ? { code: 'none', message: '' } : wire.errorSchema.parse(body)
    return { status, code, message }
  })
  const [first, second] = refusals
  if (first!.status >= 500) faults.push(`the API fails: ${first!.code}`)
  if (first!.code !== second!.code)
    faults.push(`quote ${first!.code}, swap ${second!.code} ${second!.message}`)
  return first!
}

/** All three answers are for the newest block. */
function checkHeaders({ api }: World, answers: readonly Answered[], faults: string[]) {
  const { number, hash } = api.market.current()!.graph.snapshot.block
  for (const { header, status } of answers) {
    if (header('x-block-number') !== `${number}` || header('x-block-hash') !== hash) {
      faults.push(`answered at block ${header('x-block-number')}, the newest is ${number}`)
    }
    if (status === 200 && header('x-quote-mode') !== 'exact') faults.push('no exact quote')
  }
}

function checkQuote(order: PlannedOrder, quote: Answers['quote'], faults: string[]) {
  const { src, dst, amount } = order
  const quoted = { src, dst, amount: `${amount}`, ...quote }
  faults.push(...checkGraph(beforeFee(quoted)), ...checkRoutes(quoted))
  const [first, last] = [quote.graph[0], quote.graph.at(-1)]
  if ((src === NATIVE) !== (first!.poolType === 'wrap')) faults.push(`begins: ${first!.poolType}`)
  if ((dst === NATIVE) !== (last!.poolType === 'unwrap')) faults.push(`ends: ${last!.poolType}`)
}

/**
 * An answer as it would be if the receiver got the fee too: the pools pay it, and it leaves before a
 * final unwrap.
 */
function beforeFee<Q extends Answers['quote']>(quoted: Q): Q {
  const withFee = (amount: string) => `${BigInt(amount) + feeIn(quoted)}`
  const graph = quoted.graph.map((entry) =>
    entry.poolType === 'unwrap'
      ? { ...entry, amountIn: withFee(entry.amountIn), amountOut: withFee(entry.amountOut) }
      : entry,
  )
  return { ...quoted, graph, dstAmount: withFee(quoted.dstAmount) }
}

/**
 * Checks that the API's bound is the bound of the quote on the API's snapshot, and that with every
 * certificate the independent checker confirms the bound and the quote does not exceed it. Returns
 * the quote's own route.
 */
function checkCertificate(
  { api }: World,
  planned: PlannedOrder,
  { dstAmount, meta }: Answers['quote'],
  faults: string[],
): Route {
  const { graph } = api.market.current()!
  const { snapshot } = graph
  const { src, dst, amount } = planned
  const options = feeOf(planned)
  const again = quoteOrder(graph, { tokenIn: src, tokenOut: dst, amountIn: amount }, options)
  if (`${again.amountOut}` !== dstAmount) faults.push(`replayed to ${again.amountOut}`)
  const { bound, route } = again
  const isOnlyWrap = route.every(({ pool }) => pool.family === 'wrap')
  if (!bound) {
    if (!isOnlyWrap) faults.push('no certificate')
    return route
  }
  const wrapped = (token: Address) => wrappedOf(token, snapshot.wrappedNative)
  const order = { tokenIn: wrapped(src), tokenOut: wrapped(dst), amountIn: amount }
  for (const certificate of [undefined, ...CERTIFICATES]) {
    const one = certificate ? quoteOrder(graph, order, { ...options, certificate }) : again
    const { amount, why } = checkBound(snapshot, order, one.bound!)
    if (amount === undefined || amount > one.bound!.amount) faults.push(`${certificate}: ${why}`)
    if (gapBpsOf(one) === null) faults.push(`${certificate}: ${one.amountOut} is above its bound`)
  }
  const stated = meta?.['bound'] as Readonly<Record<string, unknown>> | undefined
  const most = stated?.['maxNetDstAmount'] ?? stated?.['maxDstAmount']
  if (bound.amount > 0n && most !== `${bound.amount}`) faults.push(`states the bound ${most}`)
  return route
}

/** Checks that the transaction matches the order and guarantees the promised floor. */
function checkTx(
  { devnet }: World,
  order: PlannedOrder,
  { quote, swap, call }: Omit<Answers, 'route'>,
  faults: string[],
) {
  const expect = (what: string, got: unknown, wanted: unknown) => {
    const [a, b] = [`${got}`.toLowerCase(), `${wanted}`.toLowerCase()]
    if (a !== b) faults.push(`${what} is ${a}, wanted ${b}`)
  }
  const { tx, encodedTx } = swap
  expect('dstAmount of swap', swap.dstAmount, quote.dstAmount)
  expect('tx.to', tx.to, devnet.router)
  expect('tx.from', tx.from, devnet.wallet.address)
  expect('tx.value', tx.value, order.src === NATIVE ? order.amount : 0n)
  for (const [field, value] of Object.entries(decodeEncodedTx(encodedTx))) {
    expect(`encodedTx ${field}`, value, tx[field as keyof typeof tx])
  }
  expect('tokenIn', call.tokenIn, order.src)
  expect('tokenOut', call.tokenOut, order.dst)
  expect('amountIn', call.amountIn, order.amount)
  expect('receiver', call.receiver, order.hasReceiver ? RECEIVER : ZERO_ADDRESS)
  expect('minAmountOut', call.minAmountOut, floorOf(order, BigInt(swap.dstAmount)))
  checkVerified({ devnet }, order, swap, faults)
  if (BigInt(tx.gas) * 10n < BigInt(swap.gas!) * 12n) faults.push(`gas ${tx.gas} for ${swap.gas}`)
}

/** Checks that the transaction passes the offline verification against what was asked for. */
function checkVerified(
  { devnet }: Pick<World, 'devnet'>,
  order: PlannedOrder,
  { tx, dstAmount }: Answers['swap'],
  faults: string[],
) {
  const { router, executor, wrappedNative, wallet } = devnet
  const wanted = {
    ...{ tokenIn: order.src, tokenOut: order.dst, amountIn: order.amount, sender: wallet.address },
    receiver: order.hasReceiver ? RECEIVER : wallet.address,
    minAmountOut: floorOf(order, BigInt(dstAmount)),
    ...feeOf(order),
  }
  const sent = { to: tx.to as Address, data: tx.data as Hex, value: BigInt(tx.value) }
  const wrong = findMismatches(sent, { router, executors: [executor], wrappedNative, wanted })
  if (wrong.length > 0) faults.push(`verified otherwise: ${wrong}`)
  const { call, fee } = readIntent(sent.data, wrappedNative)
  const isWrap = order.kind === 'wrap' || order.kind === 'unwrap'
  const bps = isWrap ? 0 : order.feeBps
  if ((fee?.ppm ?? 0) !== bps * PPM_PER_BPS) faults.push(`a fee of ${fee?.ppm} ppm, not ${bps} bps`)
  const by = order.isSigned ? 'permit2' : undefined
  if (call.payment?.by !== by) faults.push(`paid by ${call.payment?.by}, wanted ${by}`)
}

const PPM_PER_BPS = 100

/** The fee of an order as an option of core. */
function feeOf({ feeBps }: PlannedOrder) {
  if (feeBps === 0) return {}
  return { fee: { of: 'tokenOut' as const, ppm: feeBps * PPM_PER_BPS, recipient: PARTNER } }
}

/** The fee that an answer names, in wei. */
export function feeIn({ meta }: Pick<Answers['quote'], 'meta'>): bigint {
  return BigInt(meta?.fee?.amount ?? 0)
}

/** The floor: dstAmount less the slippage, rounded up, at least a wei; no slippage for a wrap alone. */
function floorOf({ kind, slippage }: PlannedOrder, dstAmount: bigint): bigint {
  if (kind === 'wrap' || kind === 'unwrap') return dstAmount
  const ppm = BigInt(Math.round(Number(slippage) * 10_000))
  const floor = divUp(dstAmount * (1_000_000n - ppm), 1_000_000n)
  return floor > 0n ? floor : 1n
}

/** Checks that the graph equals the executor's program: hops, tokens and shares, in order. */
function checkProgram(
  { devnet }: World,
  { quote, call }: Pick<Answers, 'quote' | 'call'>,
  faults: string[],
) {
  const wrapped = (token: Address) => wrappedOf(token, devnet.wrappedNative)
  const ends = { tokenIn: wrapped(call.tokenIn), tokenOut: wrapped(call.tokenOut) }
  const { hops } = decodeProgram(call.program, ends)
  const inProgram = hops.map(({ tokenIn, tokenOut, pool, share }) =>
    [tokenIn, tokenOut, pool, share].join(' ').toLowerCase(),
  )
  const swaps = quote.graph.filter(({ poolType }) => poolType !== 'wrap' && poolType !== 'unwrap')
  const shown = swaps.map(({ from, to, pool, share }) =>
    [from, to, pool, share].join(' ').toLowerCase(),
  )
  const isCalledSo = swaps.every(({ poolType }, i) =>
    hops[i]?.families.some((family) => family === poolType),
  )
  if (!isCalledSo || inProgram.join('\n') !== shown.join('\n'))
    faults.push(`program ${inProgram}, graph ${shown}`)
}

function checkComparison(compared: Answered, faults: string[]) {
  if (compared.status !== 200) {
    faults.push(`dex-compare answers ${compared.status} where quote serves`)
    return
  }
  const { serviceQuote, pools } = wire.dexCompareSchema.parse(compared.body)
  const amounts = [serviceQuote, ...pools.map(({ amountOut }) => amountOut)].map(BigInt)
  if (amounts.some((amount, i) => i > 0 && amounts[i - 1]! < amount)) {
    faults.push(`dex-compare is not descending: ${amounts}`)
  }
}
