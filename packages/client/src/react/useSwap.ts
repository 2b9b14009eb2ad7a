import { useCallback, useRef, useState } from 'react'
import { createSwapMemory, type DoneSwap } from '../send/memory.js'
import type { SendTerms, SwapOrder } from '../send/order.js'
import type { SendOptions, SwapProgress } from '../send/prepare.js'
import { sendSwap } from '../send/sendSwap.js'
import type { SwapWallet } from '../send/wallet.js'

/** The progress of a swap. */
export type SwapState =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly progress: SwapProgress }
  | { readonly status: 'done'; readonly done: DoneSwap }
  | { readonly status: 'failed'; readonly progress: SwapProgress; readonly error: unknown }

/**
 * `sendSwap` through a wallet, and how far it is. A second call while one is under way does nothing,
 * because two clicks must not sell twice. An order whose end is unknown is not sold again while the component
 * is mounted; give a `memory` that outlives the page for longer.
 *
 * @example
 * const { state, swap } = useSwap(braid, walletClient)
 * const isBusy = state.status === 'working'
 * return <button disabled={isBusy} onClick={() => swap(order, terms)}>Swap</button>
 */
export function useSwap(braid: SendOptions['braid'], wallet: SwapWallet | undefined) {
  const [state, setState] = useState<SwapState>({ status: 'idle' })
  const [memory] = useState(createSwapMemory)
  const isBusy = useRef(false)
  const swap = useCallback(
    async (
      order: SwapOrder,
      terms: SendTerms,
      options: Omit<SendOptions, 'braid' | 'onStep'> = {},
    ): Promise<void> => {
      if (isBusy.current) return
      isBusy.current = true
      let progress: SwapProgress = { step: 'check' }
      const onStep = (now: SwapProgress) => {
        progress = now
        setState({ status: 'working', progress })
      }
      try {
        if (!wallet) throw new TypeError('no wallet is connected')
        setState({
          status: 'done',
          done: await sendSwap(wallet, order, terms, { memory, ...options, braid, onStep }),
        })
      } catch (error) {
        setState({ status: 'failed', progress, error })
      } finally {
        isBusy.current = false
      }
    },
    [braid, wallet, memory],
  )
  return { state, swap }
}
