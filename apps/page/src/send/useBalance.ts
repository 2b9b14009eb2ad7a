import { readBalance } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { useRead } from '../useRead.js'
import type { Payer } from '../wallet/payer.js'

const EVERY_MS = 5_000

/** The payer's balance of a token, in wei; undefined while it is unknown. */
export function useBalance(
  payer: Payer | undefined,
  token: Address,
  /** The number of swaps sent, because each one changes the balance. */
  sent: number,
): bigint | undefined {
  return useRead(
    payer && `${payer.kind} ${payer.address} ${token} ${sent}`,
    () => readBalance(payer!.client, { token, owner: payer!.address }),
    EVERY_MS,
  )
}
