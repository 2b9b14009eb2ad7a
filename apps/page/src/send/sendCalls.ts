/** Approves and swaps in one confirmation, all or nothing, in wallets that can (EIP-5792). */
import { getCallsStatus, sendCalls } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import { chainOf, requireChain } from '../wallet/chain.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError, walletErrorOf } from '../wallet/walletError.js'
import { type Mined, pause, type Sending } from './transactions.js'

const POLL_MS = 500

/** Asks the wallet to execute the calls as one, and returns its name for them. Throws WALLET_…. */
export async function sendTogether(
  { client, address }: Payer,
  config: PageConfig,
  calls: readonly Pick<Sending, 'to' | 'data' | 'value'>[],
): Promise<string> {
  try {
    await requireChain(client, config)
    const plain = calls.map(({ to, data, value }) => ({ to, data, value }))
    const { id } = await sendCalls(client, {
      ...{ account: address, chain: chainOf(config), calls: plain, forceAtomic: true },
    })
    return id
  } catch (error) {
    throw walletErrorOf(error)
  }
}

/** Waits until the calls are mined. Throws TX_REVERTED, WALLET_…. */
export async function waitForCalls({ client }: Payer, id: string): Promise<Mined> {
  for (;;) {
    const { status, receipts = [] } = await getCallsStatus(client, { id }).catch((error) => {
      throw walletErrorOf(error)
    })
    const last = receipts.at(-1)
    if (status === 'success' && last) {
      const logs = receipts.flatMap((receipt) => receipt.logs)
      const gasUsed = receipts.reduce((sum, receipt) => sum + receipt.gasUsed, 0n)
      return { logs, gasUsed, hash: last.transactionHash, blockNumber: last.blockNumber }
    }
    if (status !== undefined && status !== 'pending' && status !== 'success') {
      const message = 'The wallet could not execute the approval and the swap: nothing was swapped.'
      throw new WalletError('TX_REVERTED', message, {
        details: last ? { hash: last.transactionHash } : {},
      })
    }
    await pause(POLL_MS)
  }
}
