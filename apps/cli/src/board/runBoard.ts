/**
 * Asks Braid and other services for the same orders, simulates each answer's calldata at the block of
 * Braid's quote, and puts the results beside the bound at that block. Braid's own calldata is
 * simulated as any other.
 */
import { type Client, hyperEvm } from '@braid-swap/chain'
import type { Braid } from '@braid-swap/client'
import { type Address, BaseError, type Order } from '@braid-swap/core'
import { callNode } from '../sources/node.js'
import {
  type Ask,
  type Asked,
  type NoOffer,
  NoOfferError,
  type Offer,
  type Service,
} from './services.js'
import { type Outcome, simulateOffer } from './simulateOffer.js'

/** The answer of one service to one order; amounts in wei. */
export type Row = { readonly service: string } & (
  | { readonly status: 'simulated'; readonly quoted: bigint; readonly received: bigint }
  | {
      readonly status: 'reverted' | 'not simulated'
      readonly quoted: bigint
      readonly reason: string
    }
  | { readonly status: NoOffer; readonly reason: string }
)

/** One order, asked of all services. */
export type BoardOrder = Order & {
  /** The block whose state all calldata was run on. */
  readonly block: bigint
  /** No route over Braid's market at that block pays more, in wei; absent if nothing was proved. */
  readonly bound?: bigint
  /** The best simulated output first, then those without one. */
  readonly rows: readonly Row[]
}

/** A comparison, as its page and its JSON show it. */
export type Board = {
  readonly chainId: number
  /** ISO 8601. */
  readonly asked: string
  readonly slippageBps: number
  readonly services: readonly { readonly name: string; readonly host: string }[]
  readonly orders: readonly BoardOrder[]
}

/** A service with its address and key. */
export type Contestant = {
  readonly name: string
  readonly host: string
  readonly service: Service
  readonly ask: Ask
  readonly key: string
}

/** An account that nobody has: it is the sender and the receiver of every simulated swap. */
const SENDER: Address = '0xb0a4db0a4db0a4db0a4db0a4db0a4db0a4db0a4d'

type Parts = {
  readonly client: Client
  readonly braid: Braid
  readonly braidHost: string
  readonly contestants: readonly Contestant[]
  readonly slippageBps: number
  readonly decimalsOf: (token: Address) => number
  readonly onOrder?: (done: number, all: number) => void
}

/** Runs a board, one order after the other and all services at once. Throws RPC_FAILED. */
export async function runBoard(parts: Parts, orders: readonly Order[]): Promise<Board> {
  const asked = new Date().toISOString()
  const results: BoardOrder[] = []
  for (const order of orders) {
    results.push(await runOrder(parts, order))
    parts.onOrder?.(results.length, orders.length)
  }
  const { braidHost: host, contestants, slippageBps } = parts
  const others = contestants.map(({ name, host: at }) => ({ name, host: at }))
  return {
    ...{ chainId: hyperEvm.id, asked, slippageBps },
    ...{ services: [{ name: 'braid', host }, ...others], orders: results },
  }
}

type Answered = { readonly service: string; readonly offer: Offer | NoOfferError }

async function runOrder(parts: Parts, order: Order): Promise<BoardOrder> {
  const { client, braid, contestants, slippageBps, decimalsOf } = parts
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const asked = { src, dst, amount, srcDecimals: decimalsOf(src), from: SENDER, slippageBps }
  const [own, ...others] = await Promise.all([
    askBraid(braid, asked),
    ...contestants.map(async ({ name, service, ask, key }): Promise<Answered> => {
      const offer = await service.offer(asked, ask, key).catch(noOffer)
      return { service: name, offer }
    }),
  ])
  const block = own.block ?? (await callNode(() => client.getBlockNumber()))
  const rows = await Promise.all(
    [{ service: 'braid', offer: own.offer }, ...others].map(async ({ service, offer }) => {
      if (offer instanceof NoOfferError) {
        return { service, status: offer.why, reason: offer.message }
      }
      const run = { ...asked, offer, block }
      return rowOf(service, offer, await callNode(() => simulateOffer(client, run)))
    }),
  )
  const { bound } = own
  return { ...order, block, ...(bound !== undefined && { bound }), rows: rows.toSorted(byOutput) }
}

/** Braid's answer for the most output, as the others answer, with its block and its bound. */
async function askBraid(braid: Braid, { src, dst, amount, from, slippageBps }: Asked) {
  try {
    const { tx, dstAmount, meta } = await braid.swap({
      ...{ src, dst, amount, from, slippage: slippageBps / 100, objective: 'gross' },
      ...{ skipChecks: true, includeMeta: true },
    })
    const offer: Offer = { quoted: dstAmount, call: tx, spender: tx.to }
    return { offer, block: meta.blockNumber, bound: meta.bound?.maxDstAmount }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const why = error.code === 'API_UNREACHABLE' ? 'unreachable' : 'refused'
    return { offer: new NoOfferError(why, `${error.code}: ${error.message}`) }
  }
}

function noOffer(error: unknown): NoOfferError {
  if (error instanceof NoOfferError) return error
  throw error
}

function rowOf(service: string, { quoted }: Offer, outcome: Outcome): Row {
  if (outcome.is !== 'paid') {
    return { service, quoted, status: outcome.is, reason: outcome.reason }
  }
  return { service, quoted, status: 'simulated', received: outcome.received }
}

function byOutput(a: Row, b: Row): number {
  const [x, y] = [receivedOf(a), receivedOf(b)]
  return x === y ? 0 : x > y ? -1 : 1
}

/** What arrived, in wei; −1 if nothing was simulated, so that an output of zero comes before it. */
export function receivedOf(row: Row): bigint {
  return row.status === 'simulated' ? row.received : -1n
}

/** How often each service paid the most, together with others or alone, and how often it answered. */
export function standingsOf({ services, orders }: Board) {
  return services.map(({ name, host }) => {
    const rows = orders.flatMap(({ rows: all }) => {
      const own = all.find(({ service }) => service === name)!
      const best = receivedOf(all[0]!)
      return [{ own, isBest: own.status === 'simulated' && own.received === best }]
    })
    const count = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length
    return {
      ...{ name, host },
      best: count(({ isBest }) => isBest),
      simulated: count(({ own }) => own.status === 'simulated'),
      unreachable: count(({ own }) => own.status === 'unreachable'),
    }
  })
}
