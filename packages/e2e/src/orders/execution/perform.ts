import { routerAbi } from '@braid-swap/contracts'
import { type Address, type Hex, NATIVE, type Pool, readIntent } from '@braid-swap/core'
import { feeOn, replay, rescale, wrappedOf } from '@braid-swap/core/advanced'
import { decodeErrorResult, type TransactionReceipt } from 'viem'
import { anyInteger } from '../../families/differential/integers.js'
import { type Answers, askForOrder, feeIn, PARTNER, RECEIVER } from './answers.js'
import { prepareWallet } from './approvals.js'
import { allowanceOf, balanceOf } from './balances.js'
import type { PlannedOrder } from './orders.js'
import { decodeEncodedTx, mineUntil, signAndSend } from './plainWallet.js'
import { type Race, sendRace } from './race.js'
import { checkTraceOf, traceOf } from './trace.js'
import type { World } from './world.js'

/** Says how an order ended. */
export type Outcome =
  | { readonly end: 'refused'; readonly code: string }
  | (Answers & {
      /**
       * 'exact': equal to the wei. 'exact later': equal to the wei to the output of the same hops at the
       * time of a later block than the next, if a fee changes with time. 'above quote': only through a
       * sampled pool. 'above floor' and 'stopped': only after another account moved a pool or time
       * changed a fee.
       */
      readonly end: 'exact' | 'exact later' | 'above quote' | 'above floor' | 'stopped' | 'broken'
      readonly gasUsed: bigint
      /** `eth_estimateGas` of the transaction; absent if the node reports that it would revert. */
      readonly gasEstimated: bigint | undefined
      /** True if the node paid another amount in by the same program, as the integers say. */
      readonly isRescaled: boolean
    })

/**
 * Performs an order from the allowance to the mined block, as in the interface's typical flow, and
 * records every broken promise in `faults`.
 */
export async function perform(
  world: World,
  order: PlannedOrder,
  faults: string[],
): Promise<Outcome> {
  const { devnet } = world
  await prepareWallet(world, order, faults)
  await world.catchUp()
  const answers = await askForOrder(world, order, faults)
  if ('code' in answers) return { end: 'refused', code: answers.code }
  const { tx, encodedTx } = answers.swap
  if (BigInt(tx.gas) > devnet.blockGasLimit) {
    faults.push(`tx.gas ${tx.gas} is above the block's; model ${answers.quote.gas}`)
    return { end: 'refused', code: 'no block takes it' }
  }
  const gasEstimated = await estimateOnNode(world, answers)
  const isRescaled = await checkRescaled(world, order, answers, faults)
  const race = await sendRace(world, order, answers)
  const before = await readHoldings(world, order)
  const plain = order.fromEncodedTx ? decodeEncodedTx(encodedTx) : tx
  const receipt = await mineUntil(devnet, await signAndSend(devnet, devnet.wallet, plain))
  const after = await readHoldings(world, order)
  const end = await judge({ world, order, answers, race, receipt, before, after }, faults)
  await checkNothingLeft(world, answers, faults)
  if (receipt.gasUsed > BigInt(tx.gas)) faults.push(`used ${receipt.gasUsed} of ${tx.gas} gas`)
  const { gasUsed } = receipt
  return { ...answers, end, gasUsed, gasEstimated, isRescaled }
}

/**
 * Checks that the same program pays for another amount, from 0.1 to 2 times as much, what the hops pay by
 * the integers, and is refused if they refuse. More than the wallet may spend is not tried.
 */
