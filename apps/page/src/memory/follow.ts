/** Finds out how swaps ended that nobody knew the end of, also after a reload. */
import { confirmSwap, OutcomeUnknownError } from '@braid-swap/client'
import type { Address, Hex } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import { kept } from '../storage.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError } from '../walletError.js'
import { createPageMemory, type KeptSwap } from './swapMemory.js'

/** The swaps of this browser. */
export const swapMemory = createPageMemory(kept)

/** Swaps that this tab sends or follows already. */
const followed = new Set<Hex>()
const AGAIN_MS = 5_000

/** Marks a swap as followed by the caller; false if it is already. */
export function claim(id: Hex): boolean {
  if (followed.has(id)) return false
  followed.add(id)
  return true
}

/** Ends what {@link claim} began: a swap that nobody knows the end of is followed from the list. */
export function release(id: Hex): void {
  followed.delete(id)
}

/** The kept swaps. */
export function useKeptSwaps(): readonly KeptSwap[] {
  const [swaps, setSwaps] = useState(swapMemory.all)
  useEffect(() => swapMemory.watch(() => setSwaps(swapMemory.all())), [])
  return swaps
}

/** The payer now: a wallet may be connected, changed or gone while a swap is followed. */
let payerNow: Payer | undefined

/** Follows the payer's swaps that nobody knows the end of; returns those whose end was looked for in vain. */
export function useEnds(swaps: readonly KeptSwap[], payer: Payer | undefined): ReadonlySet<Hex> {
  const [doubted, setDoubted] = useState<ReadonlySet<Hex>>(new Set())
  useEffect(() => {
    payerNow = payer
    for (const { outcome, sent } of swaps) {
      const isOpen = outcome === undefined && sent.from === payer?.address
      if (!isOpen || !claim(sent.id)) continue
      const onDoubt = () => setDoubted((before) => new Set([...before, sent.id]))
      follow(sent.id, onDoubt).finally(() => release(sent.id))
    }
  }, [swaps, payer])
  return doubted
}

type Asked = { readonly method: string; readonly params?: unknown }

/** What the payer's node answers now; nothing is asked for another account. */
function requestOf(account: Address) {
  if (payerNow && payerNow.address === account) return payerNow.client.request
  throw new WalletError('WALLET_DISCONNECTED', 'The account that sent the swap is not connected.')
}

async function follow(id: Hex, onDoubt: () => void): Promise<void> {
  for (;;) {
    const swap = swapMemory.all().find((each) => each.sent.id === id)
    if (!swap || swap.outcome) return
    const account = swap.sent.from
    if (payerNow?.address !== account) return
    const node = { request: async (asked: Asked) => requestOf(account)(asked as never) }
    // The memory keeps the end that is found.
    await confirmSwap(node as never, swap.sent, { memory: swapMemory.of(swap) }).catch((error) => {
      if (error instanceof OutcomeUnknownError) onDoubt()
    })
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
