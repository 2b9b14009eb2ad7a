import { type PayBy, readAllowance, readPermit } from '@braid-swap/client'
import { NATIVE, PERMIT2 } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import { getCode } from 'viem/actions'
import type { Sale } from '../order/order.js'
import type { PageConfig } from '../pageConfig.js'
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
  const [read, setRead] = useState<{ readonly of: string; readonly facts: ReadFacts }>()
  const src = sale?.src
  const isNative = src === undefined || src === NATIVE
  const key = `${payer?.address} ${payer?.kind} ${src} ${sent}`
  useEffect(() => {
    if (!payer || isNative) return
    let isGone = false
    readFacts(payer, src, config).then(
      (facts) => !isGone && setRead({ of: key, facts }),
      // Without these facts an approval is still possible.
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [key])
  if (!payer || !sale || isNative) return []
  const facts = read?.of === key ? read.facts : unknown
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
