import { type Client, readUsesBigBlocks, readWallet, type Wallet } from '@braid-swap/chain'
import { type Address, BaseError, NATIVE, type Order, type Payment } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { formatUnits, getAddress } from 'viem'
import { ApiError, type Issue, refusal } from '../errors.js'
import type { AskNode } from '../node/callNode.js'
import { CALLS_OF_SWAP } from '../node/clients.js'
import type { TokenBook } from '../tokens/tokenBook.js'
import type { Warning } from '../wire/responses.js'
import { type Approval, approvalCalls, type Call, mustRevokeFirst } from './calls.js'

/** The wallets of callers, which only the node knows. */
export type Wallets = ReturnType<typeof createWallets>

type Parts = {
  readonly client: Client
  readonly config: { readonly router: Address }
  readonly askNode: AskNode
  readonly tokens: TokenBook
}

/** Reads wallets and their allowances from the node. */
export function createWallets(parts: Parts) {
  return {
    /** Balance and allowance of a wallet. Throws TOKEN_NOT_FOUND if the token does not answer. */
    read: (of: Reading) => readWalletOf(parts, of),
    /** True if the owner must approve 0 before another amount. Throws UPSTREAM_RPC. */
    mustRevokeFirst: (asked: Approval) => mustRevokeFirst(parts, asked),
    /**
     * The wallet that pays for a swap, if it is to be read, and the calls that give it the allowance it lacks. Reads
     * that cannot be paid for are a warning, unless calls are wanted, which depend on them. Throws as
     * {@link requireWallet}, and RATE_LIMITED.
     */
    payer: async (
      { from: owner, skipChecks, includeCalls, includeMeta }: Wishes,
      paid: Pick<Paying, 'order' | 'payment' | 'gasCost'>,
      { charge, afford }: Charging,
    ): Promise<Paid> => {
      if (!owner || (skipChecks && !includeCalls)) return { wallet: undefined, approvals: [] }
      if (includeCalls) await charge('calls', CALLS_OF_SWAP)
      else {
        const waitS = await afford(CALLS_OF_SWAP)
        if (waitS > 0) return { wallet: undefined, approvals: [], unread: notChecked(waitS) }
      }
      const asked = { owner, ...paid, isAsked: includeMeta ?? false }
      const [mayApprove, isUnchecked] = [includeCalls ?? false, skipChecks ?? false]
      const wallet = await requireWallet(parts, { ...asked, mayApprove, isUnchecked })
      const approvals = includeCalls ? await approvalCalls(parts, { ...asked, wallet }) : []
      return { wallet, approvals }
    },
  }
}

type Charging = {
  readonly charge: (what: 'calls', count: number) => Promise<void>
  readonly afford: (calls: number) => Promise<number>
}

type Paid = {
  readonly wallet: Payer | undefined
  readonly approvals: readonly Call[]
  /** Why the wallet was not read although it was to be. */
  readonly unread?: Warning
}

function notChecked(waitS: number): Warning {
  const message = `balance, allowance and gas are not checked on the node, whose requests are used up for ${waitS} s: tx may revert; ask again then`
  return { code: 'WALLET_NOT_CHECKED', message }
}

type Wishes = { readonly from?: Address | undefined } & {
  readonly [N in 'skipChecks' | 'includeCalls' | 'includeMeta']?: boolean | undefined
}

type Reading = {
  readonly owner: Address
  readonly token: Address
  readonly parameter: string
  /** The router if absent. */
  readonly spender?: Address
}

async function readWalletOf({ client, config, askNode }: Parts, of: Reading): Promise<Wallet> {
  try {
    const read = () => readWallet(client, { spender: config.router, ...of })
    return await askNode(read)
  } catch (error) {
    if (!(error instanceof BaseError && error.code === 'TOKEN_UNREADABLE')) throw error
    throw refusal({
      ...{ path: of.parameter, code: 'TOKEN_NOT_FOUND' },
      message: 'must be a token: this address does not answer balanceOf() or allowance()',
      ...{ received: of.token, expected: 'a contract with balanceOf() and allowance()' },
    })
  }
}

/** A wallet that can pay. `usingBigBlocks` is `null` if the node does not report it. */
export type Payer = Wallet & { readonly usingBigBlocks: boolean | null }

type Paying = {
  readonly owner: Address
  readonly order: Order
  readonly payment: Payment | undefined
  /** The most that the transaction's gas may cost, in wei: a node refuses a wallet that has less. */
  readonly gasCost: bigint
  /** If true, asks the node about big blocks, which takes a separate request. */
  readonly isAsked: boolean
  /** If true, an allowance that is too low is no fault, because the caller is about to raise it. */
  readonly mayApprove: boolean
  /** If true, nothing is a fault. */
  readonly isUnchecked: boolean
}

