/** Finds out how swaps ended: when they were sent, and again after a reload. */
import { confirmSwap, type DoneSwap, OutcomeUnknownError, SendError } from '@braid-swap/client'
import type { Address, Hex } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import { kept } from '../storage.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError } from '../walletError.js'
import {
  createSwapMemory,
  isOpen,
  type KeptSwap,
  type Outcome,
  type SwapMemory,
} from './swapMemory.js'

/** The swaps of this browser. */
export const swapMemory = createSwapMemory(kept)

/** Keeps how a swap ended, and returns or throws what `done` does. */
export async function settle<T extends Pick<DoneSwap, 'hash' | 'amountOut'>>(
  memory: SwapMemory,
  done: Promise<T>,
  /** Its record then; undefined if the wallet was never asked. */
  record: () => KeptSwap | undefined,
): Promise<T> {
  const keep = (outcome: Outcome | undefined) => {
    const swap = record()
    if (swap && outcome) memory.keep({ ...swap, outcome })
  }
  try {
    const result = await done
    keep({ is: 'done', hash: result.hash, received: result.amountOut })
    return result
  } catch (error) {
    keep(outcomeOf(error))
    throw error
  }
}

/** The outcome that an error of the client states; undefined if it states none. */
function outcomeOf(error: unknown): Outcome | undefined {
  if (error instanceof OutcomeUnknownError) return { is: 'unknown' }
  if (!(error instanceof SendError)) return undefined
  const { hash } = error.details as { readonly hash?: Hex }
  return { is: 'failed', code: error.code, ...(hash && { hash }) }
}

/**
 * Runs `send` unless this or another tab sends the same order, or sent it and nobody knows yet how it
 * ended. Throws SWAP_UNDER_WAY, or what `send` does. A page without locks, which browsers give to
 * secure addresses only, has its records alone.
 */
export async function sendOnce<T>(
  memory: SwapMemory,
  order: string,
  send: () => Promise<T>,
  locks: Pick<LockManager, 'request'> | undefined = globalThis.navigator?.locks,
): Promise<T> {
  const unlessOpen = () => {
    if (memory.all().some((swap) => swap.order === order && isOpen(swap))) throw underWay()
    return send()
  }
  if (!locks) return unlessOpen()
  return locks.request(`braid.swap ${order}`, { ifAvailable: true }, async (lock) => {
    if (!lock) throw underWay()
    return unlessOpen()
  })
}

function underWay(): WalletError {
  return new WalletError('SWAP_UNDER_WAY', 'The same order was sent and has not ended.')
}

/** Swaps that this tab sends or follows already. */
const followed = new Set<string>()
const AGAIN_MS = 5_000

/** Marks a swap as followed by the caller; false if it is already. */
export function claim(id: string): boolean {
  if (followed.has(id)) return false
  followed.add(id)
  return true
}

/** Ends what {@link claim} began: a swap that nobody knows the end of is followed from the list. */
export function release(id: string): void {
  followed.delete(id)
}

/** The payer now: a wallet may be connected, changed or gone while a swap is followed. */
let payerNow: Payer | undefined

/** The kept swaps. Those of the payer that nobody knows the end of are followed until their deadline. */
export function useKeptSwaps(payer: Payer | undefined): readonly KeptSwap[] {
  const [swaps, setSwaps] = useState(swapMemory.all)
  useEffect(() => swapMemory.watch(() => setSwaps(swapMemory.all())), [])
  useEffect(() => {
    payerNow = payer
    const open = swaps.filter((swap) => isOpen(swap) && swap.sent.from === payer?.address)
    for (const { id } of open) if (claim(id)) follow(id).finally(() => release(id))
  }, [swaps, payer])
  return swaps
}

type Asked = { readonly method: string; readonly params?: unknown }

/** What the payer's node answers now; nothing is asked on another chain, or for another account. */
function requestOf(account: Address) {
  if (payerNow && payerNow.address === account) return payerNow.client.request
  throw new WalletError('WALLET_DISCONNECTED', 'The account that sent the swap is not connected.')
}

async function follow(id: string): Promise<void> {
  for (;;) {
    const swap = swapMemory.all().find((each) => each.id === id)
    if (!swap || !isOpen(swap)) return
    const account = swap.sent.from
    if (payerNow?.address !== account) return
    const wallet = { account, request: (asked: Asked) => requestOf(account)(asked as never) }
    // What it throws is kept as the outcome, or is asked again.
    await settle(swapMemory, confirmSwap(wallet, swap.sent), () => swap).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
