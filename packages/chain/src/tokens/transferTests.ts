// Detects tokens that break constant-balance accounting: fee on transfer, rebasing, or not
// sellable. It simulates transfers out of a pool and back in one `eth_call` with the pool's code
// overridden by a Multicall3 proxy, because no interface announces these properties.

import { type Address, calledContract, type Hex, type Pool } from '@braid-swap/core'
import {
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  type RpcStateOverride,
  toFunctionSelector,
} from 'viem'
import type { LoadErrorCode } from '../pools/loadError.js'
import { callData, wordAt } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader, multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { isPassing, rpcErrorOf } from '../transport/rpcErrors.js'

/** Why no pool of a token is served. */
export type TokenFlawCode = Extract<LoadErrorCode, `TOKEN_${string}`>

/** A token whose pools are set aside. */
export type TokenFlaw = {
  /** Lower case. */
  readonly address: Address
  readonly code: TokenFlawCode
  readonly message: string
}

/** Pools per token whose balance is read, to choose the one with the largest. */
const HOLDERS = 4
/**
 * Divisor of the balance to transfer: a prime, so that amounts counted in shares do not come out
 * even.
 */
const PART = 101n
/** Tokens tested in one batch: each makes two transfers, which may use much gas. */
const TOKENS_AT_ONCE = 50
/** A token counted in shares may deliver this much more or less, in wei. */
const SHARE_WEI = 2n

/**
 * The tokens that do not behave as pools assume: balances change without a transfer, less arrives
 * than was sent, or the token cannot be sent out of a pool and back. Nothing is sent on chain: a
 * state override replaces the pool's code during a call. If the node does not support overrides,
 * only tokens with balances in shares are detected.
 */
export async function findFlaws(
  client: Client,
  tokens: readonly Address[],
  { pools, header }: { readonly pools: Iterable<Pool>; readonly header: Header },
): Promise<readonly TokenFlaw[]> {
  const holdings = await readHoldings(client, tokens, { pools, header })
  const rebasing = holdings.filter(({ isInShares }) => isInShares)
  const rest = holdings.filter(({ isInShares }) => !isInShares)
  const flaws: TokenFlaw[] = rebasing.map(({ token }) =>
    flaw(token, 'TOKEN_REBASES', 'counts balances in shares, so they change without a transfer'),
  )
  if (rest.length === 0 || !(await replacesCode(client))) return flaws
  for (let i = 0; i < rest.length; i += TOKENS_AT_ONCE) {
    const some = rest.slice(i, i + TOKENS_AT_ONCE)
    const read = createReader(client, header, overridesOf(client, some))
    const answers = await read(some.map((holding) => moveOf(holding)))
    flaws.push(...some.flatMap((holding, n) => judge(holding, answers[n]!.data) ?? []))
  }
  return flaws
}

type Holding = {
  readonly token: Address
  /** The pool with the largest balance, of those read. */
  readonly holder: Address
  /** The amount of the test transfer, in wei. */
  readonly amount: bigint
  readonly isInShares: boolean
}

const BALANCE_OF = toFunctionSelector('function balanceOf(address)')
const TRANSFER = toFunctionSelector('function transfer(address,uint256)')
/** Most extra digits of shares compared with balances; stHYPE has 6. */
const MORE_DIGITS = 18
/** Lido's and Aave's functions for the shares behind a rebasing balance. */
const SHARES_OF = [
  toFunctionSelector('function sharesOf(address)'),
  toFunctionSelector('function scaledBalanceOf(address)'),
]

/** The largest holder of each token among its pools; a token that no pool holds is left out. */
async function readHoldings(
  client: Client,
  tokens: readonly Address[],
  { pools, header }: { readonly pools: Iterable<Pool>; readonly header: Header },
): Promise<readonly Holding[]> {
  const holders = new Map(tokens.map((token) => [token, [] as Address[]]))
  for (const pool of pools) {
    const holder = calledContract(pool)
    for (const token of pool.tokens) {
      const own = holders.get(token)
      const isNew = own && own.length < HOLDERS && !own.includes(holder)
      if (isNew && holder !== token) own.push(holder)
    }
  }
  const asked = [...holders].flatMap(([token, ids]) => ids.map((holder) => ({ token, holder })))
  const answers = await createReader(
    client,
    header,
  )(
    asked.map(({ token, holder }) => {
      const calls = [BALANCE_OF, ...SHARES_OF].map((selector) => ({
        to: token,
        data: callData(selector, BigInt(holder)),
      }))
      // Nested in one call, so that the reader does not retry each part that fails.
      return { to: multicallOf(client), data: together(calls) }
    }),
  )
  const most = new Map<Address, Holding>()
  for (const [i, { token, holder }] of asked.entries()) {
    const [balance, ...shares] = wordsOf(answers[i]!.data)
    if (balance === undefined || balance / PART < (most.get(token)?.amount ?? 1n)) continue
    const isInShares = shares.some((count) => count && !isSameAmount(count, balance))
    most.set(token, { token, holder, amount: balance / PART, isInShares })
  }
  return [...most.values()]
}

