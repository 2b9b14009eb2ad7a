// Several calls in one confirmation of a wallet, all or nothing (EIP-5792).

import { defineChain } from 'viem'
import { getCallsStatus, sendCalls } from 'viem/actions'
import type { Patience } from './confirm.js'
import { OutcomeUnknownError, SendError } from './errors.js'
import { isRefusal } from './failures.js'
import type { Call } from './transaction.js'
import type { WalletClient } from './wallet.js'

/**
 * Asks the wallet to execute the calls as one under our name `id`, and returns its name for them. A lost
 * answer is none: the wallet may execute them. Throws what the wallet throws if it refuses.
 */
export async function sendTogether(
  client: WalletClient,
  calls: readonly Call[],
  { chainId, id }: { readonly chainId: number; readonly id: string },
): Promise<string> {
  const chain = defineChain({
    ...{ id: chainId, name: `${chainId}`, rpcUrls: { default: { http: [] } } },
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
  })
  const plain = calls.map(({ to, data, value }) => ({ to, data, value }))
  const { account } = client
  const asked = { account, chain, calls: plain, forceAtomic: true, id }
  try {
    return (await sendCalls(client, asked)).id
  } catch (error) {
    if (isRefusal(error)) throw error
    return id
  }
}

/** Waits until the calls are mined; the logs are those of all of them. Throws REVERTED, OUTCOME_UNKNOWN. */
export async function confirmCalls(
  client: WalletClient,
  bundle: string,
  { pollMs = 1_000, waitMs = 180_000 }: Patience,
) {
  const startMs = performance.now()
  for (;;) {
    const answer = await getCallsStatus(client, { id: bundle }).catch(() => undefined)
    const { status, receipts = [] } = answer ?? {}
    const last = receipts.at(-1)
    if (status === 'success' && last) {
      const gasUsed = receipts.reduce((sum, receipt) => sum + receipt.gasUsed, 0n)
      const { transactionHash, blockNumber } = last
      return {
        logs: receipts.flatMap(({ logs }) => logs) as never,
        gasUsed,
        transactionHash,
        blockNumber,
      }
    }
    if (status === 'failure') {
      const message = 'the wallet could not execute the approval and the swap: nothing was swapped'
      throw new SendError('REVERTED', message, last ? { hash: last.transactionHash } : {})
    }
    if (performance.now() - startMs > waitMs) {
      throw new OutcomeUnknownError(
        last?.transactionHash,
        `the wallet does not say how ${bundle} ended`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