async function checkRescaled(
  world: World,
  order: PlannedOrder,
  answers: Answers,
  faults: string[],
): Promise<boolean> {
  const { client, wallet, blockGasLimit } = world.devnet
  if (order.isSigned) return false
  const thousandths = BigInt(anyInteger(world.scales, 100, order.approvesExactly ? 1_000 : 2_000))
  const amount = (order.amount * thousandths) / 1_000n
  const owner = { token: order.src, account: wallet.address }
  if (amount === 0n || amount > ((await balanceOf(client, owner)) * 9n) / 10n) return false
  const { to, data, value } = answers.swap.tx
  const swap = { to: to as Address, data: data as Hex, value: BigInt(value) }
  const scaled = rescale(swap, { amountIn: amount, minAmountOut: 1n })
  const due = await dueIn(
    { world, order: { ...order, amount }, answers },
    await client.getBlockNumber(),
  )
  const paid = await client
    .call({ account: wallet.address, ...scaled, gas: 4n * blockGasLimit })
    .then((answer) => BigInt(answer.data ?? '0x0'))
    .catch(() => 0n)
  const isSampled = answers.quote.graph.some(({ sampled }) => sampled)
  const holds = isSampled ? paid >= due : paid === due
  if (!holds) faults.push(`${thousandths} thousandths pay ${paid}, due ${due}`)
  return holds && paid > 0n
}

async function estimateOnNode({ devnet }: World, { swap }: Answers): Promise<bigint | undefined> {
  const { to, data, value } = swap.tx
  const call = { to: to as Address, data: data as Hex, value: BigInt(value) }
  return devnet.client
    .estimateGas({ account: devnet.wallet.address, ...call })
    .catch(() => undefined)
}

type Holdings = Readonly<Record<'src' | 'dst' | 'native' | 'allowance' | 'fee', bigint>>

type Trial = {
  readonly world: World
  readonly order: PlannedOrder
  readonly answers: Answers
  readonly race: Race | undefined
  readonly receipt: TransactionReceipt
  readonly before: Holdings
  readonly after: Holdings
}

async function readHoldings({ devnet }: World, order: PlannedOrder): Promise<Holdings> {
  const { client, router, wrappedNative } = devnet
  const account = devnet.wallet.address
  const { src: token, dst } = order
  const [src, dstAmount, native, allowance, fee] = await Promise.all([
    balanceOf(client, { token, account }),
    balanceOf(client, { token: dst, account: order.hasReceiver ? RECEIVER : account }),
    balanceOf(client, { token: NATIVE, account }),
    token === NATIVE ? 0n : allowanceOf(client, { token, owner: account, spender: router }),
    balanceOf(client, { token: wrappedOf(dst, wrappedNative), account: PARTNER }),
  ])
  return { src, dst: dstAmount, native, allowance, fee }
}

/** Compares the balance changes with the promises. */
async function judge(trial: Trial, faults: string[]) {
  const { order, answers, receipt, before, after } = trial
  const fee = receipt.gasUsed * receipt.effectiveGasPrice
  const paid = before.src - after.src - (order.src === NATIVE ? fee : 0n)
  const paysFee = order.dst === NATIVE && !order.hasReceiver
  const received = after.dst - before.dst + (paysFee ? fee : 0n)
  const wasMoved = await wasRouteMoved(trial)
  const dstAmount = BigInt(answers.swap.dstAmount)
  const due = wasMoved ? dstAmount : await dueIn(trial, receipt.blockNumber)
  const floor = answers.call.minAmountOut
  if (receipt.status !== 'success') {
    if (paid !== 0n || received !== 0n) faults.push(`reverted, yet moved ${paid}, ${received}`)
    const reason = await revertReason(trial.world, receipt.transactionHash)
    if (reason === 'AmountOutTooLow' && (wasMoved || due < floor)) return 'stopped'
    if (reason === 'RateTooLow' && wasMoved) return 'stopped'
    faults.push(`reverted with ${reason}, pools ${wasMoved ? '' : 'not '}moved`)
    return 'broken'
  }
  if (paid !== order.amount) faults.push(`took ${paid} of ${order.amount}`)
  const spent = before.allowance - after.allowance
  if (spent !== 0n && (order.isSigned || spent !== order.amount)) {
    faults.push(`spent ${spent} of the allowance`)
  }
  checkFee(trial, received, faults)
  await checkTrace(trial, faults)
  if (received === due) return due === dstAmount ? 'exact' : 'exact later'
  const isSampled = answers.quote.graph.some(({ sampled }) => sampled)
  if (isSampled && received > due) return 'above quote'
  if (wasMoved && received >= floor) return 'above floor'
  faults.push(`received ${received}, promised ${dstAmount}, due ${due}, floor ${floor}`)
  return 'broken'
}

