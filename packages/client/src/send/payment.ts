/**
 * Lets the router take exactly the amount that a swap sells: by an approval, by a permit of the token,
 * or by a signature for Permit2. Every message and every approval is made here, so no server can word it.
 */
import type { Address, Hex, Payment, RouterCall } from '@braid-swap/core'
import { PERMIT2, permit2Message, permitMessage } from '@braid-swap/core/advanced'
import {
  type Client,
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseAbi,
  toHex,
} from 'viem'
import { call as ethCall, getTransactionReceipt, readContract, signTypedData } from 'viem/actions'
import type { Patience } from './confirm.js'
import { SendError } from './errors.js'
import { isDeclined, revertDataOf } from './failures.js'
import { type Call, type FeeTerms, handOver, makeReady, type Priced } from './transaction.js'
import { addressOf, readAllowance, type WalletClient } from './wallet.js'

/** The ways to authorize the router; `calls` approves and swaps in one confirmation (EIP-5792). */
export type PayBy = 'approval' | 'permit' | 'permit2' | 'calls'

/** The spender that needs an approval of the token first; none for a permit. */
export function spenderOf(by: PayBy, router: Address): Address | undefined {
  return { approval: router, calls: router, permit: undefined, permit2: PERMIT2 }[by]
}

type Spending = { readonly token: Address; readonly amount: bigint; readonly spender: Address }

/**
 * The calls that let a spender take exactly the amount: none if it may already. A token that refuses to
 * change an allowance that is not zero, as USDT does, is asked to revoke it first.
 */
export async function approvalsFor(
  client: WalletClient,
  { token, amount, spender }: Spending,
): Promise<readonly (Call & Spending)[]> {
  const owner = addressOf(client)
  const allowance = await readAllowance(client, { token, owner, spender })
  if (allowance >= amount) return []
  const approve = approval({ token, amount, spender })
  if (allowance === 0n || (await isAccepted(client, approve))) return [approve]
  return [approval({ token, amount: 0n, spender }), approve]
}

function approval({ token, amount, spender }: Spending): Call & Spending {
  const args = [spender, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  return { ...{ token, amount, spender }, to: token, data, value: 0n }
}

/**
 * Sends approvals, each until the node shows its allowance. Throws ALLOWANCE_INSUFFICIENT, and what the wallet
 * throws.
 */
export async function allow(
  { client, terms, options, say }: Approving,
  approvals: readonly (Call & Priced & Spending)[],
): Promise<void> {
  for (const call of approvals) {
    const { token, amount, spender } = call
    say({ step: 'allow', approval: { token, amount, spender } })
    const ready = await makeReady(client, call, terms)
    const { hash, cause } = await handOver(client, ready).then(
      (hash) => ({ hash, cause: undefined }),
      (cause: unknown) => ({ hash: ready.own?.hash, cause }),
    )
    if (!ready.own && isDeclined(cause)) throw cause
    await awaitAllowance(client, call, { ...options, hash, cause })
  }
}

/** What sending approvals needs of a swap. */
type Approving = {
  readonly client: WalletClient
  readonly terms: FeeTerms
  readonly options: Patience
  readonly say: (progress: { readonly step: 'allow'; readonly approval: Spending }) => void
}

/** Looks after its transaction was mined, because nodes behind one address may be some blocks apart. */
const LATE_LOOKS = 5

/** The allowance itself counts: its owner may lower it in the wallet, or the wallet's answer be lost. */
async function awaitAllowance(
  client: WalletClient,
  { token, amount, spender }: Spending,
  { hash, cause, pollMs = 1_000, waitMs = 180_000, unknownMs = 20_000 }: Patience & Answer,
): Promise<void> {
  const owner = addressOf(client)
  const endMs = performance.now() + (hash ? waitMs : unknownMs)
  for (let left = LATE_LOOKS; left > 0 && performance.now() < endMs; ) {
    const receipt = hash && (await getTransactionReceipt(client, { hash }).catch(() => undefined))
    const now = await readAllowance(client, { token, owner, spender }).catch(() => undefined)
    if (now !== undefined && (amount === 0n ? now === 0n : now >= amount)) return
    if (receipt) left--
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  if (cause) throw cause
  const message = 'the approval was sent, but the router may still take less than the swap needs'
  const details = { ...(hash && { hash }), wanted: `${amount} wei` }
  throw new SendError('ALLOWANCE_INSUFFICIENT', message, details)
}
type Answer = { readonly hash: Hex | undefined; readonly cause: unknown }

/** True if a token accepts an approval now. Some return false, some nothing. */
async function isAccepted(client: WalletClient, { to, data }: Call): Promise<boolean> {
  try {
    const answer = await ethCall(client, { account: addressOf(client), to, data })
    if (answer.data === undefined) return true
    return decodeFunctionResult({ abi: erc20Abi, functionName: 'approve', data: answer.data })
  } catch (error) {
    if (revertDataOf(error) !== undefined) return false
    throw error
  }
}

/**
 * Signs for exactly the amount of a swap's call, until its deadline. Throws PERMIT_UNSUPPORTED, or what
 * the wallet throws.
 */
export async function signPayment(
  client: WalletClient,
  call: Pick<RouterCall, 'tokenIn' | 'amountIn' | 'deadline'>,
  of: { readonly by: 'permit' | 'permit2'; readonly router: Address; readonly chainId: number },
): Promise<Payment> {
  const { by, router, chainId } = of
  const { account } = client
  if (by === 'permit2') {
    const nonce = BigInt(toHex(crypto.getRandomValues(new Uint8Array(32))))
    const message = permit2Message(call, { chainId, router, nonce })
    return { by, nonce, signature: await signTypedData(client, { ...message, account }) }
  }
  const owner = addressOf(client)
  const domain = await readPermit(client, { token: call.tokenIn, owner, chainId })
  if ('why' in domain) {
    const wanted = 'an approval or Permit2'
    throw new SendError(
      'PERMIT_UNSUPPORTED',
      `the token has no permit that can be signed: ${domain.why}`,
      { wanted },
    )
  }
  const message = permitMessage(call, { ...domain, chainId, router, owner })
  return { by, signature: await signTypedData(client, { ...message, account }) }
}

const permitAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
])