/** The `wallet` field of `meta`. */
export function walletMeta({ balance, allowance, usingBigBlocks }: Payer) {
  return { balance: `${balance}`, allowance: `${allowance}`, usingBigBlocks }
}

/**
 * The wallet, if its balance and the router's allowance cover the order (interface 4.2, rules 1 and
 * 2). Throws BALANCE_INSUFFICIENT first, because an approval would not help, or
 * ALLOWANCE_INSUFFICIENT; GAS_NOT_COVERED if the native token is sold and too little is left for gas. A permit
 * replaces the allowance; Permit2 needs its own allowance.
 */
async function requireWallet(need: Parts, of: Paying): Promise<Payer> {
  const { owner, order, payment } = of
  const token = order.tokenIn
  const spender = payment?.by === 'permit2' ? PERMIT2 : need.config.router
  const [wallet, usingBigBlocks] = await Promise.all([
    readWalletOf(need, { owner, token, spender, parameter: 'src' }),
    of.isAsked ? readBigBlocks(need, owner) : null,
  ])
  const required = order.amountIn
  const isShort = !of.isUnchecked && wallet.balance < required
  const needsAllowance = token !== NATIVE && payment?.by !== 'permit' && !of.mayApprove
  const isNotAllowed = needsAllowance && wallet.allowance < required
  const isGasShort =
    !of.isUnchecked && !isShort && token === NATIVE && wallet.balance < required + of.gasCost
  if (isGasShort) throw await gasNotCovered(need, of, wallet)
  if (!isShort && !isNotAllowed) return { ...wallet, usingBigBlocks }
  const show = await readUnits(need, token)
  const who = getAddress(owner)
  const messages: string[] = []
  const issues: Issue[] = []
  const base = { in: 'query', path: 'amount', expected: `at least ${required}` } as const
  if (isShort) {
    const rule = 'is more than the wallet holds'
    messages.push(
      `Not enough balance: ${who} holds ${show(wallet.balance)}; ${show(required)} is needed.`,
    )
    issues.push({
      ...{ ...base, code: 'BALANCE_INSUFFICIENT', message: rule, received: `${wallet.balance}` },
    })
  }
  if (isNotAllowed) {
    const [taker, remedy, rule] =
      spender === PERMIT2
        ? ['Permit2', 'Approve Permit2', 'is more than Permit2 may spend']
        : ['the router', 'Get /approve/transaction', 'is more than the router may spend']
    messages.push(
      `Not enough allowance: ${taker} may spend ${show(wallet.allowance)} of ${who}; ${show(required)} is needed. ${remedy} first.`,
    )
    issues.push({
      ...{ ...base, code: 'ALLOWANCE_INSUFFICIENT', message: rule },
      received: `${wallet.allowance}`,
    })
  }
  throw new ApiError(
    isShort ? 'BALANCE_INSUFFICIENT' : 'ALLOWANCE_INSUFFICIENT',
    messages.join(' '),
    {
      issues,
      details: {
        ...{ token, owner: who, spender: getAddress(spender), required: `${required}` },
        available: `${isShort ? wallet.balance : wallet.allowance}`,
        blockNumber: `${wallet.blockNumber}`,
      },
    },
  )
}

/** The refusal of a sale that leaves too little for its gas, with the amount that would leave enough. */
async function gasNotCovered(
  need: Parts,
  { owner, order, gasCost }: Pick<Paying, 'owner' | 'order' | 'gasCost'>,
  { balance, blockNumber }: Wallet,
): Promise<ApiError> {
  const show = await readUnits(need, NATIVE)
  const most = balance > gasCost ? balance - gasCost : 0n
  const { amountIn } = order
  const who = getAddress(owner)
  const fault = { path: 'amount', code: 'GAS_NOT_COVERED' } as const
  const message = 'leaves too little of the balance for gas'
  return refusal(
    { ...fault, message, received: `${amountIn}`, expected: `at most ${most}` },
    {
      message: `${who} holds ${show(balance)}: ${show(amountIn)} is sold and the gas may cost ${show(gasCost)}. At most ${show(most)} leaves room.`,
      details: {
        ...{ token: NATIVE, owner: who, available: `${balance}`, gasCost: `${gasCost}` },
        ...{ required: `${amountIn + gasCost}`, most: `${most}`, blockNumber: `${blockNumber}` },
      },
    },
  )
}

/** `null` if the node does not answer in time, because that is no reason to refuse a swap. */
async function readBigBlocks({ client, askNode }: Parts, owner: Address) {
  const read = () => readUsesBigBlocks(client, owner)
  return askNode(read).catch(() => null)
}

/** A function that formats an amount in the unit of its token, such as `1.5 USDC`. */
async function readUnits({ tokens }: Parts, token: Address) {
  const text = (await tokens.read([token])).get(token)
  return (wei: bigint) =>
    text ? `${formatUnits(wei, text.decimals)} ${text.symbol || token}` : `${wei} wei of ${token}`
}
