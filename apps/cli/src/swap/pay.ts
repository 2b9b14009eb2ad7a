import { randomBytes } from 'node:crypto'
import {
  decodeRouterCall,
  type Hex,
  NATIVE,
  type Payment,
  PERMIT2,
  permit2Message,
  permitMessage,
  type RouterCall,
  withPayment,
} from '@braid-swap/core'
import { type Address, domainSeparator, parseAbi } from 'viem'
import { UsageError } from '../errors.js'
import { callNode } from '../sources/node.js'
import type { Signer } from './send.js'
import type { SwapTransaction } from './transaction.js'

/** The ways to authorize the router to take the amount. */
export const PAYMENTS = ['approval', 'permit', 'permit2'] as const
export type PayBy = (typeof PAYMENTS)[number]

const permitAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** The spender that needs an approval of the token first; none for a permit. */
export function spenderOf(by: PayBy, router: Address): Address | undefined {
  return { approval: router, permit: undefined, permit2: PERMIT2 }[by]
}

/**
 * Signs the payment and adds the signature to the swap; returns an approved or native swap unchanged.
 * Throws USAGE if the token has no permit that we can sign, RPC_FAILED.
 */
export async function paySwap(
  signer: Signer,
  tx: SwapTransaction,
  by: PayBy,
): Promise<SwapTransaction> {
  const call = decodeRouterCall(tx.data)
  if (by === 'approval' || call.tokenIn === NATIVE) return tx
  const sign = by === 'permit' ? signPermit : signPermit2
  return { ...tx, data: withPayment(tx.data, await sign(signer, call, tx.to)) }
}

async function signPermit2(
  { account, client }: Signer,
  call: RouterCall,
  router: Address,
): Promise<Payment> {
  const nonce = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const chainId = await callNode(() => client.getChainId())
  const message = permit2Message(call, { chainId, router, nonce })
  return { by: 'permit2', nonce, signature: await account.signTypedData(message) }
}

async function signPermit(signer: Signer, call: RouterCall, router: Address): Promise<Payment> {
  const { account, client } = signer
  const owner = account.address
  const token = { address: call.tokenIn, abi: permitAbi } as const
  const { chainId, name, version, nonce, separator } = await callNode(async () => {
    const read = (functionName: 'name' | 'version') =>
      client.readContract({ ...token, functionName }).catch(() => undefined)
    const ask = <T>(answer: Promise<T>) => answer.catch(() => undefined)
    const [chainId, name, version, nonce, separator] = await Promise.all([
      client.getChainId(),
      read('name'),
      read('version'),
      ask(client.readContract({ ...token, functionName: 'nonces', args: [owner] })),
      ask(client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' })),
    ])
    return { chainId, name: name ?? '', version: version ?? '1', nonce, separator }
  })
  const message = permitMessage(call, {
    ...{ chainId, router, owner, name, version, nonce: nonce ?? 0n },
  })
  if (nonce === undefined || domainSeparator({ domain: message.domain }) !== separator) {
    throw new UsageError('the token has no permit that can be signed here', {
      got: `${separator ?? 'no DOMAIN_SEPARATOR'}`,
      wanted: '--pay approval or --pay permit2',
    })
  }
  const signature: Hex = await account.signTypedData(message)
  return { by: 'permit', signature }
}
