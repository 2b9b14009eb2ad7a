// Detects tokens that break constant-balance accounting: fee on transfer, rebasing, or not sellable. It simulates
// transfers out of a pool and back in one `eth_call` with the code of the pool overridden: no interface tells these.

import type { Address, Hex, Pool } from '@braid-swap/core'
import { calledContract } from '@braid-swap/core/families'
import { type RpcStateOverride, toFunctionSelector } from 'viem'
import type { LoadErrorCode } from '../pools/loadError.js'
import { callData } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader, multicallOf } from '../reads/multicall.js'
import { payingTerms, randomAddress } from '../reads/payingCalls.js'
import { type Client, mayOverride } from '../transport/client.js'
import { isRefusal } from '../transport/rpcErrors.js'
import {
  isMoved,
  proxyOfMulticall,
  type Result,
  resultsOf,
  together,
  wordOrNone,
  wordsOf,
} from './nestedCalls.js'

/** Why no pool of a token is served. */
export type TokenFlawCode = Extract<LoadErrorCode, `TOKEN_${string}`>

/** A token whose pools are set aside. */
export type TokenFlaw = {
  /** Lower case. */
  readonly address: Address
  readonly code: TokenFlawCode
  readonly message: string
  /** The account out of which the token was sent; absent if it was not. */
  readonly holder?: Address
  /** Blocks in which it passed the test since it failed last; absent if it did not. */
  readonly passedAt?: readonly number[]
}

/** Pools per token whose balance is read, to choose the one with the largest. */
const HOLDERS = 4
/**
 * Divisors of the balance to transfer, besides one unit: a prime, so that amounts counted in shares do not
 * come out even, and a half, which a tax or a limit on large transfers shows.
 */
const PARTS = [101n, 2n] as const
/** Tokens tested in one batch: each makes six transfers, which may use much gas. */
export const TOKENS_AT_ONCE = 16
/** A token counted in shares may deliver this much more or less, in wei. */
const SHARE_WEI = 2n

/** The accounts of a test. */
export type TestPlace = {
  /** The pools that hold the tokens. */
  readonly pools: Iterable<Pool>
  readonly header: Header
  /** Sends and receives beside the pool: the executor, which a token may refuse. By default an address that nobody knows. */
  readonly counterparty?: Address | undefined
  /** Further holders of tokens, of pools that are not in the market. */
  readonly holders?: ReadonlyMap<Address, Address>
}

/** The result of a test; a token that no pool holds, or that the node cannot test, is in neither list. */
export type Tested = {
  readonly flaws: readonly TokenFlaw[]
  readonly passed: readonly Address[]
}

/** The flaws of `testTransfers`. Throws RPC_FAILED. */
export async function findFlaws(
  client: Client,
  tokens: readonly Address[],
  place: TestPlace,
): Promise<readonly TokenFlaw[]> {
  return (await testTransfers(client, tokens, place)).flaws
}

/**
 * Finds the tokens that do not behave as pools assume: balances change without a transfer, less arrives than was sent,
 * or the token cannot be sent out of a pool and back, be it one unit, a hundredth or a half of what the pool holds. A
 * state override replaces the pool's code in the call; without overrides only balances in shares are found.
 */
export async function testTransfers(
  client: Client,
  tokens: readonly Address[],
  place: TestPlace,
): Promise<Tested> {
  const { header, counterparty = randomAddress() } = place
  const holdings = await readHoldings(client, tokens, place)
  const rebasing = holdings.filter(({ isInShares }) => isInShares)
  const rest = holdings.filter(({ isInShares }) => !isInShares)
  const flaws: TokenFlaw[] = rebasing.map(({ token }) =>
    flaw(token, 'TOKEN_REBASES', 'counts balances in shares, so they change without a transfer'),
  )
  const passed: Address[] = []
  if (rest.length === 0 || !mayOverride(client)) return { flaws, passed }
  for (let i = 0; i < rest.length; i += TOKENS_AT_ONCE) {
    const some = rest.slice(i, i + TOKENS_AT_ONCE)
    const terms = payingTerms(client, header, overridesOf(client, some, counterparty))
    const read = createReader(client, header, terms)
    const answers = await read(some.map((holding) => movesOf(holding, counterparty))).catch(
      orRefused,
    )
    if (!answers) break
    // In company, another token may have burned the gas, or taken what this one's holder has: it is tested alone.
    const found = await Promise.all(
      some.map((holding, n) => {
        const first = judge(holding, answers[n]!.data)
        return first === 'passed' || some.length === 1
          ? first
          : testAlone(client, holding, { header, counterparty })
      }),
    )
    for (const [n, { token, holder }] of some.entries()) {
      const one = found[n]
      if (one === 'passed') passed.push(token)
      else if (one) flaws.push({ ...one, holder })
    }
  }
  return { flaws, passed }
}

/** A client with a transport of its own has no profile that tells whether its node takes overrides. */
function orRefused(error: unknown): undefined {
  if (!isRefusal(error)) throw error
}

type Holding = {
  readonly token: Address
  /** The pool with the largest balance, of those read. */
  readonly holder: Address
  readonly balance: bigint
  readonly isInShares: boolean
}

