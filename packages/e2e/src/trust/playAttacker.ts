// Plays an attacker against the API as operators run it on a devnet: what everyday orders pay while it acts and after.

import type { wire } from '@braid-swap/api'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { approveCall, type Devnet, SMALL_BLOCK_GAS } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'

/** What an attacker does with. */
export type World = {
  /** The gas of what it executes and sends is the attacker's. */
  readonly devnet: Devnet
  readonly api: DevnetApi
  /** Counts capital that the attacker puts into pools. */
  readonly invest: (dollars: number) => void
  /** Mines a block and waits until the API has it. */
  readonly mine: () => Promise<void>
  /** Asks for a swap of the attacker. */
  readonly ask: (params: Readonly<Record<string, string>>) => Promise<void>
}

/** What an attacker finds, beside the devnet. */
export type Prepared = {
  readonly listed: readonly Address[]
  readonly options?: Parameters<typeof startDevnetApi>[0]
  /** Everyday orders beside those of all, which are held against what they pay before the attack. */
  readonly orders?: readonly EverydayOrder[]
}

type EverydayOrder = readonly [src: Address, dst: Address, amount: bigint]

/** An attacker by what it does once, and in each of the blocks that follow. */
export type Attacker = {
  readonly name: string
  /** What is there before the API starts: tokens that the operator has let in, and how the API is set. */
  readonly prepare?: (devnet: Devnet) => Promise<Prepared>
  /** Orders that may be refused before anything tells of it, and in how many blocks; absent: none. */
  readonly mayRefuse?: readonly [orders: number, blocks: number]
  readonly act: (world: World, listed: readonly Address[]) => Promise<(() => Promise<void>) | void>
}

/** What an attacker does in each block. */
type Round = () => Promise<void>

/** What became of everyday orders. */
export type Row = {
  readonly name: string
  readonly dollars: number
  readonly requests: number
  /** Those that were refused: the attacker's swaps are to revert. */
  readonly reverted: number
  /** Orders that were asked for, and those refused, or that would revert in the next block. */
  readonly asked: number
  readonly refused: number
  /** Those that pay more than 5 bp less than before, by how many at most, and for how many blocks. */
  readonly worse: number
  readonly worstBp: number
  readonly blocks: number
  /** The most requests to the node for one block. */
  readonly busiest: number
}

/** The main tokens by symbol. */
export const tokensOf = ({ tokens }: Devnet) =>
  Object.fromEntries(tokens.map(({ symbol, address }) => [symbol, address])) as Readonly<
    Record<'USDC' | 'USD₮0' | 'UBTC' | 'UETH', Address>
  >

export const ONE = 10n ** 18n
export const HYPE_USD = 40
const BIG_BLOCK_GAS = 30_000_000n
const WORSE_BP = 5
/** Blocks after the attack at which everyday orders are asked. */
const LOOKS = [0, 1, 3, 8, 25, 62]

/** Runs an attacker on a market that nothing else moves. */
export async function play({ name, prepare, act }: Attacker): Promise<Row> {
  const devnet = await borrowDevnet()
  let [wei, capital, requests, reverted, busiest] = [0n, 0, 0, 0, 0]
  const { wallet, router } = devnet
  const sold = Object.values(tokensOf(devnet)).filter((token) => token !== undefined)
  await devnet.execute(
    sold.map((token) => approveCall(token, { owner: wallet.address, spender: router })),
  )
  const start = { devnet, venueStates: new Map() }
  const plain = await startDevnetApi(start)
  const usual = everydayOrders(devnet)
  const bigBlocks = () => devnet.client.setBlockGasLimit({ gasLimit: BIG_BLOCK_GAS })
  const smallBlocks = () => devnet.client.setBlockGasLimit({ gasLimit: SMALL_BLOCK_GAS })
  let before = await paidFor(plain, usual)
  await bigBlocks()
  const { listed = [], options, orders = [] } = (await prepare?.(devnet)) ?? {}
  await smallBlocks()
  await devnet.mine(2)
  if (prepare) await plain.stop()
  const api = prepare
    ? await startDevnetApi({ ...start, ...options, intermediates: listed })
    : plain
  const everyday = [...usual, ...orders]
  before = [...before, ...(await paidFor(api, orders))]
  const execute: Devnet['execute'] = async (calls) => {
    const receipts = await devnet.execute(calls)
    for (const { gasUsed, effectiveGasPrice } of receipts) wei += gasUsed * effectiveGasPrice
    return receipts
  }
  /** What is sent may use all of its gas. */
  const send: Devnet['send'] = async (calls) => {
    const { baseFeePerGas } = await devnet.client.getBlock()
    for (const { gas } of calls) wei += gas * (baseFeePerGas ?? 0n)
    return devnet.send(calls)
  }
  const mine = async (blocks = 1) => {
    await api.catchUp()
    const asked = await api.nodeRequests()
    await devnet.mine(blocks)
    await api.catchUp()
    busiest = Math.max(busiest, (await api.nodeRequests()) - asked)
  }
  try {
    await bigBlocks()
    const round = await act(
      {
        ...{ devnet: { ...devnet, execute, send }, api, mine },
        invest: (dollars) => {
          capital += dollars
        },
        ask: async (params) => {
          requests += 1
          const { address: from } = wallet
          const asked = { from, slippage: '5', ...params }
          const { status } = await api.get('/swap/v1/999/swap', asked)
          if (status !== 200) reverted += 1
        },
      },
      listed,
    )
    await smallBlocks()
    const seen = await look({ api, everyday, before, mine, round: round || undefined })
    const dollars = capital + (Number(wei) / Number(ONE)) * HYPE_USD
    return { name, dollars, requests, reverted, busiest, ...seen }
  } finally {
    await api.stop()
    await smallBlocks()
    await devnet.stop()
  }
}

