// @vitest-environment happy-dom
import { type Address, NATIVE } from '@braid-swap/core'
import { renderHook, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { QuoteRequest } from '../requests.js'
import { useQuote } from './useQuote.js'
import { useSwap } from './useSwap.js'

const usdc: Address = '0x00000000000000000000000000000000000000cc'
const requestOf = (amount: bigint) => ({ src: NATIVE, dst: usdc, amount })
const soon = { pollMs: 5, delayMs: 0 }

/** An API that pays twice the amount when it is allowed to answer. */
function double() {
  const asked: bigint[] = []
  const open: (() => void)[] = []
  const quote = async ({ amount = 0n }: QuoteRequest) => {
    asked.push(amount)
    await new Promise<void>((resolve) => open.push(resolve))
    return { dstAmount: 2n * amount, served: {} }
  }
  const answer = async () => {
    await waitFor(() => expect(open).not.toHaveLength(0))
    open.shift()!()
  }
  return { braid: { quote } as never, asked, answer }
}

describe('useQuote', () => {
  it('is idle without a request, loading, then quoted', async () => {
    const { braid, answer } = double()
    const { result, rerender } = renderHook(
      ({ amount }: { amount?: bigint }) =>
        useQuote(braid, amount === undefined ? undefined : requestOf(amount), soon),
      { initialProps: {} },
    )
    expect(result.current).toEqual({ status: 'idle' })
    rerender({ amount: 3n })
    expect(result.current).toEqual({ status: 'loading' })
    await answer()
    await waitFor(() => expect(result.current).toMatchObject({ quote: { dstAmount: 6n } }))
  })

  it('never shows the quote of another amount', async () => {
    const { braid, answer } = double()
    const seen: [bigint, unknown][] = []
    const { rerender } = renderHook(
      ({ amount }) => {
        const state = useQuote(braid, requestOf(amount), soon)
        seen.push([amount, state.status === 'quoted' ? state.quote.dstAmount : state.status])
      },
      { initialProps: { amount: 3n } },
    )
    await answer()
    await waitFor(() => expect(seen.at(-1)).toEqual([3n, 6n]))
    rerender({ amount: 4n })
    for (let n = 0; n < 2; n++) await answer()
    await waitFor(() => expect(seen.at(-1)).toEqual([4n, 8n]))
    for (const [amount, shown] of seen) expect(['loading', 2n * amount]).toContain(shown)
  })

  it('asks once for equal requests in new objects', async () => {
    const { braid, asked } = double()
    const { rerender } = renderHook(() => useQuote(braid, requestOf(3n), soon))
    for (let n = 0; n < 5; n++) rerender()
    await waitFor(() => expect(asked).toEqual([3n]))
  })
})

describe('useSwap', () => {
  const order = { ...requestOf(3n), slippage: 1 }
  const terms = { router: usdc, minAmountOut: 1n, latestDeadline: 1n, maxNetworkFee: 1n }
  const braid = { swap: () => Promise.reject(new Error('nobody asks')) }

  it('fails where the wallet is on another chain, and sends nothing', async () => {
    const asked: string[] = []
    const request = async ({ method }: { readonly method: string }) => {
      asked.push(method)
      return '0x1'
    }
    const wallet = { account: usdc, request }
    const { result } = renderHook(() => useSwap(braid, wallet))
    await result.current.swap(order, terms)
    await waitFor(() => expect(result.current.state.status).toBe('failed'))
    expect(result.current.state).toMatchObject({
      ...{ progress: { step: 'check' }, error: { code: 'WRONG_CHAIN' } },
    })
    expect(asked).toEqual(['eth_chainId'])
  })

  it('fails without a wallet', async () => {
    const { result } = renderHook(() => useSwap(braid, undefined))
    await result.current.swap(order, terms)
    await waitFor(() => expect(result.current.state.status).toBe('failed'))
  })

  it('does nothing on a second click', async () => {
    let asked = 0
    const wallet = { account: usdc, request: () => new Promise(() => asked++) }
    const { result } = renderHook(() => useSwap(braid, wallet))
    void result.current.swap(order, terms)
    await result.current.swap(order, terms)
    await waitFor(() => expect(asked).toBe(1))
  })
})