/**
 * The output of the route's hops at the time of a block. A quote is for the next block. An order that
 * does not fit into it is mined later, and the fees of some pools change with time.
 */
async function dueIn(
  { world, order, answers }: Pick<Trial, 'world' | 'order' | 'answers'>,
  blockNumber: bigint,
): Promise<bigint> {
  const { timestamp } = await world.devnet.client.getBlock({ blockNumber })
  const at = (pool: Pool): Pool =>
    'quotedAt' in pool && !('sampledAt' in pool) ? { ...pool, quotedAt: timestamp } : pool
  const hops = answers.route.map((hop) => ({ ...hop, pool: at(hop.pool) }))
  const { src: tokenIn, dst: tokenOut, amount: amountIn } = order
  const paid = replay(hops, { tokenIn, tokenOut, amountIn })?.amountOut ?? 0n
  return paid - (feeIn(answers.quote) > 0n ? feeOn(paid, { ppm: order.feeBps * 100 }) : 0n)
}

/** Checks that the recipient of the fee got its part of what the pools paid, and nobody without one. */
function checkFee({ order, before, after }: Trial, received: bigint, faults: string[]) {
  const got = after.fee - before.fee
  const isWrap = order.kind === 'wrap' || order.kind === 'unwrap'
  const due = isWrap ? 0n : feeOn(received + got, { ppm: order.feeBps * 100 })
  if (got !== due) faults.push(`a fee of ${got}, due ${due}`)
}

/** Checks that the calls of the transaction are those of the calldata. */
async function checkTrace({ world, answers, receipt }: Trial, faults: string[]): Promise<void> {
  const { devnet } = world
  const trace = await traceOf(devnet, receipt.transactionHash)
  const data = answers.swap.tx.data as Hex
  faults.push(...checkTraceOf(trace, readIntent(data, devnet.wrappedNative), devnet))
}

/** Returns whether the trader's swap was mined before the order, in a pool of its route. */
async function wasRouteMoved({ world, race, receipt }: Trial): Promise<boolean> {
  if (!race?.isOnRoute) return false
  const { client } = world.devnet
  const first = await client.getTransactionReceipt({ hash: race.hash }).catch(() => undefined)
  if (first?.status !== 'success') return false
  if (first.blockNumber !== receipt.blockNumber) return first.blockNumber < receipt.blockNumber
  return first.transactionIndex < receipt.transactionIndex
}

/** The name of the router's error, from the trace of the transaction. */
async function revertReason({ devnet }: World, hash: Hex): Promise<string> {
  const trace = await traceOf(devnet, hash)
  try {
    return decodeErrorResult({ abi: routerAbi, data: trace.output ?? '0x' }).errorName
  } catch {
    return `${trace.error} ${trace.output}`
  }
}

/** Checks that router and executor keep none of the tokens of the route. */
async function checkNothingLeft({ devnet }: World, { quote }: Answers, faults: string[]) {
  const { client, router, executor, wrappedNative } = devnet
  const passed = quote.graph.flatMap(({ from, to }) => [from, to])
  const tokens = new Set([NATIVE, wrappedNative, ...passed].map((t) => t.toLowerCase() as Address))
  const pairs = [...tokens].flatMap((token) =>
    [router, executor].map((account) => ({ token, account })),
  )
  const left = await Promise.all(pairs.map((pair) => balanceOf(client, pair)))
  for (const [i, amount] of left.entries()) {
    if (amount !== 0n) faults.push(`${pairs[i]!.account} holds ${amount} of ${pairs[i]!.token}`)
  }
}