/**
 * Returns true if shares equal the balance, apart from extra digits. Such a token is not rebasing: it is
 * the wrapper of a rebasing token, and its balances are the shares.
 */
function isSameAmount(shares: bigint, balance: bigint): boolean {
  let [counted, digits] = [shares, 0]
  while (counted > balance && digits < MORE_DIGITS) [counted, digits] = [counted / 10n, digits + 1]
  return counted === balance
}

/** An unused address: the test transfer goes there and back. */
const THERE: Address = '0x00000000000000000000000000000000b4a1d7e5'

/**
 * The test as one call from {@link THERE}: balances, transfer out, balances, transfer back,
 * balances.
 */
function moveOf({ token, holder, amount }: Holding): Call {
  const balances = [holder, THERE].map((of) => ({
    to: token,
    data: callData(BALANCE_OF, BigInt(of)),
  }))
  const move = (to: Address) => ({ to: token, data: callData(TRANSFER, BigInt(to), amount) })
  const out = { to: holder, data: together([move(THERE)]) }
  return {
    to: THERE,
    data: together([...balances, out, ...balances, move(holder), ...balances]),
  }
}

function judge({ token, amount }: Holding, data: Hex): TokenFlaw | undefined {
  const results = resultsOf(data)
  if (results.length !== 8) return undefined
  const words = results.map(({ returnData }) => wordOrNone(returnData))
  const [held0, there0, , held1, there1, , held2, there2] = words
  if ([held0, there0, held1, there1, held2, there2].includes(undefined)) return undefined
  const out = resultsOf(results[2]!.returnData)[0]
  if (!out || !isMoved(out)) {
    return flaw(token, 'TOKEN_STUCK', 'cannot be sent out of the pool with the largest balance')
  }
  const arrived = [held0! - held1!, there1! - there0!]
  const odd = arrived.find((got) => got !== amount)
  if (odd !== undefined) return inexact(token, { amount, odd })
  if (!isMoved(results[5]!)) return flaw(token, 'TOKEN_STUCK', 'can be bought but not sold')
  const back = [there1! - there2!, held2! - held1!]
  const oddBack = back.find((got) => got !== amount)
  return oddBack === undefined ? undefined : inexact(token, { amount, odd: oddBack })
}

function inexact(
  token: Address,
  { amount, odd }: { readonly amount: bigint; readonly odd: bigint },
): TokenFlaw {
  const difference = amount > odd ? amount - odd : odd - amount
  const moved = `moved ${odd} instead of ${amount}`
  return difference <= SHARE_WEI
    ? flaw(token, 'TOKEN_REBASES', `${moved}: it counts balances in shares`)
    : flaw(token, 'TOKEN_TAKES_FEE', moved)
}

function flaw(address: Address, code: TokenFlawCode, what: string): TokenFlaw {
  return { address, code, message: `token ${address} ${what}` }
}

type Result = { readonly success: boolean; readonly returnData: Hex }

/** Returns true if a transfer succeeded; some tokens return nothing on success. */
function isMoved({ success, returnData }: Result): boolean {
  return success && (returnData === '0x' || wordOrNone(returnData) === 1n)
}

function together(calls: readonly Call[]): Hex {
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  return encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] })
}

function resultsOf(data: Hex): readonly Result[] {
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
  } catch {
    return []
  }
}

function wordsOf(data: Hex): readonly (bigint | undefined)[] {
  return resultsOf(data).map(({ success, returnData }) =>
    success ? wordOrNone(returnData) : undefined,
  )
}

function wordOrNone(data: Hex): bigint | undefined {
  return data.length < 66 ? undefined : wordAt(data, 0)
}

/** Overrides the code of the holders and of {@link THERE} with a Multicall3 proxy (EIP-1167). */
function overridesOf(client: Client, holdings: readonly Holding[]): RpcStateOverride {
  const target = multicallOf(client).slice(2)
  const code: Hex = `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`
  return Object.fromEntries(
    [THERE, ...holdings.map(({ holder }) => holder)].map((a) => [a, { code }]),
  )
}

const known = new WeakMap<Client, boolean>()

/** Returns true if the node supports code overrides in `eth_call`; tested once per client. */
async function replacesCode(client: Client): Promise<boolean> {
  const before = known.get(client)
  if (before !== undefined) return before
  const data = together([])
  try {
    const answer = await client.request({
      method: 'eth_call',
      params: [{ to: THERE, data }, 'latest', overridesOf(client, [])],
    })
    known.set(client, answer !== '0x')
  } catch (error) {
    if (!rpcErrorOf(error) || isPassing(error)) throw error
    known.set(client, false)
  }
  return known.get(client)!
}
