import { type PayBy, readAllowance, readPermit } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { getCode } from 'viem/actions'
import type { Sale } from '../order/order.js'
import type { PageConfig } from '../pageConfig.js'
import { useRead } from '../useRead.js'
import type { Payer } from '../wallet/payer.js'
import { type PayFacts, payWaysOf } from './payWays.js'

/**
 * The ways in which the payer can pay a sale, the best first; none if nothing must be authorized.
 * `sent` counts the swaps, because each one changes the allowance.
 */
export function usePayWays(
  payer: Payer | undefined,
  sale: Sale | undefined,
  { config, sent }: { readonly config: PageConfig; readonly sent: number },
): readonly PayBy[] {
  const src = sale?.src === NATIVE ? undefined : sale?.src
  const key = payer && src && `${payer.address} ${payer.kind} ${src} ${sent}`
  // Without these facts an approval is still possible.
  const facts = useRead(key, () => readFacts(payer!, src!, config)) ?? unknown
  if (!payer || !sale || !src) return []
  return payWaysOf(sale.amount, { ...facts, canBatch: payer.canBatch })
}

type ReadFacts = Omit<PayFacts, 'canBatch'>
const unknown: ReadFacts = { allowance: undefined, hasPermit: false, hasPermit2: false }

async function readFacts(
  { client, address: owner, kind }: Payer,
  token: Sale['src'],
  { router: spender, chainId }: PageConfig,
): Promise<ReadFacts> {
  const [allowance, permit, code] = await Promise.all([
    readAllowance(client, { token, owner, spender }),
    // The demo's node is behind the API, which reports a call that reverts as a fault.
    kind === 'wallet' ? readPermit(client, { token, owner, chainId }) : undefined,
    getCode(client, { address: PERMIT2 }),
  ])
  return {
    allowance,
    hasPermit: permit !== undefined && !('why' in permit),
    hasPermit2: code !== undefined,
  }
}
