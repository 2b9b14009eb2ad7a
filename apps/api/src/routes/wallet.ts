import { readWallet, type Wallet } from '@braid-swap/chain'
import { type Address, BaseError, type Hex, NATIVE, type Order } from '@braid-swap/core'
import { ExecutionRevertedError, getAddress, BaseError as ViemError } from 'viem'
import { ApiError, type Issue } from '../errors.js'
import { askNode } from '../node.js'
import type { RouteParts } from '../parts.js'
import type { Warning } from '../wire/responses.js'

/**
 * What a wallet holds and lets the router take, read in one call. A token that does not answer is
 * TOKEN_NOT_FOUND.
 */
export async function readWalletOf(
  { client, config }: RouteParts,
  { owner, token, parameter }: { owner: Address; token: Address; parameter: string },
): Promise<Wallet> {
  try {
    const of = { owner, token, spender: config.router }
    return await askNode(() => readWallet(client, of), config.nodeTimeoutMs)
  } catch (error) {
    if (!(error instanceof BaseError && error.code === 'TOKEN_UNREADABLE')) throw error
    const code = 'TOKEN_NOT_FOUND'
    const message = `${parameter} ${token} is not a token contract`
    const expected = 'a contract with balanceOf() and allowance()'
    throw new ApiError(code, message, {
      issues: [{ in: 'query', path: parameter, code, message, received: token, expected }],
    })
  }
}

/**
 * The wallet, if its balance and the router's allowance cover the order (interface 4.2, rules 1 and
 * 2); throws BALANCE_INSUFFICIENT, which approving would not help, or ALLOWANCE_INSUFFICIENT.
 */
export async function requireWallet(
  parts: RouteParts,
  { owner, order }: { readonly owner: Address; readonly order: Order },
): Promise<Wallet> {
  const token = order.tokenIn
  const wallet = await readWalletOf(parts, { owner, token, parameter: 'src' })
  const symbol = await symbolOf(parts, token)
  const required = order.amountIn
  const who = getAddress(owner)
  const router = getAddress(parts.config.router)
  const issues: (Issue & { readonly available: bigint })[] = []
  const expected = `at least ${required}`
  if (wallet.balance < required) {
    const message = `Not enough balance: ${who} holds ${wallet.balance} of ${symbol}; ${required} is needed.`
    const code = 'BALANCE_INSUFFICIENT'
    issues.push({ in: 'query', path: 'amount', code, message, expected, available: wallet.balance })
  }
  if (token !== NATIVE && wallet.allowance < required) {
    const message = `Not enough allowance: router ${router} may spend ${wallet.allowance} of ${symbol} from ${who}; ${required} is needed. Get /approve/transaction first.`
    const code = 'ALLOWANCE_INSUFFICIENT'
    issues.push({
      in: 'query',
      path: 'amount',
      code,
      message,
      expected,
      available: wallet.allowance,
    })
  }
  const [first] = issues
  if (!first) return wallet
  throw new ApiError(
    first.code === 'BALANCE_INSUFFICIENT' ? 'BALANCE_INSUFFICIENT' : 'ALLOWANCE_INSUFFICIENT',
    issues.map(({ message }) => message).join(' '),
    {
      issues: issues.map(({ available: _, ...issue }) => ({ ...issue, received: `${required}` })),
      details: {
        ...{ token, owner: who, spender: router, required: `${required}` },
        ...{ available: `${first.available}`, blockNumber: `${wallet.blockNumber}` },
      },
    },
  )
}

/** What the node says of a call's gas, or why it says nothing. */
export type NodeEstimate = { readonly gas: bigint } | { readonly failure: Warning }

/**
 * The node's own gas estimate of a call. That it has none is no error: the wallet may send the swap
 * when the chain has moved on, and our own estimate stands; but it is told.
 */
export async function estimateOnNode(
  { client, config }: RouteParts,
  call: {
    readonly from: Address
    readonly to: Address
    readonly data: Hex
    readonly value: bigint
  },
): Promise<NodeEstimate> {
  const { from: account, to, data, value } = call
  try {
    const estimate = () => client.estimateGas({ account, to, data, value })
    return { gas: await askNode(estimate, config.nodeTimeoutMs) }
  } catch (error) {
    return { failure: isRevert(error) ? WOULD_REVERT : NOT_ESTIMATED }
  }
}

const WOULD_REVERT: Warning = {
  code: 'SWAP_WOULD_REVERT',
  message: 'on the node this swap reverts now; gas is our own estimate',
}
const NOT_ESTIMATED: Warning = {
  code: 'GAS_ESTIMATE_FAILED',
  message: 'the node did not answer what this swap needs; gas is our own estimate',
}

function isRevert(error: unknown): boolean {
  const cause = error instanceof BaseError ? error.cause : undefined
  const isReverted = (link: unknown) => link instanceof ExecutionRevertedError
  return cause instanceof ViemError && cause.walk(isReverted) !== null
}

async function symbolOf({ tokens }: RouteParts, token: Address): Promise<string> {
  const texts = await tokens.read([token])
  return texts.get(token)?.symbol || token
}
