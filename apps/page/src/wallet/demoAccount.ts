/** The demo account of a devnet as an EIP-1193 provider: the node signs, through the API. */
import { BaseError } from '@braid-swap/core'
import { numberToHex } from 'viem'
import type { PageConfig } from '../pageConfig.js'
import { clientOf, type Payer, type Provider } from './payer.js'

/** The demo account; undefined unless the chain is a devnet. */
export function demoPayer({ demo, chainId }: PageConfig): Payer | undefined {
  if (!demo) return undefined
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'eth_chainId') return numberToHex(chainId)
    return askNode(method, params)
  }
  const client = clientOf({ request } as Provider)
  return { kind: 'demo', address: demo.account, client, canBatch: false }
}

/** Calls the devnet's node through the API, which allows only a few methods. Throws DEMO_NODE. */
async function askNode(method: string, params: unknown): Promise<unknown> {
  const response = await fetch('/demo/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, params }),
  })
  const body = await response.json()
  if (!response.ok) throw new DemoNodeError(`${body.message}`, { method })
  return body.result
}

/** The devnet's node rejected a request. */
export class DemoNodeError extends BaseError {
  readonly code = 'DEMO_NODE'
}
