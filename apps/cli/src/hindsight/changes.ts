// Orders and trades out of receipts, by the transfers of tokens alone, so that no router needs a decoder of its own.

import type { BlockTransaction } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE, type Order } from '@braid-swap/core'
import { toEventSelector } from 'viem'

const [TRANSFER, WRAP, UNWRAP] = [
  'Transfer(address,address,uint256)',
  'Deposit(address,uint256)',
  'Withdrawal(address,uint256)',
].map((signature) => toEventSelector(signature)) as [Hex, Hex, Hex]
const NOBODY: Address = '0x0000000000000000000000000000000000000000'

/** How a transaction changed the holdings of each account: by account, then by token, in wei. */
export type Changes = ReadonlyMap<Address, ReadonlyMap<Address, bigint>>

/** What the logs of a transaction say of holdings; a token mints from its own account and burns into it. */
export function changesOf({ logs }: BlockTransaction, wrappedNative: Address): Changes {
  const changes = new Map<Address, Map<Address, bigint>>()
  const add = (account: Address, token: Address, wei: bigint) => {
    const own = changes.get(account) ?? new Map<Address, bigint>()
    changes.set(account, own.set(token, (own.get(token) ?? 0n) + wei))
  }
  for (const { address: token, topics, data } of logs) {
    const [kind, first, second, ...more] = topics
    if (first === undefined || more.length > 0 || data.length !== 66) continue
    const accountOf = (topic: Hex): Address => {
      const account: Address = `0x${topic.slice(-40).toLowerCase()}`
      return account === NOBODY ? token : account
    }
    if (kind === TRANSFER && second !== undefined) {
      add(accountOf(first), token, -BigInt(data))
      add(accountOf(second), token, BigInt(data))
    } else if (token === wrappedNative && (kind === WRAP || kind === UNWRAP)) {
      add(accountOf(first), token, kind === WRAP ? BigInt(data) : -BigInt(data))
    }
  }
  return changes
}

/** An order that somebody else settled, and the wei that its owner got. */
export type SettledOrder = Order & {
  /** The sender, or the called contract if it holds what it trades. */
  readonly owner: Address
  readonly received: bigint
}

/**
 * The order of a transaction that sold one token for one other. The native token leaves no logs: `value` is what was
 * sold of it, and what others unwrapped, less what they wrapped, was bought. `undefined` for anything else.
 */
export function orderOf(
  { from, to, logs }: BlockTransaction,
  changes: Changes,
  { wrappedNative, value }: { readonly wrappedNative: Address; readonly value: bigint },
): SettledOrder | undefined {
  const changed = (account: Address) =>
    [...(changes.get(account) ?? [])].filter(([, wei]) => wei !== 0n)
  const isSender = value > 0n || changed(from).length > 0
  if (!isSender && to === undefined) return undefined
  const owner = isSender ? from : to!
  const all = changed(owner)
  const sold = all.filter(([, wei]) => wei < 0n)
  const bought = all.filter(([, wei]) => wei > 0n)
  if (value > 0n) sold.push([NATIVE, -value])
  const unwrapped = unwrappedIn(logs, wrappedNative)
  if (bought.length === 0 && unwrapped > 0n) bought.push([NATIVE, unwrapped])
  if (sold.length !== 1 || bought.length !== 1) return undefined
  const [[tokenIn, paid], [tokenOut, received]] = [sold[0]!, bought[0]!]
  const isWrap = [tokenIn, tokenOut].every((one) => one === NATIVE || one === wrappedNative)
  return isWrap ? undefined : { owner, tokenIn, tokenOut, amountIn: -paid, received }
}

function unwrappedIn(logs: BlockTransaction['logs'], wrappedNative: Address): bigint {
  const own = logs.filter(({ address, data }) => address === wrappedNative && data.length === 66)
  const sum = (kind: Hex) =>
    own.reduce((wei, { topics, data }) => (topics[0] === kind ? wei + BigInt(data) : wei), 0n)
  return sum(UNWRAP) - sum(WRAP)
}

/** True if only the transaction's value can tell what it sold. */
export function needsValue({ from, swaps }: BlockTransaction, changes: Changes): boolean {
  return swaps.length > 0 && ![...(changes.get(from)?.values() ?? [])].some((wei) => wei < 0n)
}

/** A pool that took part in a transaction, with the token that it got and the one that it paid, if both are known. */
export type Trade = { readonly pool: Hex; readonly got?: Address; readonly paid?: Address }

/**
 * The pools that took part: those of the logs of swaps, and the contracts that got one token and paid another, except
 * the two ends of the transaction, unless one of them is a known pool.
 */
export function tradesOf(
  { from, to, swaps }: BlockTransaction,
  changes: Changes,
  isKnown: (account: Address) => boolean,
): readonly Trade[] {
  const endsOf = (account: Address) => {
    const all = [...(changes.get(account) ?? [])]
    const [got] = all.find(([, wei]) => wei > 0n) ?? []
    const [paid] = all.find(([, wei]) => wei < 0n) ?? []
    return { ...(got && { got }), ...(paid && { paid }) }
  }
  const logged = swaps.map(({ pool, emitter }): Trade => {
    // A contract with many pools has one sum of all its swaps.
    const isAlone = swaps.filter((swap) => swap.emitter === emitter).length === 1
    return { pool, ...((pool === emitter || isAlone) && endsOf(emitter)) }
  })
  const speaking = new Set<Hex>(swaps.map(({ emitter }) => emitter))
  const silent = [...changes.keys()].flatMap((account): readonly Trade[] => {
    const isEnd = (account === from || account === to) && !isKnown(account)
    const { got, paid } = endsOf(account)
    if (isEnd || speaking.has(account) || !got || !paid) return []
    return [{ pool: account, got, paid }]
  })
  return [...new Map([...logged, ...silent].map((trade) => [trade.pool, trade])).values()]
}
