// Several calls in one confirmation of a wallet, all or nothing (EIP-5792).

import { numberToHex } from 'viem'
import { SendError } from './errors.js'
import type { SentSwap } from './memory.js'
import type { Call } from './transaction.js'
import { addressOf, type WalletClient } from './wallet.js'

/** Throws CALLS_UNSUPPORTED unless the wallet says that it executes calls as one on a chain. */
export async function requireCalls(client: WalletClient, chainId: number): Promise<void> {
  const chain = numberToHex(chainId)
  const asked = { method: 'wallet_getCapabilities', params: [addressOf(client), [chain]] } as const
  const capabilities = await client.request(asked).catch(() => undefined)
  const { status } = capabilities?.[chain]?.['atomic'] ?? {}
  if (status === 'supported' || status === 'ready') return
  const wanted = 'another way to pay, such as an approval'
  throw new SendError('CALLS_UNSUPPORTED', 'the wallet cannot execute several calls as one', {
    wanted,
  })
}

/**
 * Asks the wallet to execute the calls as one, on the chain of the swap and under its id. The wallet chooses
 * the gas and its price. It gives no hash. Throws what the wallet throws, which is no proof that it does not.
 */
export async function handOverTogether(
  client: WalletClient,
  { chainId, from, id }: SentSwap,
  calls: readonly Call[],
): Promise<undefined> {
  const plain = calls.map(({ to, data, value }) => ({ to, data, value: numberToHex(value) }))
  const asked = { version: '2.0.0', id, from, chainId: numberToHex(chainId), atomicRequired: true }
  await client.request({ method: 'wallet_sendCalls', params: [{ ...asked, calls: plain }] })
}