/** The amounts that are sent, in wei, each once. */
function amountsOf({ balance }: Holding): readonly bigint[] {
  const amounts = [1n, ...PARTS.map((part) => balance / part)]
  return [...new Set(amounts)].filter((amount) => amount > 0n && amount <= balance)
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
  { pools, header, holders: more }: TestPlace,
): Promise<readonly Holding[]> {
  const holders = new Map(
    tokens.map((token) => [token, more?.has(token) ? [more.get(token)!] : []]),
  )
  for (const pool of pools) {
    const holder = calledContract(pool)
    for (const token of pool.tokens) {
      const own = holders.get(token)
      const isNew = own && own.length < HOLDERS && !own.includes(holder)
      if (isNew && holder !== token) own.push(holder)
    }
  }
  const asked = [...holders].flatMap(([token, ids]) => ids.map((holder) => ({ token, holder })))
  const read = createReader(client, header, payingTerms(client, header))
  const callOf = ({ token, holder }: (typeof asked)[number]): Call => {
    const calls = [BALANCE_OF, ...SHARES_OF].map((selector) => ({
      to: token,
      data: callData(selector, BigInt(holder)),
    }))
    // Nested in one call, so that the reader does not retry each part that fails.
    return { to: multicallOf(client), data: together(calls) }
  }
  const answers = await read(asked.map(callOf))
  const most = new Map<Address, Holding>()
  for (const [i, one] of asked.entries()) {
    const { token, holder } = one
    // A balance that costs all gas must not hide the tokens after it.
    const isHidden = asked.length > 1 && wordsOf(answers[i]!.data)[0] === undefined
    const [answer] = isHidden ? await read([callOf(one)]) : [answers[i]!]
    const [balance, ...shares] = wordsOf(answer!.data)
    if (balance === undefined || balance < (most.get(token)?.balance ?? 1n)) continue
    const isInShares = shares.some((count) => count && !isSameAmount(count, balance))
    most.set(token, { token, holder, balance, isInShares })
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

/**
 * The test as one call from the counterparty: balances, and for each amount a transfer out, balances, a transfer
 * back, balances.
 */
function movesOf(holding: Holding, counterparty: Address): Call {
  const { token, holder } = holding
  const balances = [holder, counterparty].map((of) => ({
    to: token,
    data: callData(BALANCE_OF, BigInt(of)),
  }))
  const moves = amountsOf(holding).flatMap((amount) => {
    const move = (to: Address) => ({ to: token, data: callData(TRANSFER, BigInt(to), amount) })
    const out = { to: holder, data: together([move(counterparty)]) }
    return [out, ...balances, move(holder), ...balances]
  })
  return { to: counterparty, data: together([...balances, ...moves]) }
}

/** What one token does in a request of its own, in which no other token has a word. */
async function testAlone(
  client: Client,
  holding: Holding,
  { header, counterparty }: { readonly header: Header; readonly counterparty: Address },
): Promise<TokenFlaw | 'passed' | undefined> {
  const terms = payingTerms(client, header, overridesOf(client, [holding], counterparty))
  const read = createReader(client, header, terms)
  const [answer] = await read([movesOf(holding, counterparty)])
  return judge(holding, answer!.data)
}

/** Calls of a transfer there and back, each with two balances after it. */
const CALLS_OF_MOVE = 6

function judge(holding: Holding, data: Hex): TokenFlaw | 'passed' | undefined {
  const amounts = amountsOf(holding)
  const results = resultsOf(data)
  if (results.length !== 2 + amounts.length * CALLS_OF_MOVE) return undefined
  for (const [i, amount] of amounts.entries()) {
    const from = i * CALLS_OF_MOVE
    const found = judgeMove(holding.token, amount, results.slice(from, from + 2 + CALLS_OF_MOVE))
    if (found !== 'passed') return found
  }
  return 'passed'
}

/** Judges one amount by the balances before it and its six results. */
function judgeMove(
  token: Address,
  amount: bigint,
  results: readonly Result[],
): TokenFlaw | 'passed' | undefined {
  const words = results.map(({ returnData }) => wordOrNone(returnData))
  const [held0, there0, , held1, there1, , held2, there2] = words
  if (held0 === undefined || there0 === undefined) return undefined
  const out = resultsOf(results[2]!.returnData)[0]
  if (!out || !isMoved(out)) {
    const what = `cannot be sent out of the pool with the largest balance, in an amount of ${amount}`
    return flaw(token, 'TOKEN_STUCK', what)
  }
  if ([held1, there1, held2, there2].includes(undefined)) return undefined
  const arrived = [held0 - held1!, there1! - there0]
  const odd = arrived.find((got) => got !== amount)
  if (odd !== undefined) return inexact(token, { amount, odd })
  if (!isMoved(results[5]!)) {
    return flaw(token, 'TOKEN_STUCK', `can be bought but not sold, in an amount of ${amount}`)
  }
  const back = [there1! - there2!, held2! - held1!]
  const oddBack = back.find((got) => got !== amount)
  return oddBack === undefined ? 'passed' : inexact(token, { amount, odd: oddBack })
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

/** Overrides the code of the holders and of the counterparty with a Multicall3 proxy (EIP-1167). */
function overridesOf(
  client: Client,
  holdings: readonly Holding[],
  counterparty: Address,
): RpcStateOverride {
  const code = proxyOfMulticall(client)
  return Object.fromEntries(
    [counterparty, ...holdings.map(({ holder }) => holder)].map((a) => [a, { code }]),
  )
}
