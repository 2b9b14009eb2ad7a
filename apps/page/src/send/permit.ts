/**
 * Reads whether a token takes a signature instead of an approval (EIP-2612). Tokens differ in name and
 * version of their signing domain, so a permit is offered only if the domain that we would sign for is
 * the one that the token publishes.
 */
import { type Address, permitMessage } from '@braid-swap/core'
import { type Client, domainSeparator, parseAbi } from 'viem'
import { readContract } from 'viem/actions'

const abi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** The signing domain of a token, and the owner's next nonce. */
export type PermitDomain = {
  readonly name: string
  readonly version: string
  readonly nonce: bigint
}

/** The domain of a token's permits; undefined if it has none that we can sign. */
export async function readPermit(
  client: Client,
  of: { readonly token: Address; readonly owner: Address; readonly chainId: number },
): Promise<PermitDomain | undefined> {
  const { token, owner, chainId } = of
  const contract = { address: token, abi } as const
  const orNone = <T>(answer: Promise<T>) => answer.catch(() => undefined)
  const [name, version, nonce, separator] = await Promise.all([
    orNone(readContract(client, { ...contract, functionName: 'name' })),
    orNone(readContract(client, { ...contract, functionName: 'version' })),
    orNone(readContract(client, { ...contract, functionName: 'nonces', args: [owner] })),
    orNone(readContract(client, { ...contract, functionName: 'DOMAIN_SEPARATOR' })),
  ])
  if (name === undefined || nonce === undefined) return undefined
  const found = { name, version: version ?? '1', nonce }
  const paid = { tokenIn: token, amountIn: 0n, deadline: 0n }
  const { domain } = permitMessage(paid, { ...found, chainId, owner, router: owner })
  return domainSeparator({ domain }) === separator ? found : undefined
}
