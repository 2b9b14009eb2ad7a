import type { Address, Hex } from '@braid-swap/core'
import { BaseError, NATIVE } from '@braid-swap/core'
import { z } from 'zod'

const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/i)
  .transform((text) => text as Hex)
const receiptSchema = z.object({
  status: hex,
  blockNumber: hex.transform(BigInt),
  gasUsed: hex.transform(BigInt),
  effectiveGasPrice: hex.transform(BigInt),
})

/** What a transaction did. */
export type Receipt = z.output<typeof receiptSchema>

/** What the devnet's account sends: `gas` is the node's own estimate where absent. */
export type Sending = {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gasPrice: bigint
  readonly gas?: bigint
}

const POLL_MS = 250
const PATIENCE_MS = 30_000

/** Asks the devnet's node through the API, which lets through only what follows. Throws DEMO_NODE. */
async function askNode<S extends z.ZodType>(method: string, params: unknown, schema: S) {
  const response = await fetch('/demo/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, params }),
  })
  const body = await response.json()
  if (!response.ok) throw new DemoNodeError(`${body.message}`, { method })
  return schema.parse(body.result)
}

/** What an account holds, in wei. */
export function readBalance(account: Address, token: Address): Promise<bigint> {
  const amount = hex.transform(BigInt)
  if (token === NATIVE) return askNode('eth_getBalance', [account, 'latest'], amount)
  // balanceOf(address)
  const data = `0x70a08231${account.slice(2).padStart(64, '0')}`
  return askNode('eth_call', [{ to: token, data }, 'latest'], amount)
}

/** What a spender may take of an owner's token, in wei. */
export function readAllowance(of: {
  readonly token: Address
  readonly owner: Address
  readonly spender: Address
}): Promise<bigint> {
  const word = (address: Address) => address.slice(2).padStart(64, '0')
  // allowance(address,address)
  const data = `0xdd62ed3e${word(of.owner)}${word(of.spender)}`
  return askNode('eth_call', [{ to: of.token, data }, 'latest'], hex.transform(BigInt))
}

/** The demo account's signature of EIP-712 typed data. Throws DEMO_NODE. */
export function signTyped(account: Address, data: TypedData): Promise<Hex> {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  const typed = { ...data, types: { EIP712Domain, ...data.types } }
  const text = JSON.stringify(typed, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  return askNode('eth_signTypedData_v4', [account, text], hex)
}

/** What is signed, as core makes it. */
type TypedData = {
  readonly domain: {
    readonly name: string
    readonly chainId: number
    readonly verifyingContract: Address
  }
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >
  readonly primaryType: string
  readonly message: object
}

/** Sends from the demo account and waits until it is mined. Throws DEMO_NODE, also if it reverts. */
export async function sendAndWait(
  account: Address,
  sending: Sending,
): Promise<Receipt & { readonly hash: Hex }> {
  const { to, data, value, gas, gasPrice } = sending
  const quantity = (n: bigint) => `0x${n.toString(16)}`
  const transaction = {
    ...{ from: account, to, data, value: quantity(value) },
    // The next block's base fee may be higher than the one quoted.
    ...{ maxFeePerGas: quantity(gasPrice * 2n), maxPriorityFeePerGas: '0x0' },
    ...(gas !== undefined && { gas: quantity(gas) }),
  }
  const hash = await askNode('eth_sendTransaction', [transaction], hex)
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const receipt = await askNode('eth_getTransactionReceipt', [hash], receiptSchema.nullable())
    if (receipt && BigInt(receipt.status) === 1n) return { ...receipt, hash }
    if (receipt) throw new DemoNodeError('the transaction was mined and reverted', { hash })
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new DemoNodeError('the transaction was not mined in time', { hash })
}

/** The devnet's node refused, or a transaction on it failed. */
export class DemoNodeError extends BaseError {
  readonly code = 'DEMO_NODE'
}
