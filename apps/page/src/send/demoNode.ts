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

/** The receipt of a transaction. */
export type Receipt = z.output<typeof receiptSchema>

/** A transaction of the demo account; the node estimates `gas` if it is absent. */
export type Sending = {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gasPrice: bigint
  readonly gas?: bigint
}

const POLL_MS = 250
const PATIENCE_MS = 30_000

/** Calls the devnet's node through the API, which allows only the calls below. Throws DEMO_NODE. */
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

/** Reads the balance of an account, in wei. */
export function readBalance(account: Address, token: Address): Promise<bigint> {
  const amount = hex.transform(BigInt)
  if (token === NATIVE) return askNode('eth_getBalance', [account, 'latest'], amount)
  // balanceOf(address)
  const data = `0x70a08231${account.slice(2).padStart(64, '0')}`
  return askNode('eth_call', [{ to: token, data }, 'latest'], amount)
}

/** Reads the allowance of a spender, in wei. */
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

/** Signs EIP-712 typed data with the demo account. Throws DEMO_NODE. */
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

/** Typed data as core builds it. */
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

/** Sends from the demo account and waits for the receipt. Throws DEMO_NODE, also on a revert. */
export async function sendAndWait(
  account: Address,
  sending: Sending,
): Promise<Receipt & { readonly hash: Hex }> {
  const { to, data, value, gas, gasPrice } = sending
  const quantity = (n: bigint) => `0x${n.toString(16)}`
  const transaction = {
    ...{ from: account, to, data, value: quantity(value) },
    // The next block's base fee may be higher than the quoted one.
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

/** The devnet's node rejected a request, or a transaction failed. */
export class DemoNodeError extends BaseError {
  readonly code = 'DEMO_NODE'
}
