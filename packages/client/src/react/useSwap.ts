import type { Hex } from '@braid-swap/core'
import { useCallback, useRef, useState } from 'react'
import type { Braid } from '../braid.js'
import { performSwap, type SwapOrder, type SwapStep, type Wallet } from './performSwap.js'

/** The progress of a swap. */
export type SwapState =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly step: SwapStep }
  | { readonly status: 'done'; readonly hash: Hex }
  | { readonly status: 'failed'; readonly step: SwapStep; readonly error: unknown }

/**
 * A function that performs a swap through a wallet, and how far it is; see `performSwap`. A second
 * call while one is under way does nothing, because two clicks must not sell twice.
 *
 * @example
 * const { state, swap } = useSwap(braid, wallet)
 * <button disabled={state.status === 'working'} onClick={() => swap({ request, terms })}>Swap</button>
 */
export function useSwap(
  braid: Pick<Braid, 'allowance' | 'approval' | 'swap'>,
  wallet: Wallet | undefined,
) {
  const [state, setState] = useState<SwapState>({ status: 'idle' })
  const isBusy = useRef(false)
  const swap = useCallback(
    async (order: SwapOrder): Promise<void> => {
      if (isBusy.current) return
      isBusy.current = true
      let step: SwapStep = 'checking'
      try {
        if (!wallet) throw new TypeError('no wallet is connected')
        const hash = await performSwap(braid, wallet, order, (now) => {
          step = now
          setState({ status: 'working', step })
        })
        setState({ status: 'done', hash })
      } catch (error) {
        setState({ status: 'failed', step, error })
      } finally {
        isBusy.current = false
      }
    },
    [braid, wallet],
  )
  return { state, swap }
}
