import { readUsesBigBlocks, readWallet, type Wallet } from '@braid-swap/chain'
import {
  type Address,
  BaseError,
  NATIVE,
  type Order,
  type Payment,
  PERMIT2,
} from '@braid-swap/core'
import { getAddress } from 'viem'
import { ApiError, type Issue } from '../errors.js'
import { askNode } from '../node.js'
import type { RouteParts } from '../parts.js'

/**
 * What a wallet holds and lets a spender take, read in one call. A token that does not answer is
 * TOKEN_NOT_FOUND.
 */
export async function readWalletOf(
  { client, config }: RouteParts,
  of: {
    readonly owner: Address
    readonly token: Address
    readonly parameter: string
    /** The router if absent. */
    readonly spender?: Address
  },
): Promise<Wallet> {
  const { token, parameter } = of
  try {
    const read = () => readWallet(client, { spender: config.router, ...of })
    return await askNode(read, config.nodeTimeoutMs)
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

/** A wallet that can pay; `null` where the node does not tell whether it sends into big blocks. */
export type Payer = Wallet & { readonly usingBigBlocks: boolean | null }

/** What `meta` says of a wallet. */
export function walletMeta({ balance, allowance, usingBigBlocks }: Payer) {
  return { balance: `${balance}`, allowance: `${allowance}`, usingBigBlocks }
}

/**
 * The wallet, if its balance and the router's allowance cover the order (interface 4.2, rules 1 and
 * 2); throws BALANCE_INSUFFICIENT, which approving would not help, or ALLOWANCE_INSUFFICIENT. A
 * signature takes the place of the allowance; Permit2's needs one for Permit2.
 */
export async function requireWallet(
  parts: RouteParts,
  of: {
    readonly owner: Address
    readonly order: Order
    readonly payment: Payment | undefined
    /** Whether to ask the node about big blocks, which takes a request of its own. */
    readonly isAsked: boolean
  },
): Promise<Payer> {
  const { owner, order, payment } = of
  const token = order.tokenIn
  const spender = payment?.by === 'permit2' ? PERMIT2 : parts.config.router
  const [wallet, usingBigBlocks] = await Promise.all([
    readWalletOf(parts, { owner, token, spender, parameter: 'src' }),
    of.isAsked ? readBigBlocks(parts, owner) : null,
  ])
  const symbol = await symbolOf(parts, token)
  const required = order.amountIn
  const who = getAddress(owner)
  const taker = spender === PERMIT2 ? 'Permit2' : 'router'
  const issues: (Issue & { readonly available: bigint })[] = []
  const expected = `at least ${required}`
  if (wallet.balance < required) {
    const message = `Not enough balance: ${who} holds ${wallet.balance} of ${symbol}; ${required} is needed.`
    const code = 'BALANCE_INSUFFICIENT'
    issues.push({ in: 'query', path: 'amount', code, message, expected, available: wallet.balance })
  }
  const needsAllowance = token !== NATIVE && payment?.by !== 'permit'
  if (needsAllowance && wallet.allowance < required) {
    const message = `Not enough allowance: ${taker} ${getAddress(spender)} may spend ${wallet.allowance} of ${symbol} from ${who}; ${required} is needed. ${spender === PERMIT2 ? 'Approve Permit2' : 'Get /approve/transaction'} first.`
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
  if (!first) return { ...wallet, usingBigBlocks }
  throw new ApiError(
    first.code === 'BALANCE_INSUFFICIENT' ? 'BALANCE_INSUFFICIENT' : 'ALLOWANCE_INSUFFICIENT',
    issues.map(({ message }) => message).join(' '),
    {
      issues: issues.map(({ available: _, ...issue }) => ({ ...issue, received: `${required}` })),
      details: {
        ...{ token, owner: who, spender: getAddress(spender), required: `${required}` },
        ...{ available: `${first.available}`, blockNumber: `${wallet.blockNumber}` },
      },
    },
  )
}

/** That the node does not answer in time is no reason to refuse a swap. */
async function readBigBlocks({ client, config }: RouteParts, owner: Address) {
  const read = () => readUsesBigBlocks(client, owner)
  return askNode(read, config.nodeTimeoutMs).catch(() => null)
}

async function symbolOf({ tokens }: RouteParts, token: Address): Promise<string> {
  const texts = await tokens.read([token])
  return texts.get(token)?.symbol || token
}
