// Reads what ERC-20 tokens report: symbol, name, decimals, balances and allowances.

import { type Address, BaseError, type Hex, NATIVE, type Token } from '@braid-swap/core'
import {
  decodeAbiParameters,
  encodeFunctionData,
  hexToString,
  maxUint256,
  multicall3Abi,
  toFunctionSelector,
} from 'viem'
import { callData, wordAt } from '../reads/abiWords.js'
import type { CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader, multicallOf } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'

/** Display data that a token reports; never part of a snapshot. */
export type TokenText = {
  /** Lower case. */
  readonly address: Address
  /** Without control characters, at most 32 characters; empty if the token does not report one. */
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/**
 * Symbols, names and decimals of tokens at the latest block, also of old tokens that return
 * bytes32. A token without decimals is left out. {@link NATIVE} is the chain's native currency.
 * Throws RPC_FAILED.
 */
export async function readTokens(
  client: Client,
  addresses: readonly Address[],
): Promise<readonly TokenText[]> {
  const ids = addresses.map((address) => address.toLowerCase() as Address)
  const contracts = ids.filter((id) => id !== NATIVE)
  const read = createReader(client, 'latest')
  const answers = await read(
    contracts.flatMap((to) => [SYMBOL, NAME, DECIMALS].map((data) => ({ to, data }))),
  )
  const texts = new Map<Address, TokenText>()
  for (const [i, address] of contracts.entries()) {
    const [symbol, name, decimals] = answers.slice(i * 3, i * 3 + 3)
    const count = decimalsOf(decimals!)
    if (count === undefined) continue
    texts.set(address, { address, symbol: textOf(symbol!), name: textOf(name!), decimals: count })
  }
  const { symbol, name, decimals } = client.chain.nativeCurrency
  texts.set(NATIVE, { address: NATIVE, symbol, name, decimals })
  return ids.flatMap((id) => texts.get(id) ?? [])
}

/** Decimals of tokens; a token that does not return them is left out. */
export async function readDecimals(
  client: Client,
  addresses: readonly Address[],
  header: Header,
): Promise<readonly Token[]> {
  const answers = await createReader(
    client,
    header,
  )(addresses.map((to) => ({ to, data: DECIMALS })))
  return addresses.flatMap((address, i) => {
    const decimals = decimalsOf(answers[i]!)
    return decimals === undefined ? [] : [{ address, decimals }]
  })
}

/** An owner's balance of a token and a spender's allowance, in wei, both as of one block. */
export type Wallet = {
  readonly balance: bigint
  /** The greatest uint256 for {@link NATIVE}, which needs no allowance. */
  readonly allowance: bigint
  readonly blockNumber: bigint
}

/**
 * Balance and allowance in one call at the latest block. Throws a TokenUnreadableError if the token
 * does not answer.
 */
export async function readWallet(
  client: Client,
  of: { readonly owner: Address; readonly token: Address; readonly spender: Address },
): Promise<Wallet> {
  const read = createReader(client, 'latest')
  if (of.token.toLowerCase() === NATIVE) {
    const data = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'getEthBalance',
      args: [of.owner],
    })
    const [balance] = await read([{ to: multicallOf(client), data }])
    return { ...amountOf(of.token, balance!), allowance: maxUint256 }
  }
  const [balance, allowance] = await read([
    { to: of.token, data: callData(BALANCE_OF, BigInt(of.owner)) },
    { to: of.token, data: callData(ALLOWANCE, BigInt(of.owner), BigInt(of.spender)) },
  ])
  return {
    ...amountOf(of.token, balance!),
    allowance: amountOf(of.token, allowance!).balance,
  }
}

const DECIMALS = toFunctionSelector('function decimals()')
const SYMBOL = toFunctionSelector('function symbol()')
const NAME = toFunctionSelector('function name()')
const BALANCE_OF = toFunctionSelector('function balanceOf(address)')
const ALLOWANCE = toFunctionSelector('function allowance(address,address)')

const TEXT_LENGTH = 32

function amountOf(
  token: Address,
  { success, data, seen }: CallResult,
): Pick<Wallet, 'balance' | 'blockNumber'> {
  if (!success || data.length < 66 || !seen) throw new TokenUnreadableError(token, data)
  return { balance: wordAt(data, 0), blockNumber: seen.number }
}

function decimalsOf({ success, data }: CallResult): number | undefined {
  if (!success || data.length < 66) return undefined
  const value = wordAt(data, 0)
  return value <= 255n ? Number(value) : undefined
}

// Some early tokens return a bytes32 instead of a string.
function textOf({ success, data }: CallResult): string {
  if (!success || data === '0x') return ''
  return clean(data.length === 66 ? hexToString(data, { size: 32 }) : stringOf(data))
}

function stringOf(data: Hex): string {
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0]
  } catch {
    return ''
  }
}

/** Removes control and format characters, which could alter the line in which the text is shown. */
function clean(text: string): string {
  const visible = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  return [...visible].slice(0, TEXT_LENGTH).join('')
}

/** The contract does not return balances and allowances as a token does. */
export class TokenUnreadableError extends BaseError {
  readonly code = 'TOKEN_UNREADABLE'

  constructor(token: Address, got: Hex) {
    super(`${token} does not behave as a token`, { token, got: got.slice(0, 200) })
  }
}