/** What everyday orders pay at some of the blocks after the attack, beside what they paid before it. */
async function look(on: {
  readonly api: DevnetApi
  readonly everyday: readonly EverydayOrder[]
  readonly before: readonly (bigint | undefined)[]
  readonly mine: () => Promise<void>
  readonly round: Round | undefined
}) {
  let [asked, refused, worse, worstBp, first, last, at] = [0, 0, 0, 0, -1, -1, 0]
  for (const block of LOOKS) {
    for (; at < block; at++) {
      await on.round?.()
      await on.mine()
    }
    for (const [i, out] of (await paidFor(on.api, on.everyday, on.round)).entries()) {
      const paid = on.before[i]!
      const lostBp = out === undefined ? 0 : (Number(paid - out) / Number(paid)) * 10_000
      asked += 1
      if (out === undefined) refused += 1
      if (lostBp > WORSE_BP) worse += 1
      if (out === undefined || lostBp > WORSE_BP) [first, last] = [first < 0 ? block : first, block]
      worstBp = Math.max(worstBp, lostBp)
    }
  }
  return { asked, refused, worse, worstBp, blocks: first < 0 ? 0 : last - first + 1 }
}

export function everydayOrders(devnet: Devnet): readonly EverydayOrder[] {
  const { USDC, 'USD₮0': USDT, UBTC, UETH } = tokensOf(devnet)
  return [
    ...[1, 100].map((n) => [NATIVE, USDC, BigInt(n * 1e6) * 10n ** 12n] as const),
    ...[USDT, UBTC].map((token) => [NATIVE, token, 10n * ONE] as const),
    [USDC, NATIVE, 400_000_000n],
    [UBTC, USDC, 10n ** 6n],
    [UETH, USDC, ONE / 10n],
  ]
}

/**
 * What orders pay, each called on the newest block after what the attacker does in a block; undefined for one that is
 * refused or reverts.
 */
async function paidFor(
  { devnet, get, catchUp }: DevnetApi,
  orders: readonly EverydayOrder[],
  round?: Round,
): Promise<readonly (bigint | undefined)[]> {
  await catchUp()
  const account = devnet.wallet.address
  const answers = await Promise.all(
    orders.map(async ([src, dst, amount]) => {
      const params = { src, dst, amount: `${amount}`, from: account, slippage: '1' }
      const { status, body } = await get<wire.SwapBody>('/swap/v1/999/swap', params)
      return status === 200 ? body.tx : undefined
    }),
  )
  if (round) {
    await round()
    await devnet.mine()
  }
  return Promise.all(
    answers.map(async (tx) => {
      if (!tx) return undefined
      const { to, data } = tx
      const [value, gas, gasPrice] = [tx.value, tx.gas, tx.gasPrice].map(BigInt) as [
        bigint,
        bigint,
        bigint,
      ]
      // No block of the chain takes it.
      if (gas > SMALL_BLOCK_GAS) return undefined
      const call = { to: to as Address, data: data as Hex, value, gas, gasPrice }
      const paid = await devnet.client.call({ ...call, account }).catch(() => undefined)
      return paid?.data && BigInt(paid.data)
    }),
  )
}