const PERMIT_TYPEHASH = keccak256(
  toHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)

/** The signing domain of a token's permits (EIP-2612), and the owner's next nonce. */
export type PermitDomain = {
  readonly name: string
  readonly version: string
  readonly nonce: bigint
}

/**
 * Reads whether a token takes a signature instead of an approval (EIP-2612), or why not. Tokens differ in
 * the name and version of their domain, and DAI's permit has other fields under the same name, so one is
 * signed only if domain and type are those that the token publishes.
 * Never throws: a token that does not answer has no permit.
 */
export async function readPermit(
  client: Client,
  of: { readonly token: Address; readonly owner: Address; readonly chainId: number },
): Promise<PermitDomain | { readonly why: string }> {
  const { token, owner, chainId } = of
  const contract = { address: token, abi: permitAbi } as const
  const orNone = <T>(answer: Promise<T>) => answer.catch(() => undefined)
  const [name, version, nonce, separator, type] = await Promise.all([
    orNone(readContract(client, { ...contract, functionName: 'name' })),
    orNone(readContract(client, { ...contract, functionName: 'version' })),
    orNone(readContract(client, { ...contract, functionName: 'nonces', args: [owner] })),
    orNone(readContract(client, { ...contract, functionName: 'DOMAIN_SEPARATOR' })),
    orNone(readContract(client, { ...contract, functionName: 'PERMIT_TYPEHASH' })),
  ])
  if (name === undefined || nonce === undefined) return { why: 'it has no permit' }
  if (type !== undefined && type !== PERMIT_TYPEHASH) {
    return { why: 'its permit is another one than that of EIP-2612, such as DAI’s' }
  }
  const found = { name, version: version ?? '1', nonce }
  const paid = { tokenIn: token, amountIn: 0n, deadline: 0n }
  const { domain } = permitMessage(paid, { ...found, chainId, owner, router: owner })
  const isOurs = domainSeparator({ domain }) === (separator as Hex | undefined)
  return isOurs ? found : { why: 'its domain is another one' }
}
